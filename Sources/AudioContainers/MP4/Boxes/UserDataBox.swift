// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// Tags (`udta`, ISO/IEC 14496-12, 8.10.1, with iTunes' `meta` and `ilst`).
package struct UserDataBox: Box, Equatable {
    package static let type: FourCharCode = "udta"
    static let meta: FourCharCode = "meta"
    private static let list: FourCharCode = "ilst"
    private static let keys: FourCharCode = "keys"
    /// The start of the names of keys that Apple defines.
    private static let keyPrefix = "com.apple.quicktime."
    /// The maximum number of keys to read.
    private static let nameLimit = 4096
    private static let damage = "damaged tags"

    package var tags = AudioTags()
    /// Priming, remainder and length from the iTunes tag.
    package var gapless: ITunesGapless?

    package init() {}

    /// Keeps the intact tags, and names damaged ones as unread.
    package init(parsing cursor: inout ByteCursor) {
        do throws(ContainerError) { try parse(&cursor) } catch { tags.addUnread(Self.damage) }
        #if !hasFeature(Embedded) || LINNET_FILES
        tags.extractGains()
        #endif
    }

    /// Adds the tags of a `meta` box outside of `udta`, where QuickTime has it.
    mutating func add(meta cursor: inout ByteCursor) {
        do throws(ContainerError) { try parseMeta(&cursor) } catch { tags.addUnread(Self.damage) }
        #if !hasFeature(Embedded) || LINNET_FILES
        tags.extractGains()
        #endif
    }

    private mutating func parse(_ cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            if type == Self.meta {
                try parseMeta(&body)
                continue
            }
            #if !hasFeature(Embedded) || LINNET_FILES
            if type == ChapterListBox.type {
                if let list = try? ChapterListBox(parsing: &body) { tags.setChapters(list.chapters) }
                continue
            }
            #endif
            if let text = Self.quickTimeText(body) {
                tags.take(type, text)
            }
        }
    }

    private mutating func parseMeta(_ cursor: inout ByteCursor) throws(ContainerError) {
        // In QuickTime, `meta` is not a full box and starts directly with its first child.
        var probe = cursor
        let isFull = (try? probe.readInteger(4)) == 0
        if isFull { try cursor.skip(4) }
        var names: [String] = []
        while case (let type, var body)? = try cursor.nextBox() {
            if type == Self.keys { names = try Self.names(&body) }
            guard type == Self.list else { continue }
            while case (let item, var inner)? = try body.nextBox() {
                do throws(ContainerError) {
                    let found = try MetadataItem(item, parsing: &inner)
                    // The types of items with keys are the numbers of the keys, from 1.
                    let index = Int(item.rawValue) - 1
                    set(names.indices.contains(index) ? MetadataItem(name: names[index], found.values) : found)
                } catch {
                    tags.addUnread(Self.damage)
                }
            }
        }
    }

    /// Returns the names in a list of QuickTime metadata keys, which has the form of boxes.
    private static func names(_ cursor: inout ByteCursor) throws(ContainerError) -> [String] {
        var names: [String] = []
        try cursor.skip(8)
        while names.count < nameLimit, case (_, var body)? = try cursor.nextBox() {
            let name = TagText.decode(try body.readRest())
            names.append(String(name.utf8.starts(with: keyPrefix.utf8) ? name.dropFirst(keyPrefix.count) : name[...]))
        }
        return names
    }

    /// Returns the text of an old QuickTime tag, which has a length and a language before the text.
    private static func quickTimeText(_ body: ByteCursor) -> String? {
        var body = body
        guard let length = try? body.readInteger(2), (try? body.skip(2)) != nil, length > 0,
            let text = try? body.readBytes(length)
        else { return nil }
        return TagText.decode(text)
    }

    /// Stores an item as a tag.
    private mutating func set(_ item: MetadataItem) {
        if item.name == ITunesGapless.name {
            gapless = item.values.first?.text.flatMap { ITunesGapless(parsing: $0) } ?? gapless
        } else {
            tags.take(item)
        }
    }

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
        #if !hasFeature(Embedded) || LINNET_FILES
        if !tags.chapters.isEmpty { writer.write(ChapterListBox(tags.chapters)) }
        #endif
    }
}
