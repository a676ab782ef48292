// SPDX-License-Identifier: Apache-2.0

#include "CCompression.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include "CRuntimeLibraries.h"

#include <pthread.h>

// After the documentation of zlib's interface, so that building needs no header of it.
static struct {
    int (*compress2)(unsigned char *result, unsigned long *size, const unsigned char *bytes, unsigned long count, int level);
} functions;

static const char *const names[] = {"compress2"};
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { is_loaded = linnet_load_functions("libz.so.1", names, 1, &functions); }

// The bound in zlib's manual for compress().
size_t linnet_compressed_bound(size_t count) { return count + count / 1000 + 64; }

bool linnet_compress(const unsigned char *bytes, size_t count, unsigned char *result, size_t *size) {
    pthread_once(&once, load);
    if (!is_loaded) return false;
    unsigned long length = *size;
    if (functions.compress2(result, &length, bytes, count, 9) != 0) return false;
    *size = length;
    return true;
}

#endif
