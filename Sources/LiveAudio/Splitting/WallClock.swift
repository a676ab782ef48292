// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives
internal import SystemLibrary

/// Local times of host times.
///
/// All times are in seconds since 1970, in UTC.
package struct WallClock: Hashable, Sendable {
    /// The lead over the system's clock, for tests.
    package var shift = Duration.zero

    package init() {}

    /// Returns the time at a host time in nanoseconds, by the current offset of the two clocks.
    package func time(at hostTime: Int64) -> Double {
        var now = timespec()
        // The thread can be suspended between the two readings.
        let before = HostClock.now
        clock_gettime(CLOCK_REALTIME, &now)
        let age = Double(before - hostTime) / 1e9 + Double(HostClock.now - before) / 2e9
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - age + shift.inSeconds
    }

    /// Returns the first of the local times of day after a time; `nil` without any.
    package static func next(_ times: [DayTime], after time: Double) -> Double? {
        let today = local(time)
        // A time that a change to summer time skips is one hour later.
        let candidates = (0...2).flatMap { day in
            times.map { candidate in
                var fields = tm()
                (fields.tm_year, fields.tm_mon, fields.tm_mday) = (today.tm_year, today.tm_mon, today.tm_mday + Int32(day))
                fields.tm_hour = Int32(candidate.seconds / 3600)
                fields.tm_min = Int32(candidate.seconds / 60 % 60)
                fields.tm_sec = Int32(candidate.seconds % 60)
                fields.tm_isdst = -1
                return Double(mktime(&fields))
            }
        }
        return candidates.filter { $0 > time }.min()
    }

    /// Returns a local time in a format of `strftime`.
    package static func text(_ format: String, at time: Double) -> String {
        var fields = local(time)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strftime(start, buffer.count, format, &fields) > 0 else { return "" }
            return String(cString: start)
        }
    }

    private static func local(_ time: Double) -> tm {
        var seconds = time_t(time.rounded(.down))
        var fields = tm()
        localtime_r(&seconds, &fields)
        return fields
    }
}
