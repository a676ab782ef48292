// SPDX-License-Identifier: Apache-2.0

// For the affinity of processes.
#define _GNU_SOURCE

#include "CRuntimeLibraries.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <dlfcn.h>
#include <sched.h>
#include <string.h>

bool linnet_load_functions(const char *library, const char *const *names, size_t count, void *table) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(handle, names[i]);
        if (!function) {
            dlclose(handle);
            return false;
        }
        memcpy((char *)table + i * sizeof(void *), &function, sizeof(void *));
    }
    return true;
}

int linnet_processor_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

#endif
