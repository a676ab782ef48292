// SPDX-License-Identifier: Apache-2.0

#include "SRTFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <syslog.h>

/// Starts the library. It ends its own threads when the program exits.
static bool start(const LinnetSRTFunctions *functions) {
    if (functions->srt_startup() < 0) return false;
    // Keeps the library from writing to standard error, which is for the program's messages.
    functions->srt_setloglevel(LOG_EMERG);
    return true;
}

// Debian's names, and the name of a library built from the project's source.
LINNET_LOADER(
    LinnetSRTFunctions, LINNET_SRT_FUNCTIONS, linnet_srt_functions, start(functions), "libsrt-gnutls.so.1.5", "libsrt-openssl.so.1.5",
    "libsrt.so.1.5")

#endif
