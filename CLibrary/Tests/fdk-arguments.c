/* SPDX-License-Identifier: Apache-2.0

   Boundary values of the libfdk-aac encoder's arguments, with the results of Debian's fdk-aac 2.0.2. */

#include "check.h"

#include <fdk-aac/aacenc_lib.h>

#include <stddef.h>

enum { room = 8192 };
static int16_t input[8192];
static uint8_t output[room];

/* Maximum channel count (with SBR in the second byte), modules, then the results for HE-AAC, HE-AAC v2, stereo and 5.1. */
static void test_limits(void) {
    static const unsigned cases[][6] = {
        {0, 0, 0, 0, 0, 0},       {0, 2, 0, 0, 0, 0x23},    {0, 2 | 2 << 8, 0, 0, 0, 0x23}, {0, 8 | 8 << 8, 0, 0, 0, 0},
        {1, 2, 0x23, 0x23, 0, 0x23}, {2, 2, 0x23, 0x23, 0, 0x23}, {3, 2, 0, 0x23, 0, 0x23},    {7, 2, 0, 0, 0, 0x23},
    };
    HANDLE_AACENCODER encoder;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned *values = cases[i];
        EQUAL(aacEncOpen(&encoder, values[0], values[1]), AACENC_OK);
        EQUAL(aacEncoder_SetParam(encoder, AACENC_AOT, AOT_SBR), values[2]);
        EQUAL(aacEncoder_SetParam(encoder, AACENC_AOT, AOT_PS), values[3]);
        EQUAL(aacEncoder_SetParam(encoder, AACENC_CHANNELMODE, MODE_2), values[4]);
        EQUAL(aacEncoder_SetParam(encoder, AACENC_CHANNELMODE, MODE_1_2_2_1), values[5]);
        EQUAL(aacEncClose(&encoder), AACENC_OK);
    }
    EQUAL(aacEncOpen(&encoder, 0, 9), AACENC_INVALID_CONFIG);
    EQUAL(aacEncOpen(&encoder, 0, 2 | 9 << 8), AACENC_INVALID_CONFIG);
}

/* Encodes samples; null for a missing input. */
static AACENC_ERROR encode(HANDLE_AACENCODER encoder, int16_t *samples, int count, AACENC_OutArgs *result) {
    void *in = samples, *out = output;
    INT identifier = IN_AUDIO_DATA, size = 2 * count, element = 2, out_identifier = OUT_BITSTREAM_DATA, out_size = room, out_element = 1;
    AACENC_BufDesc inputs = {1, &in, &identifier, &size, &element};
    AACENC_BufDesc outputs = {1, &out, &out_identifier, &out_size, &out_element};
    AACENC_InArgs arguments = {count, 0};
    return aacEncEncode(encoder, &inputs, &outputs, &arguments, result);
}

/* Only a count of -1 ends a stream. */
static void test_input(void) {
    HANDLE_AACENCODER encoder;
    AACENC_OutArgs result;
    AACENC_InfoStruct info;
    EQUAL(aacEncOpen(&encoder, 0, 2), AACENC_OK);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_SAMPLERATE, 44100), AACENC_OK);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_CHANNELMODE, MODE_2), AACENC_OK);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_OK);
    for (int i = 0; i < 3; i++) EQUAL(encode(encoder, input, 2048, &result), AACENC_OK);
    EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
    unsigned before = info.inBufFillLevel;
    EQUAL(encode(encoder, input, 700, &result), AACENC_OK);
    EQUAL(result.numInSamples, 700);
    int missing[] = {0, -5, 100};
    for (int i = 0; i < 3; i++) {
        EQUAL(encode(encoder, NULL, missing[i], &result), missing[i] > 0 ? AACENC_UNSUPPORTED_PARAMETER : AACENC_OK);
        EQUAL(result.numOutBytes, 0);
    }
    EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
    EQUAL(info.inBufFillLevel - before, 350);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_CONTROL_STATE, AACENC_INIT_TRANSPORT), AACENC_OK);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_CONTROL_STATE, AACENC_RESET_INBUFFER), AACENC_OK);
    EQUAL(aacEncoder_GetParam(encoder, AACENC_CONTROL_STATE), AACENC_RESET_INBUFFER);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_OK);
    EQUAL(aacEncoder_GetParam(encoder, AACENC_CONTROL_STATE), 0);
    EQUAL(encode(encoder, NULL, -1, &result), AACENC_OK);
    CHECK(result.numOutBytes > 0);
    EQUAL(aacEncClose(&encoder), AACENC_OK);
}

int main(void) {
    make_signal(input, 4096, 2);
    test_limits();
    test_input();
    return finish_checks("libfdk-aac, arguments");
}
