/* SPDX-License-Identifier: Apache-2.0

   The sizes of the variable modes 1 to 5, compared with Debian's libfdk-aac2 2.0.2 for the same signal. All checks pass with that library
   too. With an argument the program prints its results. */

#include "check.h"

#include <fdk-aac/aacenc_lib.h>

#include <math.h>
#include <stdlib.h>

enum { seconds = 3, limit = 48000 * 2 * seconds };
static int16_t input[limit];
static uint8_t output[1 << 16];

/* A format, and fdk-aac's bit rate in each mode, in kbit/s. */
typedef struct {
    UINT type, rate, channels;
    double expected[5];
} Format;

/* Generates notes with decaying harmonics, each panned, over pulsating noise. */
static void make_music(const Format *format) {
    static double sums[limit];
    uint32_t random = 7;
    int frames = (int)format->rate * seconds;
    for (int i = 0; i < limit; i++) sums[i] = 0;
    for (int note = 0; note < 5 * seconds; note++) {
        random = random * 1664525 + 1013904223;
        double pitch = 110 * pow(2, (random >> 24) % 36 / 12.0), place = (random >> 16 & 255) / 255.0;
        for (int harmonic = 1; harmonic <= 12 && pitch * harmonic < 0.45 * format->rate; harmonic++) {
            double angle = 6.283185307179586 * pitch * harmonic / format->rate, fading = 1 - 2.0 * harmonic / format->rate;
            /* Rotation by a constant angle, with decay. */
            double x = 2400.0 / harmonic, y = 0, c = fading * cos(angle), s = fading * sin(angle);
            for (int frame = note * (int)format->rate / 5; frame < frames; frame++) {
                double next = c * x - s * y;
                y = s * x + c * y;
                x = next;
                sums[frame * (int)format->channels] += y * (1 - 0.6 * place);
                if (format->channels == 2) sums[2 * frame + 1] += y * (0.4 + 0.6 * place);
            }
        }
    }
    double last[2] = {0, 0};
    for (int i = 0; i < frames * (int)format->channels; i++) {
        int channel = i % (int)format->channels;
        double time = (double)(i / (int)format->channels) / format->rate, beat = time * 4 - floor(time * 4);
        random = random * 1664525 + 1013904223;
        double noise = ((double)(random >> 8) / (1 << 23) - 1) * (200 + 2500 * exp(-12 * beat));
        last[channel] += 0.4 * (noise - last[channel]);
        double value = sums[i] + last[channel];
        input[i] = (int16_t)(value > 32767 ? 32767 : value < -32768 ? -32768 : value);
    }
}

/* Returns the bit rate of the signal in a mode, in kbit/s. */
static double bit_rate(const Format *format, UINT mode) {
    const UINT set[][2] = {
        {AACENC_AOT, format->type}, {AACENC_SAMPLERATE, format->rate}, {AACENC_CHANNELMODE, format->channels},
        {AACENC_BITRATEMODE, mode}, {AACENC_TRANSMUX, TT_MP4_ADTS}, {AACENC_AFTERBURNER, 1},
    };
    HANDLE_AACENCODER encoder;
    long total = 0;
    int count = (int)(format->rate * format->channels) * seconds, done = 0;
    EQUAL(aacEncOpen(&encoder, 0, format->channels), AACENC_OK);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        EQUAL(aacEncoder_SetParam(encoder, (AACENC_PARAM)set[i][0], set[i][1]), AACENC_OK);
    }
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_OK);
    for (;;) {
        int left = count - done;
        void *in_data = input + done, *out_data = output;
        INT in_id = IN_AUDIO_DATA, in_size = 2 * left, in_element = 2;
        INT out_id = OUT_BITSTREAM_DATA, out_size = sizeof output, out_element = 1;
        AACENC_BufDesc in = {1, &in_data, &in_id, &in_size, &in_element}, out = {1, &out_data, &out_id, &out_size, &out_element};
        AACENC_InArgs arguments = {left > 0 ? left : -1, 0};
        AACENC_OutArgs result = {0};
        AACENC_ERROR error = aacEncEncode(encoder, &in, &out, &arguments, &result);
        if (error != AACENC_OK) {
            EQUAL(error, AACENC_ENCODE_EOF);
            break;
        }
        done += result.numInSamples;
        total += result.numOutBytes;
    }
    aacEncClose(&encoder);
    return (double)total * 8 / seconds / 1000;
}

int main(int count, char **arguments) {
    (void)arguments;
    static const Format formats[] = {
        {AOT_AAC_LC, 48000, 2, {113.3, 107.4, 129.0, 178.6, 269.6}},
        {AOT_AAC_LC, 44100, 1, {67.9, 64.4, 77.5, 105.4, 157.0}},
        {AOT_AAC_LC, 24000, 2, {109.0, 103.0, 98.3, 129.2, 168.2}},
        {AOT_SBR, 44100, 2, {61.8, 83.3, 79.8, 105.3, 137.1}},
        {AOT_PS, 48000, 2, {39.9, 40.9, 45.3, 57.6, 73.4}},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const Format *format = formats + i;
        make_music(format);
        for (UINT mode = 1; mode <= 5; mode++) {
            double found = bit_rate(format, mode), ratio = found / format->expected[mode - 1];
            if (count > 1) printf("%s%.1f%s", mode > 1 ? ", " : "{", found, mode == 5 ? "}\n" : "");
            /* The mean over recordings is closer. */
            CHECK(ratio > 0.8 && ratio < 1.25);
        }
    }
    return finish_checks("fdk-variable");
}
