// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The loudness that a frame is heard against: its own, drawn towards that of the frames before.
///
/// A frame that is softer than what came before may have more noise, and an attack has to have less.
struct LoudnessMemory {
    /// The loudness of the frames before, as log2 of energy a line; it rises fast and falls in about a second.
    private var level: Float?

    /// The share of a rise, and of a fall, that a frame takes over.
    private static let rise: Float = 0.4
    private static let fall: Float = 0.03

    /// How far the frames before count.
    private static let share: Float = 0.3

    /// Octaves of energy beyond which they count no more, below and above the frame.
    private static let largestDrop: Float = 8
    private static let largestRise: Float = 6

    /// Takes the loudness of the next frame, and gives the one that its noise goes by.
    mutating func follow(_ loudness: Float) -> Float {
        let before = level ?? loudness
        let now = before + (loudness - before) * (loudness > before ? Self.rise : Self.fall)
        level = now
        return loudness + Self.share * min(max(now - loudness, -Self.largestRise), Self.largestDrop)
    }

    /// Forgets what came before.
    mutating func forget() { level = nil }
}
