// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import Darwin

// The Swift overlay: variadic functions and macros.

public var errno: Int32 {
    get { fatalError() }
    set {}
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { fatalError() }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
public func ioctl(_ descriptor: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer) -> Int32 { fatalError() }

public var SIG_DFL: sig_t? { fatalError() }
public var SIG_IGN: sig_t { fatalError() }

public enum POSIXErrorCode: Int32, Sendable {
    case EPIPE = 32, ENETDOWN = 50, ENETUNREACH = 51, ECONNRESET = 54, ENOTCONN = 57, EHOSTUNREACH = 65, ECANCELED = 89
}
