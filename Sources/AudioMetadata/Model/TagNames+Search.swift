// SPDX-License-Identifier: Apache-2.0

// Lookup of names by format.
extension TagNames {
    private static let byFrame = dictionary { $0.frame }
    private static let byFree = dictionary { AudioTags.Key.folded($0.freeName) }
    private static let byItem = dictionary { $0.item }
    private static let byRIFF = dictionary { $0.riff }
    private static let byCAF = dictionary { $0.caf }
    private static let byAPE = dictionary { $0.ape.map(AudioTags.Key.folded) }

    /// Common alternative names.
    private static let aliases: [String: AudioTags.Key] = [
        "ALBUM ARTIST": .albumArtist, "ALBUM_ARTIST": .albumArtist, "YEAR": .date, "TRACK": .trackNumber, "TOTALTRACKS": .trackTotal,
        "TRACKC": .trackTotal, "DISC": .discNumber, "TOTALDISCS": .discTotal, "DISCC": .discTotal, "UNSYNCEDLYRICS": .lyrics,
        "UNSYNCED LYRICS": .lyrics,
    ]

    /// Indexes the rows by an optional name.
    private static func dictionary(_ name: (TagNames) -> String?) -> [String: TagNames] {
        var rows: [String: TagNames] = [:]
        for row in all { if let name = name(row), rows[name] == nil { rows[name] = row } }
        return rows
    }

    /// Returns the row of a key, or `nil` if no format has a field for it.
    package static func named(_ key: AudioTags.Key) -> TagNames? { all.first { $0.key == key } }

    /// Returns the key of an ID3v2.4 frame, or of iTunes' grouping.
    static func key(frame: String) -> AudioTags.Key? {
        byFrame[frame == "GRP1" ? "TIT1" : frame]?.key
    }

    package static func key(free name: String) -> AudioTags.Key {
        let folded = AudioTags.Key.folded(name)
        return byFree[folded]?.key ?? byAPE[folded]?.key ?? aliases[folded] ?? AudioTags.Key(name)
    }

    static func key(comment name: String) -> AudioTags.Key { aliases[AudioTags.Key.folded(name)] ?? AudioTags.Key(name) }

    /// Returns the key of an M4A item.
    package static func key(item: String) -> AudioTags.Key? { byItem[item]?.key }

    /// Returns the key of a RIFF `INFO` chunk.
    static func key(riff: String) -> AudioTags.Key? { byRIFF[riff]?.key }

    static func key(caf name: String) -> AudioTags.Key { byCAF[name]?.key ?? key(free: name) }
}

extension AudioTags {
    /// Adds a value of a free-form name, splitting positions such as `3/12`.
    package mutating func add(_ value: String, free name: String) { add(value, named: TagNames.key(free: name)) }

    /// Adds a value, splitting positions such as `3/12`.
    package mutating func add(_ value: String, named key: Key) {
        switch key {
        case .trackNumber: addPosition(value, .trackNumber, .trackTotal)
        case .discNumber: addPosition(value, .discNumber, .discTotal)
        // The first value takes precedence.
        case .trackTotal, .discTotal, .encoder, .compilation: if self[key].isEmpty { add(value, for: key) }
        default: add(value, for: key)
        }
    }
}
