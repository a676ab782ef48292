// SPDX-License-Identifier: Apache-2.0

// Functions that x86-64 programs linked with a new glibc miss on an old one. Scripts/build --glibc and Scripts/Package/echo-canceller
// --glibc link them in.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>

// Functions since 2.33. Earlier headers called these with the version of the structure's layout.
int __xstat(int layout, const char *path, struct stat *status);
int __lxstat(int layout, const char *path, struct stat *status);
int __fxstat(int layout, int descriptor, struct stat *status);
int stat(const char *path, struct stat *status) { return __xstat(1, path, status); }
int lstat(const char *path, struct stat *status) { return __lxstat(1, path, status); }
int fstat(int descriptor, struct stat *status) { return __fxstat(1, descriptor, status); }

// Since 2.25, for keys: the compiler must assume that the bytes are read later.
void explicit_bzero(void *bytes, size_t count) {
    memset(bytes, 0, count);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

// Since 2.32, for libstdc++: whether the program has a single thread and needs no atomic operations. Assumes more threads.
char __libc_single_threaded = 0;

// The loaded part of a program or library that contains an address.
struct search {
    ElfW(Addr) address;
    struct dl_find_object *result;
};

// Fills in the result if the object contains the address.
static int look(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct search *search = context;
    ElfW(Addr) first = (ElfW(Addr))-1, end = 0, frames = 0;
    int has_address = 0;
    for (int index = 0; index < object->dlpi_phnum; ++index) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        ElfW(Addr) begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME) frames = begin;
        if (part->p_type != PT_LOAD) continue;
        if (begin < first) first = begin;
        if (begin + part->p_memsz > end) end = begin + part->p_memsz;
        if (search->address >= begin && search->address < begin + part->p_memsz) has_address = 1;
    }
    if (!has_address || frames == 0) return 0;
    *search->result = (struct dl_find_object){
        .dlfo_map_start = (void *)first, .dlfo_map_end = (void *)end, .dlfo_eh_frame = (void *)frames};
    return 1;
}

// Since 2.35, for unwinding: finds the object of an address.
int _dl_find_object(void *address, struct dl_find_object *result) {
    struct search search = {(ElfW(Addr))address, result};
    return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}
