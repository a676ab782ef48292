/* SPDX-License-Identifier: Apache-2.0

   Replaces platform.c in WebAssembly, which has neither files nor random numbers without the host. */

#include "platform.h"

#include <errno.h>

int linnet_platform_open(const char *path) {
    (void)path;
    errno = ENOSYS;
    return -1;
}

int64_t linnet_platform_size(int descriptor) {
    (void)descriptor;
    return -1;
}

int64_t linnet_platform_read(int descriptor, void *bytes, size_t count, int64_t offset) {
    (void)descriptor, (void)bytes, (void)count, (void)offset;
    return -1;
}

void linnet_platform_close(int descriptor) { (void)descriptor; }

/* Seeds Swift's hash tables. No secret depends on the seed. */
void arc4random_buf(void *bytes, size_t count) {
    for (size_t done = 0; done < count; done++) ((unsigned char *)bytes)[done] = (unsigned char)(done * 151 + 7);
}

/* 128-bit multiplication from products of 32-bit halves. The compiler emits calls to it; its run-time library is not linked. */
__int128 __multi3(__int128 a, __int128 b) {
    const uint64_t low_a = (uint64_t)a, low_b = (uint64_t)b, mask = 0xFFFFFFFF;
    const uint64_t low = (low_a & mask) * (low_b & mask), middle = (low_a >> 32) * (low_b & mask) + (low >> 32);
    const uint64_t other = (low_a & mask) * (low_b >> 32) + (middle & mask);
    const uint64_t high = (low_a >> 32) * (low_b >> 32) + (middle >> 32) + (other >> 32);
    const uint64_t cross = (uint64_t)(a >> 64) * low_b + low_a * (uint64_t)(b >> 64);
    return (__int128)((unsigned __int128)(high + cross) << 64 | (other << 32) | (low & mask));
}
