// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// An ID3v2 tag of version 2.2, 2.3 or 2.4 (ID3 tag version 2.4.0, native frames).
package struct ID3v2Tag {
    package private(set) var tags = AudioTags()
    /// The parts of a version 2.3 date: year, day and month, hour and minute.
    private var date = (year: "", day: "", time: "")
    /// The chapters in frame order.
    private var chapters: [AudioTags.Chapter] = []

    /// The owner string of MusicBrainz identifiers.
    static let musicBrainzOwner = "http://musicbrainz.org"
    /// The owner of the private frame with which a lossless gain is undone.
    package static var gainOwner: String { "linnet gain undo" }
    /// Frames that describe one file and must not be copied.
    private static let technical: Set<String> = [
        "TLEN", "TSIZ", "TDLY", "TFLT", "TDTG", "TDEN", "MLLT", "ASPI", "RBUF", "SEEK", "ETCO", "SYTC", "TRDA",
    ]
    /// Comments that describe one file's encoding and must not be copied.
    private static let technicalComments: Set<String> = ["iTunSMPB", "iTunPGAP", "ID3v1 Comment"]
    /// Human-readable names of unsupported frames.
    private static let unreadNames = [
        "PCNT": "play counter", "SYLT": "timed lyrics", "GEOB": "attached files",
        "PRIV": "private data", "MCDI": "CD identifier", "OWNE": "ownership", "COMR": "commercial information", "USER": "terms of use",
    ]
    private static let frameLimit = 100_000

    /// Parses a tag with its header, or returns `nil` if the bytes do not start with one.
    package init?(parsing bytes: ArraySlice<UInt8>) {
        guard let header = ID3v2Header(bytes) else { return nil }
        var frames = ID3v2Frames(header, body: bytes.dropFirst(ID3v2Header.byteCount).prefix(header.bodyByteCount))
        for _ in 0..<Self.frameLimit {
            guard let frame = frames.next() else { break }
            if frame.id == "CHAP", let contents = frame.contents {
                if chapters.count < AudioTags.Chapter.countLimit, let chapter = ID3v2Chapter(contents, in: header) {
                    chapters.append(chapter.chapter)
                }
            } else {
                take(frame)
            }
        }
        readDate()
        tags.setChapters(chapters)
        tags.extractGains()
    }

    private mutating func take(_ frame: ID3v2Frames.Frame) {
        guard !Self.technical.contains(frame.id) else { return }
        guard let contents = frame.contents else { return tags.unreadNames.append(frame.id) }
        switch frame.id {
        case "APIC": if let picture = Self.picture(contents, isOld: frame.isOld) { tags.pictures.append(picture) }
        // Chapters are sorted by start instead.
        case "CTOC": break
        case "COMM", "USLT": readComment(frame.id, contents)
        case "UFID": readIdentifier(contents)
        case "PCST": tags.add("1", for: "PODCAST")
        case "RVA2": readGain(contents)
        case "POPM": takeRating(contents)
        case let id where id.utf8.first == UInt8(ascii: "W") && id != "WFED": readAddress(id, contents)
        case let id where id.utf8.first == UInt8(ascii: "T") || TagNames.key(frame: id) != nil || id == "IPLS":
            readText(id, contents)
        // It describes one file and must not be copied.
        case "PRIV" where contents.starts(with: Self.gainOwner.utf8): break
        case let id: tags.unreadNames.append(Self.unreadNames[id] ?? id)
        }
    }

    private mutating func readText(_ id: String, _ contents: ArraySlice<UInt8>) {
        guard var text = ID3v2Text(contents) else { return }
        if id == "TXXX" {
            let name = text.readText()
            for value in text.readTexts() { tags.add(value, free: name) }
            return
        }
        let isPeople = ["TIPL", "IPLS", "TMCL"].contains(id)
        let values = text.readTexts(keepsEmpty: isPeople)
        switch id {
        case "TRCK": values.forEach { tags.add($0, named: .trackNumber) }
        case "TPOS": values.forEach { tags.add($0, named: .discNumber) }
        case "TCON": values.flatMap(ID3Genres.names).forEach { tags.add($0, for: .genre) }
        case "TYER": date.year = values.first ?? ""
        case "TDAT": date.day = values.first ?? ""
        case "TIME": date.time = values.first ?? ""
        case "TORY": values.forEach { tags.add($0, for: "ORIGINALDATE") }
        case _ where isPeople: readPeople(values, arePlayers: id == "TMCL")
        default: values.forEach { tags.add($0, named: TagNames.key(frame: id) ?? AudioTags.Key(id)) }
        }
    }

    /// Adds pairs of role and name.
    private mutating func readPeople(_ values: [String], arePlayers: Bool) {
        for index in stride(from: 0, to: values.count - 1, by: 2) {
            let (role, name) = (values[index], values[index + 1])
            tags.add(arePlayers ? "\(name) (\(role))" : name, for: arePlayers ? "PERFORMER" : AudioTags.Key(AudioTags.Key.folded(role)))
        }
    }

    /// Adds the version 2.3 date unless there is one of version 2.4.
    private mutating func readDate() {
        guard !date.year.isEmpty, tags.date == nil else { return }
        var text = date.year
        let (day, time) = (Array(date.day.utf8), Array(date.time.utf8))
        if day.count == 4, text.utf8.count == 4 {
            text += "-" + TagText.latin1(day[2...]) + "-" + TagText.latin1(day[..<2])
            if time.count == 4 { text += "T" + TagText.latin1(time[..<2]) + ":" + TagText.latin1(time[2...]) }
        }
        tags.add(text, for: .date)
    }

    private mutating func readComment(_ id: String, _ contents: ArraySlice<UInt8>) {
        guard var text = ID3v2Text(contents) else { return }
        text.skip(3)
        let name = text.readText()
        guard !Self.technicalComments.contains(name) else { return }
        let isNamed = id == "COMM" && !name.isEmpty
        let key = isNamed ? AudioTags.Key(Self.isFree(name) ? name : "COMMENT:" + name) : id == "COMM" ? .comment : .lyrics
        for value in text.readTexts() { tags.add(value, for: key) }
    }

    /// Whether a comment is an iTunes comment, named like a free-form M4A item.
    private static func isFree(_ name: String) -> Bool { name.utf8.starts(with: "iTun".utf8) }

    /// Adds a URL frame.
    private mutating func readAddress(_ id: String, _ contents: ArraySlice<UInt8>) {
        guard id == "WXXX" else {
            let address = TagText.latin1(contents.prefix { $0 != 0 })
            return tags.add(address, for: TagNames.key(frame: id) ?? AudioTags.Key(id))
        }
        guard var text = ID3v2Text(contents) else { return }
        let name = text.readText()
        tags.add(text.readLatin1(), free: name.isEmpty ? "URL" : name)
    }

    /// Adds a MusicBrainz recording identifier and ignores others.
    private mutating func readIdentifier(_ contents: ArraySlice<UInt8>) {
        let owner = contents.prefix { $0 != 0 }
        guard owner.elementsEqual(Self.musicBrainzOwner.utf8) else {
            return tags.unreadNames.append("identifier from " + TagText.latin1(owner))
        }
        tags.add(TagText.decode(contents.dropFirst(owner.count + 1)), for: "MUSICBRAINZ_TRACKID")
    }

    /// Returns the picture of a frame, or `nil` if it is invalid or a link.
    static func picture(_ contents: ArraySlice<UInt8>, isOld: Bool) -> AudioTags.Picture? {
        guard var text = ID3v2Text(contents) else { return nil }
        var mediaType = ""
        if isOld {
            mediaType = "image/" + TagText.latin1(text.rest.prefix(3)).asciiLowercased
            text.skip(3)
        } else {
            mediaType = text.readLatin1()
        }
        guard mediaType != "-->", mediaType != "image/-->", let kind = text.readByte() else { return nil }
        let name = text.readText()
        guard !text.rest.isEmpty else { return nil }
        return AudioTags.Picture(
            kind: .init(rawValue: kind <= 20 ? Int(kind) : 0), mediaType: mediaType, text: name, bytes: Array(text.rest))
    }

    /// Reads a rating (`POPM`), which follows the user's address.
    ///
    /// 1 to 255 becomes a percentage; 0 is unknown.
    private mutating func takeRating(_ contents: ArraySlice<UInt8>) {
        var cursor = TagCursor(contents.dropFirst(contents.prefix { $0 != 0 }.count + 1))
        guard let value = cursor.readBigEndian(1), value > 0, tags["RATING"].isEmpty else { return }
        tags.add("\(ID3v2Rating.percent(value))", for: "RATING")
    }

    /// Adds the main volume gain of the track or album (`RVA2`) unless there is ReplayGain.
    private mutating func readGain(_ contents: ArraySlice<UInt8>) {
        let name = contents.prefix { $0 != 0 }
        var cursor = TagCursor(contents.dropFirst(name.count + 1))
        guard cursor.readBigEndian(1) == 1, let bits = cursor.readBigEndian(2) else { return }
        let gain = AudioTags.ReplayGain(gain: Double(Int16(truncatingIfNeeded: bits)) / 512, peak: nil)
        switch TagText.latin1(name).asciiLowercased {
        case "album": tags.albumReplayGain = tags.albumReplayGain ?? gain
        default: tags.replayGain = tags.replayGain ?? gain
        }
    }
}
