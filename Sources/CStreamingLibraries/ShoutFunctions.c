// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#include "ShoutFunctions.h"

#if defined(__linux__)

#include "CRuntimeLibraries.h"

#include <pthread.h>
#include <stdbool.h>

#define LINNET_NAME(name) #name,
static const char *const names[] = {LINNET_SHOUT_FUNCTIONS(LINNET_NAME)};

_Static_assert(sizeof(LinnetShoutFunctions) == sizeof(names), "one pointer a name");

static LinnetShoutFunctions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    is_loaded = linnet_load_functions("libshout.so.3", names, sizeof(names) / sizeof(*names), &functions);
    // Never shut down: what it releases are mutexes, which a connection of another thread may hold at the program's end.
    if (is_loaded) functions.shout_init();
}

const LinnetShoutFunctions *linnet_shout_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

#endif
