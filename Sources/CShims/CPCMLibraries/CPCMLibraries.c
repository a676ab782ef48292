// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#include "CPCMLibraries.h"

#if defined(__linux__)

#include "CRuntimeLibraries.h"

#include <pthread.h>

#define LINNET_NAME(name) #name,
static const char *const sndfile_names[] = {LINNET_SNDFILE_FUNCTIONS(LINNET_NAME)};
static const char *const soxr_names[] = {LINNET_SOXR_FUNCTIONS(LINNET_NAME)};

_Static_assert(sizeof(LinnetSndfileFunctions) == sizeof(sndfile_names), "one pointer a name");
_Static_assert(sizeof(LinnetSoxrFunctions) == sizeof(soxr_names), "one pointer a name");

static LinnetSndfileFunctions sndfile;
static LinnetSoxrFunctions soxr;
static bool has_sndfile, has_soxr;
static pthread_once_t sndfile_once = PTHREAD_ONCE_INIT, soxr_once = PTHREAD_ONCE_INIT;

static void load_sndfile(void) {
    has_sndfile = linnet_load_functions("libsndfile.so.1", sndfile_names, sizeof(sndfile_names) / sizeof(*sndfile_names), &sndfile);
}

static void load_soxr(void) {
    has_soxr = linnet_load_functions("libsoxr.so.0", soxr_names, sizeof(soxr_names) / sizeof(*soxr_names), &soxr);
}

const LinnetSndfileFunctions *linnet_sndfile_functions(void) {
    pthread_once(&sndfile_once, load_sndfile);
    return has_sndfile ? &sndfile : NULL;
}

const LinnetSoxrFunctions *linnet_soxr_functions(void) {
    pthread_once(&soxr_once, load_soxr);
    return has_soxr ? &soxr : NULL;
}

#endif
