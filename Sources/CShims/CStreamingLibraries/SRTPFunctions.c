// SPDX-License-Identifier: Apache-2.0

#include "SRTPFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LINNET_NAME(name) #name,
static const char *const names[] = {LINNET_SRTP_FUNCTIONS(LINNET_NAME)};

_Static_assert(sizeof(LinnetSRTPFunctions) == sizeof(names), "one pointer a name");

static LinnetSRTPFunctions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    is_loaded = linnet_load_functions("libsrtp2.so.1", names, sizeof(names) / sizeof(*names), &functions) && functions.srtp_init() == 0;
}

const LinnetSRTPFunctions *linnet_srtp_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

srtp_t linnet_srtp_session(const unsigned char *key, int direction) {
    if (!linnet_srtp_functions()) return NULL;
    unsigned char copy[30];
    memcpy(copy, key, sizeof(copy));
    srtp_policy_t policy;
    memset(&policy, 0, sizeof(policy));
    // AES_CM_128_HMAC_SHA1_80 is the default (RFC 3711, 5).
    functions.srtp_crypto_policy_set_rtp_default(&policy.rtp);
    functions.srtp_crypto_policy_set_rtp_default(&policy.rtcp);
    policy.ssrc.type = direction;
    policy.key = copy;
    // Packets that the network reorders are no replays.
    policy.window_size = 1024;
    srtp_t session = NULL;
    int status = functions.srtp_create(&session, &policy);
    explicit_bzero(copy, sizeof(copy));
    return status == 0 ? session : NULL;
}

#endif
