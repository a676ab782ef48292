/* SPDX-License-Identifier: Apache-2.0

   Shared by the tests: checks that count failures, and a test signal. */

#ifndef LINNET_TESTS_CHECK_H
#define LINNET_TESTS_CHECK_H

#include <stdint.h>
#include <stdio.h>

static int failures, checks;

/* Counts and prints a failure unless two integers are equal. */
#define EQUAL(found, expected)                                                                                          \
    do {                                                                                                                \
        long long a_ = (long long)(found), b_ = (long long)(expected);                                                  \
        checks++;                                                                                                       \
        if (a_ != b_) {                                                                                                 \
            failures++;                                                                                                 \
            fprintf(stderr, "%s:%d: %s is %lld (0x%llx), not %lld\n", __FILE__, __LINE__, #found, a_, (unsigned long long)a_, b_); \
        }                                                                                                               \
    } while (0)

/* Counts and prints a failure unless a condition is true. */
#define CHECK(condition) EQUAL(!!(condition), 1)

/* Generates interleaved samples: a pulsating tone in each channel, and noise. */
static inline void make_signal(int16_t *samples, int frames, int channels) {
    uint32_t noise = 1;
    for (int channel = 0; channel < channels; channel++) {
        /* Rotation by a constant angle, without a mathematics library. */
        double x = 1, y = 0, angle = 0.03 + 0.011 * channel;
        for (int frame = 0; frame < frames; frame++) {
            double next = x - angle * y;
            y += angle * next;
            x = next;
            noise = noise * 1664525 + 1013904223;
            double level = frame / 3000 % 3 == 2 ? 300 : 7000;
            samples[frame * channels + channel] = (int16_t)(level * y + (double)(noise >> 24) - 128);
        }
    }
}

/* Prints the outcome and returns the exit status. */
static int finish_checks(const char *name) {
    printf("%s: %d checks, %d failures\n", name, checks, failures);
    return failures ? 1 : 0;
}

#endif
