// SPDX-License-Identifier: Apache-2.0

// Libraries that are opened on first use, so that a program starts fast and runs on machines without them. Building needs no headers: the
// declarations follow the documented interfaces and contain only the functions used. Scripts/Check/declarations compares them with the libraries'
// headers.

#ifndef CRUNTIMELIBRARIES_H
#define CRUNTIMELIBRARIES_H

#if defined(__linux__) && !defined(__ANDROID__)

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/// Fills `table`, an array of pointers, with the functions `names`, in order. Uses the first of `libraries` that is installed and has all
/// of them; returns false without one. Both lists end with NULL.
bool linnet_load_functions(const char *const *libraries, const char *const *names, void *table);

/// Returns the number of processors in this process's affinity mask; 0 if it is unknown.
int linnet_processor_count(void);

// A function list has one row FUNCTION(result, name, (parameters)) per function.
#define LINNET_POINTER(result, name, parameters) result(*name) parameters;
#define LINNET_NAME(result, name, parameters) #name,

/// Declares the table of a list, and a function that returns it: NULL if the library is missing or unusable.
#define LINNET_LIBRARY(Table, LIST, function) \
    typedef struct Table { \
        LIST(LINNET_POINTER) \
    } Table; \
    const Table *function(void);

/// Defines that function. Its first call loads the first usable library of those named, if `begin` returns true for `functions`.
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
