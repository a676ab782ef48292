// SPDX-License-Identifier: Apache-2.0

#include "SRTPFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <string.h>

LINNET_LOADER(LinnetSRTPFunctions, LINNET_SRTP_FUNCTIONS, linnet_srtp_functions, functions->srtp_init() == 0, "libsrtp2.so.1")

srtp_t linnet_srtp_session(const unsigned char *key, unsigned direction) {
    const LinnetSRTPFunctions *functions = linnet_srtp_functions();
    if (!functions) return NULL;
    unsigned char copy[30];
    memcpy(copy, key, sizeof(copy));
    srtp_policy_t policy;
    memset(&policy, 0, sizeof(policy));
    // AES_CM_128_HMAC_SHA1_80 is the default (RFC 3711, 5).
    functions->srtp_crypto_policy_set_rtp_default(&policy.rtp);
    functions->srtp_crypto_policy_set_rtp_default(&policy.rtcp);
    policy.ssrc.type = direction;
    policy.key = copy;
    // A window for packets that the network reorders; they are not replays.
    policy.window_size = 1024;
    srtp_t session = NULL;
    unsigned status = functions->srtp_create(&session, &policy);
    explicit_bzero(copy, sizeof(copy));
    return status == 0 ? session : NULL;
}

#endif
