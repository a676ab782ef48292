/* SPDX-License-Identifier: Apache-2.0

   The calls of FFmpeg's libfdk_aac encoder and decoder, in order, because FFmpeg builds with that library cannot be distributed: every
   parameter that it sets, access units of 480 to 2048 frames with a metadata buffer, the end of the stream, seeking, and packets.
   HomeKit camera plugins call FFmpeg like this for AAC-ELD at 16 and 24 kHz. SIP programs set the frame length and send raw access
   units. */

#include "check.h"

#include <fdk-aac/aacdecoder_lib.h>
#include <fdk-aac/aacenc_lib.h>

#include <string.h>

enum { frames = 20480, limit = 8, room = 2048 * limit };
static int16_t input[frames * limit];
static UCHAR packets[1 << 18];
static UINT sizes[64], packet_count;
static INT_PCM samples[room];

/* A stream requested from FFmpeg. */
typedef struct {
    UINT type, mode, channels, bit_rate, quality, transport, rate;
    UINT frame_length; /* per access unit */
    int eld_sbr;       /* FFmpeg's -eld_sbr; -1: not set, as for other types */
    UINT sbr_ratio;    /* 0: not set */
} Request;

/* Sets a parameter, which must be accepted. */
#define SET(parameter, value) EQUAL(aacEncoder_SetParam(encoder, parameter, value), AACENC_OK)

/* Opens the encoder as FFmpeg does. For a raw stream, a file header contains the configuration. */
static HANDLE_AACENCODER open_encoder(const Request *request, AACENC_InfoStruct *info) {
    HANDLE_AACENCODER encoder;
    EQUAL(aacEncOpen(&encoder, 0, request->channels), AACENC_OK);
    SET(AACENC_AOT, request->type);
    if (request->eld_sbr >= 0) SET(AACENC_SBR_MODE, (UINT)request->eld_sbr);
    if (request->sbr_ratio > 0) SET(AACENC_SBR_RATIO, request->sbr_ratio);
    if (request->frame_length % 480 == 0) SET(AACENC_GRANULE_LENGTH, 480);
    SET(AACENC_SAMPLERATE, request->rate);
    SET(AACENC_CHANNELMODE, request->mode);
    SET(AACENC_CHANNELORDER, 1);
    if (request->quality > 0) SET(AACENC_BITRATEMODE, request->quality);
    else SET(AACENC_BITRATE, request->bit_rate);
    SET(AACENC_TRANSMUX, request->transport);
    if (request->transport == TT_MP4_LATM_MCP1) SET(AACENC_HEADER_PERIOD, 20);
    SET(AACENC_SIGNALING_MODE, request->transport == TT_MP4_RAW ? 2 : 0);
    SET(AACENC_AFTERBURNER, 1);
    SET(AACENC_METADATA_MODE, 0);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_OK);
    EQUAL(aacEncInfo(encoder, info), AACENC_OK);
    EQUAL(info->inputChannels, request->channels);
    EQUAL(info->frameLength, request->frame_length);
    if (request->type == AOT_ER_AAC_ELD) {
        UINT ratio = request->sbr_ratio > 0 ? request->sbr_ratio : 1;
        EQUAL(aacEncoder_GetParam(encoder, AACENC_SBR_RATIO), request->eld_sbr > 0 ? ratio : 0);
    }
    CHECK(info->confSize > 0);
    return encoder;
}

/* Encodes a frame, or flushes if there are no samples. Returns the packet size. */
static int encode(HANDLE_AACENCODER encoder, int16_t *from, int count, UCHAR *packet, int capacity) {
    AACENC_MetaData metadata = {.drc_profile = AACENC_METADATA_DRC_NONE, .drc_TargetRefLevel = -31 * 65536};
    void *inputs[] = {from, &metadata}, *output = packet;
    INT identifiers[] = {IN_AUDIO_DATA, IN_METADATA_SETUP}, in_sizes[] = {2 * count, sizeof metadata}, elements[] = {2, sizeof metadata};
    INT identifier = OUT_BITSTREAM_DATA, element = 1;
    AACENC_BufDesc in = {2, inputs, identifiers, in_sizes, elements}, out = {1, &output, &identifier, &capacity, &element}, none = {0};
    AACENC_InArgs arguments = {from ? count : -1, 0};
    AACENC_OutArgs result = {0};
    AACENC_ERROR error = aacEncEncode(encoder, from ? &in : &none, &out, &arguments, &result);
    CHECK(error == AACENC_OK || (from == NULL && error == AACENC_ENCODE_EOF));
    if (from) EQUAL(result.numInSamples, count);
    return result.numOutBytes;
}

/* Encodes the signal to packets. FFmpeg stops at the first call after the end that returns no packet. */
static void encode_all(HANDLE_AACENCODER encoder, const AACENC_InfoStruct *info) {
    UINT length = info->frameLength, channels = info->inputChannels, total = 0;
    packet_count = 0;
    for (UINT frame = 0;; frame += length) {
        UINT left = frame < frames ? frames - frame : 0, count = left < length ? left : length;
        int size = encode(encoder, left ? input + frame * channels : NULL, (int)(count * channels), packets + total, 768 * (int)channels);
        if (left == 0 && size == 0) break;
        if (size == 0) continue;
        sizes[packet_count++] = (UINT)size;
        total += (UINT)size;
    }
    EQUAL(packet_count, (frames + info->nDelay + length - 1) / length);
}

/* Opens the decoder with all parameters that FFmpeg sets. */
static HANDLE_AACDECODER open_decoder(const Request *request, AACENC_InfoStruct *info) {
    static const int parameters[][2] = {
        {AAC_CONCEAL_METHOD, 2}, {AAC_PCM_MAX_OUTPUT_CHANNELS, -1}, {AAC_DRC_BOOST_FACTOR, 0}, {AAC_DRC_ATTENUATION_FACTOR, 64},
        {AAC_DRC_REFERENCE_LEVEL, -2}, {AAC_DRC_HEAVY_COMPRESSION, 0}, {AAC_PCM_LIMITER_ENABLE, -1}, {AAC_UNIDRC_SET_EFFECT, 0},
        {AAC_UNIDRC_ALBUM_MODE, 0},
    };
    HANDLE_AACDECODER decoder = aacDecoder_Open((TRANSPORT_TYPE)request->transport, 1);
    UCHAR *configuration = info->confBuf;
    CHECK(decoder != NULL);
    if (request->transport == TT_MP4_RAW) EQUAL(aacDecoder_ConfigRaw(decoder, &configuration, &info->confSize), AAC_DEC_OK);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        EQUAL(aacDecoder_SetParam(decoder, (AACDEC_PARAM)parameters[i][0], parameters[i][1]), AAC_DEC_OK);
    }
    return decoder;
}

/* Decodes the packets starting at `first`, one call each, and flushes at the end. Returns the number of frames. */
static UINT decode_all(HANDLE_AACDECODER decoder, const Request *request, UINT first) {
    UINT count = 0;
    UCHAR *packet = packets;
    for (UINT i = 0; i < first; i++) packet += sizes[i];
    for (UINT i = first; i < packet_count; packet += sizes[i++]) {
        UINT size = sizes[i], left = size;
        EQUAL(aacDecoder_Fill(decoder, &packet, &size, &left), AAC_DEC_OK);
        EQUAL(left, 0);
        EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_OK);
        CStreamInfo *info = aacDecoder_GetStreamInfo(decoder);
        EQUAL(info->sampleRate, (INT)request->rate);
        EQUAL(info->numChannels, request->channels);
        EQUAL(info->flags & AC_INDEP, 0);
        count += (UINT)info->frameSize;
    }
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, AACDEC_FLUSH), AAC_DEC_OK);
    return count;
}

int main(void) {
    static const Request requests[] = {
        {AOT_AAC_LC, MODE_2, 2, 128000, 0, TT_MP4_RAW, 48000, 1024, -1, 0},
        {AOT_AAC_LC, MODE_1, 1, 0, 4, TT_MP4_ADTS, 48000, 1024, -1, 0},
        {AOT_AAC_LC, MODE_1_2_2_1, 6, 320000, 0, TT_MP4_RAW, 48000, 1024, -1, 0},
        {AOT_AAC_LC, MODE_6_1, 7, 384000, 0, TT_MP4_RAW, 48000, 1024, -1, 0},
        {AOT_AAC_LC, MODE_7_1_REAR_SURROUND, 8, 448000, 0, TT_MP4_RAW, 48000, 1024, -1, 0},
        {AOT_AAC_LC, MODE_7_1_FRONT_CENTER, 8, 448000, 0, TT_MP4_RAW, 48000, 1024, -1, 0},
        {AOT_SBR, MODE_2, 2, 64000, 0, TT_MP4_RAW, 48000, 2048, -1, 0},
        {AOT_SBR, MODE_2, 2, 48000, 0, TT_MP4_LATM_MCP1, 48000, 2048, -1, 0},
        {AOT_PS, MODE_2, 2, 32000, 0, TT_MP4_RAW, 48000, 2048, -1, 0},
        {AOT_PS, MODE_2, 2, 32000, 0, TT_MP4_ADTS, 48000, 2048, -1, 0},
        {AOT_ER_AAC_LD, MODE_2, 2, 96000, 0, TT_MP4_RAW, 48000, 512, -1, 0},
        {AOT_ER_AAC_LD, MODE_1, 1, 64000, 0, TT_MP4_LOAS, 44100, 480, -1, 0},
        {AOT_ER_AAC_ELD, MODE_1, 1, 24000, 0, TT_MP4_RAW, 16000, 512, 0, 0},
        {AOT_ER_AAC_ELD, MODE_1, 1, 32000, 0, TT_MP4_RAW, 24000, 480, 0, 0},
        {AOT_ER_AAC_ELD, MODE_2, 2, 128000, 0, TT_MP4_LOAS, 44100, 480, 0, 0},
        {AOT_ER_AAC_ELD, MODE_1, 1, 24000, 0, TT_MP4_RAW, 16000, 512, 1, 0},
        {AOT_ER_AAC_ELD, MODE_2, 2, 64000, 0, TT_MP4_RAW, 44100, 512, 1, 1},
        {AOT_ER_AAC_ELD, MODE_2, 2, 48000, 0, TT_MP4_RAW, 48000, 1024, 1, 2},
        {AOT_ER_AAC_ELD, MODE_1, 1, 32000, 0, TT_MP4_LOAS, 48000, 960, 1, 2},
        {AOT_ER_AAC_ELD, MODE_1, 1, 0, 3, TT_MP4_RAW, 32000, 512, 0, 0},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        AACENC_InfoStruct info;
        make_signal(input, frames, (int)requests[i].channels);
        HANDLE_AACENCODER encoder = open_encoder(&requests[i], &info);
        encode_all(encoder, &info);
        EQUAL(aacEncClose(&encoder), AACENC_OK);
        HANDLE_AACDECODER decoder = open_decoder(&requests[i], &info);
        EQUAL(decode_all(decoder, &requests[i], 0), packet_count * info.frameLength);
        /* A seek: discard bytes and continue with a later packet, for LATM one with the configuration. */
        EQUAL(aacDecoder_SetParam(decoder, AAC_TPDEC_CLEAR_BUFFER, 1), AAC_DEC_OK);
        EQUAL(decode_all(decoder, &requests[i], 5), (packet_count - 5) * info.frameLength);
        aacDecoder_Close(decoder);
    }
    return finish_checks("libfdk-aac, FFmpeg's calls");
}
