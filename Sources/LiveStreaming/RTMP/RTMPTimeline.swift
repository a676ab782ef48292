// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import Synchronization

/// The time stamps of a stream over all its connections: 0 for the first unit, in milliseconds.
package final class RTMPTimeline: Sendable {
    /// The time of the first unit, in milliseconds, once there was one.
    private let start = Mutex<Int64?>(nil)
    /// The time stamp of the first unit.
    private let origin: Int64

    /// Creates a timeline whose first unit has the time stamp `origin`.
    package init(origin: Int64 = 0) { self.origin = origin }

    /// Returns the time stamp of a presentation time in milliseconds, not yet taken modulo 2^32.
    package func timestamp(of time: MediaTime) -> Int64 {
        let scale = Int64(time.timescale)
        let (quotient, remainder) = time.value.quotientAndRemainder(dividingBy: scale)
        // Rounded down on both sides of 0, so that no time stamp is off by more than the others; the rest is never added up.
        let milliseconds = quotient * 1000 + (remainder * 1000 - (remainder < 0 ? scale - 1 : 0)) / scale
        return start.withLock { start in
            let first = start ?? milliseconds
            start = first
            return milliseconds - first + origin
        }
    }
}
