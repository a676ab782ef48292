// SPDX-License-Identifier: Apache-2.0

// The usual texts as properties.
extension AudioTags {
    /// A number of how many: of a track, of a disc.
    public struct Position: Hashable, Sendable {
        /// The number, from 1 on; nil if only the total is known.
        public var number: Int?
        /// The total; nil if it is unknown.
        public var total: Int?

        /// Creates a number.
        public init(number: Int?, total: Int? = nil) {
            self.number = number
            self.total = total
        }

        /// Whether neither is known.
        var isEmpty: Bool { number == nil && total == nil }
    }

    /// The title.
    public var title: String? {
        get { joined(.title) }
        set { set(newValue, for: .title) }
    }
    /// The performer or speaker; several with commas between them.
    public var artist: String? {
        get { joined(.artist) }
        set { set(newValue, for: .artist) }
    }
    /// The artist of the whole album.
    public var albumArtist: String? {
        get { joined(.albumArtist) }
        set { set(newValue, for: .albumArtist) }
    }
    /// The album.
    public var album: String? {
        get { joined(.album) }
        set { set(newValue, for: .album) }
    }
    /// The date, as ISO 8601 or a year.
    public var date: String? {
        get { first(.date) }
        set { set(newValue, for: .date) }
    }
    /// The genre.
    public var genre: String? {
        get { joined(.genre) }
        set { set(newValue, for: .genre) }
    }
    /// The composer.
    public var composer: String? {
        get { joined(.composer) }
        set { set(newValue, for: .composer) }
    }
    /// A comment.
    public var comment: String? {
        get { first(.comment) }
        set { set(newValue, for: .comment) }
    }
    /// The copyright.
    public var copyright: String? {
        get { joined(.copyright) }
        set { set(newValue, for: .copyright) }
    }
    /// The words that are sung or spoken.
    public var lyrics: String? {
        get { first(.lyrics) }
        set { set(newValue, for: .lyrics) }
    }
    /// The program that encoded the audio.
    public var encoder: String? {
        get { first(.encoder) }
        set { set(newValue, for: .encoder) }
    }

    /// Whether the album has several artists.
    public var isCompilation: Bool {
        get { first(.compilation) == "1" }
        set { self[.compilation] = newValue ? ["1"] : [] }
    }

    /// The number of the track of how many; nil if neither is a number.
    public var track: Position? {
        get { position(.trackNumber, .trackTotal) }
        set { set(newValue, .trackNumber, .trackTotal) }
    }

    /// The number of the disc of how many; nil if neither is a number.
    public var disc: Position? {
        get { position(.discNumber, .discTotal) }
        set { set(newValue, .discNumber, .discTotal) }
    }

    /// Replaces all values of a name by one, or none.
    private mutating func set(_ value: String?, for key: Key) { self[key] = value.map { [$0] } ?? [] }

    /// Returns a number of how many.
    private func position(_ number: Key, _ total: Key) -> Position? {
        let found = Position(number: first(number).flatMap { Int($0) }, total: first(total).flatMap { Int($0) })
        return found.isEmpty ? nil : found
    }

    /// Replaces a number of how many.
    private mutating func set(_ value: Position?, _ number: Key, _ total: Key) {
        set(value?.number.map { String($0) }, for: number)
        set(value?.total.map { String($0) }, for: total)
    }

    /// Adds a number as texts have it, such as `3` or `03/12`.
    mutating func addPosition(_ text: String, _ number: Key, _ total: Key) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(TagText.trimmed)
        if let first = parts.first, self[number].isEmpty { add(first, for: number) }
        if parts.count == 2, self[total].isEmpty { add(parts[1], for: total) }
    }

    /// Returns a number of how many as text, such as `3/12`; nil if there is none.
    func positionText(_ number: Key, _ total: Key) -> String? {
        let (number, total) = (first(number), first(total))
        guard let total else { return number }
        return (number ?? "0") + "/" + total
    }

    /// The front cover, or else the first picture; setting it replaces the front cover.
    public var cover: Picture? {
        get { pictures.first { $0.kind == .frontCover } ?? pictures.first }
        set {
            pictures.removeAll { $0.kind == .frontCover }
            if let newValue { pictures.insert(newValue, at: 0) }
        }
    }
}
