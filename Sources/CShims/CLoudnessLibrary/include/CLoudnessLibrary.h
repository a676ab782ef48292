// SPDX-License-Identifier: Apache-2.0

// libebur128.so.1, as in version 1.2.

#ifndef CLOUDNESSLIBRARY_H
#define CLOUDNESSLIBRARY_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

typedef struct ebur128_state ebur128_state;

#define LINNET_LOUDNESS_FUNCTIONS(FUNCTION) \
    FUNCTION(ebur128_state *, ebur128_init, (unsigned channels, unsigned long sample_rate, int mode)) \
    FUNCTION(void, ebur128_destroy, (ebur128_state **state)) \
    FUNCTION(int, ebur128_set_channel, (ebur128_state *state, unsigned channel, int value)) \
    FUNCTION(int, ebur128_add_frames_float, (ebur128_state *state, const float *samples, size_t frames)) \
    FUNCTION(int, ebur128_loudness_global_multiple, (ebur128_state **states, size_t count, double *result)) \
    FUNCTION(int, ebur128_loudness_range_multiple, (ebur128_state **states, size_t count, double *result)) \
    FUNCTION(int, ebur128_loudness_window, (ebur128_state *state, unsigned long milliseconds, double *result))

LINNET_LIBRARY(LinnetLoudnessFunctions, LINNET_LOUDNESS_FUNCTIONS, linnet_loudness_functions)

/// The measurements of a state: integrated loudness, range.
enum {
    LINNET_LOUDNESS_INTEGRATED = (1 << 2) | (1 << 0),        // EBUR128_MODE_I
    LINNET_LOUDNESS_RANGE = (1 << 3) | (1 << 1) | (1 << 0),  // EBUR128_MODE_LRA
};

/// The positions of channels, which decide their weight.
enum {
    LINNET_LOUDNESS_UNUSED = 0,          // EBUR128_UNUSED
    LINNET_LOUDNESS_LEFT = 1,            // EBUR128_LEFT
    LINNET_LOUDNESS_RIGHT = 2,           // EBUR128_RIGHT
    LINNET_LOUDNESS_CENTER = 3,          // EBUR128_CENTER
    LINNET_LOUDNESS_LEFT_SURROUND = 4,   // EBUR128_LEFT_SURROUND
    LINNET_LOUDNESS_RIGHT_SURROUND = 5,  // EBUR128_RIGHT_SURROUND
    LINNET_LOUDNESS_LEFT_SCREEN = 7,     // EBUR128_MpSC
    LINNET_LOUDNESS_RIGHT_SCREEN = 8,    // EBUR128_MmSC
    LINNET_LOUDNESS_LEFT_BACK = 13,      // EBUR128_Mp135
    LINNET_LOUDNESS_RIGHT_BACK = 14,     // EBUR128_Mm135
    LINNET_LOUDNESS_CENTER_BACK = 15,    // EBUR128_Mp180
    LINNET_LOUDNESS_LEFT_TOP = 17,       // EBUR128_Up030
    LINNET_LOUDNESS_RIGHT_TOP = 18,      // EBUR128_Um030
};

#endif
#endif
