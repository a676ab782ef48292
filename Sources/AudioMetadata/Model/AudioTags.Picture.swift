// SPDX-License-Identifier: Apache-2.0

extension AudioTags {
    /// A picture with its subject and media type.
    public struct Picture: Hashable, Sendable {
        /// The subject of a picture, numbered as in ID3v2 and FLAC.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            /// The number in ID3v2 and FLAC.
            public let rawValue: Int

            /// Creates a kind from its number.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// Any other subject.
            public static let other = Kind(rawValue: 0)
            /// The front cover.
            public static let frontCover = Kind(rawValue: 3)
            /// The back cover.
            public static let backCover = Kind(rawValue: 4)
        }

        /// A picture format that every player supports.
        public enum Format: String, Hashable, Sendable {
            /// JPEG.
            case jpeg = "image/jpeg"
            /// Portable Network Graphics.
            case png = "image/png"
        }

        /// The subject.
        public var kind = Kind.frontCover
        /// The media type, such as `image/jpeg`.
        public var mediaType: String
        /// A description.
        public var text = ""
        /// The encoded picture.
        public var bytes: [UInt8]

        /// The format, or `nil` unless every player supports it.
        public var format: Format? { Format(rawValue: mediaType) }

        /// Creates a front cover.
        public init(format: Format, bytes: [UInt8]) {
            mediaType = format.rawValue
            self.bytes = bytes
        }

        /// Creates a picture.
        ///
        /// Its bytes determine the media type if they are in a known format.
        public init(kind: Kind, mediaType: String, text: String = "", bytes: [UInt8]) {
            self.kind = kind
            self.mediaType = Self.mediaType(of: bytes) ?? mediaType
            self.text = text
            self.bytes = bytes
        }

        /// Creates a front cover from JPEG, PNG, GIF, BMP or WebP data, or returns `nil` for other data.
        public init?(bytes: [UInt8]) {
            guard let mediaType = Self.mediaType(of: bytes) else { return nil }
            self.mediaType = mediaType
            self.bytes = bytes
        }

        /// Returns the media type by the signature of a picture, if known.
        static func mediaType(of bytes: [UInt8]) -> String? {
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
            if bytes.starts(with: "GIF8".utf8) { return "image/gif" }
            if bytes.starts(with: "BM".utf8) { return "image/bmp" }
            if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
            return nil
        }
    }
}
