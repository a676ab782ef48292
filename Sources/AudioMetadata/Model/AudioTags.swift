// SPDX-License-Identifier: Apache-2.0

/// The tags of a file: texts by name, pictures, chapters, and gains to a common loudness.
///
/// Whatever the file format, texts have the names of Vorbis comments (``Key``). A name can have several values. Names that no format defines are
/// kept as they are.
///
/// ```swift
/// var tags = AudioTags()
/// tags.title = "Gnossienne"
/// tags[.artist] = ["Erik Satie", "Reinbert de Leeuw"]
/// tags["LOCATION"] = ["Utrecht"]
/// ```
public struct AudioTags: Hashable, Sendable {
    /// A value of a name.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var key: Key
        /// The value; in the tags that a user requests, an empty one removes what the input has.
        public var value: String

        /// Creates a value of a name.
        public init(_ key: Key, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// All texts, in order; a name can occur several times.
    public var fields: [Field] = []
    /// All pictures, in order.
    public var pictures: [Picture] = []
    /// The chapters in the order of their starts.
    public var chapters: [Chapter] = []
    /// The gain of the file to the common loudness.
    public var replayGain: ReplayGain?
    /// The gain of the album to the common loudness.
    public var albumReplayGain: ReplayGain?
    /// Names of parts of a tag that hold neither text nor pictures, and are not kept.
    public internal(set) var unreadNames: [String] = []

    /// Creates empty tags.
    public init() {}

    /// Whether there is no tag.
    public var isEmpty: Bool {
        fields.isEmpty && pictures.isEmpty && chapters.isEmpty && replayGain == nil && albumReplayGain == nil
    }

    /// The values of a name, in order; none if the name is not there.
    public subscript(key: Key) -> [String] {
        get { fields.filter { $0.key == key }.map { $0.value } }
        set {
            let first = fields.firstIndex { $0.key == key } ?? fields.count
            fields.removeAll { $0.key == key }
            fields.insert(contentsOf: newValue.map { Field(key, $0) }, at: first)
        }
    }

    /// The first value of a name; nil if the name is not there.
    public func first(_ key: Key) -> String? { fields.first { $0.key == key }?.value }

    /// All values of a name after each other, with commas; nil if the name is not there.
    package func joined(_ key: Key) -> String? {
        let values = self[key]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Adds the name of a part that is not kept.
    package mutating func addUnread(_ name: String) { if !unreadNames.contains(name) { unreadNames.append(name) } }

    /// Adds a value after those that the name has; nothing if it has the same one already, or the value is empty.
    mutating func add(_ value: String, for key: Key) {
        guard !value.isEmpty, !fields.contains(where: { $0.key == key && $0.value == value }) else { return }
        fields.append(Field(key, value))
    }
}
