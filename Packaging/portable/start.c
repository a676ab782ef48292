// SPDX-License-Identifier: Apache-2.0

// The start of an x86-64 program that was linked with a new glibc, on an old one. Scripts/build --glibc links it in.

int __libc_start_main(
    int (*main)(int, char **, char **), int count, char **arguments, void (*initialize)(void), void (*finalize)(void),
    void (*finalize_loader)(void), void *stack_end);
int main(int count, char **arguments, char **environment);

typedef void function(int, char **, char **);
extern function *__preinit_array_start[], *__preinit_array_end[], *__init_array_start[], *__init_array_end[];
extern void (*__fini_array_start[])(void), (*__fini_array_end[])(void);
extern char **environ;
static int argument_count;
static char **argument_vector;

// Calls the constructors. Since 2.34 the C library does this, and the system's start files no longer do.
static void initialize(void) {
    for (function **next = __preinit_array_start; next < __preinit_array_end; ++next) (*next)(argument_count, argument_vector, environ);
    for (function **next = __init_array_start; next < __init_array_end; ++next) (*next)(argument_count, argument_vector, environ);
}

// Calls the destructors in reverse order.
static void finalize(void) {
    for (void (**next)(void) = __fini_array_end; next > __fini_array_start;) (*--next)();
}

// Starts the program with the arguments on the stack.
__attribute__((used, noreturn)) static void start(long *stack, void (*finalize_loader)(void)) {
    argument_count = (int)stack[0];
    argument_vector = (char **)(stack + 1);
    __libc_start_main(main, argument_count, argument_vector, initialize, finalize, finalize_loader, stack);
    __builtin_unreachable();
}

// The program's first instruction. The stack is aligned to 16 bytes, and rdx holds a function for the loader to call at the end.
__asm__(
    ".text\n.globl linnet_start\n.type linnet_start, @function\n"
    "linnet_start:\n"
    "    xorl %ebp, %ebp\n"
    "    movq %rsp, %rdi\n"
    "    movq %rdx, %rsi\n"
    "    andq $-16, %rsp\n"
    "    call start\n"
    "    hlt\n");
