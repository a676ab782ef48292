// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// Opens libraries when they are first asked for, so that a program starts fast, and on machines without them.

#ifndef CRUNTIMELIBRARIES_H
#define CRUNTIMELIBRARIES_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>

/// Fills a table, which is an array of pointers, with the functions of a library in the order of their names.
/// False if the library is missing or lacks one of them.
bool linnet_load_functions(const char *library, const char *const *names, size_t count, void *table);

#endif
#endif
