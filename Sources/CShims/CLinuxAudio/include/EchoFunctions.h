// SPDX-License-Identifier: Apache-2.0

// liblinnet-echo.so.0, a library of Linnet's own: EchoCanceller/EchoCanceller.cpp.

#ifndef LINNET_ECHOFUNCTIONS_H
#define LINNET_ECHOFUNCTIONS_H

#include "CRuntimeLibraries.h"

typedef struct LinnetEchoCanceller LinnetEchoCanceller;

/// Creates a canceller for blocks of 10 ms; NULL if the libraries behind it don't support the format. `noise_suppression` is 0 (off) to 4 (very
/// high); `gain_control` other than 0 makes the level of speech uniform. Audio is one plane per channel: `play` accepts 10 ms of the reference,
/// which is what is played, and `capture` removes the echo from 10 ms in place; both return 0, or an error of the libraries.
#define LINNET_ECHO_FUNCTIONS(FUNCTION) \
    FUNCTION(LinnetEchoCanceller *, linnet_echo_canceller_create, \
        (int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control)) \
    FUNCTION(void, linnet_echo_canceller_destroy, (LinnetEchoCanceller *canceller)) \
    FUNCTION(int, linnet_echo_canceller_play, (LinnetEchoCanceller *canceller, float *const *reference)) \
    FUNCTION(int, linnet_echo_canceller_capture, (LinnetEchoCanceller *canceller, float *const *captured, int delay_milliseconds))

LINNET_LIBRARY(LinnetEchoFunctions, LINNET_ECHO_FUNCTIONS, linnet_echo_functions)

#endif
