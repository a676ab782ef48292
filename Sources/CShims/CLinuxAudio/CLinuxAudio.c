// SPDX-License-Identifier: Apache-2.0

#include "CLinuxAudio.h"

#if defined(__linux__) && !defined(__ANDROID__)

/// Ignores an ALSA message. ALSA also reports failures by error codes.
static void ignore_message(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

LINNET_LOADER(LinnetPulseFunctions, LINNET_PULSE_FUNCTIONS, linnet_pulse_functions, true, "libpulse.so.0")
LINNET_LOADER(
    LinnetALSAFunctions, LINNET_ALSA_FUNCTIONS, linnet_alsa_functions, functions->snd_lib_error_set_handler(ignore_message) == 0,
    "libasound.so.2")

// The library next to the program, before the system's.
LINNET_LOADER(
    LinnetEchoFunctions, LINNET_ECHO_FUNCTIONS, linnet_echo_functions, true, "$ORIGIN/../lib/liblinnet-echo.so.0", "liblinnet-echo.so.0")

#endif
