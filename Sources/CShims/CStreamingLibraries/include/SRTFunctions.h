// SPDX-License-Identifier: Apache-2.0

// libsrt.so.1.5, with GnuTLS or OpenSSL.

#ifndef LINNET_SRTFUNCTIONS_H
#define LINNET_SRTFUNCTIONS_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <sys/socket.h>

#define LINNET_SRT_FUNCTIONS(FUNCTION) \
    FUNCTION(int, srt_startup, (void)) \
    FUNCTION(int, srt_create_socket, (void)) \
    FUNCTION(int, srt_close, (int socket)) \
    FUNCTION(int, srt_setsockflag, (int socket, unsigned option, const void *value, int size)) \
    FUNCTION(int, srt_getsockflag, (int socket, unsigned option, void *value, int *size)) \
    FUNCTION(int, srt_bind, (int socket, const struct sockaddr *address, int size)) \
    FUNCTION(int, srt_listen, (int socket, int backlog)) \
    FUNCTION(int, srt_accept, (int socket, struct sockaddr *address, int *size)) \
    FUNCTION(int, srt_connect, (int socket, const struct sockaddr *address, int size)) \
    FUNCTION(unsigned, srt_getsockstate, (int socket)) \
    FUNCTION(int, srt_send, (int socket, const char *bytes, int size)) \
    FUNCTION(int, srt_recv, (int socket, char *bytes, int size)) \
    FUNCTION(int, srt_getsndbuffer, (int socket, size_t *packets, size_t *bytes)) \
    FUNCTION(int, srt_getlasterror, (int *system_error)) \
    FUNCTION(const char *, srt_getlasterror_str, (void)) \
    FUNCTION(int, srt_getrejectreason, (int socket)) \
    FUNCTION(const char *, srt_rejectreason_str, (int reason)) \
    FUNCTION(void, srt_setloglevel, (int level))

LINNET_LIBRARY(LinnetSRTFunctions, LINNET_SRT_FUNCTIONS, linnet_srt_functions)

/// Values of `SRT_SOCKOPT`.
enum {
    LINNET_SRT_SENDING_BLOCKS = 1,      // SRTO_SNDSYN
    LINNET_SRT_RECEIVING_BLOCKS = 2,    // SRTO_RCVSYN, also for connect and accept
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

/// Values of `SRT_SOCKSTATUS`, `SRT_ERRNO` and `SRT_REJECT_REASON`.
enum {
    LINNET_SRT_CONNECTING = 4,                // SRTS_CONNECTING
    LINNET_SRT_CONNECTED = 5,                 // SRTS_CONNECTED
    LINNET_SRT_WOULD_BLOCK_SENDING = 6001,    // SRT_EASYNCSND
    LINNET_SRT_WOULD_BLOCK_RECEIVING = 6002,  // SRT_EASYNCRCV
    LINNET_SRT_CONGESTED = 6004,              // SRT_ECONGEST
    LINNET_SRT_REJECTION_UNKNOWN = 0,         // SRT_REJ_UNKNOWN
    LINNET_SRT_REJECTION_CLOSE = 7,           // SRT_REJ_CLOSE
    LINNET_SRT_REJECTION_TIMEOUT = 16,        // SRT_REJ_TIMEOUT
};

#endif
#endif
