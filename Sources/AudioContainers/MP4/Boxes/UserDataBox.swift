// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// Tags (`udta`, ISO/IEC 14496-12, 8.10.1; its inside, `meta` and `ilst`, as iTunes writes it).
package struct UserDataBox: Box, Equatable {
    package static let type: FourCharCode = "udta"
    private static let meta: FourCharCode = "meta"
    private static let list: FourCharCode = "ilst"

    package var tags = AudioTags()
    /// The priming, remainder and length in iTunes' form, which is one of the tags.
    package var gapless: ITunesGapless?

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            if type == Self.meta {
                try parseMeta(&body)
                continue
            }
            #if !hasFeature(Embedded)
            if type == ChapterListBox.type {
                if let list = try? ChapterListBox(parsing: &body) { tags.setChapters(list.chapters) }
                continue
            }
            #endif
            if let text = Self.quickTimeText(body) {
                tags.take(type, text)
            }
        }
        #if !hasFeature(Embedded)
        tags.extractGains()
        #endif
    }

    /// Parses the metadata box (`meta`).
    private mutating func parseMeta(_ cursor: inout ByteCursor) throws(ContainerError) {
        // QuickTime's is no full box: there, its first box begins at once.
        var probe = cursor
        let isFull = (try? probe.readInteger(4)) == 0
        if isFull { try cursor.skip(4) }
        while case (let type, var body)? = try cursor.nextBox() {
            guard type == Self.list else { continue }
            while case (let item, var inner)? = try body.nextBox() {
                set(try MetadataItem(item, parsing: &inner))
            }
        }
    }

    /// The text of an old QuickTime tag: its length, its language, itself.
    private static func quickTimeText(_ body: ByteCursor) -> String? {
        var body = body
        guard let length = try? body.readInteger(2), (try? body.skip(2)) != nil, length > 0,
            let text = try? body.readBytes(length)
        else { return nil }
        return TagText.decode(text)
    }

    /// Stores an item in the tag with its name.
    private mutating func set(_ item: MetadataItem) {
        if item.name == ITunesGapless.name {
            gapless = item.values.first?.text.flatMap { ITunesGapless(parsing: $0) } ?? gapless
        } else {
            tags.take(item)
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.box(Self.meta) {
            $0.writeFullBox()
            $0.handler("mdir", manufacturer: "appl", name: "")
            $0.box(Self.list) { writer in
                for item in tags.items { item.write(to: &writer) }
                if let gapless {
                    MetadataItem(name: ITunesGapless.name, [MetadataItem.Value(gapless.serialized())]).write(to: &writer)
                }
            }
        }
        #if !hasFeature(Embedded)
        if !tags.chapters.isEmpty { writer.write(ChapterListBox(tags.chapters)) }
        #endif
    }
}
