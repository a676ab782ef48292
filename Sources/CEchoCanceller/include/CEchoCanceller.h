// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// speexdsp's echo canceller and WebRTC's audio processing behind plain C functions.

#ifndef CECHOCANCELLER_H
#define CECHOCANCELLER_H

#if defined(__linux__)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LinnetEchoCanceller LinnetEchoCanceller;

/// Makes a canceller for blocks of 10 ms; NULL if the library refuses.
///
/// `noise_suppression` is 0 (off) to 4 (very strong); `gain_control` other than 0 brings speech to one level.
LinnetEchoCanceller *linnet_echo_canceller_create(
    int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control);

void linnet_echo_canceller_destroy(LinnetEchoCanceller *canceller);

/// Takes 10 ms of what is played: one run of samples a channel. Returns 0, or the library's error.
int linnet_echo_canceller_play(LinnetEchoCanceller *canceller, float *const *reference);

/// Takes the echo out of 10 ms of what was heard, in place. Returns 0, or the library's error.
int linnet_echo_canceller_hear(LinnetEchoCanceller *canceller, float *const *heard, int delay_milliseconds);

#ifdef __cplusplus
}
#endif

#endif
#endif
