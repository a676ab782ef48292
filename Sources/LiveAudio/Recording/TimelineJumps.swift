// SPDX-License-Identifier: Apache-2.0

/// The gaps that a recording skipped, until the access units after them are encoded.
///
/// Audio is encoded without a gap. Access units after a jump get a later presentation time. A jump is kept only until an access unit
/// reaches it, so at most for the encoder's delay.
package struct TimelineJumps {
    /// Access units that start at `frame` or later are presented `length` frames later.
    private var pending: [(frame: Int, length: Int)] = []
    private var passedLength = 0

    package init() {}

    /// Adds a jump of `length` frames after `frame` encoded frames.
    ///
    /// Jumps at the same frame add up.
    package mutating func append(length: Int, at frame: Int) {
        if let last = pending.last, last.frame == frame {
            pending[pending.count - 1].length += length
        } else {
            pending.append((frame, length))
        }
    }

    /// Returns the total length of the jumps before an access unit, in frames.
    ///
    /// - Parameter start: The access unit's first frame on the gapless timeline. Must not decrease between calls.
    package mutating func offset(at start: Int) -> Int {
        while let next = pending.first, start >= next.frame {
            passedLength += next.length
            pending.removeFirst()
        }
        return passedLength
    }
}
