// SPDX-License-Identifier: Apache-2.0

#include "CPCMLibraries.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>

#define LINNET_NAME(name) #name,
static const char *const sndfile_names[] = {LINNET_SNDFILE_FUNCTIONS(LINNET_NAME)};
static const char *const flac_names[] = {LINNET_FLAC_FUNCTIONS(LINNET_NAME)};
static const char *const mpg123_names[] = {LINNET_MPG123_FUNCTIONS(LINNET_NAME)};
static const char *const soxr_names[] = {LINNET_SOXR_FUNCTIONS(LINNET_NAME)};

_Static_assert(sizeof(LinnetSndfileFunctions) == sizeof(sndfile_names), "one pointer a name");
_Static_assert(sizeof(LinnetFLACFunctions) == sizeof(flac_names), "one pointer a name");
_Static_assert(sizeof(LinnetMpg123Functions) == sizeof(mpg123_names), "one pointer a name");
_Static_assert(sizeof(LinnetSoxrFunctions) == sizeof(soxr_names), "one pointer a name");

static LinnetSndfileFunctions sndfile;
static LinnetFLACFunctions flac;
static LinnetMpg123Functions mpg123;
static LinnetSoxrFunctions soxr;
static bool has_sndfile, has_flac, has_mpg123, has_soxr;
static pthread_once_t sndfile_once = PTHREAD_ONCE_INIT, flac_once = PTHREAD_ONCE_INIT, mpg123_once = PTHREAD_ONCE_INIT,
                      soxr_once = PTHREAD_ONCE_INIT;

static void load_sndfile(void) {
    has_sndfile = linnet_load_functions("libsndfile.so.1", sndfile_names, sizeof(sndfile_names) / sizeof(*sndfile_names), &sndfile);
}

static void load_flac(void) {
    // The functions are the same in these versions (FLAC 1.4, 1.5 and 1.3).
    static const char *const libraries[] = {"libFLAC.so.12", "libFLAC.so.14", "libFLAC.so.8"};
    for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries) && !has_flac; i++) {
        has_flac = linnet_load_functions(libraries[i], flac_names, sizeof(flac_names) / sizeof(*flac_names), &flac);
    }
}

static void load_mpg123(void) {
    has_mpg123 = linnet_load_functions("libmpg123.so.0", mpg123_names, sizeof(mpg123_names) / sizeof(*mpg123_names), &mpg123)
        && mpg123.mpg123_init() == MPG123_OK;
}

static void load_soxr(void) {
    has_soxr = linnet_load_functions("libsoxr.so.0", soxr_names, sizeof(soxr_names) / sizeof(*soxr_names), &soxr);
}

const LinnetSndfileFunctions *linnet_sndfile_functions(void) {
    pthread_once(&sndfile_once, load_sndfile);
    return has_sndfile ? &sndfile : NULL;
}

const LinnetFLACFunctions *linnet_flac_functions(void) {
    pthread_once(&flac_once, load_flac);
    return has_flac ? &flac : NULL;
}

const LinnetMpg123Functions *linnet_mpg123_functions(void) {
    pthread_once(&mpg123_once, load_mpg123);
    return has_mpg123 ? &mpg123 : NULL;
}

const LinnetSoxrFunctions *linnet_soxr_functions(void) {
    pthread_once(&soxr_once, load_soxr);
    return has_soxr ? &soxr : NULL;
}

#endif
