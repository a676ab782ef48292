// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "Model.h"
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Batons: system calls, which the thread sanitizer does not intercept.

void model_baton_pass(int32_t *baton) {
    __atomic_store_n(baton, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, baton, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void model_baton_wait(int32_t *baton) {
    while (!__atomic_load_n(baton, __ATOMIC_ACQUIRE)) syscall(SYS_futex, baton, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    __atomic_store_n(baton, 0, __ATOMIC_RELAXED);
}

#ifdef MODEL_SANITIZED
extern void __tsan_release(void *), __tsan_acquire(void *);
void model_order_release(const void *object) { __tsan_release((void *)object); }
void model_order_acquire(const void *object) { __tsan_acquire((void *)object); }
#else
void model_order_release(const void *object) {}
void model_order_acquire(const void *object) {}
#endif

// Swift concurrency jobs: hooks of the runtime.

typedef __attribute__((swiftcall)) void (*original)(void *job);
typedef __attribute__((swiftcall)) void (*original_later)(uint64_t delay, void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *, original);
typedef struct { void *identity, *implementation; } executor;
typedef __attribute__((swiftcall)) executor (*original_executor)(void);
extern __attribute__((swiftcall)) executor (*swift_task_getMainExecutor_hook)(original_executor);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobalWithDelay_hook)(uint64_t, void *, original_later);
extern __attribute__((swiftcall)) void swift_job_run(void *job, void *identity, void *implementation);

static void (*take)(void *);
static void (*take_later)(void *, uint64_t);
static __attribute__((swiftcall)) void enqueue(void *job, original next) {
    model_order_release(job);
    take(job);
}
static __attribute__((swiftcall)) void enqueue_later(uint64_t delay, void *job, original_later next) {
    model_order_release(job);
    take_later(job, delay);
}

// The main actor needs no executor of its own because jobs run one at a time.
static __attribute__((swiftcall)) executor generic_executor(original_executor next) { return (executor){NULL, NULL}; }

void model_take_jobs(void (*one)(void *), void (*later)(void *, uint64_t)) {
    take = one;
    take_later = later;
    swift_task_enqueueGlobal_hook = enqueue;
    swift_task_getMainExecutor_hook = generic_executor;
    swift_task_enqueueGlobalWithDelay_hook = enqueue_later;
}

void model_run_job(void *job) {
    model_order_acquire(job);
    swift_job_run(job, NULL, NULL);
}

// Real-time threads.

static __thread int32_t depth;
static atomic_int allocations, releases, locks;

void model_realtime_enter(void) { depth++; }
void model_realtime_leave(void) { depth--; }
int32_t model_realtime_depth(void) { return depth; }
int32_t model_realtime_suspend(void) {
    int32_t old = depth;
    depth = 0;
    return old;
}
void model_realtime_resume(int32_t old) { depth = old; }
int32_t model_realtime_allocations(void) { return atomic_load(&allocations); }
int32_t model_realtime_releases(void) { return atomic_load(&releases); }
int32_t model_realtime_locks(void) { return atomic_load(&locks); }

#ifndef MODEL_SANITIZED
// Counts a call in a callback; MODEL_TRACE prints the callers of the first eight.
static void count(atomic_int *counter, const char *name) {
    if (!depth) return;
    if (atomic_fetch_add(counter, 1) >= 8 || !getenv("MODEL_TRACE")) return;
    int32_t old = model_realtime_suspend();
    void *frames[24];
    int number = backtrace(frames, 24);
    if (write(2, name, strlen(name)) > 0) backtrace_symbols_fd(frames, number, 2);
    model_realtime_resume(old);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
    count(&allocations, "allocation\n");
    return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
    count(&allocations, "allocation\n");
    return __libc_calloc(number, size);
}
void *realloc(void *memory, size_t size) {
    count(&allocations, "allocation\n");
    return __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) {
    count(&allocations, "allocation\n");
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
void free(void *memory) {
    if (memory) count(&releases, "free\n");
    __libc_free(memory);
}
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*next)(pthread_mutex_t *);
    if (!next) next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    count(&locks, "lock\n");
    return next(mutex);
}
#endif
