// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Tags (`udta`, ISO/IEC 14496-12, 8.10.1; its inside, `meta` and `ilst`, as iTunes writes it).
struct UserDataBox: Box, Equatable {
    static let type: FourCharCode = "udta"
    private static let meta: FourCharCode = "meta"
    private static let list: FourCharCode = "ilst"

    var tags = AudioTags()
    /// The priming, remainder and length in iTunes' form, which is one of the tags.
    var gapless: ITunesGapless?
    /// The peak of the gain, which may come before it.
    private var peak: Double?

    /// Creates an empty box.
    init() {}

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            if type == Self.meta {
                try parseMeta(&body)
            } else if let text = Self.quickTimeText(body) {
                set(type, text)
            }
        }
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
                try MetadataItem(item, parsing: &inner).map { set($0) }
            }
        }
    }

    /// The text of an old QuickTime tag: its length, its language, itself.
    private static func quickTimeText(_ body: ByteCursor) -> String? {
        var body = body
        guard let length = try? body.readInteger(2), (try? body.skip(2)) != nil, length > 0,
            let text = try? body.readBytes(length)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Stores an item in the tag with its name.
    private mutating func set(_ type: FourCharCode, _ text: String) {
        switch type {
        case "©nam": tags.title = text
        case "©ART": tags.artist = text
        case "©alb": tags.album = text
        case "©day": tags.date = text
        case "©too", "©swr": tags.encoder = text
        default: break
        }
    }

    /// Stores an item in the tag with its name.
    private mutating func set(_ item: MetadataItem) {
        switch item.kind {
        case .text(let text) where item.name == ITunesGapless.name: gapless = ITunesGapless(parsing: text)
        case .text(let text) where item.name != nil: setFree(item.name ?? "", text)
        case .text(let text): set(item.type, text)
        case .picture(let picture): tags.cover = picture
        }
    }

    /// Stores an item with a free name in the tag that it stands for.
    private mutating func setFree(_ name: String, _ text: String) {
        guard let value = AudioTags.ReplayGain.number(text) else { return }
        switch name.asciiLowercased {
        case AudioTags.ReplayGain.Name.gain: tags.replayGain = AudioTags.ReplayGain(gain: value, peak: tags.replayGain?.peak ?? peak)
        case AudioTags.ReplayGain.Name.peak:
            peak = value
            tags.replayGain?.peak = value
        default: break
        }
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        let texts: [(FourCharCode, String?)] = [
            ("©nam", tags.title), ("©ART", tags.artist), ("©alb", tags.album), ("©day", tags.date), ("©too", tags.encoder),
        ]
        writer.box(Self.meta) {
            $0.writeFullBox()
            $0.write(HandlerBox(kind: "mdir", manufacturer: "appl", name: ""))
            $0.box(Self.list) { writer in
                for case (let type, let text?) in texts {
                    MetadataItem(type: type, kind: .text(text)).write(to: &writer)
                }
                if let cover = tags.cover { MetadataItem(type: "covr", kind: .picture(cover)).write(to: &writer) }
                for case (let name, let text?) in [
                    (AudioTags.ReplayGain.Name.gain, tags.replayGain?.gainText),
                    (AudioTags.ReplayGain.Name.peak, tags.replayGain?.peakText),
                ] {
                    MetadataItem(name: name, kind: .text(text)).write(to: &writer)
                }
                if let gapless {
                    MetadataItem(name: ITunesGapless.name, kind: .text(gapless.serialized())).write(to: &writer)
                }
            }
        }
    }
}
