// SPDX-License-Identifier: Apache-2.0

/// A chapter of an ID3v2 tag (`CHAP`), and the list of all (`CTOC`; ID3v2 chapter frame addendum 1.0).
package struct ID3v2Chapter {
    /// The chapter.
    private(set) var chapter: AudioTags.Chapter

    /// Ticks a second of starts and ends.
    private static let timescale = 1000
    /// The most frames of a chapter that are read.
    private static let frameLimit = 100
    /// The most chapters of a list, whose number has a byte.
    private static let listLimit = 255
    /// The number that stands for no offset.
    private static let unknown = [UInt8](repeating: 0xFF, count: 4)

    /// Parses the contents of a frame; nil if they are cut off, or the start is unknown.
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

    /// Takes a frame inside of that of the chapter.
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

    /// Returns the frames of chapters: a list for players that show no others, and each with its title; none without chapters.
    ///
    /// A chapter ends where the next one begins. The last has an unknown end, the largest number.
    package static func frames(_ chapters: [AudioTags.Chapter]) -> [UInt8] {
        guard !chapters.isEmpty else { return [] }
        let names = chapters.indices.map { Array("chp\($0)".utf8) + [0] }
        let listed = names.prefix(listLimit)
        // It is the list of the top, in order.
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
