/* SPDX-License-Identifier: Apache-2.0

   The calls of a DAB+ encoder, in order: object types 2, 5 and 29 with 960 core samples per access unit, and PAD as a second input, which
   becomes a data stream element at the start of the access unit. */

#include "check.h"

#include <fdk-aac/aacdecoder_lib.h>
#include <fdk-aac/aacenc_lib.h>

#include <string.h>

enum { unit_limit = 1920, room = 2 * unit_limit, pad_size = 58, unit_count = 40 };
static int16_t input[room];
static INT_PCM samples[room];

/* Sets a parameter, which must be accepted. */
#define SET(parameter, value) EQUAL(aacEncoder_SetParam(encoder, parameter, value), AACENC_OK)

/* Encodes a service and decodes its access units. */
static void run(UINT type, UINT rate, UINT channels, UINT bit_rate, int has_pad, int bandwidth) {
    HANDLE_AACENCODER encoder;
    AACENC_InfoStruct info = {0};
    EQUAL(aacEncOpen(&encoder, 0x01 | 0x02 | 0x04, channels), AACENC_OK);
    SET(AACENC_AOT, type);
    SET(AACENC_SAMPLERATE, rate);
    SET(AACENC_CHANNELMODE, channels);
    SET(AACENC_CHANNELORDER, 1);
    SET(AACENC_GRANULE_LENGTH, 960);
    SET(AACENC_BITRATE, bit_rate);
    SET(AACENC_AFTERBURNER, 1);
    if (bandwidth > 0) SET(AACENC_BANDWIDTH, (UINT)bandwidth);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_OK);
    EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
    EQUAL(aacEncoder_GetParam(encoder, AACENC_GRANULE_LENGTH), 960);
    EQUAL(aacEncoder_GetParam(encoder, AACENC_TRANSMUX), TT_MP4_RAW);
    EQUAL(info.frameLength, type == 2 ? 960 : 1920);

    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_RAW, 1);
    UCHAR *configuration = info.confBuf;
    UINT configuration_size = info.confSize;
    EQUAL(aacDecoder_ConfigRaw(decoder, &configuration, &configuration_size), AAC_DEC_OK);

    UCHAR pad[pad_size], packet[8192];
    UINT total = 0, units = 0;
    make_signal(input, (int)info.frameLength, (int)channels);
    for (UINT call = 0; units < unit_count; call++) {
        for (int index = 0; index < pad_size; index++) pad[index] = (UCHAR)(call + (UINT)index);
        void *inputs[] = {input, pad}, *output = packet;
        INT identifiers[] = {IN_AUDIO_DATA, IN_ANCILLRY_DATA};
        INT in_sizes[] = {(INT)(2 * info.frameLength * channels), pad_size}, elements[] = {2, 1};
        INT identifier = OUT_BITSTREAM_DATA, element = 1, capacity = sizeof packet;
        AACENC_BufDesc in = {2, inputs, identifiers, in_sizes, elements}, out = {1, &output, &identifier, &capacity, &element};
        AACENC_InArgs arguments = {(INT)(info.frameLength * channels), has_pad ? pad_size : 0};
        AACENC_OutArgs result = {0};
        EQUAL(aacEncEncode(encoder, &in, &out, &arguments, &result), AACENC_OK);
        EQUAL(result.numInSamples, (INT)(info.frameLength * channels));
        if (result.numOutBytes == 0) {
            EQUAL(result.numAncBytes, 0);
            continue;
        }
        units++;
        total += (UINT)result.numOutBytes;
        EQUAL(result.numAncBytes, has_pad ? pad_size : 0);
        if (has_pad) {
            EQUAL(packet[0] >> 5, 4);
            EQUAL(packet[1], pad_size);
            CHECK(memcmp(packet + 2, pad, pad_size) == 0);
        } else {
            CHECK(packet[0] >> 5 != 4);
        }
        UCHAR *unit = packet;
        UINT size = (UINT)result.numOutBytes, valid = size;
        EQUAL(aacDecoder_Fill(decoder, &unit, &size, &valid), AAC_DEC_OK);
        EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_OK);
        EQUAL(aacDecoder_GetStreamInfo(decoder)->frameSize, (INT)info.frameLength);
        EQUAL(aacDecoder_GetStreamInfo(decoder)->sampleRate, (INT)rate);
        EQUAL(aacDecoder_GetStreamInfo(decoder)->numChannels, (INT)channels);
    }
    /* The bit rate includes the data, within the variation that the decoder buffer allows. */
    double seconds = (double)unit_count * info.frameLength / rate;
    CHECK(total * 8 / seconds < bit_rate * 1.3);
    aacDecoder_Close(decoder);
    EQUAL(aacEncClose(&encoder), AACENC_OK);
}

/* Runs all services. */
int main(void) {
    static const UINT rates[] = {32000, 48000};
    for (int index = 0; index < 2; index++) {
        for (int has_pad = 0; has_pad < 2; has_pad++) {
            run(2, rates[index], 1, 88000, has_pad, 0);
            run(2, rates[index], 2, 128000, has_pad, 14000);
            run(5, rates[index], 2, 72000, has_pad, 0);
            run(29, rates[index], 2, 48000, has_pad, 0);
        }
    }
    /* ADTS does not support 960 samples per access unit. */
    HANDLE_AACENCODER encoder;
    EQUAL(aacEncOpen(&encoder, 0, 2), AACENC_OK);
    SET(AACENC_SAMPLERATE, 48000);
    SET(AACENC_CHANNELMODE, 2);
    SET(AACENC_GRANULE_LENGTH, 960);
    SET(AACENC_TRANSMUX, TT_MP4_ADTS);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_INIT_TP_ERROR);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_GRANULE_LENGTH, 240), AACENC_INVALID_CONFIG);
    EQUAL(aacEncClose(&encoder), AACENC_OK);
    return finish_checks("libfdk-aac, calls for DAB+");
}
