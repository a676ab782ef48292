// SPDX-License-Identifier: Apache-2.0

// libFLAC.so.8, .12 and .14, as in versions 1.3 to 1.5.

#ifndef LINNET_FLACFUNCTIONS_H
#define LINNET_FLACFUNCTIONS_H

#include "CRuntimeLibraries.h"

#include <stdint.h>

typedef int FLAC__bool;
typedef uint8_t FLAC__byte;
typedef int32_t FLAC__int32;
typedef uint32_t FLAC__uint32;
typedef uint64_t FLAC__uint64;

typedef struct FLAC__StreamDecoder FLAC__StreamDecoder;
typedef struct FLAC__StreamEncoder FLAC__StreamEncoder;

typedef enum {
    FLAC__METADATA_TYPE_STREAMINFO = 0,
    FLAC__METADATA_TYPE_PADDING = 1,
    FLAC__METADATA_TYPE_SEEKTABLE = 3,
    FLAC__METADATA_TYPE_VORBIS_COMMENT = 4,
    FLAC__METADATA_TYPE_PICTURE = 6,
} FLAC__MetadataType;

typedef struct {
    uint32_t min_blocksize, max_blocksize, min_framesize, max_framesize, sample_rate, channels, bits_per_sample;
    FLAC__uint64 total_samples;
    FLAC__byte md5sum[16];
} FLAC__StreamMetadata_StreamInfo;

typedef struct {
    FLAC__uint32 length;
    FLAC__byte *entry;
} FLAC__StreamMetadata_VorbisComment_Entry;

typedef struct {
    FLAC__StreamMetadata_VorbisComment_Entry vendor_string;
    FLAC__uint32 num_comments;
    FLAC__StreamMetadata_VorbisComment_Entry *comments;
} FLAC__StreamMetadata_VorbisComment;

typedef struct {
    uint32_t type;
    // Further members.
} FLAC__StreamMetadata_Picture;

typedef struct FLAC__StreamMetadata {
    FLAC__MetadataType type;
    FLAC__bool is_last;
    uint32_t length;
    union {
        FLAC__StreamMetadata_StreamInfo stream_info;
        FLAC__StreamMetadata_VorbisComment vorbis_comment;
        FLAC__StreamMetadata_Picture picture;
    } data;
    // Further members.
} FLAC__StreamMetadata;

typedef struct {
    uint32_t blocksize, sample_rate, channels, channel_assignment, bits_per_sample, number_type;
    union {
        FLAC__uint64 sample_number;
    } number;
    // Further members.
} FLAC__FrameHeader;

typedef struct FLAC__Frame {
    FLAC__FrameHeader header;
    // Further members.
} FLAC__Frame;

typedef enum { FLAC__STREAM_DECODER_END_OF_STREAM = 4, FLAC__STREAM_DECODER_ABORTED = 7 } FLAC__StreamDecoderState;
typedef enum { FLAC__STREAM_DECODER_INIT_STATUS_OK = 0 } FLAC__StreamDecoderInitStatus;

typedef enum {
    FLAC__STREAM_DECODER_READ_STATUS_CONTINUE,
    FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM,
    FLAC__STREAM_DECODER_READ_STATUS_ABORT,
} FLAC__StreamDecoderReadStatus;

typedef enum { FLAC__STREAM_DECODER_SEEK_STATUS_OK, FLAC__STREAM_DECODER_SEEK_STATUS_ERROR } FLAC__StreamDecoderSeekStatus;
typedef enum { FLAC__STREAM_DECODER_TELL_STATUS_OK, FLAC__STREAM_DECODER_TELL_STATUS_ERROR } FLAC__StreamDecoderTellStatus;
typedef enum { FLAC__STREAM_DECODER_LENGTH_STATUS_OK, FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR } FLAC__StreamDecoderLengthStatus;
typedef enum { FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE, FLAC__STREAM_DECODER_WRITE_STATUS_ABORT } FLAC__StreamDecoderWriteStatus;
typedef enum { FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC, FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER } FLAC__StreamDecoderErrorStatus;
typedef enum { FLAC__STREAM_ENCODER_INIT_STATUS_OK = 0 } FLAC__StreamEncoderInitStatus;

typedef enum {
    FLAC__STREAM_ENCODER_READ_STATUS_CONTINUE,
    FLAC__STREAM_ENCODER_READ_STATUS_END_OF_STREAM,
    FLAC__STREAM_ENCODER_READ_STATUS_ABORT,
} FLAC__StreamEncoderReadStatus;

typedef enum { FLAC__STREAM_ENCODER_WRITE_STATUS_OK, FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR } FLAC__StreamEncoderWriteStatus;
typedef enum { FLAC__STREAM_ENCODER_SEEK_STATUS_OK, FLAC__STREAM_ENCODER_SEEK_STATUS_ERROR } FLAC__StreamEncoderSeekStatus;
typedef enum { FLAC__STREAM_ENCODER_TELL_STATUS_OK, FLAC__STREAM_ENCODER_TELL_STATUS_ERROR } FLAC__StreamEncoderTellStatus;

typedef FLAC__StreamDecoderReadStatus (*FLAC__StreamDecoderReadCallback)(
    const FLAC__StreamDecoder *decoder, FLAC__byte *target, size_t *count, void *client_data);
typedef FLAC__StreamDecoderSeekStatus (*FLAC__StreamDecoderSeekCallback)(
    const FLAC__StreamDecoder *decoder, FLAC__uint64 offset, void *client_data);
typedef FLAC__StreamDecoderTellStatus (*FLAC__StreamDecoderTellCallback)(
    const FLAC__StreamDecoder *decoder, FLAC__uint64 *offset, void *client_data);
typedef FLAC__StreamDecoderLengthStatus (*FLAC__StreamDecoderLengthCallback)(
    const FLAC__StreamDecoder *decoder, FLAC__uint64 *length, void *client_data);
typedef FLAC__bool (*FLAC__StreamDecoderEofCallback)(const FLAC__StreamDecoder *decoder, void *client_data);
typedef FLAC__StreamDecoderWriteStatus (*FLAC__StreamDecoderWriteCallback)(
    const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame, const FLAC__int32 *const *channels, void *client_data);
typedef void (*FLAC__StreamDecoderMetadataCallback)(
    const FLAC__StreamDecoder *decoder, const FLAC__StreamMetadata *metadata, void *client_data);
typedef void (*FLAC__StreamDecoderErrorCallback)(
    const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *client_data);
typedef FLAC__StreamEncoderReadStatus (*FLAC__StreamEncoderReadCallback)(
    const FLAC__StreamEncoder *encoder, FLAC__byte *target, size_t *count, void *client_data);
typedef FLAC__StreamEncoderWriteStatus (*FLAC__StreamEncoderWriteCallback)(
    const FLAC__StreamEncoder *encoder, const FLAC__byte *bytes, size_t count, uint32_t samples, uint32_t frame, void *client_data);
typedef FLAC__StreamEncoderSeekStatus (*FLAC__StreamEncoderSeekCallback)(
    const FLAC__StreamEncoder *encoder, FLAC__uint64 offset, void *client_data);
typedef FLAC__StreamEncoderTellStatus (*FLAC__StreamEncoderTellCallback)(
    const FLAC__StreamEncoder *encoder, FLAC__uint64 *offset, void *client_data);
typedef void (*FLAC__StreamEncoderMetadataCallback)(
    const FLAC__StreamEncoder *encoder, const FLAC__StreamMetadata *metadata, void *client_data);

#define LINNET_FLAC_DECODER_CALLBACKS \
    FLAC__StreamDecoderReadCallback read, FLAC__StreamDecoderSeekCallback seek, FLAC__StreamDecoderTellCallback tell, \
        FLAC__StreamDecoderLengthCallback length, FLAC__StreamDecoderEofCallback eof, FLAC__StreamDecoderWriteCallback write, \
        FLAC__StreamDecoderMetadataCallback metadata, FLAC__StreamDecoderErrorCallback error, void *client_data
#define LINNET_FLAC_ENCODER_CALLBACKS \
    FLAC__StreamEncoderWriteCallback write, FLAC__StreamEncoderSeekCallback seek, FLAC__StreamEncoderTellCallback tell, \
        FLAC__StreamEncoderMetadataCallback metadata, void *client_data

#define LINNET_FLAC_FUNCTIONS(FUNCTION) \
    FUNCTION(void, FLAC__metadata_object_delete, (FLAC__StreamMetadata *block)) \
    FUNCTION(FLAC__StreamMetadata *, FLAC__metadata_object_new, (FLAC__MetadataType type)) \
    FUNCTION(FLAC__bool, FLAC__metadata_object_picture_set_data, \
        (FLAC__StreamMetadata *block, FLAC__byte *data, FLAC__uint32 length, FLAC__bool copies)) \
    FUNCTION(FLAC__bool, FLAC__metadata_object_picture_set_description, (FLAC__StreamMetadata *block, FLAC__byte *text, FLAC__bool copies)) \
    FUNCTION(FLAC__bool, FLAC__metadata_object_picture_set_mime_type, (FLAC__StreamMetadata *block, char *type, FLAC__bool copies)) \
    FUNCTION(FLAC__bool, FLAC__metadata_object_seektable_template_append_spaced_points_by_samples, \
        (FLAC__StreamMetadata *block, uint32_t spacing, FLAC__uint64 total)) \
    FUNCTION(FLAC__bool, FLAC__metadata_object_vorbiscomment_append_comment, \
        (FLAC__StreamMetadata *block, FLAC__StreamMetadata_VorbisComment_Entry entry, FLAC__bool copies)) \
    FUNCTION(void, FLAC__stream_decoder_delete, (FLAC__StreamDecoder *decoder)) \
    FUNCTION(FLAC__bool, FLAC__stream_decoder_flush, (FLAC__StreamDecoder *decoder)) \
    FUNCTION(FLAC__bool, FLAC__stream_decoder_get_decode_position, (const FLAC__StreamDecoder *decoder, FLAC__uint64 *position)) \
    FUNCTION(FLAC__StreamDecoderState, FLAC__stream_decoder_get_state, (const FLAC__StreamDecoder *decoder)) \
    FUNCTION(FLAC__StreamDecoderInitStatus, FLAC__stream_decoder_init_ogg_stream, \
        (FLAC__StreamDecoder *decoder, LINNET_FLAC_DECODER_CALLBACKS)) \
    FUNCTION(FLAC__StreamDecoderInitStatus, FLAC__stream_decoder_init_stream, \
        (FLAC__StreamDecoder *decoder, LINNET_FLAC_DECODER_CALLBACKS)) \
    FUNCTION(FLAC__StreamDecoder *, FLAC__stream_decoder_new, (void)) \
    FUNCTION(FLAC__bool, FLAC__stream_decoder_process_single, (FLAC__StreamDecoder *decoder)) \
    FUNCTION(FLAC__bool, FLAC__stream_decoder_process_until_end_of_metadata, (FLAC__StreamDecoder *decoder)) \
    FUNCTION(FLAC__bool, FLAC__stream_decoder_reset, (FLAC__StreamDecoder *decoder)) \
    FUNCTION(FLAC__bool, FLAC__stream_decoder_seek_absolute, (FLAC__StreamDecoder *decoder, FLAC__uint64 sample)) \
    FUNCTION(FLAC__bool, FLAC__stream_decoder_set_metadata_respond, (FLAC__StreamDecoder *decoder, FLAC__MetadataType type)) \
    FUNCTION(void, FLAC__stream_encoder_delete, (FLAC__StreamEncoder *encoder)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_finish, (FLAC__StreamEncoder *encoder)) \
    FUNCTION(FLAC__StreamEncoderInitStatus, FLAC__stream_encoder_init_ogg_stream, \
        (FLAC__StreamEncoder *encoder, FLAC__StreamEncoderReadCallback read, LINNET_FLAC_ENCODER_CALLBACKS)) \
    FUNCTION(FLAC__StreamEncoderInitStatus, FLAC__stream_encoder_init_stream, \
        (FLAC__StreamEncoder *encoder, LINNET_FLAC_ENCODER_CALLBACKS)) \
    FUNCTION(FLAC__StreamEncoder *, FLAC__stream_encoder_new, (void)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_process_interleaved, \
        (FLAC__StreamEncoder *encoder, const FLAC__int32 *samples, uint32_t frames)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_set_bits_per_sample, (FLAC__StreamEncoder *encoder, uint32_t value)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_set_channels, (FLAC__StreamEncoder *encoder, uint32_t value)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_set_compression_level, (FLAC__StreamEncoder *encoder, uint32_t value)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_set_metadata, (FLAC__StreamEncoder *encoder, FLAC__StreamMetadata **blocks, uint32_t count)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_set_sample_rate, (FLAC__StreamEncoder *encoder, uint32_t value)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_set_streamable_subset, (FLAC__StreamEncoder *encoder, FLAC__bool value)) \
    FUNCTION(FLAC__bool, FLAC__stream_encoder_set_total_samples_estimate, (FLAC__StreamEncoder *encoder, FLAC__uint64 value))

LINNET_LIBRARY(LinnetFLACFunctions, LINNET_FLAC_FUNCTIONS, linnet_flac_functions)

#endif
