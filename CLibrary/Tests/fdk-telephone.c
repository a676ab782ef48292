/* SPDX-License-Identifier: Apache-2.0

   The calls of the module aac of the SIP program baresip, in order: an encoder opened without a channel count, the frame length set after
   the transport, blocks of a packet's duration, and a decoder that gets the channel count after the configuration. */

#include "check.h"

#include <fdk-aac/aacdecoder_lib.h>
#include <fdk-aac/aacenc_lib.h>

enum { frames = 24000, limit = 2 };
static int16_t input[frames * limit];
static INT_PCM samples[2048 * limit];

/* The negotiated parameters of a call. */
typedef struct {
    UINT type, rate, channels, bit_rate, duration; /* duration: output samples per access unit */
} Call;

/* Opens the encoder. */
static HANDLE_AACENCODER open_encoder(const Call *call, AACENC_InfoStruct *info) {
    static const AACENC_PARAM shown[] = {
        AACENC_AOT, AACENC_BITRATE, AACENC_BITRATEMODE, AACENC_SAMPLERATE, AACENC_SBR_MODE, AACENC_GRANULE_LENGTH, AACENC_CHANNELMODE,
        AACENC_CHANNELORDER, AACENC_SBR_RATIO, AACENC_AFTERBURNER, AACENC_BANDWIDTH, AACENC_TRANSMUX, AACENC_HEADER_PERIOD,
        AACENC_SIGNALING_MODE, AACENC_TPSUBFRAMES, AACENC_PROTECTION, AACENC_ANCILLARY_BITRATE, AACENC_METADATA_MODE,
    };
    const UINT set[][2] = {
        {AACENC_AOT, call->type}, {AACENC_SAMPLERATE, call->rate}, {AACENC_CHANNELMODE, call->channels}, {AACENC_BITRATE, call->bit_rate},
        {AACENC_TRANSMUX, TT_MP4_RAW}, {AACENC_GRANULE_LENGTH, call->type == AOT_SBR ? call->duration / 2 : call->duration},
        {AACENC_BITRATEMODE, 0}, {AACENC_AFTERBURNER, 1},
    };
    HANDLE_AACENCODER encoder;
    EQUAL(aacEncOpen(&encoder, 0, 0), AACENC_OK);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        EQUAL(aacEncoder_SetParam(encoder, (AACENC_PARAM)set[i][0], set[i][1]), AACENC_OK);
    }
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_OK);
    EQUAL(aacEncInfo(encoder, info), AACENC_OK);
    EQUAL(info->frameLength, call->duration);
    EQUAL(info->inputChannels, call->channels);
    EQUAL(aacEncoder_GetParam(encoder, AACENC_BITRATE), call->bit_rate);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) (void)aacEncoder_GetParam(encoder, shown[i]);
    return encoder;
}

/* Opens the decoder with the configuration of the session description. */
static HANDLE_AACDECODER open_decoder(const Call *call, AACENC_InfoStruct *info) {
    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_RAW, 1);
    UCHAR *configuration = info->confBuf;
    UINT length = info->confSize;
    CHECK(decoder != NULL);
    EQUAL(aacDecoder_ConfigRaw(decoder, &configuration, &length), AAC_DEC_OK);
    EQUAL(aacDecoder_SetParam(decoder, AAC_PCM_MIN_OUTPUT_CHANNELS, (INT)call->channels), AAC_DEC_OK);
    EQUAL(aacDecoder_SetParam(decoder, AAC_PCM_MAX_OUTPUT_CHANNELS, (INT)call->channels), AAC_DEC_OK);
    return decoder;
}

/* Encodes samples until all are consumed. Returns the access unit's size. */
static int encode(HANDLE_AACENCODER encoder, int16_t *from, int count, UCHAR *unit, int capacity) {
    int total = 0, done = 0;
    while (done < count) {
        void *in_data = from + done, *out_data = unit + total;
        INT in_id = IN_AUDIO_DATA, in_size = 2 * (count - done), in_element = 2;
        INT out_id = OUT_BITSTREAM_DATA, out_size = capacity - total, out_element = 1;
        AACENC_BufDesc in = {1, &in_data, &in_id, &in_size, &in_element}, out = {1, &out_data, &out_id, &out_size, &out_element};
        AACENC_InArgs arguments = {count - done, 0};
        AACENC_OutArgs result = {0};
        AACENC_ERROR error = aacEncEncode(encoder, &in, &out, &arguments, &result);
        EQUAL(error, AACENC_OK);
        if (error != AACENC_OK) return 0;
        done += result.numInSamples;
        total += result.numOutBytes;
    }
    return total;
}

/* Decodes a packet; returns the number of frames. */
static UINT decode(HANDLE_AACDECODER decoder, const Call *call, UCHAR *unit, UINT size) {
    UINT left = size;
    EQUAL(aacDecoder_Fill(decoder, &unit, &size, &left), AAC_DEC_OK);
    EQUAL(left, 0);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, 2048 * limit, 0), AAC_DEC_OK);
    CStreamInfo *info = aacDecoder_GetStreamInfo(decoder);
    CHECK(info != NULL);
    EQUAL(info->sampleRate, (INT)call->rate);
    EQUAL(info->numChannels, (INT)call->channels);
    return (UINT)info->frameSize;
}

int main(void) {
    static const Call calls[] = {
        {AOT_AAC_LC, 48000, 2, 128000, 1024}, {AOT_ER_AAC_LD, 48000, 2, 128000, 480}, {AOT_ER_AAC_LD, 48000, 1, 64000, 512},
        {AOT_ER_AAC_ELD, 48000, 2, 128000, 480}, {AOT_ER_AAC_ELD, 48000, 1, 64000, 512}, {AOT_SBR, 48000, 2, 64000, 2048},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const Call *call = &calls[i];
        AACENC_InfoStruct info;
        HANDLE_AACENCODER encoder = open_encoder(call, &info);
        HANDLE_AACDECODER decoder = open_decoder(call, &info);
        UINT step = call->duration, sent = 0, heard = 0;
        make_signal(input, frames, (int)call->channels);
        for (UINT frame = 0; frame + step <= frames; frame += step) {
            UCHAR unit[8192];
            int size = encode(encoder, input + frame * call->channels, (int)(step * call->channels), unit, sizeof unit);
            if (size == 0) continue;
            sent++;
            heard += decode(decoder, call, unit, (UINT)size);
        }
        EQUAL(heard, sent * call->duration);
        /* Low-delay profiles return an access unit per block; the others omit the first ones. */
        CHECK(sent + (call->type == AOT_AAC_LC || call->type == AOT_SBR ? 3 : 0) >= frames / step);
        EQUAL(aacEncClose(&encoder), AACENC_OK);
        aacDecoder_Close(decoder);
    }
    return finish_checks("libfdk-aac, calls of a SIP program");
}
