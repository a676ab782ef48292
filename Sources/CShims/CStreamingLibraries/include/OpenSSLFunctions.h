// SPDX-License-Identifier: Apache-2.0

// libssl.so.3 and its dependency libcrypto.so.3, as in version 3.0.
//
// OpenSSL instead of GnuTLS because Debian's base system contains it, it verifies host names and addresses itself, users know SSL_CERT_FILE
// and SSL_CERT_DIR for custom certificate authorities, and its license is the same as this project's.

#ifndef LINNET_OPENSSLFUNCTIONS_H
#define LINNET_OPENSSLFUNCTIONS_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <stdint.h>

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_method_st SSL_METHOD;
typedef struct bio_st BIO;
typedef struct bio_method_st BIO_METHOD;
typedef struct X509_VERIFY_PARAM_st X509_VERIFY_PARAM;
typedef struct x509_store_ctx_st X509_STORE_CTX;
typedef int (*SSL_verify_cb)(int is_valid, X509_STORE_CTX *context);

#define LINNET_OPENSSL_FUNCTIONS(FUNCTION) \
    FUNCTION(const SSL_METHOD *, TLS_client_method, (void)) \
    FUNCTION(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *method)) \
    FUNCTION(void, SSL_CTX_free, (SSL_CTX *context)) \
    FUNCTION(long, SSL_CTX_ctrl, (SSL_CTX *context, int command, long value, void *argument)) \
    FUNCTION(uint64_t, SSL_CTX_set_options, (SSL_CTX *context, uint64_t options)) \
    FUNCTION(int, SSL_CTX_set_default_verify_paths, (SSL_CTX *context)) \
    FUNCTION(int, SSL_CTX_load_verify_file, (SSL_CTX *context, const char *path)) \
    FUNCTION(SSL *, SSL_new, (SSL_CTX *context)) \
    FUNCTION(void, SSL_free, (SSL *connection)) \
    FUNCTION(void, SSL_set_bio, (SSL *connection, BIO *input, BIO *output)) \
    FUNCTION(void, SSL_set_verify, (SSL *connection, int mode, SSL_verify_cb callback)) \
    FUNCTION(long, SSL_ctrl, (SSL *connection, int command, long value, void *argument)) \
    FUNCTION(int, SSL_set1_host, (SSL *connection, const char *name)) \
    FUNCTION(void, SSL_set_hostflags, (SSL *connection, unsigned int flags)) \
    FUNCTION(X509_VERIFY_PARAM *, SSL_get0_param, (SSL *connection)) \
    FUNCTION(int, SSL_connect, (SSL *connection)) \
    FUNCTION(int, SSL_read, (SSL *connection, void *bytes, int count)) \
    FUNCTION(int, SSL_write, (SSL *connection, const void *bytes, int count)) \
    FUNCTION(int, SSL_shutdown, (SSL *connection)) \
    FUNCTION(int, SSL_get_error, (const SSL *connection, int result)) \
    FUNCTION(long, SSL_get_verify_result, (const SSL *connection)) \
    FUNCTION(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM *parameters, const char *address)) \
    FUNCTION(const char *, X509_verify_cert_error_string, (long code)) \
    FUNCTION(BIO *, BIO_new, (const BIO_METHOD *method)) \
    FUNCTION(int, BIO_free, (BIO *bio)) \
    FUNCTION(const BIO_METHOD *, BIO_s_mem, (void)) \
    FUNCTION(size_t, BIO_ctrl_pending, (BIO *bio)) \
    FUNCTION(int, BIO_read, (BIO *bio, void *bytes, int count)) \
    FUNCTION(int, BIO_write, (BIO *bio, const void *bytes, int count)) \
    FUNCTION(unsigned long, ERR_get_error, (void)) \
    FUNCTION(void, ERR_clear_error, (void)) \
    FUNCTION(const char *, ERR_reason_error_string, (unsigned long code))

LINNET_LIBRARY(LinnetOpenSSLFunctions, LINNET_OPENSSL_FUNCTIONS, linnet_openssl_functions)

/// Commands of `SSL_CTX_ctrl` and `SSL_ctrl`, documented by their macros, and values of these and other functions.
enum {
    LINNET_TLS_SET_HOST_NAME = 55,          // SSL_CTRL_SET_TLSEXT_HOSTNAME
    LINNET_TLS_SET_LEAST_VERSION = 123,     // SSL_CTRL_SET_MIN_PROTO_VERSION
    LINNET_TLS_VERSION_1_2 = 0x0303,        // TLS1_2_VERSION
    LINNET_TLS_VERIFY_PEER = 1,             // SSL_VERIFY_PEER
    LINNET_TLS_NO_PARTIAL_WILDCARDS = 4,    // X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
    LINNET_TLS_NO_RENEGOTIATION = 1 << 30,  // SSL_OP_NO_RENEGOTIATION
    LINNET_TLS_WANTS_BYTES = 2,             // SSL_ERROR_WANT_READ
    LINNET_TLS_ENDED = 6,                   // SSL_ERROR_ZERO_RETURN
    LINNET_TLS_CERTIFICATE_VALID = 0,       // X509_V_OK
};

#endif
#endif
