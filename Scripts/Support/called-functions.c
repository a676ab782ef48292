// Runs a program, and prints the addresses of the functions that it calls:
//
//     called-functions ADDRESSES PROGRAM ARGUMENT...
//
// ADDRESSES is a file with the addresses of the functions in the program's symbol table, each once and in order. Each function
// starts with a breakpoint until its first call. For x86-64 Linux.
#include <err.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { capacity = 1 << 20 };
static struct function { uint64_t address; uint8_t first, called; } functions[capacity];
static size_t count;

static int by_address(const void *a, const void *b) {
    const struct function *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

// Opens a file of a process.
static FILE *process_file(pid_t process, const char *name, const char *mode) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    FILE *file = fopen(path, mode);
    if (!file) err(1, "%s", path);
    return file;
}

// Exchanges the first byte of a function.
static void exchange(int memory, uint64_t address, uint8_t *byte) {
    uint8_t old;
    if (pread(memory, &old, 1, address) != 1 || pwrite(memory, byte, 1, address) != 1) err(1, "breakpoint");
    *byte = old;
}

// Continues all threads until the process ends.
static void follow(pid_t process, uint64_t base, int memory) {
    int status;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
        if (!WIFSTOPPED(status)) {
            if (thread == process && status) errx(1, "the program ended with status %#x", status);
            continue;
        }
        int signal = WSTOPSIG(status);
        if (signal == SIGTRAP && status >> 16 == 0) {
            void *counter = (void *)offsetof(struct user, regs.rip);
            uint64_t address = ptrace(PTRACE_PEEKUSER, thread, counter, NULL) - 1;
            struct function key = {.address = address - base}, *found = bsearch(&key, functions, count, sizeof key, by_address);
            if (found) {
                // Another thread can have been first.
                if (!found->called) exchange(memory, address, &found->first);
                found->called = 1;
                ptrace(PTRACE_POKEUSER, thread, counter, address);
            }
        }
        // A new thread starts with SIGSTOP.
        ptrace(PTRACE_CONT, thread, NULL, signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count < 3) errx(2, "it needs addresses and a program");
    FILE *addresses = fopen(arguments[1], "r");
    if (!addresses) err(1, "%s", arguments[1]);
    while (count < capacity && fscanf(addresses, "%lu", &functions[count].address) == 1) count++;
    pid_t process = fork();
    if (!process) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execv(arguments[2], arguments + 2);
        err(127, "%s", arguments[2]);
    }
    int status;
    if (process < 0 || waitpid(process, &status, 0) < 0 || !WIFSTOPPED(status)) errx(1, "the program cannot be traced");
    if (ptrace(PTRACE_SETOPTIONS, process, NULL, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL) < 0) err(1, "ptrace");
    // The first mapping is the start of the program.
    uint64_t base;
    if (fscanf(process_file(process, "maps", "r"), "%lx", &base) != 1) err(1, "maps");
    int memory = fileno(process_file(process, "mem", "r+"));
    for (size_t index = 0; index < count; index++) {
        functions[index].first = 0xCC;
        exchange(memory, base + functions[index].address, &functions[index].first);
    }
    ptrace(PTRACE_CONT, process, NULL, 0);
    follow(process, base, memory);
    for (size_t index = 0; index < count; index++) {
        if (functions[index].called) printf("%lu\n", functions[index].address);
    }
}
