// SPDX-License-Identifier: Apache-2.0

#include "CLoudnessLibrary.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>

// In the order of LinnetLoudnessFunctions.
static const char *const names[] = {
    "ebur128_init", "ebur128_destroy", "ebur128_set_channel", "ebur128_add_frames_float", "ebur128_loudness_global_multiple",
    "ebur128_loudness_range_multiple", "ebur128_loudness_window",
};

_Static_assert(sizeof(LinnetLoudnessFunctions) == sizeof(names), "one pointer a name");

static LinnetLoudnessFunctions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { is_loaded = linnet_load_functions("libebur128.so.1", names, sizeof(names) / sizeof(*names), &functions); }

const LinnetLoudnessFunctions *linnet_loudness_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

#endif
