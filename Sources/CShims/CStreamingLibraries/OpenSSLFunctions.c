// SPDX-License-Identifier: Apache-2.0

#include "OpenSSLFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

// The functions of libcrypto are found here too: dlsym also searches the libraries that this one needs.
LINNET_LOADER(LinnetOpenSSLFunctions, LINNET_OPENSSL_FUNCTIONS, linnet_openssl_functions, true, "libssl.so.3")

#endif
