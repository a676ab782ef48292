// SPDX-License-Identifier: Apache-2.0

// The table of names by the names of each format.
extension TagNames {
    private static let byFrame = dictionary { $0.frame }
    private static let byFree = dictionary { AudioTags.Key.folded($0.freeName) }
    private static let byItem = dictionary { $0.item }
    private static let byRIFF = dictionary { $0.riff }
    private static let byCAF = dictionary { $0.caf }
    private static let byAPE = dictionary { $0.ape.map(AudioTags.Key.folded) }

    /// Names that programs use for those here.
    private static let aliases: [String: AudioTags.Key] = [
        "ALBUM ARTIST": .albumArtist, "ALBUM_ARTIST": .albumArtist, "YEAR": .date, "TRACK": .trackNumber, "TOTALTRACKS": .trackTotal,
        "TRACKC": .trackTotal, "DISC": .discNumber, "TOTALDISCS": .discTotal, "DISCC": .discTotal, "UNSYNCEDLYRICS": .lyrics,
        "UNSYNCED LYRICS": .lyrics,
    ]

    /// Returns the rows by a name that not all of them have.
    private static func dictionary(_ name: (TagNames) -> String?) -> [String: TagNames] {
        var rows: [String: TagNames] = [:]
        for row in all { if let name = name(row), rows[name] == nil { rows[name] = row } }
        return rows
    }

    /// Returns the row of a name; nil for one that no format has a field for.
    package static func named(_ key: AudioTags.Key) -> TagNames? { all.first { $0.key == key } }

    /// Returns the name here of a frame of ID3v2.4.
    static func key(frame: String) -> AudioTags.Key? {
        // iTunes' frame for groupings.
        byFrame[frame == "GRP1" ? "TIT1" : frame]?.key
    }

    /// Returns the name here of a free name, which may be any.
    package static func key(free name: String) -> AudioTags.Key {
        let folded = AudioTags.Key.folded(name)
        return byFree[folded]?.key ?? byAPE[folded]?.key ?? aliases[folded] ?? AudioTags.Key(name)
    }

    /// Returns the name here of a Vorbis comment, which may be any.
    static func key(comment name: String) -> AudioTags.Key { aliases[AudioTags.Key.folded(name)] ?? AudioTags.Key(name) }

    /// Returns the name here of an item of M4A.
    package static func key(item: String) -> AudioTags.Key? { byItem[item]?.key }

    /// Returns the name here of a text of RIFF.
    static func key(riff: String) -> AudioTags.Key? { byRIFF[riff]?.key }

    /// Returns the name here of a word of CAF, which may be any.
    static func key(caf name: String) -> AudioTags.Key { byCAF[name]?.key ?? key(free: name) }
}

extension AudioTags {
    /// Adds a value of a free name, with numbers of how many, such as `3/12`, taken apart.
    package mutating func add(_ value: String, free name: String) { add(value, named: TagNames.key(free: name)) }

    /// Adds a value, with numbers of how many taken apart.
    package mutating func add(_ value: String, named key: Key) {
        switch key {
        case .trackNumber: addPosition(value, .trackNumber, .trackTotal)
        case .discNumber: addPosition(value, .discNumber, .discTotal)
        // One that is known already counts.
        case .trackTotal, .discTotal, .encoder, .compilation: if self[key].isEmpty { add(value, for: key) }
        default: add(value, for: key)
        }
    }
}
