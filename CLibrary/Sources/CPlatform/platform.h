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

/* Creates a file for writing, or empties an existing one. Returns a descriptor, or -1 with errno set. */
int linnet_platform_create(const char *path);

/* Writes all bytes at an offset. Returns 0, or -1 with errno set. */
int linnet_platform_write(int descriptor, const void *bytes, size_t count, int64_t offset);

/* Closes a file. */
void linnet_platform_close(int descriptor);

#endif
