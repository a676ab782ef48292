// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What a file tells people about its sound.
public struct AudioTags: Hashable, Sendable {
    /// A picture.
    public struct Picture: Hashable, Sendable {
        /// How a picture is coded.
        public enum Format: Hashable, Sendable {
            /// JPEG.
            case jpeg
            /// Portable Network Graphics.
            case png
        }

        /// How it is coded.
        public var format: Format
        /// The coded picture.
        public var bytes: [UInt8]

        /// Makes a picture.
        public init(format: Format, bytes: [UInt8]) {
            self.format = format
            self.bytes = bytes
        }

        /// Makes a picture if `bytes` begin as JPEG or PNG do, else nil.
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

    /// The name of the piece.
    public var title: String?
    /// Who plays or speaks.
    public var artist: String?
    /// The collection that the piece belongs to.
    public var album: String?
    /// The date, as ISO 8601 or a year.
    public var date: String?
    /// The program that coded the sound.
    public var encoder: String?
    /// The cover.
    public var cover: Picture?

    /// Makes empty tags.
    public init() {}

    /// Whether nothing is told.
    public var isEmpty: Bool { self == AudioTags() }
}
