// SPDX-License-Identifier: Apache-2.0

/// The tags of a WAV file, collected chunk by chunk.
package struct WAVETags {
    /// From ID3v2 tags.
    private var precise = AudioTags()
    private var texts = AudioTags()
    private var parts = AudioTags.WAVEParts()

    /// The key of a field recorder's description (`iXML`).
    static let ixml: AudioTags.Key = "IXML"
    private static let limits = [
        "fmt ": WAVECues.maximumByteCount, "cue ": WAVECues.maximumByteCount, "LIST": RIFFInformation.maximumByteCount,
        "id3 ": TagSource.maximumTagByteCount, "ID3 ": TagSource.maximumTagByteCount, "bext": BroadcastExtension.maximumByteCount,
        "iXML": BroadcastExtension.maximumByteCount, "smpl": WAVECues.maximumByteCount,
        Wave64.summaryList: RIFFInformation.maximumByteCount,
    ]

    package init() {}

    /// Whether a chunk has tags and an acceptable size.
    package static func reads(_ id: String, byteCount: Int) -> Bool { limits[id].map { byteCount <= $0 } ?? false }

    package mutating func read(_ id: String, _ contents: [UInt8]) {
        switch id {
        case "id3 ", "ID3 ":
            if let tag = ID3v2Tag(parsing: contents[...]) { precise.merge(tag.tags) } else { skip(id) }
        case "LIST":
            texts = texts.inheriting(RIFFInformation(list: contents).tags)
            parts.cues.read(id, contents)
        case Wave64.summaryList: texts = texts.inheriting(RIFFInformation(summary: contents).tags)
        case "bext":
            let found = BroadcastExtension.tags(contents)
            texts.merge(found)
            if found.isEmpty { skip(id) }
        case "iXML":
            guard let text = String(validating: contents.prefix { $0 != 0 }, as: UTF8.self), !text.isEmpty else { return skip(id) }
            texts.add(text, for: Self.ixml)
        case "smpl":
            parts.sampler = SamplerLoops(contents)
            if parts.sampler == nil { skip(id) }
        default: parts.cues.read(id, contents)
        }
    }

    /// Records a chunk that is not read, unless it describes the samples or is padding.
    package mutating func skip(_ id: String) { if let name = Self.names[id] { texts.addUnread(name) } }

    /// All tags.
    ///
    /// An ID3v2 tag takes precedence over other texts.
    package var tags: AudioTags {
        var result = precise.inheriting(texts)
        // Chapters of an ID3v2 tag can also have pictures and URLs.
        if result.chapters.isEmpty { result.setChapters(parts.cues.chapters) }
        if !parts.cues.isEmpty || parts.sampler != nil { result.wave = parts }
        return result
    }

    /// The human-readable names of chunks.
    private static let names = [
        "bext": "broadcast extension (bext)", "iXML": "iXML", "smpl": "sampler loops (smpl)", "inst": "instrument (inst)",
        "acid": "loop tempo (acid)", "cart": "cart chunk", "axml": "axml", "_PMX": "XMP",
    ]
}

/// The tags of a WAV file as chunks, for a file with a sample rate.
package struct WAVETagChunks {
    /// The chunks of texts and loops.
    package let texts: [UInt8]
    /// Cue points, and an ID3v2 tag with what the other chunks do not state.
    package let chapters: [UInt8]

    package init(_ tags: AudioTags, sampleRate: Int) {
        var rest = tags
        var chunks = RIFFInformation(tags).chunk + BroadcastExtension.chunk(&rest)
        if rest[WAVETags.ixml].count == 1, let text = rest.first(WAVETags.ixml), text.utf8.count <= BroadcastExtension.maximumByteCount {
            chunks += [UInt8](chunk: "iXML", Array(text.utf8))
            rest[WAVETags.ixml] = []
        }
        let (parts, isChanged) = (tags.wave, tags.chapters != tags.wave.sortedChapters)
        if let sampler = parts.sampler { chunks += sampler.chunk(rate: parts.cues.sampleRate, newRate: sampleRate) }
        let cues = isChanged ? WAVECues(tags.chapters, sampleRate: sampleRate) : parts.cues
        if WAVECues.canStore(tags.chapters, at: sampleRate) { rest.chapters = [] }
        texts = chunks
        chapters = cues.chunks(newRate: sampleRate) + RIFFInformation(rest).id3Chunk
    }
}

extension AudioTags {
    /// Parts that only a WAV file has.
    package struct WAVEParts: Hashable, Sendable {
        var cues = WAVECues()
        var sampler: SamplerLoops?

        /// The chapters of ``cues``, as a file's tags have them.
        fileprivate var sortedChapters: [Chapter] {
            var tags = AudioTags()
            tags.setChapters(cues.chapters)
            return tags.chapters
        }

        /// The human-readable names of the parts that chapters do not express.
        package var names: [String] {
            (cues.hasDetails ? ["notes and regions of cue points"] : []) + (sampler == nil ? [] : ["sampler loops (smpl)"])
        }
    }

    /// Removes the parts of a WAV file whose positions do not apply to a part of it, and records their names.
    package mutating func removeWAVEParts() {
        for name in wave.names { addUnread(name) }
        wave = WAVEParts()
    }
}
