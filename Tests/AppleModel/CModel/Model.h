// SPDX-License-Identifier: Apache-2.0

// The parts of the model that Swift can't express: threads that run one at a time, hooks of Swift's concurrency, and counters of the calls that a
// real-time thread must not make.

#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// Batons. The thread sanitizer does not see them: what it reports is a race in the sources, although one thread runs at a time.
void model_baton_pass(int32_t *baton);
void model_baton_wait(int32_t *baton);

// An order that Apple's systems guarantee, such as between the signal of a semaphore and the end of a wait. Nothing without the sanitizer.
void model_order_release(const void *object);
void model_order_acquire(const void *object);

// Passes the jobs of Swift's concurrency to a function instead of a pool of threads.
void model_take_jobs(void (*enqueue)(void *job), void (*enqueue_later)(void *job, uint64_t nanoseconds));
void model_run_job(void *job);

// Real-time threads: calls of malloc, free and pthread_mutex_lock are counted between `enter` and `leave`, not between `suspend` and `resume`.
void model_realtime_enter(void);
void model_realtime_leave(void);
int32_t model_realtime_suspend(void);
void model_realtime_resume(int32_t depth);
int32_t model_realtime_depth(void);
int32_t model_realtime_allocations(void);
int32_t model_realtime_releases(void);
int32_t model_realtime_locks(void);

#pragma clang assume_nonnull end
#endif
