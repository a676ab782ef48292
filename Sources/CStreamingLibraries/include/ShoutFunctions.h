// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// libshout 2.4.6, opened when it is first asked for. Its declarations are written after the documentation of its interface ("Programming
// With Libshout 2"), so that building needs no header of it.

#ifndef LINNET_SHOUTFUNCTIONS_H
#define LINNET_SHOUTFUNCTIONS_H

#if defined(__linux__)

#include <stddef.h>
#include <sys/types.h>

typedef struct shout LinnetShout;
typedef struct _util_dict LinnetShoutMetadata;

void shout_init(void);
LinnetShout *shout_new(void);
void shout_free(LinnetShout *shout);
const char *shout_get_error(LinnetShout *shout);
int shout_get_connected(LinnetShout *shout);
int shout_set_host(LinnetShout *shout, const char *host);
int shout_set_port(LinnetShout *shout, unsigned short port);
int shout_set_agent(LinnetShout *shout, const char *agent);
int shout_set_tls(LinnetShout *shout, int mode);
int shout_set_ca_file(LinnetShout *shout, const char *file);
int shout_set_user(LinnetShout *shout, const char *user);
int shout_set_password(LinnetShout *shout, const char *password);
int shout_set_mount(LinnetShout *shout, const char *mount);
int shout_set_audio_info(LinnetShout *shout, const char *name, const char *value);
int shout_set_meta(LinnetShout *shout, const char *name, const char *value);
int shout_set_public(LinnetShout *shout, unsigned int is_public);
int shout_set_content_format(LinnetShout *shout, unsigned int format, unsigned int usage, const char *codecs);
int shout_set_protocol(LinnetShout *shout, unsigned int protocol);
int shout_set_nonblocking(LinnetShout *shout, unsigned int is_nonblocking);
int shout_open(LinnetShout *shout);
int shout_close(LinnetShout *shout);
ssize_t shout_send_raw(LinnetShout *shout, const unsigned char *bytes, size_t count);
ssize_t shout_queuelen(LinnetShout *shout);
LinnetShoutMetadata *shout_metadata_new(void);
void shout_metadata_free(LinnetShoutMetadata *metadata);
int shout_metadata_add(LinnetShoutMetadata *metadata, const char *name, const char *value);
int shout_set_metadata_utf8(LinnetShout *shout, LinnetShoutMetadata *metadata);

#define LINNET_SHOUT_FUNCTIONS(FUNCTION) \
    FUNCTION(shout_init) \
    FUNCTION(shout_new) \
    FUNCTION(shout_free) \
    FUNCTION(shout_get_error) \
    FUNCTION(shout_get_connected) \
    FUNCTION(shout_set_host) \
    FUNCTION(shout_set_port) \
    FUNCTION(shout_set_agent) \
    FUNCTION(shout_set_tls) \
    FUNCTION(shout_set_ca_file) \
    FUNCTION(shout_set_user) \
    FUNCTION(shout_set_password) \
    FUNCTION(shout_set_mount) \
    FUNCTION(shout_set_audio_info) \
    FUNCTION(shout_set_meta) \
    FUNCTION(shout_set_public) \
    FUNCTION(shout_set_content_format) \
    FUNCTION(shout_set_protocol) \
    FUNCTION(shout_set_nonblocking) \
    FUNCTION(shout_open) \
    FUNCTION(shout_close) \
    FUNCTION(shout_send_raw) \
    FUNCTION(shout_queuelen) \
    FUNCTION(shout_metadata_new) \
    FUNCTION(shout_metadata_free) \
    FUNCTION(shout_metadata_add) \
    FUNCTION(shout_set_metadata_utf8)

#define LINNET_SHOUT_POINTER(name) __typeof__(&name) name;

/// Every function of libshout that is called.
typedef struct LinnetShoutFunctions {
    LINNET_SHOUT_FUNCTIONS(LINNET_SHOUT_POINTER)
} LinnetShoutFunctions;

#undef LINNET_SHOUT_POINTER

/// The results of libshout's functions.
enum {
    LINNET_SHOUT_NOT_CONNECTED = -2,   // SHOUTERR_NOCONNECT
    LINNET_SHOUT_LOGIN_FAILED = -3,    // SHOUTERR_NOLOGIN
    LINNET_SHOUT_SOCKET_FAILED = -4,   // SHOUTERR_SOCKET
    LINNET_SHOUT_CONNECTED = -7,       // SHOUTERR_CONNECTED
    LINNET_SHOUT_BUSY = -10,           // SHOUTERR_BUSY
    LINNET_SHOUT_NO_TLS = -11,         // SHOUTERR_NOTLS
    LINNET_SHOUT_BAD_CERTIFICATE = -12,  // SHOUTERR_TLSBADCERT
    LINNET_SHOUT_RETRY = -13,          // SHOUTERR_RETRY
};

/// Values of libshout's settings.
enum {
    LINNET_SHOUT_PROTOCOL_HTTP = 0,    // SHOUT_PROTOCOL_HTTP
    LINNET_SHOUT_FORMAT_MPEG = 1,      // SHOUT_FORMAT_MP3: audio/mpeg
    LINNET_SHOUT_USAGE_AUDIO = 1,      // SHOUT_USAGE_AUDIO
    LINNET_SHOUT_TLS_DISABLED = 0,     // SHOUT_TLS_DISABLED
    LINNET_SHOUT_TLS_FROM_START = 11,  // SHOUT_TLS_RFC2818
};

/// The functions of libshout, or NULL if it is missing; loaded, and the library started, at the first call.
const LinnetShoutFunctions *linnet_shout_functions(void);

#endif
#endif
