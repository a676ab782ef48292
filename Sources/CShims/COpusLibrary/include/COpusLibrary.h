// SPDX-License-Identifier: Apache-2.0

// libopus.so.0, as in version 1.3.

#ifndef COPUSLIBRARY_H
#define COPUSLIBRARY_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <stdint.h>

typedef struct OpusMSEncoder OpusMSEncoder;
typedef struct OpusMSDecoder OpusMSDecoder;

#define LINNET_OPUS_FUNCTIONS(FUNCTION) \
    FUNCTION(OpusMSEncoder *, opus_multistream_surround_encoder_create, \
        (int32_t sample_rate, int channels, int family, int *streams, int *coupled_streams, unsigned char *mapping, int application, \
         int *error)) \
    FUNCTION(int, opus_multistream_encode_float, \
        (OpusMSEncoder *encoder, const float *pcm, int frame_size, unsigned char *data, int32_t max_data_bytes)) \
    FUNCTION(int, opus_multistream_encoder_ctl, (OpusMSEncoder *encoder, int request, ...)) \
    FUNCTION(void, opus_multistream_encoder_destroy, (OpusMSEncoder *encoder)) \
    FUNCTION(OpusMSDecoder *, opus_multistream_decoder_create, \
        (int32_t sample_rate, int channels, int streams, int coupled_streams, const unsigned char *mapping, int *error)) \
    FUNCTION(int, opus_multistream_decode_float, \
        (OpusMSDecoder *decoder, const unsigned char *data, int32_t length, float *pcm, int frame_size, int decode_fec)) \
    FUNCTION(int, opus_multistream_decoder_ctl, (OpusMSDecoder *decoder, int request, ...)) \
    FUNCTION(void, opus_multistream_decoder_destroy, (OpusMSDecoder *decoder)) \
    FUNCTION(const char *, opus_get_version_string, (void))

LINNET_LIBRARY(LinnetOpusFunctions, LINNET_OPUS_FUNCTIONS, linnet_opus_functions)

/// Requests for `opus_multistream_encoder_ctl` and `opus_multistream_decoder_ctl`.
enum {
    OPUS_SET_BITRATE_REQUEST = 4002,
    OPUS_SET_VBR_REQUEST = 4006,
    OPUS_SET_COMPLEXITY_REQUEST = 4010,
    OPUS_SET_INBAND_FEC_REQUEST = 4012,
    OPUS_SET_PACKET_LOSS_PERC_REQUEST = 4014,
    OPUS_SET_DTX_REQUEST = 4016,
    OPUS_SET_VBR_CONSTRAINT_REQUEST = 4020,
    OPUS_SET_SIGNAL_REQUEST = 4024,
    OPUS_GET_LOOKAHEAD_REQUEST = 4027,
    OPUS_RESET_STATE = 4028,
    OPUS_SET_GAIN_REQUEST = 4034,
    OPUS_SET_LSB_DEPTH_REQUEST = 4036,
    OPUS_SET_EXPERT_FRAME_DURATION_REQUEST = 4040,
};

/// Values of requests, applications and errors.
enum {
    OPUS_AUTO = -1000,
    OPUS_APPLICATION_VOIP = 2048,
    OPUS_APPLICATION_AUDIO = 2049,
    OPUS_APPLICATION_RESTRICTED_LOWDELAY = 2051,
    OPUS_SIGNAL_VOICE = 3001,
    OPUS_SIGNAL_MUSIC = 3002,
    OPUS_FRAMESIZE_2_5_MS = 5001,
    OPUS_FRAMESIZE_5_MS = 5002,
    OPUS_FRAMESIZE_10_MS = 5003,
    OPUS_FRAMESIZE_20_MS = 5004,
    OPUS_FRAMESIZE_40_MS = 5005,
    OPUS_FRAMESIZE_60_MS = 5006,
    OPUS_OK = 0,
};

/// Sends a request to an encoder, with `value` if the request has an argument. Returns OPUS_OK or an error.
int linnet_opus_encoder_set(OpusMSEncoder *encoder, int request, int32_t value);

/// Reads a value from an encoder. Returns OPUS_OK or an error.
int linnet_opus_encoder_get(OpusMSEncoder *encoder, int request, int32_t *value);

/// Sends a request to a decoder, with `value` if the request has an argument. Returns OPUS_OK or an error.
int linnet_opus_decoder_set(OpusMSDecoder *decoder, int request, int32_t value);

#endif
#endif
