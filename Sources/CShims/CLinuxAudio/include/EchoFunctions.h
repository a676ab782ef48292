// SPDX-License-Identifier: Apache-2.0

// liblinnet-echo.so.0, built from EchoCanceller/EchoCanceller.cpp.

#ifndef LINNET_ECHOFUNCTIONS_H
#define LINNET_ECHOFUNCTIONS_H

#include "CRuntimeLibraries.h"

typedef struct LinnetEchoCanceller LinnetEchoCanceller;

/// `create` returns a canceller for 10 ms blocks, or NULL if the libraries that it uses do not support the format. `noise_suppression` is 0
/// (off) to 4 (very high); a non-zero `gain_control` evens out the level of speech. Without `reference_channels` no echo is cancelled, and
/// `play` must not be called. `delay` returns the output's delay in frames. Audio has one plane per channel. `play` accepts 10 ms of the
/// far-end signal; `capture` processes 10 ms in place. Both return 0 or a library error.
#define LINNET_ECHO_FUNCTIONS(FUNCTION) \
    FUNCTION(LinnetEchoCanceller *, linnet_echo_canceller_create, \
        (int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control)) \
    FUNCTION(void, linnet_echo_canceller_destroy, (LinnetEchoCanceller *canceller)) \
    FUNCTION(int, linnet_echo_canceller_delay, (const LinnetEchoCanceller *canceller)) \
    FUNCTION(int, linnet_echo_canceller_play, (LinnetEchoCanceller *canceller, float *const *reference)) \
    FUNCTION(int, linnet_echo_canceller_capture, (LinnetEchoCanceller *canceller, float *const *captured, int delay_milliseconds))

LINNET_LIBRARY(LinnetEchoFunctions, LINNET_ECHO_FUNCTIONS, linnet_echo_functions)

#endif
