// SPDX-License-Identifier: Apache-2.0

// libsndfile.so.1, as in version 1.2.

#ifndef LINNET_SNDFILEFUNCTIONS_H
#define LINNET_SNDFILEFUNCTIONS_H

#include "CRuntimeLibraries.h"

#include <stdint.h>

typedef struct sf_private_tag SNDFILE;
typedef int64_t sf_count_t;

/// A `mode` of opening, and a `command`.
enum { SFM_READ = 0x10, SFM_WRITE = 0x20, SFC_GET_CHANNEL_MAP_INFO = 0x1100 };
enum { SF_ERR_UNRECOGNISED_FORMAT = 1 };

/// Parts of `SF_INFO.format`: file format, sample format, byte order.
enum {
    SF_FORMAT_TYPEMASK = 0x0FFF0000,
    SF_FORMAT_WAV = 0x010000,
    SF_FORMAT_AIFF = 0x020000,
    SF_FORMAT_AU = 0x030000,
    SF_FORMAT_SVX = 0x060000,
    SF_FORMAT_W64 = 0x0B0000,
    SF_FORMAT_WAVEX = 0x130000,
    SF_FORMAT_FLAC = 0x170000,
    SF_FORMAT_CAF = 0x180000,
    SF_FORMAT_OGG = 0x200000,
    SF_FORMAT_RF64 = 0x220000,
    SF_FORMAT_SUBMASK = 0x0000FFFF,
    SF_FORMAT_PCM_S8 = 0x0001,
    SF_FORMAT_PCM_16 = 0x0002,
    SF_FORMAT_PCM_24 = 0x0003,
    SF_FORMAT_PCM_32 = 0x0004,
    SF_FORMAT_PCM_U8 = 0x0005,
    SF_FORMAT_FLOAT = 0x0006,
    SF_FORMAT_DOUBLE = 0x0007,
    SF_FORMAT_ULAW = 0x0010,
    SF_FORMAT_ALAW = 0x0011,
    SF_FORMAT_VORBIS = 0x0060,
    SF_FORMAT_ALAC_16 = 0x0070,
    SF_FORMAT_ALAC_20 = 0x0071,
    SF_FORMAT_ALAC_24 = 0x0072,
    SF_FORMAT_ALAC_32 = 0x0073,
    SF_ENDIAN_LITTLE = 0x10000000,
};

/// Channel positions.
enum {
    SF_CHANNEL_MAP_MONO = 1,
    SF_CHANNEL_MAP_LEFT,
    SF_CHANNEL_MAP_RIGHT,
    SF_CHANNEL_MAP_CENTER,
    SF_CHANNEL_MAP_FRONT_LEFT,
    SF_CHANNEL_MAP_FRONT_RIGHT,
    SF_CHANNEL_MAP_FRONT_CENTER,
    SF_CHANNEL_MAP_REAR_CENTER,
    SF_CHANNEL_MAP_REAR_LEFT,
    SF_CHANNEL_MAP_REAR_RIGHT,
    SF_CHANNEL_MAP_LFE,
    SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER,
    SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER,
    SF_CHANNEL_MAP_SIDE_LEFT,
    SF_CHANNEL_MAP_SIDE_RIGHT,
    SF_CHANNEL_MAP_TOP_FRONT_LEFT = 17,
    SF_CHANNEL_MAP_TOP_FRONT_RIGHT,
};

typedef struct SF_INFO {
    sf_count_t frames;
    int samplerate, channels, format, sections, seekable;
} SF_INFO;

typedef sf_count_t (*sf_vio_get_filelen)(void *user_data);
typedef sf_count_t (*sf_vio_seek)(sf_count_t offset, int whence, void *user_data);
typedef sf_count_t (*sf_vio_read)(void *target, sf_count_t count, void *user_data);
typedef sf_count_t (*sf_vio_write)(const void *bytes, sf_count_t count, void *user_data);
typedef sf_count_t (*sf_vio_tell)(void *user_data);

typedef struct SF_VIRTUAL_IO {
    sf_vio_get_filelen get_filelen;
    sf_vio_seek seek;
    sf_vio_read read;
    sf_vio_write write;
    sf_vio_tell tell;
} SF_VIRTUAL_IO;

#define LINNET_SNDFILE_FUNCTIONS(FUNCTION) \
    FUNCTION(int, sf_close, (SNDFILE *file)) \
    FUNCTION(int, sf_command, (SNDFILE *file, int command, void *data, int size)) \
    FUNCTION(int, sf_error, (SNDFILE *file)) \
    FUNCTION(SNDFILE *, sf_open_virtual, (SF_VIRTUAL_IO *io, int mode, SF_INFO *info, void *user_data)) \
    FUNCTION(sf_count_t, sf_readf_double, (SNDFILE *file, double *samples, sf_count_t frames)) \
    FUNCTION(sf_count_t, sf_readf_float, (SNDFILE *file, float *samples, sf_count_t frames)) \
    FUNCTION(sf_count_t, sf_readf_int, (SNDFILE *file, int *samples, sf_count_t frames)) \
    FUNCTION(sf_count_t, sf_seek, (SNDFILE *file, sf_count_t frames, int whence)) \
    FUNCTION(const char *, sf_strerror, (SNDFILE *file))

LINNET_LIBRARY(LinnetSndfileFunctions, LINNET_SNDFILE_FUNCTIONS, linnet_sndfile_functions)

#endif
