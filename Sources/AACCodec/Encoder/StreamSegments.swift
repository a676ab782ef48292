// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Segments of a stream that can be encoded each on its own, with the same bits.
///
/// At the first frame of a segment every encoder, whatever it encodes of the stream, forgets its hysteresis and its estimates
/// of the frames before. What is left of them is finite: the overlap of the window, for which the shape is sine on both sides of
/// the border, the samples in which attacks are looked for, the window sequence that follows from them, and the past of filter banks.
/// With SBR a segment's last frame ends where a frame ends by rights, and its first one has a header and needs no other.
/// Parametric stereo mixes by measurements that fade for good: before a border a second downmix, which began a little earlier from
/// nothing, takes the place of the first.
package struct StreamSegments: Hashable, Sendable {
    /// Access units in a segment: five seconds at 48 kHz, with SBR eleven.
    ///
    /// What is lost at a border can't be measured; at the end of a file a thread waits for half a segment on average.
    package let length = 256

    /// Frames before the first one of a segment of which its encoder takes in the sound.
    let leadIn: Int

    /// Frames before any that are enough for the samples of its window, and most window sequences.
    let shortLeadIn: Int

    /// Attacks are looked for in three blocks, the last of which is two ahead of the frame, and with the attack before them; a frame's
    /// window follows from the attacks of the two frames before.
    private static let windowLeadIn = 7

    /// Makes the segments of a profile's streams.
    init(_ profile: AACProfile) {
        leadIn = profile == .highEfficiencyV2 ? ParametricStereoEncoder.leadIn : Self.windowLeadIn
        shortLeadIn = profile == .highEfficiencyV2 ? 4 : 3
    }

    /// Where a frame stands in its segment.
    struct Place: Hashable {
        /// Frames of the segment before it.
        var index: Int
        /// Frames from it to the next segment, itself included.
        var remaining: Int

        /// Whether the frame is the first of a segment.
        var isFirst: Bool { index == 0 }

        /// Whether the frame is the last of a segment.
        var isLast: Bool { remaining == 1 }

        /// Whether the frame touches a border, so that its window has no choice of shape.
        var touchesBorder: Bool { isFirst || isLast }

        /// Whether SBR and parametric stereo have headers, and can be understood without the frames before: every twentieth frame.
        var standsAlone: Bool { index % 20 == 0 }
    }

    /// Whether the frame is the first of a segment.
    func isFirst(_ frame: Int) -> Bool { frame % length == 0 }

    /// Where a frame stands.
    func place(of frame: Int) -> Place { Place(index: frame % length, remaining: length - frame % length) }
}
