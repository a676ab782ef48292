// SPDX-License-Identifier: Apache-2.0

// libmpg123.so.0, as in version 1.31. Declares only functions with enumerations, which all versions have.

#ifndef LINNET_MPG123FUNCTIONS_H
#define LINNET_MPG123FUNCTIONS_H

#include "CRuntimeLibraries.h"

#include <sys/types.h>

typedef struct mpg123_handle_struct mpg123_handle;

enum mpg123_errors { MPG123_NEW_FORMAT = -11, MPG123_OK = 0 };
enum mpg123_parms { MPG123_ADD_FLAGS = 2, MPG123_REMOVE_FLAGS = 13, MPG123_RESYNC_LIMIT = 14 };
enum mpg123_param_flags { MPG123_QUIET = 0x20, MPG123_GAPLESS = 0x40, MPG123_FORCE_FLOAT = 0x400, MPG123_IGNORE_INFOFRAME = 0x4000 };
enum mpg123_enc_enum { MPG123_ENC_FLOAT_32 = 0x200 };
enum mpg123_mode { MPG123_M_MONO = 3 };

struct mpg123_frameinfo {
    unsigned version;
    int layer;
    long rate;
    unsigned mode;
    int mode_ext, framesize;
    unsigned flags;
    int emphasis, bitrate, abr_rate;
    unsigned vbr;
};

#define LINNET_MPG123_FUNCTIONS(FUNCTION) \
    FUNCTION(int, mpg123_close, (mpg123_handle *handle)) \
    FUNCTION(void, mpg123_delete, (mpg123_handle *handle)) \
    FUNCTION(int, mpg123_format, (mpg123_handle *handle, long rate, int channels, int encodings)) \
    FUNCTION(int, mpg123_format_none, (mpg123_handle *handle)) \
    FUNCTION(int, mpg123_framebyframe_decode, (mpg123_handle *handle, off_t *number, unsigned char **audio, size_t *count)) \
    FUNCTION(int, mpg123_framebyframe_next, (mpg123_handle *handle)) \
    FUNCTION(off_t, mpg123_framepos, (mpg123_handle *handle)) \
    FUNCTION(int, mpg123_getformat, (mpg123_handle *handle, long *rate, int *channels, int *encoding)) \
    FUNCTION(int, mpg123_info, (mpg123_handle *handle, struct mpg123_frameinfo *info)) \
    FUNCTION(int, mpg123_init, (void)) \
    FUNCTION(mpg123_handle *, mpg123_new, (const char *decoder, int *error)) \
    FUNCTION(int, mpg123_open_handle, (mpg123_handle *handle, void *user_data)) \
    FUNCTION(int, mpg123_param, (mpg123_handle *handle, enum mpg123_parms parameter, long value, double number)) \
    FUNCTION(int, mpg123_replace_reader_handle, \
        (mpg123_handle *handle, ssize_t (*read)(void *user_data, void *target, size_t count), \
         off_t (*seek)(void *user_data, off_t offset, int whence), void (*cleanup)(void *user_data))) \
    FUNCTION(off_t, mpg123_seek_frame, (mpg123_handle *handle, off_t frame, int whence)) \
    FUNCTION(int, mpg123_spf, (mpg123_handle *handle))

LINNET_LIBRARY(LinnetMpg123Functions, LINNET_MPG123_FUNCTIONS, linnet_mpg123_functions)

#endif
