// SPDX-License-Identifier: Apache-2.0

/// The times that a recording left out, between their capture and the access units after them.
///
/// Access units are encoded without a gap; the ones after a jump get a later presentation time. A jump is kept only until an access unit
/// reaches it: no more than the encoder's delay holds.
package struct TimelineJumps {
    /// Access units that start at `frame` or later are presented `length` frames later.
    private var pending: [(frame: Int, length: Int)] = []
    private var passedLength = 0

    /// Creates the initial value.
    package init() {}

    /// Adds a jump of `length` frames after `frame` encoded frames; jumps at the same frame are added up.
    package mutating func append(length: Int, at frame: Int) {
        if let last = pending.last, last.frame == frame {
            pending[pending.count - 1].length += length
        } else {
            pending.append((frame, length))
        }
    }

    /// Returns the total length of the jumps before an access unit, in frames.
    ///
    /// - Parameter start: The first frame of the unit on the gapless timeline; at least that of the previous call.
    package mutating func offset(at start: Int) -> Int {
        while let next = pending.first, start >= next.frame {
            passedLength += next.length
            pending.removeFirst()
        }
        return passedLength
    }
}
