// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata
internal import AudioPrimitives

/// Nero chapters (`chpl` in `udta`): at most 255, each with a title of at most 255 bytes.
struct ChapterListBox: Box, Equatable {
    static let type: FourCharCode = "chpl"
    /// Start times are in units of 100 ns.
    private static let timescale = 10_000_000
    /// The maximum number of chapters, and of bytes per title.
    static let limit = 255

    var chapters: [AudioTags.Chapter]

    /// Creates a box with the first chapters, up to the limit.
    init(_ chapters: [AudioTags.Chapter]) { self.chapters = Array(chapters.prefix(Self.limit)) }

    /// Parses the body of the box, omitting truncated chapters.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let version = try cursor.readFullBox().version
        if version > 0 { try cursor.skip(4) }
        let count = try cursor.readInteger(1)
        chapters = []
        for _ in 0..<count {
            guard let start = try? cursor.readInteger(8), let length = try? cursor.readInteger(1), let title = try? cursor.readBytes(length)
            else { return }
            chapters.append(.init(start: start, timescale: Self.timescale, title: TagText.decode(title)))
        }
    }

    func write(to writer: inout BoxWriter) {
        writer.writeFullBox(version: 1)
        writer.write(0, 4)
        writer.write(chapters.count, 1)
        for chapter in chapters {
            let title = chapter.title.utf8Prefix(Self.limit)
            writer.write(chapter.start(in: Self.timescale), 8)
            writer.write(title.count, 1)
            writer.write(title)
        }
    }
}
#endif
