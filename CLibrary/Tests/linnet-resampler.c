/* SPDX-License-Identifier: Apache-2.0

   The sample rate converter of liblinnet: tones, lengths, buffers of any size, invalid arguments. */

#include "check.h"

#include <linnet.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Returns a full-scale sine in each channel; frequencies are multiples of the first. */
static float *tones(double frequency, int rate, int frames, int channels) {
    float *samples = malloc(sizeof(float) * (size_t)frames * (size_t)channels);
    for (int frame = 0; frame < frames; frame++)
        for (int channel = 0; channel < channels; channel++)
            samples[frame * channels + channel] = (float)sin(2 * pi * frequency * (channel + 1) * frame / rate);
    return samples;
}

/* Converts samples, reading at most step and writing at most room frames per call. Returns the samples and their frame count. */
static float *convert(
    linnet_resampler *resampler, const float *input, size_t frames, int channels, size_t step, size_t room, size_t capacity, size_t *total) {
    float *output = malloc(sizeof(float) * (capacity + room) * (size_t)channels);
    size_t done = 0, taken, written = 0, count = 0;
    for (int ended = 0; !ended || written == room;) {
        size_t part = frames - done < step ? frames - done : step;
        EQUAL(linnet_resampler_process(
            resampler, input + done * (size_t)channels, part, &taken, output + count * (size_t)channels, room, &written), LINNET_OK);
        CHECK(taken <= part && written <= room && (taken == part || written == room));
        done += taken;
        count += written;
        CHECK(count <= capacity);
        if (count > capacity) break;
        if (done < frames || written == room || ended) continue;
        EQUAL(linnet_resampler_finish(resampler), LINNET_OK);
        ended = 1;
        written = room;
    }
    EQUAL(linnet_resampler_finish(resampler), LINNET_OK);
    EQUAL(linnet_resampler_process(resampler, input, 1, &taken, output, 0, &written), LINNET_ERROR_STATE);
    linnet_resampler_destroy(resampler);
    *total = count;
    return output;
}

static linnet_resampler *create(int from, int to, int channels, uint32_t quality) {
    linnet_resampler *resampler;
    EQUAL(linnet_resampler_create((uint32_t)from, (uint32_t)to, (uint32_t)channels, quality, &resampler), LINNET_OK);
    return resampler;
}

/* A tone keeps its phase and level, noise is below a limit in decibels, and the length is exact. */
static void test_tone(int from, int to, uint32_t quality, double limit) {
    enum { channels = 2 };
    int frames = from / 3;
    double frequency = 0.31 * (from < to ? from : to) / 2;
    float *input = tones(frequency, from, frames, channels);
    size_t expected = (size_t)((2LL * frames * to + from) / (2LL * from)), count;
    float *output = convert(create(from, to, channels, quality), input, (size_t)frames, channels, 1000, 1111, expected, &count);
    EQUAL(count, expected);
    float *ideal = tones(frequency, to, (int)count, channels);
    /* The signal starts and ends abruptly, which spreads over the filter length. */
    double energy = 0;
    size_t margin = count / 6, values = 0;
    for (size_t index = margin * channels; index < (count - margin) * channels; index++, values++)
        energy += pow((double)output[index] - (double)ideal[index], 2);
    double level = 10 * log10(2 * energy / (double)values);
    printf("%d to %d Hz, quality %u: noise of %.1f dB\n", from, to, quality, level);
    CHECK(level < limit);
    free(input);
    free(output);
    free(ideal);
}

/* Buffer sizes do not change the output. */
static void test_buffers(int from, int to, int channels) {
    enum { frames = 20000 };
    float *input = malloc(sizeof(float) * frames * (size_t)channels);
    uint32_t noise = 1;
    for (int index = 0; index < frames * channels; index++) {
        noise = noise * 1664525 + 1013904223;
        input[index] = (float)noise / 2147483648.0f - 1;
    }
    size_t expected = (size_t)((2LL * frames * to + from) / (2LL * from)), count;
    float *whole = convert(create(from, to, channels, LINNET_RESAMPLER_HIGH), input, frames, channels, frames, expected + 1, expected, &count);
    EQUAL(count, expected);
    static const size_t sizes[][2] = {{1, 1}, {1, 5000}, {37, 4096}, {5000, 7}, {frames, 4097}};
    for (size_t index = 0; index < sizeof sizes / sizeof *sizes; index++) {
        float *parts = convert(
            create(from, to, channels, LINNET_RESAMPLER_HIGH), input, frames, channels, sizes[index][0], sizes[index][1], expected, &count);
        EQUAL(count, expected);
        CHECK(memcmp(parts, whole, sizeof(float) * expected * (size_t)channels) == 0);
        if (from == to) CHECK(memcmp(parts, input, sizeof(float) * expected * (size_t)channels) == 0);
        free(parts);
    }
    free(input);
    free(whole);
}

static void test_arguments(void) {
    linnet_resampler *resampler = (linnet_resampler *)&failures;
    EQUAL(linnet_resampler_create(44100, 48000, 2, 3, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_resampler_create(0, 48000, 2, 3, &resampler), LINNET_ERROR_ARGUMENT);
    CHECK(resampler == NULL);
    EQUAL(linnet_resampler_create(44100, 0, 2, 3, &resampler), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_resampler_create(44100, 48000, 0, 3, &resampler), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_resampler_create(44100, 48000, 2, 5, &resampler), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_resampler_create(44100, 48000, 65, 3, &resampler), LINNET_ERROR_UNSUPPORTED);
    EQUAL(linnet_resampler_create(999, 48000, 1, 3, &resampler), LINNET_ERROR_UNSUPPORTED);
    EQUAL(linnet_resampler_create(1000, 257000, 1, 3, &resampler), LINNET_ERROR_UNSUPPORTED);
    EQUAL(linnet_resampler_create(257000, 1000, 1, 3, &resampler), LINNET_ERROR_UNSUPPORTED);
    linnet_resampler_destroy(resampler);
    size_t taken = 7, written = 7;
    float samples[8] = {0};
    EQUAL(linnet_resampler_finish(NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_resampler_process(NULL, samples, 1, &taken, samples, 1, &written), LINNET_ERROR_ARGUMENT);
    resampler = create(1000, 256000, 2, LINNET_RESAMPLER_MINIMUM);
    EQUAL(linnet_resampler_process(resampler, samples, 1, NULL, samples + 4, 1, &written), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_resampler_process(resampler, samples, 1, &taken, samples + 4, 1, NULL), LINNET_ERROR_ARGUMENT);
    EQUAL(linnet_resampler_process(resampler, NULL, 1, &taken, samples + 4, 1, &written), LINNET_ERROR_ARGUMENT);
    EQUAL(taken, 0);
    EQUAL(linnet_resampler_process(resampler, samples, 1, &taken, NULL, 1, &written), LINNET_ERROR_ARGUMENT);
    EQUAL(written, 0);
    EQUAL(linnet_resampler_process(resampler, samples, SIZE_MAX / 2, &taken, samples + 4, 1, &written), LINNET_ERROR_ARGUMENT);
    /* Without output space nothing is read. */
    EQUAL(linnet_resampler_process(resampler, samples, 2, &taken, NULL, 0, &written), LINNET_OK);
    EQUAL(taken, 0);
    EQUAL(linnet_resampler_process(resampler, NULL, 0, &taken, samples, 4, &written), LINNET_OK);
    EQUAL(written, 0);
    EQUAL(linnet_resampler_finish(resampler), LINNET_OK);
    EQUAL(linnet_resampler_process(resampler, NULL, 0, &taken, samples, 4, &written), LINNET_OK);
    EQUAL(written, 0);
    linnet_resampler_destroy(resampler);
    linnet_resampler_destroy(NULL);
}

int main(void) {
    test_arguments();
    static const int pairs[][2] = {{44100, 48000}, {48000, 44100}, {8000, 48000}, {48000, 16000}, {44100, 44101}, {96000, 22050}};
    for (size_t index = 0; index < sizeof pairs / sizeof *pairs; index++) {
        test_tone(pairs[index][0], pairs[index][1], LINNET_RESAMPLER_HIGH, -120);
        test_tone(pairs[index][0], pairs[index][1], LINNET_RESAMPLER_MAXIMUM, -130);
        test_buffers(pairs[index][0], pairs[index][1], index == 0 ? 3 : 1);
    }
    test_tone(44100, 48000, LINNET_RESAMPLER_MINIMUM, -50);
    test_tone(44100, 48000, LINNET_RESAMPLER_LOW, -110);
    test_tone(44100, 48000, LINNET_RESAMPLER_MEDIUM, -110);
    test_buffers(48000, 48000, 2);
    return finish_checks("linnet-resampler");
}
