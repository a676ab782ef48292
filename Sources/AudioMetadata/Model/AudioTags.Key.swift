// SPDX-License-Identifier: Apache-2.0

extension AudioTags {
    /// The name of a text, as Vorbis comments have it; upper and lower case are the same.
    public struct Key: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name as it was given.
        package let name: String
        /// The name in upper case.
        let folded: String

        /// Creates a name.
        public init(_ name: String) {
            self.name = name
            folded = Key.folded(name)
        }

        /// Creates the name here for one that another format, or a program, has for it: `year` is ``date``.
        package init(freeName name: String) { self = TagNames.key(free: name) }

        /// Creates a name from a literal.
        public init(stringLiteral name: String) { self.init(name) }

        /// The name as it was given.
        public var description: String { name }

        /// Whether two names differ in nothing but upper and lower case.
        public static func == (left: Key, right: Key) -> Bool { left.folded == right.folded }

        /// Feeds the name in upper case into a hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

        /// Returns a text with the letters from a to z in upper case.
        static func folded(_ text: String) -> String {
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
            return String(decoding: text.utf8.map { letters.contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
        }
    }
}

/// Names that file formats have fields for. Others, such as `MUSICBRAINZ_ALBUMID`, are made of their text.
extension AudioTags.Key {
    /// The title.
    public static let title = AudioTags.Key("TITLE")
    /// The performer or speaker.
    public static let artist = AudioTags.Key("ARTIST")
    /// The artist of the whole album.
    package static let albumArtist = AudioTags.Key("ALBUMARTIST")
    /// The album.
    public static let album = AudioTags.Key("ALBUM")
    /// The number of the track on its disc.
    package static let trackNumber = AudioTags.Key("TRACKNUMBER")
    /// The number of tracks of the disc.
    package static let trackTotal = AudioTags.Key("TRACKTOTAL")
    /// The number of the disc in its set.
    package static let discNumber = AudioTags.Key("DISCNUMBER")
    /// The number of discs of the set.
    package static let discTotal = AudioTags.Key("DISCTOTAL")
    /// The date, as ISO 8601 or a year.
    package static let date = AudioTags.Key("DATE")
    /// The genre.
    public static let genre = AudioTags.Key("GENRE")
    /// The composer.
    public static let composer = AudioTags.Key("COMPOSER")
    /// A comment.
    package static let comment = AudioTags.Key("COMMENT")
    /// The copyright.
    package static let copyright = AudioTags.Key("COPYRIGHT")
    /// The words that are sung or spoken.
    package static let lyrics = AudioTags.Key("LYRICS")
    /// `1` if the album has several artists.
    package static let compilation = AudioTags.Key("COMPILATION")
    /// The title as it is sorted.
    package static let titleSort = AudioTags.Key("TITLESORT")
    /// The artist as it is sorted.
    package static let artistSort = AudioTags.Key("ARTISTSORT")
    /// The album as it is sorted.
    package static let albumSort = AudioTags.Key("ALBUMSORT")
    /// The artist of the album as it is sorted.
    package static let albumArtistSort = AudioTags.Key("ALBUMARTISTSORT")
    /// The composer as it is sorted.
    package static let composerSort = AudioTags.Key("COMPOSERSORT")
    /// The International Standard Recording Code.
    package static let isrc = AudioTags.Key("ISRC")
    /// The program that encoded the audio.
    package static let encoder = AudioTags.Key("ENCODER")
}
