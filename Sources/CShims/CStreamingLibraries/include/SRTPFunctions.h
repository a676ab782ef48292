// SPDX-License-Identifier: Apache-2.0

// libsrtp 2, opened when it is first asked for. Its declarations are written after the documentation of its interface, so that building needs
// no header of it.

#ifndef LINNET_SRTPFUNCTIONS_H
#define LINNET_SRTPFUNCTIONS_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stdint.h>

typedef struct srtp_ctx_t_ *srtp_t;

typedef struct srtp_crypto_policy_t {
    uint32_t cipher_type;
    int cipher_key_len;
    uint32_t auth_type;
    int auth_key_len;
    int auth_tag_len;
    int sec_serv;
} srtp_crypto_policy_t;

typedef struct srtp_policy_t {
    struct {
        int type;
        unsigned int value;
    } ssrc;
    srtp_crypto_policy_t rtp;
    srtp_crypto_policy_t rtcp;
    unsigned char *key;
    void **keys;
    unsigned long num_master_keys;
    void *deprecated_ekt;
    unsigned long window_size;
    int allow_repeat_tx;
    int *enc_xtn_hdr;
    int enc_xtn_hdr_count;
    struct srtp_policy_t *next;
} srtp_policy_t;

int srtp_init(void);
void srtp_crypto_policy_set_rtp_default(srtp_crypto_policy_t *policy);
int srtp_create(srtp_t *session, const srtp_policy_t *policy);
int srtp_dealloc(srtp_t session);
int srtp_protect(srtp_t session, void *packet, int *length);
int srtp_unprotect(srtp_t session, void *packet, int *length);
int srtp_protect_rtcp(srtp_t session, void *packet, int *length);
int srtp_unprotect_rtcp(srtp_t session, void *packet, int *length);

#define LINNET_SRTP_FUNCTIONS(FUNCTION) \
    FUNCTION(srtp_init) \
    FUNCTION(srtp_crypto_policy_set_rtp_default) \
    FUNCTION(srtp_create) \
    FUNCTION(srtp_dealloc) \
    FUNCTION(srtp_protect) \
    FUNCTION(srtp_unprotect) \
    FUNCTION(srtp_protect_rtcp) \
    FUNCTION(srtp_unprotect_rtcp)

#define LINNET_SRTP_POINTER(name) __typeof__(&name) name;

/// Every function of libsrtp that is called.
typedef struct LinnetSRTPFunctions {
    LINNET_SRTP_FUNCTIONS(LINNET_SRTP_POINTER)
} LinnetSRTPFunctions;

#undef LINNET_SRTP_POINTER

enum {
    LINNET_SRTP_ANY_INBOUND = 2,       // ssrc_any_inbound
    LINNET_SRTP_ANY_OUTBOUND = 3,      // ssrc_any_outbound
    LINNET_SRTP_REPLAYED = 9,          // srtp_err_status_replay_fail
    LINNET_SRTP_LONGEST_TRAILER = 144  // SRTP_MAX_TRAILER_LEN
};

/// The functions of libsrtp 2, or NULL if it is missing; loaded, and the library started, at the first call.
const LinnetSRTPFunctions *linnet_srtp_functions(void);

/// Creates a session with AES_CM_128_HMAC_SHA1_80 for all sources of one direction; NULL if the library refuses.
/// The key has 16 bytes and a salt of 14.
srtp_t linnet_srtp_session(const unsigned char *key, int direction);

#endif
#endif
