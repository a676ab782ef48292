// SPDX-License-Identifier: Apache-2.0

extension AudioTags {
    /// The name of a text, as in Vorbis comments, compared without regard to ASCII case.
    public struct Key: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        package let name: String
        /// The name in upper case.
        let folded: String

        /// Creates a key with a name, as in Vorbis comments.
        public init(_ name: String) {
            self.name = name
            folded = Key.folded(name)
        }

        /// Creates the key for a name used by another format or program.
        ///
        /// For example, `year` is ``date``.
        package init(freeName name: String) { self = TagNames.key(free: name) }

        /// Creates a key from a literal.
        public init(stringLiteral name: String) { self.init(name) }

        /// The name as given.
        public var description: String { name }

        /// Whether two names are equal apart from case.
        public static func == (left: Key, right: Key) -> Bool { left.folded == right.folded }

        /// Hashes the name without regard to case.
        public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

        /// Converts the ASCII letters of a text to upper case.
        static func folded(_ text: String) -> String {
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
            return String(decoding: text.utf8.map { letters.contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
        }
    }
}

/// Names with a dedicated field in file formats. Create others, such as `MUSICBRAINZ_ALBUMID`, from their text.
extension AudioTags.Key {
    /// The title.
    public static let title = AudioTags.Key("TITLE")
    /// The performer or speaker.
    public static let artist = AudioTags.Key("ARTIST")
    package static let albumArtist = AudioTags.Key("ALBUMARTIST")
    /// The album title.
    public static let album = AudioTags.Key("ALBUM")
    package static let trackNumber = AudioTags.Key("TRACKNUMBER")
    package static let trackTotal = AudioTags.Key("TRACKTOTAL")
    package static let discNumber = AudioTags.Key("DISCNUMBER")
    package static let discTotal = AudioTags.Key("DISCTOTAL")
    /// The date, in ISO 8601 or as a year.
    package static let date = AudioTags.Key("DATE")
    /// The genre.
    public static let genre = AudioTags.Key("GENRE")
    /// The composer.
    public static let composer = AudioTags.Key("COMPOSER")
    package static let comment = AudioTags.Key("COMMENT")
    package static let copyright = AudioTags.Key("COPYRIGHT")
    /// The sung or spoken words.
    package static let lyrics = AudioTags.Key("LYRICS")
    /// `1` if the album has several artists.
    package static let compilation = AudioTags.Key("COMPILATION")
    package static let titleSort = AudioTags.Key("TITLESORT")
    package static let artistSort = AudioTags.Key("ARTISTSORT")
    package static let albumSort = AudioTags.Key("ALBUMSORT")
    package static let albumArtistSort = AudioTags.Key("ALBUMARTISTSORT")
    package static let composerSort = AudioTags.Key("COMPOSERSORT")
    /// The International Standard Recording Code.
    package static let isrc = AudioTags.Key("ISRC")
    package static let encoder = AudioTags.Key("ENCODER")
}
