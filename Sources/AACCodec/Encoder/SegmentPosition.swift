// SPDX-License-Identifier: Apache-2.0

/// The position of a frame in its segment (``StreamSegments``).
struct SegmentPosition: Hashable {
    /// The number of frames of the segment before it.
    var index: Int

    /// The number of frames from it to the next segment, itself included.
    var remaining: Int

    /// Whether the stream can begin with the frame.
    var isEntry = false

    /// Whether the stream can begin with the next frame.
    var precedesEntry = false

    /// Whether the frame is the first of a segment.
    var isFirst: Bool { index == 0 }

    /// Whether the frame is the last of a segment.
    var isLast: Bool { remaining == 1 }

    /// Whether the frame's window overlaps with another segment, so that its shape has to be sine.
    var touchesBoundary: Bool { isFirst || isLast }

    /// Whether SBR and parametric stereo have headers, and are decodable without the frames before: every twentieth frame, and an entry.
    var isIndependent: Bool { index % 20 == 0 || isEntry }

    /// Whether no envelope of SBR extends into the next frame.
    var endsEnvelopes: Bool { isLast || precedesEntry }
}
