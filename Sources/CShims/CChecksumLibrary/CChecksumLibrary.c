// SPDX-License-Identifier: Apache-2.0

#include "CChecksumLibrary.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>

// In the order of LinnetChecksumFunctions.
static const char *const names[] = {
    "EVP_MD_CTX_new", "EVP_MD_CTX_free", "EVP_sha256", "EVP_DigestInit_ex", "EVP_DigestUpdate", "EVP_DigestFinal_ex",
};

_Static_assert(sizeof(LinnetChecksumFunctions) == sizeof(names), "one pointer a name");

static LinnetChecksumFunctions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { is_loaded = linnet_load_functions("libcrypto.so.3", names, sizeof(names) / sizeof(*names), &functions); }

const LinnetChecksumFunctions *linnet_checksum_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

#endif
