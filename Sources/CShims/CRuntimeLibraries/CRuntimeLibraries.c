// SPDX-License-Identifier: Apache-2.0

// For the CPU affinity of processes.
#define _GNU_SOURCE

#include "CRuntimeLibraries.h"

#if defined(__linux__) && !defined(__ANDROID__)

#include <dlfcn.h>
#include <sched.h>
#include <string.h>

static bool load(const char *library, const char *const *names, void *table) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    for (size_t i = 0; names[i]; i++) {
        void *function = dlsym(handle, names[i]);
        if (!function) {
            dlclose(handle);
            return false;
        }
        memcpy((char *)table + i * sizeof(void *), &function, sizeof(void *));
    }
    return true;
}

bool linnet_load_functions(const char *const *libraries, const char *const *names, void *table) {
    for (; *libraries; libraries++) {
        if (load(*libraries, names, table)) return true;
    }
    return false;
}

int linnet_processor_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

#endif
