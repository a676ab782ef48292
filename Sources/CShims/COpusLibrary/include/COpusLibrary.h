// SPDX-License-Identifier: Apache-2.0

// libopus, opened when it is first asked for. Its declarations are written after the documentation of its interface (opus.h,
// opus_multistream.h and opus_defines.h of version 1.3), so that building needs no header of it.

#ifndef COPUSLIBRARY_H
#define COPUSLIBRARY_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stdint.h>

/// The state of an encoder or decoder, whose contents only the library knows.
typedef struct LinnetOpusEncoder LinnetOpusEncoder;
typedef struct LinnetOpusDecoder LinnetOpusDecoder;

/// Every function of libopus that is called.
typedef struct LinnetOpusFunctions {
    LinnetOpusEncoder *(*opus_multistream_surround_encoder_create)(
        int32_t sample_rate, int channels, int family, int *streams, int *coupled_streams, unsigned char *mapping, int application, int *error);
    int (*opus_multistream_encode_float)(
        LinnetOpusEncoder *encoder, const float *pcm, int frame_size, unsigned char *data, int32_t max_data_bytes);
    int (*opus_multistream_encoder_ctl)(LinnetOpusEncoder *encoder, int request, ...);
    void (*opus_multistream_encoder_destroy)(LinnetOpusEncoder *encoder);
    LinnetOpusDecoder *(*opus_multistream_decoder_create)(
        int32_t sample_rate, int channels, int streams, int coupled_streams, const unsigned char *mapping, int *error);
    int (*opus_multistream_decode_float)(
        LinnetOpusDecoder *decoder, const unsigned char *data, int32_t length, float *pcm, int frame_size, int decode_fec);
    int (*opus_multistream_decoder_ctl)(LinnetOpusDecoder *decoder, int request, ...);
    void (*opus_multistream_decoder_destroy)(LinnetOpusDecoder *decoder);
    const char *(*opus_get_version_string)(void);
} LinnetOpusFunctions;

/// Requests of `opus_multistream_encoder_ctl` and `opus_multistream_decoder_ctl`.
enum {
    LINNET_OPUS_SET_BITRATE = 4002,
    LINNET_OPUS_SET_VBR = 4006,
    LINNET_OPUS_SET_COMPLEXITY = 4010,
    LINNET_OPUS_SET_INBAND_FEC = 4012,
    LINNET_OPUS_SET_PACKET_LOSS_PERC = 4014,
    LINNET_OPUS_SET_DTX = 4016,
    LINNET_OPUS_SET_VBR_CONSTRAINT = 4020,
    LINNET_OPUS_SET_SIGNAL = 4024,
    LINNET_OPUS_GET_LOOKAHEAD = 4027,
    LINNET_OPUS_RESET_STATE = 4028,
    LINNET_OPUS_SET_GAIN = 4034,
    LINNET_OPUS_SET_LSB_DEPTH = 4036,
    LINNET_OPUS_SET_EXPERT_FRAME_DURATION = 4040,
};

/// Values of requests, applications and errors.
enum {
    LINNET_OPUS_AUTO = -1000,
    LINNET_OPUS_APPLICATION_VOIP = 2048,
    LINNET_OPUS_APPLICATION_AUDIO = 2049,
    LINNET_OPUS_APPLICATION_RESTRICTED_LOWDELAY = 2051,
    LINNET_OPUS_SIGNAL_VOICE = 3001,
    LINNET_OPUS_SIGNAL_MUSIC = 3002,
    LINNET_OPUS_FRAMESIZE_2_5_MS = 5001,
    LINNET_OPUS_FRAMESIZE_5_MS = 5002,
    LINNET_OPUS_FRAMESIZE_10_MS = 5003,
    LINNET_OPUS_FRAMESIZE_20_MS = 5004,
    LINNET_OPUS_FRAMESIZE_40_MS = 5005,
    LINNET_OPUS_FRAMESIZE_60_MS = 5006,
    LINNET_OPUS_OK = 0,
};

/// The functions of libopus, or NULL if the library is missing; loaded once, at the first call.
const LinnetOpusFunctions *linnet_opus_functions(void);

/// Passes a request with a number to an encoder, or one without if the request takes none; an error of the library, or LINNET_OPUS_OK.
int linnet_opus_encoder_set(LinnetOpusEncoder *encoder, int request, int32_t value);

/// Asks an encoder for a number.
int linnet_opus_encoder_get(LinnetOpusEncoder *encoder, int request, int32_t *value);

/// Passes a request with a number to a decoder, or one without if the request takes none.
int linnet_opus_decoder_set(LinnetOpusDecoder *decoder, int request, int32_t value);

#endif
#endif
