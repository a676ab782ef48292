// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The division of a stream into segments that can be encoded independently, with the same bits as the whole stream.
///
/// At the first frame of a segment every encoder, wherever in the stream it started, discards its hysteresis and its estimates from the
/// frames before. The history that remains is finite: the overlap of the window, whose shape is sine on both sides of the
/// boundary, the samples in which attacks are detected, the window sequence that follows from them, and the states of filter banks.
/// With SBR the last frame of a segment has no envelope that extends into the next frame, and the first frame has a header and needs no
/// other. The downmix of parametric stereo follows measurements that never fade completely: before a boundary a second downmix,
/// which started shortly before from silence, replaces the first.
///
/// Measured in RateControl.md#segments.
package struct StreamSegments: Hashable, Sendable {
    /// The access units in a segment: five seconds at 48 kHz, with SBR eleven.
    ///
    /// The loss at a boundary is too small to measure; at the end of a file a thread waits for half a segment on average.
    package let length = 256

    /// The frames before the first one of a segment whose input its encoder needs.
    let leadIn: Int

    /// The frames before any other frame whose input is enough for its window, and mostly for its window sequence.
    let shortLeadIn: Int

    /// The ``leadIn`` of the window decision.
    ///
    /// Attacks are detected in three blocks, the last of which is two ahead of the frame, relative to the attack before them; a frame's
    /// window sequence follows from the attacks of the two frames before.
    private static let windowLeadIn = 7

    /// The frame with which a stream begins after those before it are left out.
    private let entry: Int

    /// Makes the segments of a profile's streams, which begin with the frame `entry`.
    init(_ profile: AACProfile, entry: Int = 0) {
        self.entry = entry
        leadIn = profile == .highEfficiencyV2 ? ParametricStereoEncoder.leadIn : Self.windowLeadIn
        shortLeadIn = profile == .highEfficiencyV2 ? 4 : 3
    }

    /// Returns whether a frame is the first of a segment.
    func isFirst(_ frame: Int) -> Bool { frame % length == 0 }

    /// Returns the position of a frame in its segment.
    func position(of frame: Int) -> SegmentPosition {
        SegmentPosition(
            index: frame % length, remaining: length - frame % length, isEntry: frame == entry, precedesEntry: frame == entry - 1)
    }
}
