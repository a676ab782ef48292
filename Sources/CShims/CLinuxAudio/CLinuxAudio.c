// SPDX-License-Identifier: Apache-2.0

#include "CLinuxAudio.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LINNET_NAME(name) #name,
static const char *const pulse_names[] = {LINNET_PULSE_FUNCTIONS(LINNET_NAME)};
static const char *const alsa_names[] = {LINNET_ALSA_FUNCTIONS(LINNET_NAME)};

_Static_assert(sizeof(LinnetPulseFunctions) == sizeof(pulse_names), "one pointer per name");
_Static_assert(sizeof(LinnetALSAFunctions) == sizeof(alsa_names), "one pointer per name");

static LinnetPulseFunctions pulse;
static LinnetALSAFunctions alsa;
static bool has_pulse, has_alsa;
static pthread_once_t pulse_once = PTHREAD_ONCE_INIT, alsa_once = PTHREAD_ONCE_INIT;

/// Ignores a message of ALSA.
static void ignore_message(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Loads libpulse.
static void load_pulse(void) {
    has_pulse = linnet_load_functions("libpulse.so.0", pulse_names, sizeof(pulse_names) / sizeof(*pulse_names), &pulse);
}

/// Loads libasound.
static void load_alsa(void) {
    has_alsa = linnet_load_functions("libasound.so.2", alsa_names, sizeof(alsa_names) / sizeof(*alsa_names), &alsa);
    if (!has_alsa) return;
    void *handle = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
    __typeof__(&snd_lib_error_set_handler) set_handler;
    void *function = dlsym(handle, "snd_lib_error_set_handler");
    memcpy(&set_handler, &function, sizeof(function));
    if (set_handler) set_handler(ignore_message);
}

const LinnetPulseFunctions *linnet_pulse_functions(void) {
    pthread_once(&pulse_once, load_pulse);
    return has_pulse ? &pulse : NULL;
}

const LinnetALSAFunctions *linnet_alsa_functions(void) {
    pthread_once(&alsa_once, load_alsa);
    return has_alsa ? &alsa : NULL;
}

#endif
