/* SPDX-License-Identifier: Apache-2.0 */

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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

/* Creates a hidden file in the folder of target. Its name and lock are those of the command, which removes files of ended processes. */
static int create_hidden(const char *target, char **hidden) {
    enum { room = 64 };
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash + 1 - target) : 0, descriptor = -1;
    *hidden = malloc((size_t)folder + room);
    for (unsigned number = 1; *hidden; number++) {
        snprintf(*hidden, (size_t)folder + room, "%.*s.linnet-%ld-%u", folder, target, (long)getpid(), number);
        descriptor = open(*hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor < 0) break;
        /* Some file systems have no locks. */
        if ((flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && access(*hidden, F_OK) == 0) break;
        /* The command removes the file between both calls. */
        close(descriptor);
    }
    return descriptor;
}

int linnet_platform_create(const char *path, linnet_platform_output *output) {
    struct stat status;
    /* Not stat, because its symbol requires glibc 2.33. */
    int exists = syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0;
    output->hidden = NULL;
    output->target = exists ? realpath(path, NULL) : strdup(path);
    if (exists ? !S_ISREG(status.st_mode) : !*path || readlink(path, (char[1]){0}, 1) >= 0) {
        output->descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    } else {
        output->descriptor = output->target ? create_hidden(output->target, &output->hidden) : -1;
        /* The permissions of the file to replace. A file system without them refuses. */
        if (exists && output->descriptor >= 0 && fchmod(output->descriptor, status.st_mode & 07777) != 0) errno = 0;
    }
    if (output->descriptor >= 0) return 0;
    int code = errno;
    free(output->hidden);
    free(output->target);
    errno = code;
    return -1;
}

int linnet_platform_commit(linnet_platform_output *output) {
    /* The duplicate keeps the lock until the file is renamed. Closing can report an error of writing. */
    int duplicate = dup(output->descriptor);
    if (duplicate < 0) return -1;
    int result = close(output->descriptor);
    output->descriptor = duplicate;
    if (result != 0 || !output->hidden) return result;
    if (rename(output->hidden, output->target) != 0) return -1;
    free(output->hidden);
    output->hidden = NULL;
    return 0;
}

void linnet_platform_discard(linnet_platform_output *output) {
    if (output->hidden) unlink(output->hidden);
    free(output->hidden);
    free(output->target);
    close(output->descriptor);
}

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
