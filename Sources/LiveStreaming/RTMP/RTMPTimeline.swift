// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import Synchronization

/// The timestamps of a stream across all its connections, in milliseconds from the first access unit.
package final class RTMPTimeline: Sendable {
    /// The first access unit's time in milliseconds, once known.
    private let start = Mutex<Int64?>(nil)
    /// The first access unit's timestamp.
    private let origin: Int64

    /// Creates a timeline whose first access unit has the timestamp `origin`.
    package init(origin: Int64 = 0) { self.origin = origin }

    /// Converts a presentation time to a timestamp in milliseconds, before the modulo 2^32.
    package func timestamp(of time: MediaTime) -> Int64 {
        let scale = Int64(time.timescale)
        let (quotient, remainder) = time.value.quotientAndRemainder(dividingBy: scale)
        // Floor division also for negative times, so that all timestamps have the same bound of error. Rounding errors never accumulate.
        let milliseconds = quotient * 1000 + (remainder * 1000 - (remainder < 0 ? scale - 1 : 0)) / scale
        return start.withLock { start in
            let first = start ?? milliseconds
            start = first
            return milliseconds - first + origin
        }
    }
}
