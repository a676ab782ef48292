// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// libsndfile and libsoxr, opened when they are first asked for: most commands need neither, and they bring a dozen libraries along.
// Each table has one pointer a function, typed by the library's own header: the compiler checks every call.

#ifndef CPCMLIBRARIES_H
#define CPCMLIBRARIES_H

#if defined(__linux__)

#include <sndfile.h>
#include <soxr.h>

#define LINNET_SNDFILE_FUNCTIONS(FUNCTION) \
    FUNCTION(sf_close) \
    FUNCTION(sf_command) \
    FUNCTION(sf_error) \
    FUNCTION(sf_format_check) \
    FUNCTION(sf_get_string) \
    FUNCTION(sf_open_virtual) \
    FUNCTION(sf_readf_double) \
    FUNCTION(sf_readf_float) \
    FUNCTION(sf_readf_int) \
    FUNCTION(sf_seek) \
    FUNCTION(sf_set_string) \
    FUNCTION(sf_strerror) \
    FUNCTION(sf_writef_double) \
    FUNCTION(sf_writef_float) \
    FUNCTION(sf_writef_int)

#define LINNET_SOXR_FUNCTIONS(FUNCTION) \
    FUNCTION(soxr_create) \
    FUNCTION(soxr_delete) \
    FUNCTION(soxr_io_spec) \
    FUNCTION(soxr_process) \
    FUNCTION(soxr_quality_spec)

#define LINNET_POINTER(name) __typeof__(&name) name;

/// Every function of libsndfile that is called.
typedef struct LinnetSndfileFunctions {
    LINNET_SNDFILE_FUNCTIONS(LINNET_POINTER)
} LinnetSndfileFunctions;

/// Every function of libsoxr that is called.
typedef struct LinnetSoxrFunctions {
    LINNET_SOXR_FUNCTIONS(LINNET_POINTER)
} LinnetSoxrFunctions;

#undef LINNET_POINTER

/// The functions of libsndfile, or NULL if the library is missing; loaded once, at the first call.
const LinnetSndfileFunctions *linnet_sndfile_functions(void);

/// The functions of libsoxr, or NULL if the library is missing; loaded once, at the first call.
const LinnetSoxrFunctions *linnet_soxr_functions(void);

#endif
#endif
