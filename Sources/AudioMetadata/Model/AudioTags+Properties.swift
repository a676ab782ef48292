// SPDX-License-Identifier: Apache-2.0

// Common texts as properties.
extension AudioTags {
    /// A track or disc number with the total.
    public struct Position: Hashable, Sendable {
        /// The number, counted from 1, or `nil` if unknown.
        public var number: Int?
        /// The total, or `nil` if unknown.
        public var total: Int?

        /// Creates a position.
        public init(number: Int?, total: Int? = nil) {
            self.number = number
            self.total = total
        }

        var isEmpty: Bool { number == nil && total == nil }
    }

    /// The title, with several values joined by commas.
    public var title: String? {
        get { joined(.title) }
        set { set(newValue, for: .title) }
    }
    /// The performer or speaker, with several values joined by commas.
    public var artist: String? {
        get { joined(.artist) }
        set { set(newValue, for: .artist) }
    }
    /// The artist of the whole album, with several values joined by commas.
    public var albumArtist: String? {
        get { joined(.albumArtist) }
        set { set(newValue, for: .albumArtist) }
    }
    /// The album title, with several values joined by commas.
    public var album: String? {
        get { joined(.album) }
        set { set(newValue, for: .album) }
    }
    /// The date, in ISO 8601 or as a year.
    public var date: String? {
        get { first(.date) }
        set { set(newValue, for: .date) }
    }
    /// The genre, with several values joined by commas.
    public var genre: String? {
        get { joined(.genre) }
        set { set(newValue, for: .genre) }
    }
    /// The composer, with several values joined by commas.
    public var composer: String? {
        get { joined(.composer) }
        set { set(newValue, for: .composer) }
    }
    /// The first comment.
    public var comment: String? {
        get { first(.comment) }
        set { set(newValue, for: .comment) }
    }
    /// The copyright notice, with several values joined by commas.
    public var copyright: String? {
        get { joined(.copyright) }
        set { set(newValue, for: .copyright) }
    }
    /// The sung or spoken words.
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

    /// The track number and total, or `nil` if neither is a number.
    public var track: Position? {
        get { position(.trackNumber, .trackTotal) }
        set { set(newValue, .trackNumber, .trackTotal) }
    }

    /// The disc number and total, or `nil` if neither is a number.
    public var disc: Position? {
        get { position(.discNumber, .discTotal) }
        set { set(newValue, .discNumber, .discTotal) }
    }

    /// Replaces all values of a key by at most one.
    private mutating func set(_ value: String?, for key: Key) { self[key] = value.map { [$0] } ?? [] }

    private func position(_ number: Key, _ total: Key) -> Position? {
        let found = Position(number: first(number).flatMap { Int($0) }, total: first(total).flatMap { Int($0) })
        return found.isEmpty ? nil : found
    }

    private mutating func set(_ value: Position?, _ number: Key, _ total: Key) {
        set(value?.number.map { String($0) }, for: number)
        set(value?.total.map { String($0) }, for: total)
    }

    /// Adds a number from text such as `3` or `03/12`.
    mutating func addPosition(_ text: String, _ number: Key, _ total: Key) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(TagText.trimmed)
        if let first = parts.first, self[number].isEmpty { add(first, for: number) }
        if parts.count == 2, self[total].isEmpty { add(parts[1], for: total) }
    }

    /// Returns number and total as text such as `3/12`, or `nil` if both are missing.
    func positionText(_ number: Key, _ total: Key) -> String? {
        let (number, total) = (first(number), first(total))
        guard let total else { return number }
        return (number ?? "0") + "/" + total
    }

    /// The front cover or, without one, the first picture.
    ///
    /// Setting it replaces the front cover.
    public var cover: Picture? {
        get { pictures.first { $0.kind == .frontCover } ?? pictures.first }
        set {
            pictures.removeAll { $0.kind == .frontCover }
            if let newValue { pictures.insert(newValue, at: 0) }
        }
    }
}
