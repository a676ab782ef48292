// SPDX-License-Identifier: Apache-2.0

#include "COpusLibrary.h"

#if defined(__linux__) && !defined(__ANDROID__)

LINNET_LOADER(LinnetOpusFunctions, LINNET_OPUS_FUNCTIONS, linnet_opus_functions, true, "libopus.so.0")

// Swift cannot call variadic functions. An argument that a request does not use is ignored.

int linnet_opus_encoder_set(OpusMSEncoder *encoder, int request, int32_t value) {
    return linnet_opus_functions_table.opus_multistream_encoder_ctl(encoder, request, value);
}

int linnet_opus_encoder_get(OpusMSEncoder *encoder, int request, int32_t *value) {
    return linnet_opus_functions_table.opus_multistream_encoder_ctl(encoder, request, value);
}

int linnet_opus_decoder_set(OpusMSDecoder *decoder, int request, int32_t value) {
    return linnet_opus_functions_table.opus_multistream_decoder_ctl(decoder, request, value);
}

#endif
