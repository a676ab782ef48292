/* SPDX-License-Identifier: Apache-2.0

   The libfdk-aac decoder: every function, as programs that load the library use it. */

#include "check.h"

#include <fdk-aac/aacdecoder_lib.h>
#include <fdk-aac/aacenc_lib.h>

#include <math.h>
#include <string.h>

enum { rate = 44100, frames = 12000, limit = 6, room = 2048 * limit };
static int16_t input[frames * limit], samples[room], decoded[frames * limit + 40 * room];
static uint8_t stream[1 << 17], configuration[64];
static int sizes[64], unit_count, delay;
static UINT configuration_size, total;

/* Encodes the signal, which has WAV channel order. */
static void encode(int type, int channels, int transport) {
    HANDLE_AACENCODER encoder;
    AACENC_InfoStruct info;
    aacEncOpen(&encoder, 0, 0);
    const int parameters[][2] = {{AACENC_AOT, type},           {AACENC_SAMPLERATE, rate}, {AACENC_CHANNELMODE, channels},
                                 {AACENC_CHANNELORDER, 1},     {AACENC_TRANSMUX, transport}, {AACENC_SIGNALING_MODE, 1},
                                 {AACENC_BITRATE, type == 2 ? 64000 * channels : 48000}};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        EQUAL(aacEncoder_SetParam(encoder, (AACENC_PARAM)parameters[i][0], (UINT)parameters[i][1]), AACENC_OK);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_OK);
    EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
    memcpy(configuration, info.confBuf, info.confSize);
    configuration_size = info.confSize;
    delay = (int)info.nDelay;
    make_signal(input, frames, channels);
    unit_count = 0;
    total = 0;
    for (int done = 0;;) {
        void *in = input + done, *out = stream + total;
        INT in_id = IN_AUDIO_DATA, out_id = OUT_BITSTREAM_DATA, in_size = 2 * (frames * channels - done), out_size = 8192, two = 2, one = 1;
        AACENC_BufDesc input_buffer = {1, &in, &in_id, &in_size, &two}, output_buffer = {1, &out, &out_id, &out_size, &one};
        AACENC_InArgs arguments = {in_size ? in_size / 2 : -1, 0};
        AACENC_OutArgs result;
        if (aacEncEncode(encoder, &input_buffer, &output_buffer, &arguments, &result) != AACENC_OK) break;
        done += result.numInSamples;
        if (result.numOutBytes) sizes[unit_count++] = result.numOutBytes;
        total += (UINT)result.numOutBytes;
    }
    aacEncClose(&encoder);
}

/* Passes bytes, all of which must be accepted. */
static void fill(HANDLE_AACDECODER decoder, uint8_t *bytes, UINT size) {
    UINT left = size;
    EQUAL(aacDecoder_Fill(decoder, &bytes, &size, &left), AAC_DEC_OK);
    EQUAL(left, 0);
}

/* Returns the level of the difference between input and output relative to the input, in decibels. */
static double difference(int in_channels, int out_channels, int skip) {
    double noise = 0, signal = 0;
    for (int frame = 0; frame < frames - 2048; frame++) {
        for (int channel = 0; channel < in_channels && channel < out_channels; channel++) {
            /* The fourth of six channels is the LFE. */
            if (in_channels == 6 && channel == 3) continue;
            double in = input[frame * in_channels + channel], out = decoded[(frame + skip) * out_channels + channel];
            signal += in * in;
            noise += (in - out) * (in - out);
        }
    }
    return 10 * log10(noise / signal);
}

/* Decodes the stream in pieces; whole access units if piece is 0. */
static void decode(int type, int channels, TRANSPORT_TYPE transport, UINT piece) {
    HANDLE_AACDECODER decoder = aacDecoder_Open(transport, 1);
    CHECK(decoder != NULL);
    UCHAR *bytes = configuration;
    if (transport == TT_MP4_RAW || transport == TT_MP4_LATM_MCP0) EQUAL(aacDecoder_ConfigRaw(decoder, &bytes, &configuration_size), AAC_DEC_OK);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_NOT_ENOUGH_BITS);
    int count = 0, values = 0;
    for (UINT sent = 0; sent < total;) {
        UINT size = piece ? piece : (UINT)sizes[count];
        if (size > total - sent) size = total - sent;
        fill(decoder, stream + sent, size);
        sent += size;
        AAC_DECODER_ERROR result;
        while ((result = aacDecoder_DecodeFrame(decoder, samples, room, 0)) == AAC_DEC_OK) {
            CStreamInfo *info = aacDecoder_GetStreamInfo(decoder);
            EQUAL(info->sampleRate, rate);
            EQUAL(info->numChannels, channels);
            EQUAL(info->frameSize, type == 2 ? 1024 : 2048);
            EQUAL(info->aot, AOT_AAC_LC);
            EQUAL(info->aacSampleRate, type == 2 ? rate : rate / 2);
            EQUAL(info->channelConfig, transport == TT_MP4_ADIF ? 0 : type == 29 ? 1 : channels);
            EQUAL(info->outputDelay, type == 2 ? 0 : 962);
            EQUAL((info->flags & AC_SBR_PRESENT) != 0, type != 2);
            EQUAL((info->flags & AC_PS_PRESENT) != 0, type == 29);
            EQUAL(info->pChannelType[0], ACT_FRONT);
            if (channels == 6) {
                EQUAL(info->pChannelType[3], ACT_LFE);
                EQUAL(info->pChannelType[4], ACT_BACK);
                EQUAL(info->pChannelIndices[2], 0);
                EQUAL(info->pChannelIndices[0], 1);
            }
            memcpy(decoded + values, samples, (size_t)(info->frameSize * channels) * 2);
            values += info->frameSize * channels;
            count++;
        }
        EQUAL(result, AAC_DEC_NOT_ENOUGH_BITS);
        /* An access unit is decoded immediately, without the next one. */
        if (!piece) EQUAL(values / channels, count * (type == 2 ? 1024 : 2048));
    }
    EQUAL(count, unit_count);
    EQUAL(aacDecoder_GetStreamInfo(decoder)->numTotalAccessUnits, unit_count);
    EQUAL(aacDecoder_GetStreamInfo(decoder)->numTotalBytes, total);
    if (type == 2) CHECK(difference(channels, channels, delay) < -15);
    /* The end and lost access units: samples continue. */
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, AACDEC_FLUSH), AAC_DEC_OK);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, AACDEC_CONCEAL), AAC_DEC_OK);
    EQUAL(aacDecoder_GetStreamInfo(decoder)->numLostAccessUnits, 1);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, 10, AACDEC_CONCEAL), AAC_DEC_OUTPUT_BUFFER_TOO_SMALL);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, AACDEC_INTR | AACDEC_CLRHIST), AAC_DEC_NOT_ENOUGH_BITS);
    aacDecoder_Close(decoder);
}

static void test_streams(void) {
    static const int types[] = {2, 5, 29}, transports[] = {0, 2, 6, 7, 10, 1};
    for (int type = 0; type < 3; type++) {
        for (int transport = 0; transport < 6; transport++) {
            encode(types[type], 2, transports[transport]);
            decode(types[type], 2, (TRANSPORT_TYPE)transports[transport], 0);
            if (transports[transport] == 1 || transports[transport] == 2 || transports[transport] == 10)
                decode(types[type], 2, (TRANSPORT_TYPE)transports[transport], 111);
        }
    }
    for (int channels = 1; channels <= 6; channels++) {
        encode(2, channels, 2);
        decode(2, channels, TT_MP4_ADTS, 1000);
        encode(2, channels, 1);
        decode(2, channels, TT_MP4_ADIF, 1000);
    }
}

/* The parameters that FFmpeg always sets, and downmixing. */
static void test_parameters(void) {
    static const int accepted[][2] = {
        {AAC_CONCEAL_METHOD, 0},      {AAC_CONCEAL_METHOD, 1},          {AAC_CONCEAL_METHOD, 2},        {AAC_PCM_LIMITER_ENABLE, -1},
        {AAC_PCM_LIMITER_ENABLE, 1},  {AAC_DRC_BOOST_FACTOR, 127},      {AAC_DRC_ATTENUATION_FACTOR, 0}, {AAC_DRC_REFERENCE_LEVEL, -2},
        {AAC_DRC_REFERENCE_LEVEL, 80}, {AAC_DRC_HEAVY_COMPRESSION, 1},  {AAC_UNIDRC_SET_EFFECT, 6},     {AAC_UNIDRC_ALBUM_MODE, 1},
        {AAC_TPDEC_CLEAR_BUFFER, 1},  {AAC_PCM_MAX_OUTPUT_CHANNELS, -1}, {AAC_PCM_MIN_OUTPUT_CHANNELS, 0}, {AAC_QMF_LOWPOWER, -1},
        {AAC_PCM_DUAL_CHANNEL_OUTPUT_MODE, 3}, {AAC_PCM_LIMITER_ATTACK_TIME, 15}, {AAC_PCM_LIMITER_RELEAS_TIME, 50},
        {AAC_METADATA_PROFILE, 3},    {AAC_METADATA_EXPIRY_TIME, 550},  {AAC_DRC_DEFAULT_PRESENTATION_MODE, -1}, {AAC_DRC_ENC_TARGET_LEVEL, 127},
    };
    static const int refused[][2] = {
        {AAC_CONCEAL_METHOD, 3},     {AAC_PCM_LIMITER_ENABLE, 2},      {AAC_DRC_BOOST_FACTOR, 128}, {AAC_PCM_OUTPUT_CHANNEL_MAPPING, 2},
        {AAC_UNIDRC_SET_EFFECT, 7},  {AAC_PCM_MAX_OUTPUT_CHANNELS, 3}, {0x999, 0},
    };
    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_ADTS, 1);
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        EQUAL(aacDecoder_SetParam(decoder, (AACDEC_PARAM)accepted[i][0], accepted[i][1]), AAC_DEC_OK);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        EQUAL(aacDecoder_SetParam(decoder, (AACDEC_PARAM)refused[i][0], refused[i][1]), AAC_DEC_SET_PARAM_FAIL);
    aacDecoder_Close(decoder);
    for (int channels = 1; channels <= 6; channels += 5) {
        encode(2, channels, 2);
        for (int wanted = 1; wanted <= 2; wanted++) {
            decoder = aacDecoder_Open(TT_MP4_ADTS, 1);
            EQUAL(aacDecoder_SetParam(decoder, AAC_PCM_MAX_OUTPUT_CHANNELS, wanted), AAC_DEC_OK);
            EQUAL(aacDecoder_SetParam(decoder, AAC_PCM_MIN_OUTPUT_CHANNELS, wanted), AAC_DEC_OK);
            fill(decoder, stream, total);
            while (aacDecoder_DecodeFrame(decoder, samples, 1024 * wanted, 0) == AAC_DEC_OK) {
                EQUAL(aacDecoder_GetStreamInfo(decoder)->numChannels, wanted);
                if (channels == 1 && wanted == 2) EQUAL(samples[1000], samples[1001]);
            }
            EQUAL(aacDecoder_GetStreamInfo(decoder)->numTotalAccessUnits, unit_count);
            aacDecoder_Close(decoder);
        }
    }
}

/* Returns the level in decibels of a stream with a gain of -24 and a program reference level of 92, in steps of 0.25 dB. */
static double controlled_level(int cut, int level) {
    /* A fill element with both, and seven empty ones up to a whole byte. */
    static const uint8_t elements[] = {0xC7, 0x63, 0x71, 0x31, 0x83, 0x06, 0x0C, 0x18, 0x30, 0x60};
    static uint8_t unit[8192];
    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_RAW, 1);
    uint8_t *bytes = configuration, *next = stream;
    EQUAL(aacDecoder_ConfigRaw(decoder, &bytes, &configuration_size), AAC_DEC_OK);
    EQUAL(aacDecoder_SetParam(decoder, AAC_DRC_ATTENUATION_FACTOR, cut), AAC_DEC_OK);
    EQUAL(aacDecoder_SetParam(decoder, AAC_DRC_REFERENCE_LEVEL, level), AAC_DEC_OK);
    double sum = 0;
    for (int i = 0; i < unit_count; next += sizes[i++]) {
        memcpy(unit, elements, sizeof elements);
        memcpy(unit + sizeof elements, next, (size_t)sizes[i]);
        fill(decoder, unit, (UINT)sizeof elements + (UINT)sizes[i]);
        EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_OK);
        EQUAL(aacDecoder_GetStreamInfo(decoder)->drcProgRefLev, 92);
        for (int k = 0; k < 2048; k++) sum += (double)samples[k] * samples[k];
    }
    aacDecoder_Close(decoder);
    CHECK(sum > 0);
    return 10 * log10(sum);
}

static void test_dynamic_range(void) {
    encode(2, 2, 0);
    double level = controlled_level(0, -1);
    CHECK(fabs(controlled_level(127, -1) - level + 6.02) < 0.02);
    CHECK(fabs(controlled_level(0, 108) - level + 4) < 0.02);
    CHECK(fabs(controlled_level(64, 92) - level + 3.03) < 0.02);
}

static void test_damage(void) {
    encode(2, 2, 2);
    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_ADTS, 1);
    uint8_t noise[500];
    for (size_t i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)(i * 7);
    fill(decoder, noise, sizeof noise);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_NOT_ENOUGH_BITS);
    fill(decoder, stream, (UINT)(sizes[0] + sizes[1]));
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_OK);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_OK);
    /* A damaged access unit: the error comes with samples. */
    uint8_t *unit = stream + sizes[0] + sizes[1];
    memset(unit + 7, 0xA5, 40);
    fill(decoder, unit, (UINT)sizes[2]);
    AAC_DECODER_ERROR result = aacDecoder_DecodeFrame(decoder, samples, room, 0);
    CHECK(IS_DECODE_ERROR(result) && IS_OUTPUT_VALID(result));
    EQUAL(aacDecoder_GetStreamInfo(decoder)->numBadAccessUnits, 1);
    /* An access unit stays queued until its samples fit. */
    fill(decoder, unit + sizes[2], (UINT)sizes[3]);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, 2047, 0), AAC_DEC_OUTPUT_BUFFER_TOO_SMALL);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, 2048, 0), AAC_DEC_OK);
    /* More bytes than fit: the remaining ones are not accepted. */
    uint8_t *bytes = stream;
    UINT space, size = sizeof stream, left = size;
    EQUAL(aacDecoder_GetFreeBytes(decoder, &space), AAC_DEC_OK);
    EQUAL(aacDecoder_Fill(decoder, &bytes, &size, &left), AAC_DEC_OK);
    EQUAL(size - left, space);
    EQUAL(aacDecoder_GetFreeBytes(decoder, &space), AAC_DEC_OK);
    EQUAL(space, 0);
    aacDecoder_Close(decoder);

    /* Random damage never traps. */
    uint32_t random = 3;
    for (int transport = 2; transport <= 10; transport += 8) {
        encode(5, 2, transport);
        for (int round = 0; round < 10; round++) {
            decoder = aacDecoder_Open((TRANSPORT_TYPE)transport, 1);
            for (int i = 0; i < 5; i++) {
                random = random * 1664525 + 1013904223;
                stream[(random >> 8) % total] = (uint8_t)random;
            }
            fill(decoder, stream, total);
            for (int i = 0; i < 200; i++) aacDecoder_DecodeFrame(decoder, samples, room, 0);
            aacDecoder_Close(decoder);
        }
    }
}

static void test_wrong_arguments(void) {
    UCHAR bytes[4] = {0x1A, 0x10, 0x00, 0x00}, *pointer = bytes, *data;
    UINT size = 4, number = 4;
    int length;
    LIB_INFO library[FDK_MODULE_LAST];
    EQUAL(aacDecoder_Open(TT_UNKNOWN, 1), NULL);
    EQUAL(aacDecoder_Open(TT_DRM, 1), NULL);
    EQUAL(aacDecoder_Open(TT_MP4_RAW, 2), NULL);
    aacDecoder_Close(NULL);
    EQUAL(aacDecoder_ConfigRaw(NULL, &pointer, &size), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_Fill(NULL, &pointer, &size, &number), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_DecodeFrame(NULL, samples, 1, 0), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_GetStreamInfo(NULL), NULL);
    EQUAL(aacDecoder_SetParam(NULL, AAC_CONCEAL_METHOD, 1), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_GetFreeBytes(NULL, &number), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_AncDataInit(NULL, bytes, 4), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_AncDataGet(NULL, 0, &data, &length), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_RawISOBMFFData(NULL, bytes, 4), AAC_DEC_INVALID_HANDLE);
    EQUAL(aacDecoder_GetLibInfo(NULL), -1);
    FDKinitLibInfo(library);
    EQUAL(aacDecoder_GetLibInfo(library), 0);
    EQUAL(FDKlibInfo_getCapabilities(library, FDK_AACDEC) & (CAPF_AAC_LC | CAPF_ER_AAC_ELD | CAPF_ER_AAC_SCAL),
          CAPF_AAC_LC | CAPF_ER_AAC_ELD);

    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_RAW, 1);
    EQUAL(aacDecoder_GetStreamInfo(decoder)->sampleRate, 0);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, AACDEC_CONCEAL), AAC_DEC_NOT_ENOUGH_BITS);
    /* AAC with a scalable sample rate. */
    EQUAL(aacDecoder_ConfigRaw(decoder, &pointer, &size), AAC_DEC_UNSUPPORTED_AOT);
    size = 1;
    EQUAL(aacDecoder_ConfigRaw(decoder, &pointer, &size), AAC_DEC_UNSUPPORTED_FORMAT);
    EQUAL(aacDecoder_ConfigRaw(decoder, NULL, NULL), AAC_DEC_UNSUPPORTED_FORMAT);
    EQUAL(aacDecoder_Fill(decoder, NULL, &size, &number), AAC_DEC_UNKNOWN);
    EQUAL(aacDecoder_Fill(decoder, &pointer, &size, NULL), AAC_DEC_UNKNOWN);
    /* An access unit before its configuration. */
    fill(decoder, bytes, 4);
    EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_UNSUPPORTED_FORMAT);
    EQUAL(aacDecoder_DecodeFrame(decoder, NULL, room, 0), AAC_DEC_OUTPUT_BUFFER_TOO_SMALL);
    EQUAL(aacDecoder_AncDataInit(decoder, bytes, 4), AAC_DEC_OK);
    EQUAL(aacDecoder_AncDataGet(decoder, 0, &data, &length), AAC_DEC_OK);
    EQUAL(length, 0);
    EQUAL(aacDecoder_AncDataGet(decoder, -1, &data, &length), AAC_DEC_ANC_DATA_ERROR);
    EQUAL(aacDecoder_RawISOBMFFData(decoder, bytes, 4), AAC_DEC_UNSUPPORTED_FORMAT);
    aacDecoder_Close(decoder);
}

/* Reads a big-endian 16-bit number and skips it. */
static int take_number(uint8_t **bytes) {
    *bytes += 2;
    return (*bytes)[-2] << 8 | (*bytes)[-1];
}

/* xHE-AAC (object type 42): a stream of another encoder and samples of another decoder, from Tests/Vectors/USAC. */
static void test_usac(void) {
    FILE *file = fopen("fd-48k-st-nf.usac", "rb");
    CHECK(file != NULL);
    if (!file) return;
    size_t size = fread(stream, 1, sizeof stream, file);
    fclose(file);
    CHECK(size > 1000 && size < sizeof stream);
    uint8_t *bytes = stream;
    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_RAW, 1);
    EQUAL(aacDecoder_SetParam(decoder, AAC_PCM_LIMITER_ENABLE, 0), AAC_DEC_OK);
    UINT length = (UINT)take_number(&bytes);
    EQUAL(aacDecoder_ConfigRaw(decoder, &bytes, &length), AAC_DEC_OK);
    bytes += length;
    int units = take_number(&bytes), count = 0;
    for (int unit = 0; unit < units; unit++) {
        UINT bytes_of_unit = (UINT)take_number(&bytes);
        fill(decoder, bytes, bytes_of_unit);
        bytes += bytes_of_unit;
        EQUAL(aacDecoder_DecodeFrame(decoder, samples, room, 0), AAC_DEC_OK);
        const CStreamInfo *info = aacDecoder_GetStreamInfo(decoder);
        EQUAL(info->aot, 42);
        EQUAL(info->sampleRate, 48000);
        EQUAL(info->numChannels, 2);
        EQUAL(info->frameSize, 1024);
        CHECK(count + 2048 <= (int)(sizeof decoded / sizeof *decoded));
        memcpy(decoded + count, samples, 2048 * sizeof *samples);
        count += 2048;
    }
    int first = take_number(&bytes), reference_frames = take_number(&bytes), channels = take_number(&bytes), shift = take_number(&bytes);
    EQUAL(channels, 2);
    double noise = 0, signal = 0;
    for (int i = 0; i < 2048 * reference_frames; i++) {
        double expected = (double)(int16_t)take_number(&bytes) / (1 << shift), found = decoded[2048 * first + i];
        signal += expected * expected;
        noise += (expected - found) * (expected - found);
    }
    CHECK(signal > 0 && 10 * log10(noise / signal) < -55);
    aacDecoder_Close(decoder);
}

int main(void) {
    test_wrong_arguments();
    test_usac();
    test_streams();
    test_parameters();
    test_dynamic_range();
    test_damage();
    return finish_checks("libfdk-aac, decoder");
}
