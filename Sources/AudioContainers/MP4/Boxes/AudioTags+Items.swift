// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

#if hasFeature(Embedded)
// The interface for C has no tags: all but the name of the encoder, by which the priming of some files is known, would be code that nothing uses.
extension AudioTags {
    /// Takes an item.
    mutating func take(_ item: MetadataItem) {
        if let text = item.values.first?.text { take(item.type, text) }
    }

    /// Takes a text of an item.
    mutating func take(_ type: FourCharCode, _ text: String) {
        if type == "©too" || type == "©swr" { encoder = text }
    }

    /// No items: there are no tags to write.
    var items: [MetadataItem] { [] }
}
#else
/// Tags as items of iTunes' list (`ilst`).
extension AudioTags {
    private static let track: FourCharCode = "trkn"
    private static let disc: FourCharCode = "disk"
    private static let covers: FourCharCode = "covr"
    private static let numberedGenre: FourCharCode = "gnre"
    /// Items that are numbers, with their bytes.
    private static let numbers: [FourCharCode: Int] = [
        "cpil": 1, "pgap": 1, "pcst": 1, "stik": 1, "rtng": 1, "shwm": 1, "hdvd": 1, "akID": 1, "tmpo": 2, "©mvi": 2, "©mvc": 2, "tvsn": 4,
        "tves": 4, "cnID": 4, "atID": 4, "cmID": 4, "geID": 4, "sfID": 4, "plID": 8,
    ]
    /// Texts whose type iTunes does not state.
    private static let untypedTexts: Set<FourCharCode> = ["purl", "egid"]
    /// Free items about the coding of a file, which another one does not share.
    private static let technicalNames: Set<String> = ["Encoding Params"]
    /// Numbers of which 0 says as much as no item.
    private static let flags: Set<FourCharCode> = ["cpil", "pgap", "pcst", "shwm"]
    /// The largest number of a track, and of all.
    private static let positions = 0...65_535

    /// Takes an item.
    mutating func take(_ item: MetadataItem) {
        for value in item.values {
            switch item.type {
            case Self.track: take(value, .trackNumber, .trackTotal)
            case Self.disc: take(value, .discNumber, .discTotal)
            case Self.covers:
                guard !value.bytes.isEmpty else { continue }
                let kind: Picture.Kind = pictures.isEmpty ? .frontCover : .other
                pictures.append(
                    Picture(kind: kind, mediaType: value.type == MetadataItem.DataType.png ? "image/png" : "image/jpeg", bytes: value.bytes)
                )
            case Self.numberedGenre: if let genre = value.number.flatMap({ ID3Genres.name($0 - 1) }) { add(genre, named: .genre) }
            case MetadataItem.free:
                let name = item.name ?? ""
                if let text = value.text {
                    add(text, free: name)
                } else if !value.bytes.isEmpty, !Self.technicalNames.contains(name) {
                    addUnread(name)
                }
            case let type where Self.numbers[type] != nil:
                guard let number = value.number, number != 0 || !Self.flags.contains(type) else { continue }
                take(type, String(number))
            case let type:
                if let text = value.text { take(type, text) } else if !value.bytes.isEmpty { addUnread(TagText.latin1(type.bytes)) }
            }
        }
    }

    /// Takes a text of an item.
    mutating func take(_ type: FourCharCode, _ text: String) {
        let name = TagText.latin1(type.bytes)
        add(text, named: type == "©swr" ? .encoder : TagNames.key(item: name) ?? Key(name))
    }

    /// Takes a number of how many.
    private mutating func take(_ value: MetadataItem.Value, _ number: Key, _ total: Key) {
        guard let position = value.position else { return }
        if let found = position.number { add(String(found), named: number) }
        if let found = position.total { add(String(found), named: total) }
    }

    /// The items of all tags.
    package var items: [MetadataItem] {
        var items: [MetadataItem] = []
        var written = Set<Key>()
        for (type, number, total, padding) in [(Self.track, Key.trackNumber, Key.trackTotal, 2), (Self.disc, .discNumber, .discTotal, 0)] {
            guard let position = position(number, total) else { continue }
            items.append(MetadataItem(type: type, [MetadataItem.Value(position, padding: padding)]))
            written.formUnion([number, total])
        }
        let fields = fieldsWithGains
        let gains = fields.count - self.fields.filter { !$0.value.isEmpty }.count
        for (index, field) in fields.enumerated() where written.insert(field.key).inserted {
            if index == fields.count - gains { items += coverItems }
            items.append(Self.item(field.key, fields.filter { $0.key == field.key }.map { $0.value }))
        }
        return gains == 0 ? items + coverItems : items
    }

    /// The item of the pictures, the front cover first.
    private var coverItems: [MetadataItem] {
        let front = cover.map { cover in [cover] + pictures.filter { $0 != cover } } ?? []
        return front.isEmpty ? [] : [MetadataItem(type: Self.covers, front.map { MetadataItem.Value($0) })]
    }

    /// Returns a number of how many, if all of it that is there fits into an item.
    private func position(_ number: Key, _ total: Key) -> Position? {
        let position = Position(number: first(number).flatMap { Int($0) }, total: first(total).flatMap { Int($0) })
        let fits = [(number, position.number), (total, position.total)].allSatisfy { key, value in
            self[key].isEmpty || value.map(Self.positions.contains) == true
        }
        return fits && (position.number != nil || position.total != nil) ? position : nil
    }

    /// Returns the item of a name with all its values.
    private static func item(_ key: Key, _ values: [String]) -> MetadataItem {
        let names = TagNames.named(key)
        let free = MetadataItem(name: names?.freeName ?? key.name, values.map { MetadataItem.Value($0) })
        let unknown = key.name.unicodeScalars.first == "©" ? key.name : nil
        guard let type = (names?.item ?? unknown).flatMap({ FourCharCode($0) }) else { return free }
        guard let byteCount = numbers[type] else {
            let isTyped = !untypedTexts.contains(type)
            return MetadataItem(
                type: type, values.map { isTyped ? .init($0) : .init(type: MetadataItem.DataType.implicit, bytes: Array($0.utf8)) })
        }
        guard let number = Int64(values[0]), values.count == 1, number >= 0, number >> (8 * byteCount) == 0 else { return free }
        return MetadataItem(type: type, [MetadataItem.Value(number, byteCount: byteCount)])
    }
}
#endif
