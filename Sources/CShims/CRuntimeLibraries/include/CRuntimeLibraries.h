// SPDX-License-Identifier: Apache-2.0

// Libraries that are opened when they are first asked for, so that a program starts fast, and on machines without them. Their declarations
// are our own, after the documentation of their interfaces: building needs no header of them. Each has what is used only.
// Scripts/Check/declarations compares all of them with the libraries' headers.

#ifndef CRUNTIMELIBRARIES_H
#define CRUNTIMELIBRARIES_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/// Fills a table, which is an array of pointers, with functions in the order of their names, which end with NULL. They are those of the first
/// of some libraries, which end with NULL too, that is there and has them all; false if none does.
bool linnet_load_functions(const char *const *libraries, const char *const *names, void *table);

/// The number of processors that this process may use, by its affinity; 0 if the system does not tell.
int linnet_processor_count(void);

// A list of functions has a row FUNCTION(result, name, (parameters)) for each.
#define LINNET_POINTER(result, name, parameters) result(*name) parameters;
#define LINNET_NAME(result, name, parameters) #name,

/// Declares the table of a list, and a function that returns it: NULL if the library is missing, or can't be used.
#define LINNET_LIBRARY(Table, LIST, function) \
    typedef struct Table { \
        LIST(LINNET_POINTER) \
    } Table; \
    const Table *function(void);

/// Defines that function, which loads the library at its first call: the first of those that are named, if `begin` is true with `functions`.
#define LINNET_LOADER(Table, LIST, function, begin, ...) \
    static Table function##_table; \
    static bool function##_is_loaded; \
    static void function##_load(void) { \
        static const char *const names[] = {LIST(LINNET_NAME) NULL}; \
        static const char *const libraries[] = {__VA_ARGS__, NULL}; \
        Table *functions = &function##_table; \
        function##_is_loaded = linnet_load_functions(libraries, names, functions) && (begin); \
    } \
    const Table *function(void) { \
        static pthread_once_t once = PTHREAD_ONCE_INIT; \
        pthread_once(&once, function##_load); \
        return function##_is_loaded ? &function##_table : NULL; \
    }

#endif
#endif
