// SPDX-License-Identifier: Apache-2.0

// Counts calls of the allocator on the calling thread, by standing in front of the C library's.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

/// Calls of malloc and its kin on this thread since it began, or -1 where they can't be counted (under a sanitizer, outside glibc).
long linnet_allocation_count(void);

#endif
