// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The Linux C library and the Mach clock.

@_exported import Glibc
import VirtualTime

public struct mach_timebase_info_data_t {
    public var numer: UInt32 = 0
    public var denom: UInt32 = 0
    public init() {}
}

/// The Mach timebase: 1/1, as on Intel; scenarios can set 125/3, as on Apple silicon.
nonisolated(unsafe) public var machineTimebase: (numerator: UInt32, denominator: UInt32) = (1, 1)

@discardableResult public func mach_timebase_info(_ info: UnsafeMutablePointer<mach_timebase_info_data_t>) -> Int32 {
    info.pointee.numer = machineTimebase.numerator
    info.pointee.denom = machineTimebase.denominator
    return 0
}

public func mach_absolute_time() -> UInt64 {
    UInt64(Scheduler.shared.now) * UInt64(machineTimebase.denominator) / UInt64(machineTimebase.numerator)
}

/// Sleeps on the virtual clock.
@discardableResult public func usleep(_ microseconds: useconds_t) -> Int32 {
    Scheduler.shared.sleep(seconds: Double(microseconds) * 1e-6)
    return 0
}

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}
