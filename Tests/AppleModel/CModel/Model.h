// SPDX-License-Identifier: Apache-2.0

// The parts of the model that Swift cannot express: threads that run one at a time, Swift concurrency hooks, and counters of calls that a
// real-time thread must not make.

#ifndef MODEL_H
#define MODEL_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// Batons. The thread sanitizer does not see them, so it still reports races in the sources although only one thread runs at a time.
void model_baton_pass(int32_t *baton);
void model_baton_wait(int32_t *baton);

// An ordering that Apple's systems guarantee, for example between signalling a semaphore and the end of a wait. No effect without the
// sanitizer.
void model_order_release(const void *object);
void model_order_acquire(const void *object);

// Passes Swift concurrency jobs to a function instead of a thread pool.
void model_take_jobs(void (*enqueue)(void *job), void (*enqueue_later)(void *job, uint64_t nanoseconds));
void model_run_job(void *job);

// Real-time threads: counts malloc, free and pthread_mutex_lock calls between `enter` and `leave`, except between `suspend` and `resume`.
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
