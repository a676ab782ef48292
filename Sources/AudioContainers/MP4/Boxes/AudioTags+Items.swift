// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

#if hasFeature(Embedded) && !LINNET_FILES
// The C interface has no tags. It needs only the encoder name, which reveals the priming of some files.
extension AudioTags {
    mutating func take(_ item: MetadataItem) {
        if let text = item.values.first?.text { take(item.type, text) }
    }

    mutating func take(_ type: FourCharCode, _ text: String) {
        if type == "©too" || type == "©swr" { encoder = text }
    }

    /// Empty, because there are no tags to write.
    var items: [MetadataItem] { [] }
}
#else
/// Tags as items of the iTunes metadata list (`ilst`).
extension AudioTags {
    private static let track: FourCharCode = "trkn"
    private static let disc: FourCharCode = "disk"
    private static let covers: FourCharCode = "covr"
    private static let numberedGenre: FourCharCode = "gnre"
    /// Text items that iTunes stores without a data type.
    private static let untypedTexts: [FourCharCode] = ["purl", "egid"]
    /// Texts of QuickTime that iTunes stores with other types.
    private static let quickTimeKeys: [FourCharCode: Key] = ["©swr": .encoder, "©cpy": .copyright]
    /// Free-form items that describe one file's encoding and must not be copied.
    private static let technicalNames = ["Encoding Params"]
    /// Numeric items where 0 means the same as no item.
    private static let flags: [FourCharCode] = ["cpil", "pgap", "pcst", "shwm"]
    /// The range of a track or disc number, and of the total.
    private static let positions = 0...65_535

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
            case let type where Self.numberByteCount(type) != nil:
                guard let number = value.number, number != 0 || !Self.flags.contains(type) else { continue }
                take(type, String(number))
            case let type:
                if let text = value.text { take(type, text) } else if !value.bytes.isEmpty { addUnread(TagText.latin1(type.bytes)) }
            }
        }
    }

    mutating func take(_ type: FourCharCode, _ text: String) {
        let name = TagText.latin1(type.bytes)
        add(text, named: Self.quickTimeKeys[type] ?? TagNames.key(item: name) ?? Key(name))
    }

    /// Adds a number and a total.
    private mutating func take(_ value: MetadataItem.Value, _ number: Key, _ total: Key) {
        guard let position = value.position else { return }
        if let found = position.number { add(String(found), named: number) }
        if let found = position.total { add(String(found), named: total) }
    }

    package var items: [MetadataItem] {
        var items: [MetadataItem] = []
        var written: [Key] = []
        for (type, number, total, padding) in [(Self.track, Key.trackNumber, Key.trackTotal, 2), (Self.disc, .discNumber, .discTotal, 0)] {
            guard let position = position(number, total) else { continue }
            items.append(MetadataItem(type: type, [MetadataItem.Value(position, padding: padding)]))
            written += [number, total]
        }
        let (fields, gains) = (fieldsWithGains, gainFields)
        for field in fields.dropLast(gains.count) where !written.contains(field.key) {
            written.append(field.key)
            items.append(Self.item(field.key, fields.filter { $0.key == field.key }.map { $0.value }))
        }
        return items + coverItems + gains.map { Self.item($0.key, [$0.value]) }
    }

    /// The cover art item, with the front cover first.
    private var coverItems: [MetadataItem] {
        let front = cover.map { cover in [cover] + pictures.filter { $0 != cover } } ?? []
        return front.isEmpty ? [] : [MetadataItem(type: Self.covers, front.map { MetadataItem.Value($0) })]
    }

    /// Returns a number and a total, unless one of them does not fit into an item.
    private func position(_ number: Key, _ total: Key) -> Position? {
        let position = Position(number: first(number).flatMap { Int($0) }, total: first(total).flatMap { Int($0) })
        let fits = [(number, position.number), (total, position.total)].allSatisfy { key, value in
            self[key].isEmpty || value.map(Self.positions.contains) == true
        }
        return fits && (position.number != nil || position.total != nil) ? position : nil
    }

    private static func item(_ key: Key, _ values: [String]) -> MetadataItem {
        let names = TagNames.named(key)
        let free = MetadataItem(name: names?.freeName ?? key.name, values.map { MetadataItem.Value($0) })
        let unknown = key.name.unicodeScalars.first == "©" ? key.name : nil
        guard let type = (names?.item ?? unknown).flatMap({ FourCharCode($0) }) else { return free }
        guard let byteCount = numberByteCount(type) else {
            let isTyped = !untypedTexts.contains(type)
            return MetadataItem(
                type: type, values.map { isTyped ? .init($0) : .init(type: MetadataItem.DataType.implicit, bytes: Array($0.utf8)) })
        }
        guard let number = Int64(values[0]), values.count == 1, number >= 0, number >> (8 * byteCount) == 0 else { return free }
        return MetadataItem(type: type, [MetadataItem.Value(number, byteCount: byteCount)])
    }

    /// Returns the size of a numeric item's value in bytes, or `nil` for other items.
    private static func numberByteCount(_ type: FourCharCode) -> Int? {
        switch type {
        case "cpil", "pgap", "pcst", "stik", "rtng", "shwm", "hdvd", "akID": 1
        case "tmpo", "©mvi", "©mvc": 2
        case "tvsn", "tves", "cnID", "atID", "cmID", "geID", "sfID": 4
        case "plID": 8
        default: nil
        }
    }
}
#endif
