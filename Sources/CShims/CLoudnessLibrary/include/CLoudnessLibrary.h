// SPDX-License-Identifier: Apache-2.0

// libebur128, opened when it is first asked for. Its declarations are written after its public header (ebur128.h of version 1.2), so that
// building needs no header of it.

#ifndef CLOUDNESSLIBRARY_H
#define CLOUDNESSLIBRARY_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stddef.h>

/// The state of a measurement, whose contents only the library knows.
typedef struct LinnetLoudnessState LinnetLoudnessState;

/// Every function of libebur128 that is called.
typedef struct LinnetLoudnessFunctions {
    LinnetLoudnessState *(*ebur128_init)(unsigned int channels, unsigned long sample_rate, int mode);
    void (*ebur128_destroy)(LinnetLoudnessState **state);
    int (*ebur128_set_channel)(LinnetLoudnessState *state, unsigned int channel, int value);
    int (*ebur128_add_frames_float)(LinnetLoudnessState *state, const float *samples, size_t frames);
    int (*ebur128_loudness_global_multiple)(LinnetLoudnessState **states, size_t count, double *result);
    int (*ebur128_loudness_range_multiple)(LinnetLoudnessState **states, size_t count, double *result);
    int (*ebur128_loudness_window)(LinnetLoudnessState *state, unsigned long milliseconds, double *result);
} LinnetLoudnessFunctions;

/// The measurements of a state: integrated loudness, range.
enum {
    LINNET_LOUDNESS_INTEGRATED = (1 << 2) | (1 << 0),
    LINNET_LOUDNESS_RANGE = (1 << 3) | (1 << 1) | (1 << 0),
};

/// The positions of channels, which decide their weight.
enum {
    LINNET_LOUDNESS_UNUSED = 0,
    LINNET_LOUDNESS_LEFT = 1,
    LINNET_LOUDNESS_RIGHT = 2,
    LINNET_LOUDNESS_CENTER = 3,
    LINNET_LOUDNESS_LEFT_SURROUND = 4,
    LINNET_LOUDNESS_RIGHT_SURROUND = 5,
    LINNET_LOUDNESS_LEFT_SCREEN = 7,
    LINNET_LOUDNESS_RIGHT_SCREEN = 8,
    LINNET_LOUDNESS_LEFT_BACK = 13,
    LINNET_LOUDNESS_RIGHT_BACK = 14,
    LINNET_LOUDNESS_CENTER_BACK = 15,
    LINNET_LOUDNESS_LEFT_TOP = 17,
    LINNET_LOUDNESS_RIGHT_TOP = 18,
};

/// The functions of libebur128, or NULL if the library is missing; loaded once, at the first call.
const LinnetLoudnessFunctions *linnet_loudness_functions(void);

#endif
#endif
