// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import TestSupport
import Testing

/// The chunks that field recorders and editors add to WAV files.
@Suite struct FieldRecorderChunkTests {
    /// Returns little-endian bytes.
    static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
        Array(id.utf8) + number(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// A broadcast extension of version 2 (EBU Tech 3285).
    static let broadcast: [UInt8] = {
        func padded(_ text: String, _ count: Int) -> [UInt8] { Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count) }
        let texts = padded("Scene 12, take 3: brook", 256) + padded("MixPre-6", 32) + padded("CHXYZ12345", 32) + padded("2026-11-27", 10)
        let material = (0..<64).map { UInt8($0 * 3 + 1) }
        let loudness = [-2304, 512, -150, -1800, 0x7FFF].flatMap { number($0, 2) }
        let times = Array("09:15:00".utf8) + number(0x1_2345_6789, 8) + number(2, 2)
        return texts + times + material + loudness + [UInt8](repeating: 0, count: 180) + Array("A=PCM,F=24000,W=16,M=mono\r\n".utf8) + [0]
    }()

    /// Two cue points with a label, a note and a region of 100 frames, and a loop from frame 240 to 480.
    static let cues =
        number(2, 4) + number(7, 4) + number(480, 4) + Array("data".utf8) + number(0, 8) + number(480, 4)
        + number(9, 4) + number(1200, 4) + Array("data".utf8) + number(0, 8) + number(1200, 4)
    static let texts =
        Array("adtl".utf8) + chunk("labl", number(7, 4) + Array("Water\0".utf8))
        + chunk("note", number(9, 4) + Array("wind\0".utf8))
        + chunk("ltxt", number(7, 4) + number(100, 4) + Array("rgn ".utf8) + number(0, 8))
    static let loops =
        number(0, 8) + number(41_666, 4) + number(60, 4) + number(0, 12) + number(1, 4) + number(0, 4) + number(1, 4)
        + number(0, 4) + number(240, 4) + number(480, 4) + number(0, 8)
    static let description = Array("<BWFXML><PROJECT>Brook</PROJECT><TAKE>3</TAKE></BWFXML>".utf8)

    /// All chunks.
    static let all: [(id: String, body: [UInt8])] = [
        ("fmt ", number(1, 2) + number(1, 2) + number(24_000, 4) + number(48_000, 4) + number(2, 2) + number(16, 2)),
        ("bext", broadcast), ("iXML", description), ("cue ", cues), ("LIST", texts), ("smpl", loops),
    ]

    private static func tags(_ chunks: [(id: String, body: [UInt8])] = all) -> AudioTags {
        var found = WAVETags()
        for chunk in chunks { found.read(chunk.id, chunk.body) }
        return found.tags
    }

    @Test("Chunks become texts and chapters, and are written again with the same bytes")
    func roundTrip() {
        let tags = Self.tags()
        let expected: [(AudioTags.Key, String)] = [
            ("DESCRIPTION", "Scene 12, take 3: brook"), ("ORIGINATOR", "MixPre-6"), ("ORIGINATOR_REFERENCE", "CHXYZ12345"),
            ("ORIGINATION_DATE", "2026-11-27"), ("ORIGINATION_TIME", "09:15:00"), ("TIME_REFERENCE", "4886718345"),
            ("LOUDNESS_VALUE", "-23.04"), ("LOUDNESS_RANGE", "5.12"), ("MAX_TRUE_PEAK_LEVEL", "-1.50"),
            ("MAX_MOMENTARY_LOUDNESS", "-18.00"),
            ("CODING_HISTORY", "A=PCM,F=24000,W=16,M=mono\r\n"),
        ]
        for (key, value) in expected { #expect(tags[key] == [value], "\(key)") }
        #expect(tags.first("UMID")?.hasPrefix("0104070A0D") == true && tags["MAX_SHORT_TERM_LOUDNESS"].isEmpty)
        #expect(tags.chapters.map(\.title) == ["Water", "wind"] && tags.chapters.map(\.seconds) == [0.02, 0.05])
        #expect(tags.names.suffix(2) == ["notes and regions of cue points", "sampler loops (smpl)"])
        let written = WAVETagChunks(tags, sampleRate: 24_000)
        let all = written.texts + written.chapters
        for chunk in Self.all.dropFirst() { #expect(all.firstRange(of: Self.chunk(chunk.id, chunk.body)) != nil, "\(chunk.id)") }
        #expect(all.count == Self.all.dropFirst().reduce(0) { $0 + Self.chunk($1.id, $1.body).count }, "nothing is written twice")
    }

    @Test("At another sample rate, positions and lengths move")
    func rates() throws {
        let written = WAVETagChunks(Self.tags(), sampleRate: 48_000)
        let all = written.texts + written.chapters
        #expect(all.firstRange(of: Self.number(960, 4) + Array("data".utf8)) != nil)
        #expect(all.firstRange(of: Self.number(7, 4) + Self.number(200, 4) + Array("rgn ".utf8)) != nil)
        #expect(all.firstRange(of: Self.number(480, 4) + Self.number(960, 4) + Self.number(0, 8)) != nil)
        #expect(all.firstRange(of: Self.number(0, 8) + Self.number(20_833, 4)) != nil)
        var tags = Self.tags()
        tags.moveTimeReference(to: 240, rate: 24_000, newRate: 48_000)
        #expect(tags.first("TIME_REFERENCE") == "\(2 * (4_886_718_345 + 240))")
        tags["TIME_REFERENCE"] = ["18446744073709551615"]
        tags.moveTimeReference(to: 1, rate: 24_000, newRate: 48_000)
        #expect(tags.first("TIME_REFERENCE") == "18446744073709551615", "an overflow changes nothing")
    }

    @Test("A loop that would end after 2^32 sample frames at another rate ends at the last one")
    func lateLoop() {
        var loops = Self.loops
        loops.replaceSubrange(48..<52, with: Self.number(3_000_000_000, 4))
        let written = WAVETagChunks(Self.tags([Self.all[0], ("smpl", loops)]), sampleRate: 48_000).texts
        #expect(written.firstRange(of: Self.number(480, 4) + Self.number(0xFFFF_FFFF, 4) + Self.number(0, 8)) != nil)
    }

    @Test("Rates and times in iXML follow the sample rate and the first frame, except pulled times")
    func descriptions() {
        func text(_ rate: Int, _ stampRate: Int, _ high: Int, _ low: Int) -> String {
            "<BWFXML><SPEED><FILE_SAMPLE_RATE>\(rate)</FILE_SAMPLE_RATE><DIGITIZER_SAMPLE_RATE>24000</DIGITIZER_SAMPLE_RATE>"
                + "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>\(high)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI>"
                + "<TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>\(low)</TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>"
                + "<TIMESTAMP_SAMPLE_RATE>\(stampRate)</TIMESTAMP_SAMPLE_RATE></SPEED><BEXT>"
                + "<BWF_TIME_REFERENCE_LOW>\(low)</BWF_TIME_REFERENCE_LOW><BWF_TIME_REFERENCE_HIGH>\(high)</BWF_TIME_REFERENCE_HIGH>"
        }
        var tags = AudioTags()
        tags["IXML"] = [text(24_000, 24_000, 0, 4_294_967_000)]
        tags.moveTimeReference(to: 240, rate: 24_000, newRate: 48_000)
        #expect(tags["IXML"] == [text(48_000, 48_000, 1, 4_294_967_184)])
        tags.moveTimeReference(to: 0, rate: 48_000, newRate: 48_000)
        #expect(tags["IXML"] == [text(48_000, 48_000, 1, 4_294_967_184)])
        let pulled = "<FILE_SAMPLE_RATE>24000</FILE_SAMPLE_RATE><TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO>5<TIMESTAMP_SAMPLE_RATE>24024<"
        tags["IXML"] = [pulled]
        tags.moveTimeReference(to: 240, rate: 24_000, newRate: 48_000)
        #expect(tags["IXML"] == [pulled.replacing("24000", with: "48000")])
        for damaged in ["", "<FILE_SAMPLE_RATE>", "<BWF_TIME_REFERENCE_LOW>99999999999999999999<", "<BWF_TIME_REFERENCE_LOW>-1<"] {
            tags["IXML"] = [damaged]
            tags.moveTimeReference(to: 240, rate: 24_000, newRate: 48_000)
            #expect(tags["IXML"] == (damaged.isEmpty ? [""] : [damaged]))
        }
    }

    @Test("A time reference that would exceed 64 bits at another rate stays")
    func largestTime() {
        var tags = AudioTags()
        for (time, expected) in [(16947946117720650547, "16947946117720650547"), (16947946117720650547 - 5, "18446744073709551610")]
            as [(UInt64, String)]
        {
            tags["TIME_REFERENCE"] = ["\(time)"]
            tags.moveTimeReference(to: 0, rate: 44_100, newRate: 48_000)
            #expect(tags["TIME_REFERENCE"] == [expected])
        }
    }

    @Test("Other chapters replace cue points, and texts that a broadcast extension cannot hold stay in the ID3 tag")
    func changes() throws {
        var tags = Self.tags()
        tags["DESCRIPTION"] = [String(repeating: "long ", count: 100)]
        tags.chapters = [.init(start: 3, timescale: 24_000, title: "New")]
        let chunks = WAVETagChunks(tags, sampleRate: 24_000)
        var again = WAVETags()
        again.read("fmt ", Self.all[0].body)
        var rest = (chunks.texts + chunks.chapters)[...]
        var ids: [String] = []
        while rest.count >= 8 {
            let id = String(decoding: rest.prefix(4), as: UTF8.self)
            let count = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            again.read(id, Array(rest.dropFirst(8).prefix(count)))
            ids.append(id)
            rest = rest.dropFirst(8 + count + count % 2)
        }
        #expect(ids == ["bext", "iXML", "smpl", "cue ", "LIST", "id3 "])
        #expect(again.tags["DESCRIPTION"] == tags["DESCRIPTION"] && again.tags.chapters == tags.chapters)
    }

    @Test("Damaged chunks neither trap nor grow")
    func damage() {
        for seed in UInt64(0)..<400 {
            var random = SeededRandom(seed: seed)
            let chunks = Self.all.map { chunk in
                (id: chunk.id, body: Bool.random(using: &random) ? random.damaged(chunk.body, among: Self.all.map(\.body)) : chunk.body)
            }
            var tags = Self.tags(chunks)
            tags.moveTimeReference(to: .random(in: 0...Int.max, using: &random), rate: 24_000, newRate: 192_000)
            let written = WAVETagChunks(tags, sampleRate: 96_000)
            #expect(written.texts.count + written.chapters.count < 20_000, "seed \(seed)")
        }
    }
}
