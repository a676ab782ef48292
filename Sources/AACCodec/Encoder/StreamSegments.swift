// SPDX-License-Identifier: Apache-2.0

/// The division of a stream into segments that can be encoded independently, with the same bits as the whole stream.
///
/// At the first frame of a segment every encoder, wherever it started, resets its hysteresis and its estimates from previous frames. The
/// remaining history is finite: the window overlap, whose shape is sine on both sides of the boundary, the samples for transient detection,
/// the window sequence that depends on them, and the filter bank states.
///
/// With SBR, no envelope of a segment's last frame extends into the next frame, and the first frame has a header and does not depend on
/// previous ones. The parametric stereo downmix depends on measurements that never decay completely. Before a boundary, a second downmix
/// therefore starts from silence and then replaces the first.
///
/// Measured in RateControl.md#segments.
package struct StreamSegments: Hashable, Sendable {
    /// The number of access units per segment: five seconds at 48 kHz, eleven with SBR.
    ///
    /// The loss at a boundary is too small to measure. At the end of a file a thread waits for half a segment on average.
    ///
    /// In xHE-AAC it is a multiple of the interval of immediate playout frames.
    package let length: Int

    /// The usual ``length``.
    private static let usualLength = 256

    /// The number of frames before a segment that its encoder needs as input.
    let leadIn: Int

    /// The number of preceding frames that suffice elsewhere for a frame's window, and mostly for its window sequence.
    let shortLeadIn: Int

    /// The ``leadIn`` of the window decision.
    ///
    /// Transient detection uses three blocks, the last of which is two ahead of the frame, relative to the previous attack. The attacks of
    /// the two previous frames determine a frame's window sequence.
    private static let windowLeadIn = 7

    /// The frame at which a stream starts after earlier ones are omitted.
    private let entry: Int

    /// The number of frames before the entry that its pre-roll repeats.
    private let preRollCount: Int

    /// Creates the segments of streams that start at frame `entry`.
    ///
    /// - Parameters:
    ///   - interval: A divisor of the length.
    ///   - preRollCount: The number of frames before the entry that its pre-roll repeats.
    ///   - hasStereo: Whether the stream has parametric stereo or MPEG Surround.
    init(hasStereo: Bool, entry: Int = 0, interval: Int = 1, preRollCount: Int = 1) {
        self.entry = entry
        self.preRollCount = preRollCount
        length = max(Self.usualLength / interval, 1) * interval
        leadIn = hasStereo ? ParametricStereoEncoder.leadIn : Self.windowLeadIn
        shortLeadIn = hasStereo ? 4 : 3
    }

    func isFirst(_ frame: Int) -> Bool { frame % length == 0 }

    func position(of frame: Int) -> SegmentPosition {
        SegmentPosition(
            index: frame % length, remaining: length - frame % length, isEntry: frame == entry, precedesEntry: frame == entry - 1,
            startsPreRoll: frame == entry - preRollCount)
    }
}
