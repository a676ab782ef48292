// SPDX-License-Identifier: Apache-2.0

// libsndfile, libFLAC, libmpg123 and libsoxr, opened when they are first asked for: most commands need none of them.
// Each table has one pointer a function, typed by the library's own header: the compiler checks every call.

#ifndef CPCMLIBRARIES_H
#define CPCMLIBRARIES_H

#if defined(__linux__) && !defined(__ANDROID__)

#if !__has_include(<FLAC/metadata.h>) || !__has_include(<mpg123.h>) || !__has_include(<sndfile.h>) || !__has_include(<soxr.h>)
#error "Files need the headers of four libraries: on Debian install libflac-dev, libmpg123-dev, libsndfile1-dev and libsoxr-dev"
#endif
#include <FLAC/metadata.h>
#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>
// The functions with enumerations, which every version has.
#define MPG123_ENUM_API
#include <mpg123.h>
#include <sndfile.h>
#include <soxr.h>

#define LINNET_SNDFILE_FUNCTIONS(FUNCTION) \
    FUNCTION(sf_close) \
    FUNCTION(sf_command) \
    FUNCTION(sf_error) \
    FUNCTION(sf_format_check) \
    FUNCTION(sf_open_virtual) \
    FUNCTION(sf_readf_double) \
    FUNCTION(sf_readf_float) \
    FUNCTION(sf_readf_int) \
    FUNCTION(sf_seek) \
    FUNCTION(sf_set_chunk) \
    FUNCTION(sf_strerror) \
    FUNCTION(sf_writef_double) \
    FUNCTION(sf_writef_float) \
    FUNCTION(sf_writef_int)

#define LINNET_SOXR_FUNCTIONS(FUNCTION) \
    FUNCTION(soxr_create) \
    FUNCTION(soxr_delete) \
    FUNCTION(soxr_io_spec) \
    FUNCTION(soxr_process) \
    FUNCTION(soxr_quality_spec)

#define LINNET_FLAC_FUNCTIONS(FUNCTION) \
    FUNCTION(FLAC__metadata_object_delete) \
    FUNCTION(FLAC__metadata_object_new) \
    FUNCTION(FLAC__metadata_object_picture_set_data) \
    FUNCTION(FLAC__metadata_object_picture_set_description) \
    FUNCTION(FLAC__metadata_object_picture_set_mime_type) \
    FUNCTION(FLAC__metadata_object_seektable_template_append_spaced_points_by_samples) \
    FUNCTION(FLAC__metadata_object_vorbiscomment_append_comment) \
    FUNCTION(FLAC__stream_decoder_delete) \
    FUNCTION(FLAC__stream_decoder_flush) \
    FUNCTION(FLAC__stream_decoder_get_decode_position) \
    FUNCTION(FLAC__stream_decoder_get_state) \
    FUNCTION(FLAC__stream_decoder_init_ogg_stream) \
    FUNCTION(FLAC__stream_decoder_init_stream) \
    FUNCTION(FLAC__stream_decoder_new) \
    FUNCTION(FLAC__stream_decoder_process_single) \
    FUNCTION(FLAC__stream_decoder_process_until_end_of_metadata) \
    FUNCTION(FLAC__stream_decoder_reset) \
    FUNCTION(FLAC__stream_decoder_seek_absolute) \
    FUNCTION(FLAC__stream_decoder_set_metadata_respond) \
    FUNCTION(FLAC__stream_encoder_delete) \
    FUNCTION(FLAC__stream_encoder_finish) \
    FUNCTION(FLAC__stream_encoder_init_ogg_stream) \
    FUNCTION(FLAC__stream_encoder_init_stream) \
    FUNCTION(FLAC__stream_encoder_new) \
    FUNCTION(FLAC__stream_encoder_process_interleaved) \
    FUNCTION(FLAC__stream_encoder_set_bits_per_sample) \
    FUNCTION(FLAC__stream_encoder_set_channels) \
    FUNCTION(FLAC__stream_encoder_set_compression_level) \
    FUNCTION(FLAC__stream_encoder_set_metadata) \
    FUNCTION(FLAC__stream_encoder_set_sample_rate) \
    FUNCTION(FLAC__stream_encoder_set_streamable_subset) \
    FUNCTION(FLAC__stream_encoder_set_total_samples_estimate)

#define LINNET_MPG123_FUNCTIONS(FUNCTION) \
    FUNCTION(mpg123_close) \
    FUNCTION(mpg123_delete) \
    FUNCTION(mpg123_format) \
    FUNCTION(mpg123_format_none) \
    FUNCTION(mpg123_framebyframe_decode) \
    FUNCTION(mpg123_framebyframe_next) \
    FUNCTION(mpg123_framepos) \
    FUNCTION(mpg123_getformat) \
    FUNCTION(mpg123_info) \
    FUNCTION(mpg123_init) \
    FUNCTION(mpg123_new) \
    FUNCTION(mpg123_open_handle) \
    FUNCTION(mpg123_param) \
    FUNCTION(mpg123_replace_reader_handle) \
    FUNCTION(mpg123_seek_frame) \
    FUNCTION(mpg123_spf)

#define LINNET_POINTER(name) __typeof__(&name) name;

/// Every function of libsndfile that is called.
typedef struct LinnetSndfileFunctions {
    LINNET_SNDFILE_FUNCTIONS(LINNET_POINTER)
} LinnetSndfileFunctions;

/// Every function of libFLAC that is called.
typedef struct LinnetFLACFunctions {
    LINNET_FLAC_FUNCTIONS(LINNET_POINTER)
} LinnetFLACFunctions;

/// Every function of libmpg123 that is called.
typedef struct LinnetMpg123Functions {
    LINNET_MPG123_FUNCTIONS(LINNET_POINTER)
} LinnetMpg123Functions;

/// Every function of libsoxr that is called.
typedef struct LinnetSoxrFunctions {
    LINNET_SOXR_FUNCTIONS(LINNET_POINTER)
} LinnetSoxrFunctions;

#undef LINNET_POINTER

/// The functions of libsndfile, or NULL if the library is missing; loaded once, at the first call.
const LinnetSndfileFunctions *linnet_sndfile_functions(void);

/// The functions of libFLAC, or NULL if the library is missing; loaded once, at the first call.
const LinnetFLACFunctions *linnet_flac_functions(void);

/// The functions of libmpg123, or NULL if the library is missing or can't be used; loaded once, at the first call.
const LinnetMpg123Functions *linnet_mpg123_functions(void);

/// The functions of libsoxr, or NULL if the library is missing; loaded once, at the first call.
const LinnetSoxrFunctions *linnet_soxr_functions(void);

#endif
#endif
