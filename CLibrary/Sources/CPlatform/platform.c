/* SPDX-License-Identifier: Apache-2.0 */

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int linnet_platform_open(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

/* Not fstat, because its symbol requires glibc 2.33. */
int64_t linnet_platform_size(int descriptor) { return lseek(descriptor, 0, SEEK_END); }

int64_t linnet_platform_read(int descriptor, void *bytes, size_t count, int64_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t result = pread(descriptor, (char *)bytes + done, count - done, offset + (off_t)done);
        if (result < 0 && errno == EINTR) continue;
        if (result < 0) return -1;
        if (result == 0) break;
        done += (size_t)result;
    }
    return (int64_t)done;
}

int linnet_platform_create(const char *path) { return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); }

int linnet_platform_write(int descriptor, const void *bytes, size_t count, int64_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t result = pwrite(descriptor, (const char *)bytes + done, count - done, offset + (off_t)done);
        if (result < 0 && errno == EINTR) continue;
        if (result < 0) return -1;
        done += (size_t)result;
    }
    return 0;
}

void linnet_platform_close(int descriptor) { close(descriptor); }

/* Seeds Swift's hash tables. glibc has this function from version 2.36; with this copy the libraries also load with older versions. */
__attribute__((visibility("hidden"))) void arc4random_buf(void *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        /* The system call, because glibc has its wrapper only from version 2.25. */
        long result = syscall(SYS_getrandom, (char *)bytes + done, count - done, 0);
        if (result > 0) {
            done += (size_t)result;
        } else if (errno != EINTR) {
            /* The kernel lacks the call. No secret depends on the seed. */
            for (; done < count; done++) ((unsigned char *)bytes)[done] = (unsigned char)(done * 151 + 7);
        }
    }
}
