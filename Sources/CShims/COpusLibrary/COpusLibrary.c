// SPDX-License-Identifier: Apache-2.0

#include "COpusLibrary.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>

// In the order of LinnetOpusFunctions.
static const char *const names[] = {
    "opus_multistream_surround_encoder_create", "opus_multistream_encode_float",
    "opus_multistream_encoder_ctl", "opus_multistream_encoder_destroy", "opus_multistream_decoder_create", "opus_multistream_decode_float",
    "opus_multistream_decoder_ctl", "opus_multistream_decoder_destroy", "opus_get_version_string",
};

_Static_assert(sizeof(LinnetOpusFunctions) == sizeof(names), "one pointer a name");

static LinnetOpusFunctions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { is_loaded = linnet_load_functions("libopus.so.0", names, sizeof(names) / sizeof(*names), &functions); }

const LinnetOpusFunctions *linnet_opus_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

// Functions with a variable number of arguments can't be called from Swift. One that is not asked for is ignored.

int linnet_opus_encoder_set(LinnetOpusEncoder *encoder, int request, int32_t value) {
    return functions.opus_multistream_encoder_ctl(encoder, request, value);
}

int linnet_opus_encoder_get(LinnetOpusEncoder *encoder, int request, int32_t *value) {
    return functions.opus_multistream_encoder_ctl(encoder, request, value);
}

int linnet_opus_decoder_set(LinnetOpusDecoder *decoder, int request, int32_t value) {
    return functions.opus_multistream_decoder_ctl(decoder, request, value);
}

#endif
