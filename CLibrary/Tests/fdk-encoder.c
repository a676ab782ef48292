/* SPDX-License-Identifier: Apache-2.0

   The libfdk-aac encoder: every function, as programs that load the library use it. */

#include "check.h"

#include <fdk-aac/aacdecoder_lib.h>
#include <fdk-aac/aacenc_lib.h>

#include <stdlib.h>
#include <string.h>

enum { rate = 44100, frames = 10000, limit = 8 };
static int16_t input[frames * limit];
static uint8_t output[1 << 18];
static int sizes[256], unit_count, total;

/* Creates an encoder from a list of parameters and values that ends with AACENC_NONE. */
static HANDLE_AACENCODER make(const int *list, AACENC_ERROR expected) {
    HANDLE_AACENCODER encoder = NULL;
    EQUAL(aacEncOpen(&encoder, 0, 0), AACENC_OK);
    for (; *list != AACENC_NONE; list += 2) EQUAL(aacEncoder_SetParam(encoder, (AACENC_PARAM)list[0], (UINT)list[1]), AACENC_OK);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), expected);
    return encoder;
}

#define MAKE(expected, ...) make((const int[]){__VA_ARGS__, AACENC_NONE}, expected)

/* Encodes samples of all channels; a count of -1 ends the stream. */
static AACENC_ERROR encode(HANDLE_AACENCODER encoder, int16_t *samples, int count, void *bytes, int capacity, AACENC_OutArgs *result) {
    AACENC_MetaData metadata = {.drc_profile = AACENC_METADATA_DRC_NONE};
    void *inputs[] = {samples, &metadata}, *outputs[] = {bytes};
    INT in_identifiers[] = {IN_AUDIO_DATA, IN_METADATA_SETUP}, out_identifiers[] = {OUT_BITSTREAM_DATA};
    INT in_sizes[] = {count > 0 ? 2 * count : 0, (INT)sizeof metadata}, out_sizes[] = {capacity}, in_elements[] = {2, (INT)sizeof metadata},
        out_elements[] = {1};
    AACENC_BufDesc in = {2, inputs, in_identifiers, in_sizes, in_elements}, out = {1, outputs, out_identifiers, out_sizes, out_elements};
    AACENC_InArgs arguments = {count, 0};
    return aacEncEncode(encoder, &in, &out, &arguments, result);
}

/* Encodes the whole signal, one frame per call as programs do, and stores the access units. */
static void encode_all(HANDLE_AACENCODER encoder) {
    AACENC_InfoStruct info;
    AACENC_OutArgs result;
    EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
    int channels = (int)info.inputChannels, chunk = (int)info.frameLength * channels, end = frames * channels, calls = 0;
    unit_count = total = 0;
    for (int done = 0; done < end;) {
        int count = end - done < chunk ? end - done : chunk;
        EQUAL(encode(encoder, input + done, count, output + total, (int)info.maxOutBufBytes, &result), AACENC_OK);
        /* FFmpeg does not pass samples again that were not consumed. */
        EQUAL(result.numInSamples, count);
        if (count == chunk) CHECK(result.numOutBytes > 0);
        done += result.numInSamples;
        if (result.numOutBytes > 0) total += sizes[unit_count++] = result.numOutBytes;
    }
    while (encode(encoder, NULL, -1, output + total, (int)info.maxOutBufBytes, &result) == AACENC_OK) {
        CHECK(result.numOutBytes > 0 && calls++ < 20);
        total += sizes[unit_count++] = result.numOutBytes;
    }
    EQUAL(result.numOutBytes, 0);
    EQUAL(encode(encoder, NULL, -1, output, 1, &result), AACENC_ENCODE_EOF);
    int length = (int)info.frameLength;
    EQUAL(unit_count, (frames + (int)info.nDelay + length - 1) / length);
}

static void test_wrong_handles(void) {
    HANDLE_AACENCODER encoder = NULL;
    AACENC_InfoStruct info;
    LIB_INFO library[FDK_MODULE_LAST];
    EQUAL(aacEncOpen(NULL, 0, 0), AACENC_INVALID_HANDLE);
    EQUAL(aacEncOpen(&encoder, 0, 9), AACENC_INVALID_CONFIG);
    CHECK(encoder == NULL);
    EQUAL(aacEncClose(NULL), AACENC_INVALID_HANDLE);
    EQUAL(aacEncClose(&encoder), AACENC_OK);
    EQUAL(aacEncoder_SetParam(NULL, AACENC_AOT, 2), AACENC_INVALID_HANDLE);
    EQUAL(aacEncoder_GetParam(NULL, AACENC_AOT), 0);
    EQUAL(aacEncEncode(NULL, NULL, NULL, NULL, NULL), AACENC_INVALID_HANDLE);
    EQUAL(aacEncInfo(NULL, &info), AACENC_INVALID_HANDLE);
    EQUAL(aacEncGetLibInfo(NULL), AACENC_INVALID_HANDLE);
    FDKinitLibInfo(library);
    EQUAL(aacEncGetLibInfo(library), AACENC_OK);
    EQUAL(FDKlibInfo_getCapabilities(library, FDK_AACENC) & CAPF_AAC_LC, CAPF_AAC_LC);
    UINT low_delay = CAPF_ER_AAC_LD | CAPF_ER_AAC_ELD | CAPF_AAC_480 | CAPF_AAC_512;
    EQUAL(FDKlibInfo_getCapabilities(library, FDK_AACENC) & low_delay, low_delay);
    EQUAL(FDKlibInfo_getCapabilities(library, FDK_SBRENC) & CAPF_SBR_PS_MPEG, CAPF_SBR_PS_MPEG);
    EQUAL(aacEncOpen(&encoder, 0, 0), AACENC_OK);
    EQUAL(aacEncInfo(encoder, NULL), AACENC_INVALID_HANDLE);
    EQUAL(aacEncInfo(encoder, &info), AACENC_INIT_ERROR);
    EQUAL(aacEncClose(&encoder), AACENC_OK);
    CHECK(encoder == NULL);
    /* Only AAC: no SBR. */
    EQUAL(aacEncOpen(&encoder, 1, 2), AACENC_OK);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_AOT, 5), AACENC_INVALID_CONFIG);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_SAMPLERATE, rate), AACENC_OK);
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_INVALID_CONFIG);
    EQUAL(aacEncClose(&encoder), AACENC_OK);
}

/* Setting an invalid value fails, so that programs that probe do not offer it. */
static void test_refusals(void) {
    static const int wrong[][2] = {
        {AACENC_AOT, 1},           {AACENC_AOT, 17},           {AACENC_AOT, 20},          {AACENC_AOT, 43},
        {AACENC_BITRATEMODE, 6},   {AACENC_BITRATEMODE, -1},   {AACENC_SAMPLERATE, 50000}, {AACENC_GRANULE_LENGTH, 256},
        {AACENC_CHANNELMODE, 99},  {AACENC_CHANNELORDER, 3},   {AACENC_SBR_RATIO, 1},     {AACENC_AFTERBURNER, 2},
        {AACENC_TRANSMUX, 12},     {AACENC_HEADER_PERIOD, 256}, {AACENC_SIGNALING_MODE, 3}, {AACENC_TPSUBFRAMES, 2},
        {AACENC_AUDIOMUXVER, 3},   {AACENC_PROTECTION, 2},     {AACENC_METADATA_MODE, 4},
    };
    HANDLE_AACENCODER encoder;
    aacEncOpen(&encoder, 0, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EQUAL(aacEncoder_SetParam(encoder, (AACENC_PARAM)wrong[i][0], (UINT)wrong[i][1]), AACENC_INVALID_CONFIG);
    }
    EQUAL(aacEncoder_SetParam(encoder, (AACENC_PARAM)0x999, 0), AACENC_UNSUPPORTED_PARAMETER);
    EQUAL(aacEncoder_SetParam(encoder, AACENC_NONE, 0), AACENC_UNSUPPORTED_PARAMETER);
    EQUAL(aacEncoder_GetParam(encoder, (AACENC_PARAM)0x999), 0);
    /* A rejected value leaves the parameter unchanged. */
    EQUAL(aacEncoder_GetParam(encoder, AACENC_AOT), AOT_AAC_LC);
    /* Missing sample rate and channel mode. */
    EQUAL(aacEncEncode(encoder, NULL, NULL, NULL, NULL), AACENC_INVALID_CONFIG);
    aacEncClose(&encoder);
    encoder = MAKE(AACENC_INVALID_CONFIG, AACENC_AOT, 5, AACENC_SAMPLERATE, 8000, AACENC_CHANNELMODE, 1);
    aacEncClose(&encoder);
    encoder = MAKE(AACENC_INIT_SBR_ERROR, AACENC_AOT, 29, AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE, 1);
    aacEncClose(&encoder);
}

/* bluez-alsa sets the bit rate before the sample rate. Out-of-range values are clamped. */
static void test_bit_rates(void) {
    static const int cases[][3] = {{128000, 128000, 2}, {0, 13780, 2}, {1, 13780, 2}, {10000000, 529200, 2}, {-1, 132300, 2}, {-1, 55125, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HANDLE_AACENCODER encoder = MAKE(AACENC_OK, AACENC_BITRATE, cases[i][0], AACENC_CHANNELMODE, 2, AACENC_TRANSMUX, 2, AACENC_AOT,
                                         cases[i][2], AACENC_SAMPLERATE, rate);
        EQUAL(aacEncoder_GetParam(encoder, AACENC_BITRATE), cases[i][1]);
        aacEncClose(&encoder);
    }
    /* A variable bit rate has no value. */
    HANDLE_AACENCODER encoder = MAKE(AACENC_OK, AACENC_BITRATEMODE, 5, AACENC_CHANNELMODE, 2, AACENC_SAMPLERATE, rate);
    EQUAL((INT)aacEncoder_GetParam(encoder, AACENC_BITRATE), -1);
    aacEncClose(&encoder);
}

static void test_streams(void) {
    static const int types[] = {2, 5, 29, 129, 132}, transports[] = {0, 1, 2, 6, 7, 10};
    for (int type = 0; type < 5; type++) {
        for (int transport = 0; transport < 6; transport++) {
            HANDLE_AACENCODER encoder =
                MAKE(AACENC_OK, AACENC_AOT, types[type], AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE, 2, AACENC_BITRATE, 48000, AACENC_CHANNELORDER,
                     1, AACENC_TRANSMUX, transports[transport], AACENC_AFTERBURNER, 1, AACENC_METADATA_MODE, transport % 3);
            encode_all(encoder);
            CHECK(total > 500);
            /* Each access unit has a syncword, with the MPEG-2 bit if requested. */
            int position = 0;
            for (int i = 0; i < unit_count; position += sizes[i++]) {
                int word = output[position] << 8 | output[position + 1];
                if (transports[transport] == 2) EQUAL(word, types[type] > 128 ? 0xFFF9 : 0xFFF1);
                if (transports[transport] == 10) EQUAL(word & 0xFFE0, 0x56E0);
            }
            aacEncClose(&encoder);
        }
    }
}

/* Decodes the access units and compares each channel with the input. `expected` is the number of channels that differ. */
static void compare(AACENC_InfoStruct *info, int order, int expected) {
    static INT_PCM samples[2048 * limit], decoded[(frames + 8192) * limit];
    int channels = (int)info->inputChannels, count = 0;
    UCHAR *bytes = info->confBuf;
    HANDLE_AACDECODER decoder = aacDecoder_Open(TT_MP4_RAW, 1);
    EQUAL(aacDecoder_ConfigRaw(decoder, &bytes, &info->confSize), AAC_DEC_OK);
    EQUAL(aacDecoder_SetParam(decoder, AAC_PCM_OUTPUT_CHANNEL_MAPPING, order), AAC_DEC_OK);
    for (int i = 0, offset = 0; i < unit_count; offset += sizes[i++]) {
        UINT size = (UINT)sizes[i], left = size;
        bytes = output + offset;
        EQUAL(aacDecoder_Fill(decoder, &bytes, &size, &left), AAC_DEC_OK);
        EQUAL(aacDecoder_DecodeFrame(decoder, samples, 2048 * limit, 0), AAC_DEC_OK);
        EQUAL(aacDecoder_GetStreamInfo(decoder)->numChannels, channels);
        memcpy(decoded + count, samples, sizeof(INT_PCM) * info->frameLength * info->inputChannels);
        count += (int)info->frameLength * channels;
    }
    aacDecoder_Close(decoder);
    /* All channels except the LFE differ by less than -8 dB. */
    int different = 0;
    for (int channel = 0; channel < channels; channel++) {
        double signal = 0, noise = 0;
        for (int frame = 0; frame < frames; frame++) {
            double in = input[frame * channels + channel], out = decoded[(frame + (int)info->nDelay) * channels + channel];
            signal += in * in;
            noise += (in - out) * (in - out);
        }
        different += noise > 0.16 * signal;
    }
    EQUAL(different, expected);
}

/* Every channel mode, in both orders: the configuration has its number, and each channel is in its position. */
static void test_channel_modes(void) {
    static const int modes[][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {11, 11}, {12, 12}, {14, 14}, {33, 12}, {34, 7}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        for (int order = 0; order <= 1; order++) {
            AACENC_InfoStruct info;
            HANDLE_AACENCODER encoder = MAKE(AACENC_OK, AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE, modes[i][0], AACENC_CHANNELORDER, order,
                                             AACENC_TRANSMUX, 0);
            make_signal(input, frames, modes[i][0] <= 6 ? modes[i][0] : modes[i][0] == 11 ? 7 : 8);
            EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
            EQUAL(info.confBuf[1] >> 3 & 15, modes[i][1]);
            EQUAL(aacEncoder_GetParam(encoder, AACENC_CHANNELMODE), modes[i][0]);
            encode_all(encoder);
            /* Decoders read channel configuration 7 as common 7.1: in WAV order all pairs are swapped. */
            compare(&info, order, modes[i][1] == 7 && order == 1 ? 7 : info.inputChannels > 5 ? 1 : 0);
            aacEncClose(&encoder);
        }
        /* ADTS supports only configurations 1 to 7. */
        HANDLE_AACENCODER encoder = MAKE(modes[i][1] > 7 ? AACENC_INIT_TP_ERROR : AACENC_OK, AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE,
                                         modes[i][0], AACENC_TRANSMUX, 2);
        aacEncClose(&encoder);
    }
    HANDLE_AACENCODER encoder = MAKE(AACENC_OK, AACENC_AOT, 5, AACENC_SAMPLERATE, 48000, AACENC_CHANNELMODE, 12, AACENC_TRANSMUX, 0);
    encode_all(encoder);
    aacEncClose(&encoder);
    /* A program config element cannot describe height channels. */
    encoder = MAKE(AACENC_INIT_TP_ERROR, AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE, 14, AACENC_TRANSMUX, 1);
    aacEncClose(&encoder);
}

/* xHE-AAC with and without SBR: the frame length, the SBR ratio and the decoded samples. */
static void test_extended(void) {
    static const int cases[][3] = {{128000, 1024, 0}, {32000, 2048, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AACENC_InfoStruct info;
        HANDLE_AACENCODER encoder =
            MAKE(AACENC_OK, AACENC_AOT, 42, AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE, 2, AACENC_BITRATE, cases[i][0]);
        EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
        EQUAL(info.frameLength, cases[i][1]);
        EQUAL(aacEncoder_GetParam(encoder, AACENC_SBR_RATIO), cases[i][2]);
        EQUAL(aacEncoder_GetParam(encoder, AACENC_TRANSMUX), TT_MP4_RAW);
        make_signal(input, frames, 2);
        encode_all(encoder);
        compare(&info, 0, 0);
        aacEncClose(&encoder);
    }
    /* ADTS has no place for the configuration. */
    HANDLE_AACENCODER encoder =
        MAKE(AACENC_INIT_TP_ERROR, AACENC_AOT, 42, AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE, 2, AACENC_TRANSMUX, 2);
    aacEncClose(&encoder);
}

static void test_flushing_and_seeking(void) {
    AACENC_OutArgs result;
    HANDLE_AACENCODER encoder = MAKE(AACENC_OK, AACENC_SAMPLERATE, rate, AACENC_CHANNELMODE, 2, AACENC_TRANSMUX, 0);
    /* FFmpeg's seek: no samples, and a one-byte buffer. */
    EQUAL(encode(encoder, input, 0, output, 1, &result), AACENC_OK);
    EQUAL(result.numOutBytes, 0);
    /* The next call returns an access unit that did not fit. */
    EQUAL(encode(encoder, input, 2048, output, 1, &result), AACENC_ENCODE_ERROR);
    EQUAL(result.numInSamples, 2048);
    EQUAL(encode(encoder, input, 0, output, 6144, &result), AACENC_OK);
    CHECK(result.numOutBytes > 0);
    /* A count of -1 ends the stream, with or without buffers and a descriptor. */
    EQUAL(encode(encoder, NULL, -1, output, 6144, &result), AACENC_OK);
    void *memory = output;
    INT identifier = OUT_BITSTREAM_DATA, size = 6144, element = 1;
    AACENC_BufDesc out = {1, &memory, &identifier, &size, &element}, none = {0, NULL, NULL, NULL, NULL};
    AACENC_InArgs arguments = {-1, 0};
    EQUAL(aacEncEncode(encoder, &none, &out, &arguments, &result), AACENC_OK);
    CHECK(result.numOutBytes > 0);
    EQUAL(aacEncEncode(encoder, NULL, &out, &arguments, &result), AACENC_OK);
    CHECK(result.numOutBytes > 0);
    EQUAL(aacEncEncode(encoder, NULL, &out, &arguments, &result), AACENC_ENCODE_EOF);
    /* Samples after the end start a new stream. */
    EQUAL(encode(encoder, input, 2048, output, 6144, &result), AACENC_OK);
    EQUAL(result.numInSamples, 2048);
    /* Invalid descriptors. */
    EQUAL(aacEncEncode(encoder, &none, NULL, &arguments, &result), AACENC_UNSUPPORTED_PARAMETER);
    EQUAL(aacEncEncode(encoder, &none, &out, &arguments, NULL), AACENC_UNSUPPORTED_PARAMETER);
    EQUAL(aacEncEncode(encoder, &none, &none, &arguments, &result), AACENC_UNSUPPORTED_PARAMETER);
    /* A requested restart. */
    EQUAL(aacEncoder_SetParam(encoder, AACENC_CONTROL_STATE, AACENC_INIT_ALL), AACENC_OK);
    EQUAL(encode(encoder, input, 2048, output, 6144, &result), AACENC_OK);
    EQUAL(aacEncoder_GetParam(encoder, AACENC_CONTROL_STATE), 0);
    aacEncClose(&encoder);
}

/* PipeWire: a size limit per access unit (a Bluetooth packet), LATM version 2, and bit rate changes between access units. */
static void test_bluetooth(void) {
    for (int mode = 0; mode <= 5; mode += 5) {
        HANDLE_AACENCODER encoder =
            MAKE(AACENC_OK, AACENC_AOT, 129, AACENC_BITRATE, 120000, AACENC_PEAK_BITRATE, 130000, AACENC_BITRATEMODE, mode, AACENC_SAMPLERATE, rate,
                 AACENC_CHANNELMODE, 2, AACENC_CHANNELORDER, 1, AACENC_TRANSMUX, 6, AACENC_HEADER_PERIOD, 1, AACENC_AUDIOMUXVER, 2,
                 AACENC_SIGNALING_MODE, 1, AACENC_AFTERBURNER, 1);
        AACENC_InfoStruct info;
        EQUAL(aacEncInfo(encoder, &info), AACENC_OK);
        EQUAL(info.nDelay, 2112);
        EQUAL(info.frameLength, 1024);
        encode_all(encoder);
        /* 130 kbit/s are 377 bytes per access unit, including the LATM overhead. */
        for (int i = 0; i < unit_count; i++) CHECK(sizes[i] <= 377);
        AACENC_OutArgs result;
        if (mode == 0) {
            EQUAL(aacEncoder_SetParam(encoder, AACENC_BITRATE, 64000), AACENC_OK);
            EQUAL(encode(encoder, input, 2048, output, 6144, &result), AACENC_OK);
            EQUAL(result.numInSamples, 2048);
            EQUAL(aacEncoder_GetParam(encoder, AACENC_BITRATE), 64000);
        }
        aacEncClose(&encoder);
    }
}

int main(void) {
    make_signal(input, frames, limit);
    test_wrong_handles();
    test_refusals();
    test_bit_rates();
    test_streams();
    test_channel_modes();
    test_extended();
    make_signal(input, frames, limit);
    test_flushing_and_seeking();
    test_bluetooth();
    return finish_checks("libfdk-aac, encoder");
}
