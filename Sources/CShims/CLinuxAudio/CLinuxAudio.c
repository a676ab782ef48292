// SPDX-License-Identifier: Apache-2.0

#include "CLinuxAudio.h"

#if defined(__linux__) && !defined(__ANDROID__)

/// Ignores a message of ALSA, which reports failures by their codes too.
static void ignore_message(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

LINNET_LOADER(LinnetPulseFunctions, LINNET_PULSE_FUNCTIONS, linnet_pulse_functions, true, "libpulse.so.0")
LINNET_LOADER(
    LinnetALSAFunctions, LINNET_ALSA_FUNCTIONS, linnet_alsa_functions, functions->snd_lib_error_set_handler(ignore_message) == 0,
    "libasound.so.2")

#endif
