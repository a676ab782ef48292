// SPDX-License-Identifier: Apache-2.0

/// The position of a frame in its segment (``StreamSegments``).
struct SegmentPosition: Hashable {
    /// The number of preceding frames in the segment.
    var index: Int

    /// The number of frames until the next segment, including this one.
    var remaining: Int

    /// Whether the stream can start with the frame.
    var isEntry = false

    /// Whether the stream can start with the next frame.
    var precedesEntry = false

    /// Whether the pre-roll of the frame with which the stream can start begins with the frame.
    var startsPreRoll = false

    var isFirst: Bool { index == 0 }

    var isLast: Bool { remaining == 1 }

    /// Whether the frame's window overlaps another segment, so that its shape must be sine.
    var touchesBoundary: Bool { isFirst || isLast }

    /// Whether SBR and PS data have headers and do not depend on previous frames: every twentieth frame, and an entry.
    var isIndependent: Bool { index % 20 == 0 || isEntry }

    /// Whether no SBR envelope extends into the next frame.
    var endsEnvelopes: Bool { isLast || precedesEntry }
}
