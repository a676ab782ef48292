// SPDX-License-Identifier: Apache-2.0

#include "SRTFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <syslog.h>

/// Starts the library, which ends its threads itself when the program ends.
static bool start(const LinnetSRTFunctions *functions) {
    if (functions->srt_startup() < 0) return false;
    // It would write to standard error, where the program's own messages are.
    functions->srt_setloglevel(LOG_EMERG);
    return true;
}

// Debian's names, and that of a library built from the project's source.
LINNET_LOADER(
    LinnetSRTFunctions, LINNET_SRT_FUNCTIONS, linnet_srt_functions, start(functions), "libsrt-gnutls.so.1.5", "libsrt-openssl.so.1.5",
    "libsrt.so.1.5")

#endif
