// SPDX-License-Identifier: Apache-2.0

// speexdsp's echo canceller and WebRTC's audio processing with plain C functions.

#ifndef CECHOCANCELLER_H
#define CECHOCANCELLER_H

#if defined(__linux__) && !defined(__ANDROID__)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LinnetEchoCanceller LinnetEchoCanceller;

/// Creates a canceller for blocks of 10 ms; returns NULL if the libraries don't support the format.
///
/// `noise_suppression` is 0 (off) to 4 (very high); `gain_control` other than 0 makes the level of speech uniform.
LinnetEchoCanceller *linnet_echo_canceller_create(
    int sample_rate, int channels, int reference_channels, int noise_suppression, int gain_control);

/// Destroys a canceller.
void linnet_echo_canceller_destroy(LinnetEchoCanceller *canceller);

/// Accepts 10 ms of the reference, the audio that is played: one plane per channel. Returns 0, or the library's error.
int linnet_echo_canceller_play(LinnetEchoCanceller *canceller, float *const *reference);

/// Removes the echo from 10 ms of captured audio, in place: one plane per channel. Returns 0, or the library's error.
int linnet_echo_canceller_capture(LinnetEchoCanceller *canceller, float *const *captured, int delay_milliseconds);

#ifdef __cplusplus
}
#endif

#endif
#endif
