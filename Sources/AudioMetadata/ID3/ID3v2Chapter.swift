// SPDX-License-Identifier: Apache-2.0

/// A chapter frame of an ID3v2 tag (`CHAP`), and the table of contents (`CTOC`; ID3v2 chapter frame addendum 1.0).
package struct ID3v2Chapter {
    private(set) var chapter: AudioTags.Chapter

    /// Start and end times are in milliseconds.
    private static let timescale = 1000
    private static let frameLimit = 100
    /// The maximum length of a table of contents, whose count is one byte.
    private static let listLimit = 255
    /// An unknown time or offset.
    private static let unknown = [UInt8](repeating: 0xFF, count: 4)

    /// Parses a frame, or returns `nil` if it is truncated or the start is unknown.
    package init?(_ contents: ArraySlice<UInt8>, in tag: ID3v2Header) {
        var cursor = TagCursor(contents.dropFirst(contents.prefix { $0 != 0 }.count + 1))
        guard let bytes = cursor.read(4), !bytes.elementsEqual(Self.unknown), cursor.read(12) != nil else { return nil }
        let start = bytes.reduce(0) { $0 << 8 | Int($1) }
        chapter = AudioTags.Chapter(start: start, timescale: Self.timescale, title: "")
        var frames = ID3v2Frames(in: tag, cursor.rest)
        for _ in 0..<Self.frameLimit {
            guard let frame = frames.next() else { break }
            guard let contents = frame.contents else { continue }
            take(frame.id, contents)
        }
    }

    private mutating func take(_ id: String, _ contents: ArraySlice<UInt8>) {
        switch id {
        case "TIT2":
            if var text = ID3v2Text(contents) { chapter.title = text.readText() }
        case "WXXX":
            guard var text = ID3v2Text(contents) else { return }
            _ = text.readText()
            let address = text.readLatin1()
            if !address.isEmpty { chapter.address = address }
        case "APIC": chapter.picture = chapter.picture ?? ID3v2Tag.picture(contents, isOld: false)
        default: break
        }
    }

    /// Returns a table of contents and a `CHAP` frame per chapter, or nothing without chapters.
    ///
    /// Some players show only chapters in the table of contents. A chapter ends where the next one starts. The last has an unknown end.
    package static func frames(_ chapters: [AudioTags.Chapter]) -> [UInt8] {
        guard !chapters.isEmpty else { return [] }
        let names = chapters.indices.map { Array("chp\($0)".utf8) + [0] }
        let listed = names.prefix(listLimit)
        // Flags 3: top level, ordered.
        var bytes = ID3v2Tag.frame("CTOC", Array("toc".utf8) + [0, 3, UInt8(listed.count)] + listed.joined())
        for (index, chapter) in chapters.enumerated() {
            var contents = names[index]
            contents.appendBigEndian(min(chapter.start(in: timescale), Int(Int32.max)), byteCount: 4)
            if index + 1 < chapters.count {
                contents.appendBigEndian(min(chapters[index + 1].start(in: timescale), Int(Int32.max)), byteCount: 4)
            } else {
                contents += unknown
            }
            contents += unknown + unknown
            contents += ID3v2Tag.text("TIT2", [chapter.title])
            if let address = chapter.address {
                let bytes = TagText.latin1Bytes(address) ?? Array(address.utf8)
                contents += ID3v2Tag.frame("WXXX", [ID3v2Text.Encoding.utf8.rawValue, 0] + bytes.filter { $0 != 0 })
            }
            if let picture = chapter.picture { contents += ID3v2Tag.frame(picture) }
            bytes += ID3v2Tag.frame("CHAP", contents)
        }
        return bytes
    }
}
