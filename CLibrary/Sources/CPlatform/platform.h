/* SPDX-License-Identifier: Apache-2.0

   The system functions that the libraries need besides memory. They are not exported. */

#ifndef LINNET_PLATFORM_H
#define LINNET_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

/* Opens a file for reading. Returns a descriptor, or -1 with errno set. */
int linnet_platform_open(const char *path);

/* Returns the size of an open file, or -1 with errno set if it has none, such as a pipe. */
int64_t linnet_platform_size(int descriptor);

/* Reads up to count bytes at an offset, fewer only at the end of the file. Returns their number, or -1 with errno set. */
int64_t linnet_platform_read(int descriptor, void *bytes, size_t count, int64_t offset);

/* A file being written. */
typedef struct linnet_platform_output {
    int descriptor;
    char *hidden;                     /* the path of the hidden file; null if the file has its name */
    char *target;
} linnet_platform_output;

/* Creates a hidden file in the same folder, or opens a device. Returns 0, or -1 with errno set. */
int linnet_platform_create(const char *path, linnet_platform_output *output);

/* Renames the hidden file, which replaces an existing file. Returns 0, or -1 with errno set. */
int linnet_platform_commit(linnet_platform_output *output);

/* Closes the file, and removes it if it is still hidden. */
void linnet_platform_discard(linnet_platform_output *output);

/* Writes all bytes at an offset. Returns 0, or -1 with errno set. */
int linnet_platform_write(int descriptor, const void *bytes, size_t count, int64_t offset);

/* Closes a file. */
void linnet_platform_close(int descriptor);

#endif
