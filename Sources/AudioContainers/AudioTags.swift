// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Tags of a file: title, artist and so on.
public struct AudioTags: Hashable, Sendable {
    /// A picture.
    public struct Picture: Hashable, Sendable {
        /// The format of a picture.
        public enum Format: Hashable, Sendable {
            /// JPEG.
            case jpeg
            /// Portable Network Graphics.
            case png
        }

        /// The format.
        public var format: Format
        /// The coded picture.
        public var bytes: [UInt8]

        /// Creates a picture.
        public init(format: Format, bytes: [UInt8]) {
            self.format = format
            self.bytes = bytes
        }

        /// Creates a picture from JPEG or PNG data; nil for anything else.
        public init?(bytes: [UInt8]) {
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self.init(format: .jpeg, bytes: bytes)
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                self.init(format: .png, bytes: bytes)
            } else {
                return nil
            }
        }
    }

    /// The gain that gives a file the loudness of others, for players that apply it.
    public struct ReplayGain: Hashable, Sendable {
        /// The gain in decibels to the reference of ReplayGain 2, -18 LUFS.
        public var gain: Double
        /// The largest true peak as an amplitude, of which 1 is full scale; nil if it is unknown.
        public var peak: Double?

        /// Creates a gain.
        public init(gain: Double, peak: Double?) {
            self.gain = gain
            self.peak = peak
        }
    }

    /// The title.
    public var title: String?
    /// The performer or speaker.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The date, as ISO 8601 or a year.
    public var date: String?
    /// The program that encoded the audio.
    public var encoder: String?
    /// The cover.
    public var cover: Picture?
    /// The gain to the common loudness, of M4A and Opus.
    public var replayGain: ReplayGain?

    /// Creates empty tags.
    public init() {}

    /// Whether there is no tag.
    public var isEmpty: Bool { self == AudioTags() }
}
