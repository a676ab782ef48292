// SPDX-License-Identifier: Apache-2.0

// The parts of libssl.so.3 and libcrypto.so.3 that the Network.framework model and the scenarios' servers use.

#ifndef MODEL_OPENSSL_H
#define MODEL_OPENSSL_H

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_method_st SSL_METHOD;
typedef struct x509_st X509;
typedef struct x509_store_st X509_STORE;
typedef struct x509_store_ctx_st X509_STORE_CTX;
typedef struct X509_VERIFY_PARAM_st X509_VERIFY_PARAM;
typedef struct stack_st OPENSSL_STACK;

const SSL_METHOD *TLS_client_method(void);
const SSL_METHOD *TLS_server_method(void);
SSL_CTX *SSL_CTX_new(const SSL_METHOD *method);
void SSL_CTX_free(SSL_CTX *context);
long SSL_CTX_ctrl(SSL_CTX *context, int command, long value, void *argument);
int SSL_CTX_set_cipher_list(SSL_CTX *context, const char *list);
int SSL_CTX_use_certificate_chain_file(SSL_CTX *context, const char *path);
int SSL_CTX_use_PrivateKey_file(SSL_CTX *context, const char *path, int type);
void SSL_CTX_set_cert_verify_callback(SSL_CTX *context, int (*callback)(X509_STORE_CTX *, void *), void *argument);
void SSL_CTX_set_verify(SSL_CTX *context, int mode, void *callback);
SSL *SSL_new(SSL_CTX *context);
void SSL_free(SSL *connection);
int SSL_set_fd(SSL *connection, int descriptor);
long SSL_ctrl(SSL *connection, int command, long value, void *argument);
int SSL_connect(SSL *connection);
int SSL_accept(SSL *connection);
int SSL_read(SSL *connection, void *bytes, int count);
int SSL_peek(SSL *connection, void *bytes, int count);
int SSL_write(SSL *connection, const void *bytes, int count);
int SSL_shutdown(SSL *connection);
int SSL_get_error(const SSL *connection, int result);
int SSL_version(const SSL *connection);
const char *SSL_get_servername(const SSL *connection, int type);
unsigned long ERR_get_error(void);
void ERR_clear_error(void);

X509 *d2i_X509(X509 **certificate, const unsigned char **bytes, long count);
int X509_up_ref(X509 *certificate);
void X509_free(X509 *certificate);
X509_STORE *X509_STORE_new(void);
void X509_STORE_free(X509_STORE *store);
int X509_STORE_add_cert(X509_STORE *store, X509 *certificate);
int X509_STORE_set_default_paths(X509_STORE *store);
X509_STORE_CTX *X509_STORE_CTX_new(void);
void X509_STORE_CTX_free(X509_STORE_CTX *context);
int X509_STORE_CTX_init(X509_STORE_CTX *context, X509_STORE *store, X509 *certificate, OPENSSL_STACK *others);
X509 *X509_STORE_CTX_get0_cert(const X509_STORE_CTX *context);
OPENSSL_STACK *X509_STORE_CTX_get0_untrusted(const X509_STORE_CTX *context);
X509_VERIFY_PARAM *X509_STORE_CTX_get0_param(const X509_STORE_CTX *context);
int X509_VERIFY_PARAM_set1_host(X509_VERIFY_PARAM *parameters, const char *name, unsigned long length);
int X509_VERIFY_PARAM_set1_ip_asc(X509_VERIFY_PARAM *parameters, const char *address);
int X509_verify_cert(X509_STORE_CTX *context);
int X509_STORE_CTX_get_error(const X509_STORE_CTX *context);
const char *X509_verify_cert_error_string(long code);

typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_md_st EVP_MD;
typedef struct engine_st ENGINE;

const EVP_CIPHER *EVP_aes_128_ecb(void);
EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void);
void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *context);
int EVP_EncryptInit_ex(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, ENGINE *engine, const void *key, const void *start);
int EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *context, int padding);
int EVP_EncryptUpdate(EVP_CIPHER_CTX *context, void *output, int *output_length, const void *input, int input_length);
const EVP_MD *EVP_sha1(void);
unsigned char *HMAC(const EVP_MD *hash, const void *key, int key_length, const void *data, unsigned long length, void *tag,
                    unsigned *tag_length);

enum {
    MODEL_SET_MODE = 33,           // SSL_CTRL_MODE
    MODEL_SET_HOST_NAME = 55,      // SSL_CTRL_SET_TLSEXT_HOSTNAME
    MODEL_SET_LEAST_VERSION = 123, // SSL_CTRL_SET_MIN_PROTO_VERSION
    MODEL_SET_LAST_VERSION = 124,  // SSL_CTRL_SET_MAX_PROTO_VERSION
    MODEL_PARTIAL_WRITES = 3,      // SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    MODEL_PEM = 1,                 // SSL_FILETYPE_PEM
    MODEL_VERIFY_PEER = 1,         // SSL_VERIFY_PEER
    MODEL_FAILED = 1,              // SSL_ERROR_SSL
    MODEL_WANTS_READ = 2,          // SSL_ERROR_WANT_READ
    MODEL_WANTS_WRITE = 3,         // SSL_ERROR_WANT_WRITE
    MODEL_SYSTEM_CALL = 5,         // SSL_ERROR_SYSCALL
    MODEL_ENDED = 6,               // SSL_ERROR_ZERO_RETURN
    MODEL_UNEXPECTED_EOF = 294,    // SSL_R_UNEXPECTED_EOF_WHILE_READING, the low bits of an error
    MODEL_OLD_VERSION = 0x0301,    // TLS1_VERSION
    MODEL_TLS_1_1 = 0x0302,        // TLS1_1_VERSION
};

#endif
