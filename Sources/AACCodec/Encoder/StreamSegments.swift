// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Segments of a stream that can be encoded each on its own, with the same bits.
///
/// At the first frame of a segment every encoder, whatever it encodes of the stream, forgets its hysteresis and its estimates
/// of the frames before. What is left of them is finite: the overlap of the window, for which the shape is sine on both sides of
/// the border, the samples in which attacks are looked for, and the window sequence that follows from them.
package enum StreamSegments {
    /// Access units in a segment: eleven seconds, so that what is lost at a border is nothing.
    package static let length = 512

    /// Blocks before the first frame of a segment that its window sequence depends on: attacks are looked for in three blocks, the last
    /// of which is two ahead of the frame, and a frame's window follows from the attacks of the two frames before.
    static let leadIn = 6

    /// Blocks before a frame that are enough for the samples of its window, and most window sequences.
    static let shortLeadIn = 3

    /// Whether the frame is the first of a segment.
    static func isFirst(_ frame: Int) -> Bool { frame % length == 0 }

    /// Whether the frame touches a border, so that its window has no choice of shape.
    static func keepsSine(_ frame: Int) -> Bool { isFirst(frame) || isFirst(frame + 1) }
}
