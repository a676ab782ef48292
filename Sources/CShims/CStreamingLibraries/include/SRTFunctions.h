// SPDX-License-Identifier: Apache-2.0

// libsrt 1.5, opened when it is first asked for. Its declarations are written after the documentation of its interface (docs/API of the
// project), so that building needs no header of it.

#ifndef LINNET_SRTFUNCTIONS_H
#define LINNET_SRTFUNCTIONS_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stddef.h>
#include <sys/socket.h>

int srt_startup(void);
int srt_create_socket(void);
int srt_close(int socket);
int srt_setsockflag(int socket, int option, const void *value, int size);
int srt_getsockflag(int socket, int option, void *value, int *size);
int srt_bind(int socket, const struct sockaddr *address, int size);
int srt_listen(int socket, int backlog);
int srt_accept(int socket, struct sockaddr *address, int *size);
int srt_connect(int socket, const struct sockaddr *address, int size);
int srt_getsockstate(int socket);
int srt_send(int socket, const char *bytes, int size);
int srt_recv(int socket, char *bytes, int size);
int srt_getsndbuffer(int socket, size_t *packets, size_t *bytes);
int srt_getlasterror(int *system_error);
const char *srt_getlasterror_str(void);
int srt_getrejectreason(int socket);
const char *srt_rejectreason_str(int reason);
void srt_setloglevel(int level);

#define LINNET_SRT_FUNCTIONS(FUNCTION) \
    FUNCTION(srt_startup) \
    FUNCTION(srt_create_socket) \
    FUNCTION(srt_close) \
    FUNCTION(srt_setsockflag) \
    FUNCTION(srt_getsockflag) \
    FUNCTION(srt_bind) \
    FUNCTION(srt_listen) \
    FUNCTION(srt_accept) \
    FUNCTION(srt_connect) \
    FUNCTION(srt_getsockstate) \
    FUNCTION(srt_send) \
    FUNCTION(srt_recv) \
    FUNCTION(srt_getsndbuffer) \
    FUNCTION(srt_getlasterror) \
    FUNCTION(srt_getlasterror_str) \
    FUNCTION(srt_getrejectreason) \
    FUNCTION(srt_rejectreason_str) \
    FUNCTION(srt_setloglevel)

#define LINNET_SRT_POINTER(name) __typeof__(&name) name;

/// Every function of libsrt that is called.
typedef struct LinnetSRTFunctions {
    LINNET_SRT_FUNCTIONS(LINNET_SRT_POINTER)
} LinnetSRTFunctions;

#undef LINNET_SRT_POINTER

/// Values of `SRT_SOCKOPT`.
enum {
    LINNET_SRT_SENDING_BLOCKS = 1,      // SRTO_SNDSYN
    LINNET_SRT_RECEIVING_BLOCKS = 2,    // SRTO_RCVSYN, also for connecting and accepting
    LINNET_SRT_SEND_BUFFER = 5,         // SRTO_SNDBUF, in bytes
    LINNET_SRT_LATENCY = 23,            // SRTO_LATENCY, in milliseconds
    LINNET_SRT_PASSPHRASE = 26,         // SRTO_PASSPHRASE
    LINNET_SRT_KEY_LENGTH = 27,         // SRTO_PBKEYLEN, in bytes
    LINNET_SRT_SEND_DROP_DELAY = 32,    // SRTO_SNDDROPDELAY, in milliseconds
    LINNET_SRT_CONNECT_TIMEOUT = 36,    // SRTO_CONNTIMEO, in milliseconds
    LINNET_SRT_PEER_LATENCY = 44,       // SRTO_PEERLATENCY, in milliseconds
    LINNET_SRT_STREAM_ID = 46,          // SRTO_STREAMID
    LINNET_SRT_IPV6_ONLY = 54,          // SRTO_IPV6ONLY
    LINNET_SRT_PEER_IDLE_TIMEOUT = 55,  // SRTO_PEERIDLETIMEO, in milliseconds
};

/// Values of `SRT_SOCKSTATUS`.
enum {
    LINNET_SRT_CONNECTING = 4,
    LINNET_SRT_CONNECTED = 5,
};

/// Values of `SRT_ERRNO`.
enum {
    LINNET_SRT_WOULD_BLOCK_SENDING = 6001,    // SRT_EASYNCSND
    LINNET_SRT_WOULD_BLOCK_RECEIVING = 6002,  // SRT_EASYNCRCV
    LINNET_SRT_CONGESTED = 6004,              // SRT_ECONGEST
};

/// Values of `SRT_REJECT_REASON`.
enum {
    LINNET_SRT_REJECTION_UNKNOWN = 0,
    LINNET_SRT_REJECTION_CLOSE = 7,
    LINNET_SRT_REJECTION_TIMEOUT = 16,
};

/// The functions of libsrt with GnuTLS or OpenSSL, or NULL if both are missing; loaded, and the library started, at the first call.
const LinnetSRTFunctions *linnet_srt_functions(void);

#endif
#endif
