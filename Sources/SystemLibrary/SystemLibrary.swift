// SPDX-License-Identifier: Apache-2.0

// The C library of the system, under one name: each system's toolchain calls it differently. A function that a type hides by one of its own
// name is called as `SystemLibrary.close(descriptor)`.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#elseif canImport(Android)
@_exported public import Android
#elseif canImport(Darwin)
@_exported public import Darwin
#elseif canImport(WASILibc)
@_exported public import WASILibc
#endif
