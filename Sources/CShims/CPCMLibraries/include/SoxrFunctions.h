// SPDX-License-Identifier: Apache-2.0

// libsoxr.so.0, as in version 0.1.3.

#ifndef LINNET_SOXRFUNCTIONS_H
#define LINNET_SOXRFUNCTIONS_H

#include "CRuntimeLibraries.h"

typedef struct soxr *soxr_t;
typedef const char *soxr_error_t;
typedef const void *soxr_in_t;
typedef void *soxr_out_t;

/// Formats of planar samples.
typedef enum { SOXR_FLOAT32_S = 4, SOXR_FLOAT64_S = 5 } soxr_datatype_t;

/// Recipes of `soxr_quality_spec`.
enum {
    SOXR_QQ = 0,
    SOXR_LQ = 1,
    SOXR_MQ = 2,
    SOXR_HQ = 4,
    SOXR_VHQ = 6,
};

typedef struct soxr_io_spec {
    soxr_datatype_t itype, otype;
    double scale;
    void *e;
    unsigned long flags;
} soxr_io_spec_t;

typedef struct soxr_quality_spec {
    double precision, phase_response, passband_end, stopband_begin;
    void *e;
    unsigned long flags;
} soxr_quality_spec_t;

typedef struct soxr_runtime_spec soxr_runtime_spec_t;

#define LINNET_SOXR_FUNCTIONS(FUNCTION) \
    FUNCTION(soxr_t, soxr_create, \
        (double input_rate, double output_rate, unsigned channels, soxr_error_t *error, const soxr_io_spec_t *io, \
         const soxr_quality_spec_t *quality, const soxr_runtime_spec_t *runtime)) \
    FUNCTION(void, soxr_delete, (soxr_t soxr)) \
    FUNCTION(soxr_io_spec_t, soxr_io_spec, (soxr_datatype_t input, soxr_datatype_t output)) \
    FUNCTION(soxr_error_t, soxr_process, \
        (soxr_t soxr, soxr_in_t input, size_t input_count, size_t *consumed, soxr_out_t output, size_t room, size_t *produced)) \
    FUNCTION(soxr_quality_spec_t, soxr_quality_spec, (unsigned long recipe, unsigned long flags))

LINNET_LIBRARY(LinnetSoxrFunctions, LINNET_SOXR_FUNCTIONS, linnet_soxr_functions)

#endif
