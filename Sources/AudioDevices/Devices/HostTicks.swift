// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import SystemLibrary

/// Converts host ticks.
///
/// Core Audio's own conversion exists only on macOS.
struct HostTicks {
    private let timebase: mach_timebase_info_data_t

    init() {
        var timebase = mach_timebase_info_data_t()
        mach_timebase_info(&timebase)
        self.timebase = timebase
    }

    func nanoseconds(_ ticks: UInt64) -> Int64 {
        let (numerator, denominator) = (UInt64(timebase.numer), UInt64(max(timebase.denom, 1)))
        return Int64(clamping: ticks / denominator &* numerator &+ ticks % denominator &* numerator / denominator)
    }
}
#endif
