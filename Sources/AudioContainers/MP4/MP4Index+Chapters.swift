// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata
internal import AudioPrimitives

extension MP4Index {
    /// A sample of a text track.
    private struct Text {
        let start: Int
        let text: String
        /// The URL that the text links to, or `nil` for plain text.
        let address: String?
    }

    /// The maximum total size of a track's samples to read, in bytes.
    private static let textByteLimit = 1 << 24

    /// Sets the chapters from the undamaged text tracks that a track references as chapter tracks.
    ///
    /// The first track with a sample that is not a URL contains the titles. Podcasts have a second track with URLs: each becomes the URL of
    /// the chapter that starts at the same time. Other samples are listed among the unread parts.
    func readChapters<Source: ByteSource>(of track: TrackBox, _ source: Source, into tags: inout AudioTags) {
        let tracks = movie.tracks.filter { track.chapterTrackIDs.contains($0.trackID) && $0.isText }
        let texts = tracks.map { self.texts(of: $0, source) }
        guard let titles = texts.firstIndex(where: { $0.contains { !$0.text.isEmpty && $0.address == nil } }) ?? texts.indices.first else {
            return
        }
        let timescale = tracks[titles].mediaTimes.timescale
        var chapters = texts[titles].map { text in
            var chapter = AudioTags.Chapter(start: text.start, timescale: timescale, title: text.text)
            chapter.address = text.address
            return chapter
        }
        var places: [Int: Int] = [:]
        for index in chapters.indices.reversed() { places[chapters[index].start] = index }
        for (index, other) in texts.enumerated() where index != titles {
            let otherScale = tracks[index].mediaTimes.timescale
            for text in other where !text.text.isEmpty {
                let start = AudioTags.Chapter(start: text.start, timescale: otherScale, title: "").start(in: timescale)
                if let address = text.address, let place = places[start], chapters[place].address == nil {
                    chapters[place].address = address
                } else {
                    tags.addUnread(text.address == nil ? "additional chapter titles" : "URLs between chapters")
                }
            }
        }
        if chapters.count > 1, chapters[0].start == 0, chapters[0].title.isEmpty { chapters.removeFirst() }
        // Titles in Nero's list are truncated, and its start times rounded.
        if !chapters.isEmpty, chapters.count >= tags.chapters.count { tags.setChapters(chapters) }
    }

    /// Returns the samples of a text track up to the first damaged one.
    private func texts<Source: ByteSource>(of track: TrackBox, _ source: Source) -> [Text] {
        guard (1...Int(Int32.max)).contains(track.mediaTimes.timescale) else { return [] }
        let table = SampleTable(track.sampleTable, byteCount: source.byteCount)
        var input = ReadAhead(source)
        var texts: [Text] = []
        var byteCount = 0
        for unit in 0..<min(table.count, AudioTags.Chapter.countLimit) {
            let range = table.byteRange(of: unit)
            byteCount += range.count
            guard byteCount <= Self.textByteLimit, let bytes = try? input.bytes(in: range), let text = Self.text(bytes) else { break }
            let address = Self.address(bytes) ?? (Self.isAddress(text) ? text : nil)
            texts.append(Text(start: table.time(of: unit).start, text: text, address: address))
        }
        return texts
    }

    /// Returns the text of a sample, or `nil` if it is truncated.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        let length = Int(bytes[0]) << 8 | Int(bytes[1])
        guard length <= bytes.count - 2 else { return nil }
        let text = bytes[2..<2 + length]
        // UTF-16 starts with a byte order mark.
        return text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE])
            ? TagText.utf16(text, isBigEndian: true) : TagText.decode(text)
    }

    /// Whether a text is a URL.
    private static func isAddress(_ text: String) -> Bool {
        ["http://", "https://"].contains { text.utf8.starts(with: $0.utf8) }
    }

    /// Returns the URL in a box after the text of a sample (3GPP TS 26.245, 5.17.1.5), if any.
    private static func address(_ bytes: [UInt8]) -> String? {
        var cursor = ByteCursor(Array(bytes.dropFirst(2 + (Int(bytes[0]) << 8 | Int(bytes[1])))))
        while case (let type, var body)? = try? cursor.nextBox() {
            // The range of linked characters comes first.
            guard type == "href", (try? body.skip(4)) != nil, let length = try? body.readInteger(1), length > 0,
                let address = try? body.readBytes(length)
            else { continue }
            return TagText.decode(address)
        }
        return nil
    }
}
#endif
