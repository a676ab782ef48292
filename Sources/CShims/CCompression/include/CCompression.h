// SPDX-License-Identifier: Apache-2.0

// zlib's compression, opened when it is first asked for.

#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stdbool.h>
#include <stddef.h>

/// The largest size of `count` bytes after compression.
size_t linnet_compressed_bound(size_t count);

/// Compresses bytes to a stream of zlib (RFC 1950); `size` is the room, and then the size of the result. False without zlib.
bool linnet_compress(const unsigned char *bytes, size_t count, unsigned char *result, size_t *size);

#endif
#endif
