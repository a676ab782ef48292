// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import Foundation

// On Apple's systems these functions accept optional pointers, such as a buffer's `mData`; the C library's do not.

/// Copies bytes that do not overlap.
///
/// The pointers may be `nil` for 0 bytes.
@_disfavoredOverload
@discardableResult
public func memcpy(_ target: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let target, let source else { return target }
    return Foundation.memcpy(target, source, byteCount)
}

/// Copies bytes that may overlap.
///
/// The pointers may be `nil` for 0 bytes.
@_disfavoredOverload
@discardableResult
public func memmove(_ target: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let target, let source else { return target }
    return Foundation.memmove(target, source, byteCount)
}

/// Sets bytes to a value.
///
/// The pointer may be `nil` for 0 bytes.
@_disfavoredOverload
@discardableResult
public func memset(_ target: UnsafeMutableRawPointer?, _ value: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let target else { return target }
    return Foundation.memset(target, value, byteCount)
}

/// Runs a function; this system has no autorelease pools.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
