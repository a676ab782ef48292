/* SPDX-License-Identifier: Apache-2.0

   Encodes 16-bit stereo at 44.1 kHz to AAC-LC at 128 kbit/s with either library, or decodes the result. Scripts/Measure/libraries measures
   its time and memory:

       speed fast|balanced|decode seconds

   The signal is generated. `decode` also encodes: subtract the time of `balanced`. FDK selects libfdk-aac. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FDK
#include <fdk-aac/aacdecoder_lib.h>
#include <fdk-aac/aacenc_lib.h>
#else
#include <linnet.h>
#endif

enum { rate = 44100, length = 1024, largest = 1536 };
static int16_t samples[2 * length];
static uint8_t unit[largest];

/* Exits unless a condition holds. */
static void require(int condition) {
    if (condition) return;
    fprintf(stderr, "a call failed\n");
    exit(1);
}

/* Generates a block of gliding tones with noise and transients. */
static void make_signal(unsigned block) {
    static uint32_t random = 1, phase[2];
    for (unsigned frame = 0; frame < length; frame++) {
        for (unsigned channel = 0; channel < 2; channel++) {
            random = random * 1664525u + 1013904223u;
            phase[channel] += 40000000u + 9000000u * channel + 40000u * (block % 500);
            int32_t x = (int32_t)phase[channel] >> 16, tone = x * (32768 - abs(x)) >> 15;
            int32_t level = (block * length + frame) % 11025 < 400 ? 2 : 5;
            samples[2 * frame + channel] = (int16_t)((tone >> level) + ((int32_t)random >> (17 + level)));
        }
    }
}

#ifdef FDK
static HANDLE_AACENCODER encoder;
static HANDLE_AACDECODER decoder;

/* Creates the encoder and, if requested, the decoder. */
static void open_codec(int is_balanced, int decodes) {
    static const UINT parameters[][2] = {
        {AACENC_SAMPLERATE, rate}, {AACENC_CHANNELMODE, 2}, {AACENC_CHANNELORDER, 1}, {AACENC_BITRATE, 128000}, {AACENC_TRANSMUX, 0}};
    AACENC_InfoStruct info;
    require(aacEncOpen(&encoder, 0, 2) == AACENC_OK);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        require(aacEncoder_SetParam(encoder, (AACENC_PARAM)parameters[i][0], parameters[i][1]) == AACENC_OK);
    require(aacEncoder_SetParam(encoder, AACENC_AFTERBURNER, (UINT)is_balanced) == AACENC_OK);
    require(aacEncEncode(encoder, NULL, NULL, NULL, NULL) == AACENC_OK && aacEncInfo(encoder, &info) == AACENC_OK);
    if (!decodes) return;
    UCHAR *configuration = info.confBuf;
    decoder = aacDecoder_Open(TT_MP4_RAW, 1);
    require(aacDecoder_ConfigRaw(decoder, &configuration, &info.confSize) == AAC_DEC_OK);
}

/* Encodes a block. Returns the size of the access unit. */
static size_t encode(void) {
    void *input = samples, *output = unit;
    INT in = IN_AUDIO_DATA, out = OUT_BITSTREAM_DATA, in_size = sizeof samples, out_size = sizeof unit, two = 2, one = 1;
    AACENC_BufDesc from = {1, &input, &in, &in_size, &two}, to = {1, &output, &out, &out_size, &one};
    AACENC_InArgs arguments = {2 * length, 0};
    AACENC_OutArgs result;
    require(aacEncEncode(encoder, &from, &to, &arguments, &result) == AACENC_OK && result.numInSamples == 2 * length);
    return (size_t)result.numOutBytes;
}

/* Decodes the access unit. */
static void decode(size_t size) {
    static INT_PCM decoded[2 * 2048];
    UCHAR *bytes = unit;
    UINT count = (UINT)size, left = count;
    require(aacDecoder_Fill(decoder, &bytes, &count, &left) == AAC_DEC_OK);
    require(aacDecoder_DecodeFrame(decoder, decoded, 2 * 2048, 0) == AAC_DEC_OK);
}
#else
static linnet_encoder *encoder;
static linnet_decoder *decoder;

/* Creates the encoder and, if requested, the decoder. */
static void open_codec(int is_balanced, int decodes) {
    linnet_encoder_settings settings;
    const uint8_t *configuration;
    size_t size;
    require(linnet_encoder_settings_init(&settings, rate, 2) == LINNET_OK);
    settings.bit_rate = 128000;
    settings.rate_control = LINNET_RATE_CONSTANT;
    settings.effort = is_balanced ? LINNET_EFFORT_BALANCED : LINNET_EFFORT_FAST;
    require(linnet_encoder_create(&settings, &encoder) == LINNET_OK);
    require(linnet_encoder_configuration(encoder, &configuration, &size) == LINNET_OK);
    if (decodes) require(linnet_decoder_create(configuration, size, LINNET_MIX_NONE, &decoder) == LINNET_OK);
}

/* Encodes a block. Returns the size of the access unit. */
static size_t encode(void) {
    size_t done = 0, size = 0, taken;
    while (done < length) {
        linnet_unit next;
        require(linnet_encoder_write_int16(encoder, samples + 2 * done, length - done, &taken) == LINNET_OK);
        require(linnet_encoder_next(encoder, &next) == LINNET_OK && next.size <= largest);
        if (next.size > 0) memcpy(unit, next.bytes, size = next.size);
        done += taken;
    }
    return size;
}

/* Decodes the access unit to integers. */
static void decode(size_t size) {
    static int16_t decoded[2 * 2048];
    linnet_audio audio;
    require(linnet_decoder_decode(decoder, unit, size, &audio) == LINNET_OK);
    require(linnet_decoder_int16(decoder, decoded, 2 * 2048) == LINNET_OK);
}
#endif

int main(int count, char **arguments) {
    require(count == 3);
    int decodes = strcmp(arguments[1], "decode") == 0;
    unsigned blocks = (unsigned)(atof(arguments[2]) * rate / length);
    open_codec(strcmp(arguments[1], "fast") != 0, decodes);
    for (unsigned block = 0; block < blocks; block++) {
        make_signal(block);
        size_t size = encode();
        if (decodes && size > 0) decode(size);
    }
    return 0;
}
