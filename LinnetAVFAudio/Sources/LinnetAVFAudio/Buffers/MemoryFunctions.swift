// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import Foundation

// On Apple's systems these functions take optional pointers, such as `mData` of a buffer; here the C library's don't.

/// Copies bytes that don't overlap; the pointers may be nil for no bytes.
@_disfavoredOverload
@discardableResult
public func memcpy(_ target: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let target, let source else { return target }
    return Foundation.memcpy(target, source, byteCount)
}

/// Copies bytes that may overlap; the pointers may be nil for no bytes.
@_disfavoredOverload
@discardableResult
public func memmove(_ target: UnsafeMutableRawPointer?, _ source: UnsafeRawPointer?, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let target, let source else { return target }
    return Foundation.memmove(target, source, byteCount)
}

/// Sets bytes to a value; the pointer may be nil for no bytes.
@_disfavoredOverload
@discardableResult
public func memset(_ target: UnsafeMutableRawPointer?, _ value: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let target else { return target }
    return Foundation.memset(target, value, byteCount)
}

/// Runs a function; there is no pool of objects to release on this system.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
