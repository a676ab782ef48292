// SPDX-License-Identifier: Apache-2.0

#include "OpenSSLFunctions.h"

#if defined(__linux__) && !defined(__ANDROID__)

// dlsym also searches the dependencies of this library and so finds the functions of libcrypto.
LINNET_LOADER(LinnetOpenSSLFunctions, LINNET_OPENSSL_FUNCTIONS, linnet_openssl_functions, true, "libssl.so.3")

#endif
