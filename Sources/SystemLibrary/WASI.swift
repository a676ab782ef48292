// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Constants of wasi-libc whose macros Swift can't read, and functions that WASI has no counterpart of: those fail with ENOSYS.
#if os(WASI)
internal import Synchronization

package let EWOULDBLOCK: Int32 = 6
package let EAGAIN: Int32 = 6
package let EDQUOT: Int32 = 19
package let EEXIST: Int32 = 20
package let EINTR: Int32 = 27
package let EINVAL: Int32 = 28
package let EIO: Int32 = 29
package let EISDIR: Int32 = 31
package let ENOENT: Int32 = 44
package let ENOSPC: Int32 = 51
package let ENOSYS: Int32 = 52
package let ENOTDIR: Int32 = 54
package let EPIPE: Int32 = 64
package let ESPIPE: Int32 = 70
package let EXDEV: Int32 = 75

package let SEEK_SET: Int32 = 0
package let SEEK_CUR: Int32 = 1
package let SEEK_END: Int32 = 2

package let O_CREAT: Int32 = 1 << 12
package let O_EXCL: Int32 = 4 << 12
package let O_TRUNC: Int32 = 8 << 12

package let LOCK_EX: Int32 = 2
package let LOCK_NB: Int32 = 4

/// Sets `errno`, and returns -1.
private func notSupported() -> Int32 {
    errno = ENOSYS
    return -1
}

/// Fails: descriptors have no copies.
package func dup(_ descriptor: Int32) -> Int32 { notSupported() }
/// Fails: files have no permissions.
@discardableResult
package func fchmod(_ descriptor: Int32, _ mode: mode_t) -> Int32 { notSupported() }
/// Fails: there are no locks, so that nothing is ever taken for abandoned.
package func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 { notSupported() }
/// Fails: there is no folder for temporary files.
package func mkstemp(_ template: UnsafeMutablePointer<CChar>?) -> Int32 { notSupported() }
/// Returns nil: the path stays as it is.
package func realpath(_ path: UnsafePointer<CChar>?, _ resolved: UnsafeMutablePointer<CChar>?) -> UnsafeMutablePointer<CChar>? { nil }
/// Fails: there is one thread.
package func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafeRawPointer?,
    _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
) -> Int32 { EAGAIN }
/// Fails: there is one thread.
@discardableResult
package func pthread_join(_ thread: pthread_t, _ result: UnsafeRawPointer?) -> Int32 { EINVAL }
/// Fails: there is one thread.
@discardableResult
package func pthread_detach(_ thread: pthread_t) -> Int32 { EINVAL }
/// Returns 1: a program knows no other.
package func getpid() -> Int32 { 1 }

/// A counter in place of libdispatch's semaphore: with one thread, nobody can be waited for.
package final class DispatchSemaphore: Sendable {
    private let value: Mutex<Int>

    /// Creates a semaphore.
    package init(value: Int) { self.value = Mutex(value) }

    /// Adds 1.
    package func signal() { value.withLock { $0 += 1 } }

    /// Subtracts 1; requires that the value is not 0, since nobody else could add to it.
    package func wait() {
        value.withLock { value in
            precondition(value > 0, "the only thread waits for itself")
            value -= 1
        }
    }
}
#endif
