// SPDX-License-Identifier: Apache-2.0

// OpenSSL 3, opened when it is first asked for. Its declarations are written after its manual pages, so that building needs no header of it.
//
// OpenSSL rather than GnuTLS: Debian's base programs bring it along, it checks names and addresses of hosts itself, users know its
// SSL_CERT_FILE and SSL_CERT_DIR for authorities of their own, and its licence is the one of this project.

#ifndef LINNET_OPENSSLFUNCTIONS_H
#define LINNET_OPENSSLFUNCTIONS_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stddef.h>
#include <stdint.h>

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_method_st SSL_METHOD;
typedef struct bio_st BIO;
typedef struct bio_method_st BIO_METHOD;
typedef struct X509_VERIFY_PARAM_st X509_VERIFY_PARAM;

const SSL_METHOD *TLS_client_method(void);
SSL_CTX *SSL_CTX_new(const SSL_METHOD *method);
void SSL_CTX_free(SSL_CTX *context);
long SSL_CTX_ctrl(SSL_CTX *context, int command, long value, void *argument);
uint64_t SSL_CTX_set_options(SSL_CTX *context, uint64_t options);
int SSL_CTX_set_default_verify_paths(SSL_CTX *context);
int SSL_CTX_load_verify_file(SSL_CTX *context, const char *path);
SSL *SSL_new(SSL_CTX *context);
void SSL_free(SSL *connection);
void SSL_set_bio(SSL *connection, BIO *input, BIO *output);
void SSL_set_verify(SSL *connection, int mode, void *callback);
long SSL_ctrl(SSL *connection, int command, long value, void *argument);
int SSL_set1_host(SSL *connection, const char *name);
void SSL_set_hostflags(SSL *connection, unsigned int flags);
X509_VERIFY_PARAM *SSL_get0_param(SSL *connection);
int SSL_connect(SSL *connection);
int SSL_read(SSL *connection, void *bytes, int count);
int SSL_write(SSL *connection, const void *bytes, int count);
int SSL_shutdown(SSL *connection);
int SSL_get_error(const SSL *connection, int result);
long SSL_get_verify_result(const SSL *connection);
int X509_VERIFY_PARAM_set1_ip_asc(X509_VERIFY_PARAM *parameters, const char *address);
const char *X509_verify_cert_error_string(long code);
BIO *BIO_new(const BIO_METHOD *method);
int BIO_free(BIO *bio);
const BIO_METHOD *BIO_s_mem(void);
size_t BIO_ctrl_pending(BIO *bio);
int BIO_read(BIO *bio, void *bytes, int count);
int BIO_write(BIO *bio, const void *bytes, int count);
unsigned long ERR_get_error(void);
void ERR_clear_error(void);
const char *ERR_reason_error_string(unsigned long code);

#define LINNET_OPENSSL_FUNCTIONS(FUNCTION) \
    FUNCTION(TLS_client_method) \
    FUNCTION(SSL_CTX_new) \
    FUNCTION(SSL_CTX_free) \
    FUNCTION(SSL_CTX_ctrl) \
    FUNCTION(SSL_CTX_set_options) \
    FUNCTION(SSL_CTX_set_default_verify_paths) \
    FUNCTION(SSL_CTX_load_verify_file) \
    FUNCTION(SSL_new) \
    FUNCTION(SSL_free) \
    FUNCTION(SSL_set_bio) \
    FUNCTION(SSL_set_verify) \
    FUNCTION(SSL_ctrl) \
    FUNCTION(SSL_set1_host) \
    FUNCTION(SSL_set_hostflags) \
    FUNCTION(SSL_get0_param) \
    FUNCTION(SSL_connect) \
    FUNCTION(SSL_read) \
    FUNCTION(SSL_write) \
    FUNCTION(SSL_shutdown) \
    FUNCTION(SSL_get_error) \
    FUNCTION(SSL_get_verify_result) \
    FUNCTION(X509_VERIFY_PARAM_set1_ip_asc) \
    FUNCTION(X509_verify_cert_error_string) \
    FUNCTION(BIO_new) \
    FUNCTION(BIO_free) \
    FUNCTION(BIO_s_mem) \
    FUNCTION(BIO_ctrl_pending) \
    FUNCTION(BIO_read) \
    FUNCTION(BIO_write) \
    FUNCTION(ERR_get_error) \
    FUNCTION(ERR_clear_error) \
    FUNCTION(ERR_reason_error_string)

#define LINNET_OPENSSL_POINTER(name) __typeof__(&name) name;

/// Every function of OpenSSL that is called.
typedef struct LinnetOpenSSLFunctions {
    LINNET_OPENSSL_FUNCTIONS(LINNET_OPENSSL_POINTER)
} LinnetOpenSSLFunctions;

#undef LINNET_OPENSSL_POINTER

/// Commands of `SSL_CTX_ctrl` and `SSL_ctrl`, which the manual pages describe by their macros.
enum {
    LINNET_TLS_SET_HOST_NAME = 55,        // SSL_set_tlsext_host_name
    LINNET_TLS_SET_LEAST_VERSION = 123,   // SSL_CTX_set_min_proto_version
};

/// Values of these and other functions.
enum {
    LINNET_TLS_VERSION_1_2 = 0x0303,
    LINNET_TLS_VERIFY_PEER = 1,           // SSL_VERIFY_PEER
    LINNET_TLS_NO_PARTIAL_WILDCARDS = 4,  // X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
    LINNET_TLS_NO_RENEGOTIATION = 1 << 30,  // SSL_OP_NO_RENEGOTIATION
    LINNET_TLS_WANTS_BYTES = 2,           // SSL_ERROR_WANT_READ
    LINNET_TLS_ENDED = 6,                 // SSL_ERROR_ZERO_RETURN
    LINNET_TLS_CERTIFICATE_VALID = 0,     // X509_V_OK
};

/// The functions of OpenSSL 3, or NULL if the library is missing; loaded once, at the first call.
const LinnetOpenSSLFunctions *linnet_openssl_functions(void);

#endif
#endif
