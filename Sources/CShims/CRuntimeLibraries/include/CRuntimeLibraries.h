// SPDX-License-Identifier: Apache-2.0

// What Swift can't reach of the C library. Opens libraries when they are first asked for, so that a program starts fast, and on machines without them.

#ifndef CRUNTIMELIBRARIES_H
#define CRUNTIMELIBRARIES_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <stdbool.h>
#include <stddef.h>

/// Fills a table, which is an array of pointers, with the functions of a library in the order of their names.
/// False if the library is missing or lacks one of them.
bool linnet_load_functions(const char *library, const char *const *names, size_t count, void *table);

/// The number of processors that this process may use, by its affinity; 0 if the system does not tell.
int linnet_processor_count(void);

#endif
#endif
