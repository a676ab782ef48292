// SPDX-License-Identifier: Apache-2.0

/// The tags of a file: texts by name, pictures, chapters and gains.
///
/// In all file formats, texts have the names of Vorbis comments (``Key``). A name can have several values. Other names are kept unchanged.
///
/// ```swift
/// var tags = AudioTags()
/// tags.title = "Gnossienne"
/// tags[.artist] = ["Erik Satie", "Reinbert de Leeuw"]
/// tags["LOCATION"] = ["Utrecht"]
/// ```
public struct AudioTags: Hashable, Sendable {
    /// One text with its name.
    public struct Field: Hashable, Sendable {
        /// A hash of the name and the value, compared first because texts can be long.
        private var digest: Int
        /// The name.
        public var key: Key { didSet { digest = Self.digest(key, value) } }
        /// The value.
        ///
        /// In requested tags, an empty value removes the input's values.
        public var value: String { didSet { digest = Self.digest(key, value) } }

        /// Creates a field.
        public init(_ key: Key, _ value: String) {
            self.key = key
            self.value = value
            digest = Self.digest(key, value)
        }

        private static func digest(_ key: Key, _ value: String) -> Int {
            #if hasFeature(Embedded) && !LINNET_FILES
            // Without tags, no fields are compared.
            return 0
            #else
            var hasher = Hasher()
            hasher.combine(key)
            hasher.combine(value)
            return hasher.finalize()
            #endif
        }
    }

    /// All texts in order.
    ///
    /// A name can occur several times.
    public var fields: [Field] = []
    /// All pictures in order.
    public var pictures: [Picture] = []
    /// The chapters, sorted by start.
    public var chapters: [Chapter] = []
    /// The track gain.
    public var replayGain: ReplayGain?
    /// The album gain.
    public var albumReplayGain: ReplayGain?
    /// The parts that only a WAV file has.
    package var wave = WAVEParts()
    /// The names of binary parts that were found but not read, and are not copied.
    public internal(set) var unreadNames: [String] = []

    /// Creates empty tags.
    public init() {}

    /// Whether there are no texts, pictures, chapters or gains.
    public var isEmpty: Bool {
        fields.isEmpty && pictures.isEmpty && chapters.isEmpty && replayGain == nil && albumReplayGain == nil
    }

    /// All values of a name, in order.
    public subscript(key: Key) -> [String] {
        get { fields.filter { $0.key == key }.map { $0.value } }
        set {
            let first = fields.firstIndex { $0.key == key } ?? fields.count
            fields.removeAll { $0.key == key }
            fields.insert(contentsOf: newValue.map { Field(key, $0) }, at: first)
        }
    }

    /// Returns the first value of a name, if any.
    public func first(_ key: Key) -> String? { fields.first { $0.key == key }?.value }

    /// Returns all values of a name, joined with commas, if any.
    package func joined(_ key: Key) -> String? {
        let values = self[key]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Records the name of a part that is not read.
    package mutating func addUnread(_ name: String) {
        if unreadNames.count < Self.unreadLimit, !unreadNames.contains(name) { unreadNames.append(name) }
    }

    /// Adds a value unless it is empty or the name already has it.
    mutating func add(_ value: String, for key: Key) {
        guard fields.count < Self.fieldLimit else { return addUnread("texts after the first \(Self.fieldLimit)") }
        let field = Field(key, value)
        if !value.isEmpty, !fields.contains(field) { fields.append(field) }
    }

    /// The maximum number of texts to read, because each one is compared with all earlier ones.
    private static let fieldLimit = 10_000
    /// The maximum number of names of parts that are not read.
    private static let unreadLimit = 1000
}
