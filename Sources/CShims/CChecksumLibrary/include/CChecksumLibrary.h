// SPDX-License-Identifier: Apache-2.0

// The checksums of OpenSSL 3's libcrypto, opened when it is first asked for. Its declarations are written after its manual pages, so that
// building needs no header of it.

#ifndef CCHECKSUMLIBRARY_H
#define CCHECKSUMLIBRARY_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stddef.h>

/// A computation under way, and an algorithm; only the library knows their contents.
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct evp_md_st EVP_MD;

/// Every function of libcrypto that is called.
typedef struct LinnetChecksumFunctions {
    EVP_MD_CTX *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(EVP_MD_CTX *context);
    const EVP_MD *(*EVP_sha256)(void);
    int (*EVP_DigestInit_ex)(EVP_MD_CTX *context, const EVP_MD *type, void *engine);
    int (*EVP_DigestUpdate)(EVP_MD_CTX *context, const void *bytes, size_t count);
    int (*EVP_DigestFinal_ex)(EVP_MD_CTX *context, unsigned char *digest, unsigned int *size);
} LinnetChecksumFunctions;

/// The functions of libcrypto, or NULL if the library is missing; loaded once, at the first call.
const LinnetChecksumFunctions *linnet_checksum_functions(void);

#endif
#endif
