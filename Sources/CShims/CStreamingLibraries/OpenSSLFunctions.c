// SPDX-License-Identifier: Apache-2.0

#include "OpenSSLFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>
#include <stdbool.h>

#define LINNET_NAME(name) #name,
static const char *const names[] = {LINNET_OPENSSL_FUNCTIONS(LINNET_NAME)};

_Static_assert(sizeof(LinnetOpenSSLFunctions) == sizeof(names), "one pointer a name");

static LinnetOpenSSLFunctions functions;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // The functions of libcrypto are found here too: dlsym also searches the libraries that this one needs.
    is_loaded = linnet_load_functions("libssl.so.3", names, sizeof(names) / sizeof(*names), &functions);
}

const LinnetOpenSSLFunctions *linnet_openssl_functions(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

#endif
