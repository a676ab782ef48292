// SPDX-License-Identifier: Apache-2.0

// libsrtp2.so.1, as in version 2.5.

#ifndef LINNET_SRTPFUNCTIONS_H
#define LINNET_SRTPFUNCTIONS_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <stdint.h>

typedef struct srtp_ctx_t_ *srtp_t;

typedef struct srtp_master_key_t srtp_master_key_t;

typedef struct srtp_crypto_policy_t {
    uint32_t cipher_type;
    int cipher_key_len;
    uint32_t auth_type;
    int auth_key_len, auth_tag_len;
    unsigned sec_serv;
} srtp_crypto_policy_t;

typedef struct srtp_policy_t {
    struct {
        unsigned type, value;
    } ssrc;
    srtp_crypto_policy_t rtp, rtcp;
    unsigned char *key;
    srtp_master_key_t **keys;
    unsigned long num_master_keys;
    void *deprecated_ekt;
    unsigned long window_size;
    int allow_repeat_tx;
    int *enc_xtn_hdr;
    int enc_xtn_hdr_count;
    struct srtp_policy_t *next;
} srtp_policy_t;

#define LINNET_SRTP_FUNCTIONS(FUNCTION) \
    FUNCTION(unsigned, srtp_init, (void)) \
    FUNCTION(void, srtp_crypto_policy_set_rtp_default, (srtp_crypto_policy_t *policy)) \
    FUNCTION(unsigned, srtp_create, (srtp_t *session, const srtp_policy_t *policy)) \
    FUNCTION(unsigned, srtp_dealloc, (srtp_t session)) \
    FUNCTION(unsigned, srtp_protect, (srtp_t session, void *packet, int *length)) \
    FUNCTION(unsigned, srtp_unprotect, (srtp_t session, void *packet, int *length)) \
    FUNCTION(unsigned, srtp_protect_rtcp, (srtp_t session, void *packet, int *length)) \
    FUNCTION(unsigned, srtp_unprotect_rtcp, (srtp_t session, void *packet, int *length))

LINNET_LIBRARY(LinnetSRTPFunctions, LINNET_SRTP_FUNCTIONS, linnet_srtp_functions)

/// Values of `srtp_ssrc_type_t` and `srtp_err_status_t`, and the maximum overhead in bytes.
enum {
    LINNET_SRTP_ANY_INBOUND = 2,         // ssrc_any_inbound
    LINNET_SRTP_ANY_OUTBOUND = 3,        // ssrc_any_outbound
    LINNET_SRTP_REPLAYED = 9,            // srtp_err_status_replay_fail
    LINNET_SRTP_LONGEST_TRAILER = 144,  // SRTP_MAX_TRAILER_LEN
};

/// Creates a session with AES_CM_128_HMAC_SHA1_80 for all sources of one direction; NULL if the library rejects it.
/// The key consists of 16 bytes and a 14-byte salt.
srtp_t linnet_srtp_session(const unsigned char *key, unsigned direction);

#endif
#endif
