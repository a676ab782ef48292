// SPDX-License-Identifier: Apache-2.0

#include "SRTFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>
#include <stdbool.h>
#include <syslog.h>

#define LINNET_NAME(name) #name,
static const char *const names[] = {LINNET_SRT_FUNCTIONS(LINNET_NAME)};

_Static_assert(sizeof(LinnetSRTFunctions) == sizeof(names), "one pointer a name");

/// Debian's names, and that of a library built from the project's source.
static const char *const libraries[] = {"libsrt-gnutls.so.1.5", "libsrt-openssl.so.1.5", "libsrt.so.1.5"};

static LinnetSRTFunctions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    for (size_t i = 0; !is_loaded && i < sizeof(libraries) / sizeof(*libraries); i++)
        is_loaded = linnet_load_functions(libraries[i], names, sizeof(names) / sizeof(*names), &functions);
    if (!is_loaded) return;
    // The library ends its threads itself when the program ends.
    is_loaded = functions.srt_startup() >= 0;
    // It would write to standard error, where the program's own messages are.
    if (is_loaded) functions.srt_setloglevel(LOG_EMERG);
}

const LinnetSRTFunctions *linnet_srt_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

#endif
