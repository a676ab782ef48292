// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Codecs hidden by PCM headers, and VOC blocks.
@Suite struct UnreadCodecTests {
    /// Expects an error that contains `text`.
    private func expectRefusal(_ bytes: [UInt8], _ text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.bin")
        for read in [{ try PCMFileReader(path: path) }, { try readThroughPipe(bytes).reader }] {
            let error = #expect(throws: AudioFileError.self) { try read() }
            guard case .unrecognizedFormat(let reason)? = error?.pcmFault else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains(text))
        }
    }

    @Test("The error of AC-3 in a PCM WAV file names the codec", arguments: ["ac3", "eac3"], [false, true])
    func ac3(codec: String, isSwapped: Bool) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(
            "ffmpeg -v error -f lavfi -i sine=d=1:sample_rate=44100 -c:a \(codec) a.\(codec)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let frames = try bytes(ofFile: folder.path("a.\(codec)"))
        let samples = isSwapped ? frames.indices.map { frames[min($0 ^ 1, frames.count - 1)] } : frames
        try expectRefusal(WAVEBytes(samples: samples).bytes, codec == "ac3" ? "AC-3" : "E-AC-3")
    }

    @Test("Random samples, and samples that equal sync words, are not AC-3")
    func noAC3() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var samples = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            for start in stride(from: 0, to: 30_000, by: 2 * Int(seed)) { samples.replaceSubrange(start..<start + 2, with: [0x0B, 0x77]) }
            let reader = try PCMFileReader(bytes: WAVEBytes(samples: samples).bytes)
            #expect(reader.properties.frameCount == 10_000, "seed \(seed)")
        }
    }

    @Test("The error of G.729 with a WAV header names the codec")
    func act() throws {
        var random = SeededRandom(seed: 3)
        let speech = (0..<512 * 20).map { _ in UInt8.random(in: 0...255, using: &random) }
        let second = [UInt8](repeating: 0, count: 212) + [0x84, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 251)
        try expectRefusal(WAVEBytes(sampleRate: 8000, channelCount: 1, samples: second + speech).bytes, "G.729")
    }

    @Test(
        "The error of a codec in WAV or CAF that no library decodes names the codec",
        arguments: [
            ("-c:a aac a.wav", "AAC"), ("-c:a g726 -ar 8000 a.wav", "G.726"), ("-c:a g723_1 -ar 8000 -b:a 6300 a.wav", "G.723.1"),
            ("-c:a adpcm_g722 -ar 16000 a.wav", "G.722"), ("-c:a adpcm_yamaha a.wav", "Yamaha ADPCM"),
            ("-c:a wmav2 a.wav", "Windows Media Audio"), ("-c:a ac3 a.wav", "AC-3"), ("-c:a adpcm_ima_qt a.caf", "IMA ADPCM"),
        ])
    func unsupported(options: String, name: String) throws {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell("ffmpeg -v error -f lavfi -i sine=d=1 -ac 1 \(options)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let path = folder.path(try #require(try folder.contents.first))
        let error = #expect(throws: AudioFileError.self) { try PCMFileReader(path: path) }
        guard case .unsupportedCodec(let codec?)? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(codec.codecName == name)
    }

    /// Returns a WAV file with a format chunk of the given bytes.
    private func wave(format: [UInt8]) -> [UInt8] {
        let chunks =
            Array("WAVEfmt ".utf8) + WAVEBytes.number(format.count, byteCount: 4) + format + Array("data".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
        return Array("RIFF".utf8) + WAVEBytes.number(chunks.count, byteCount: 4) + chunks
    }

    @Test("Format tags are named, also in extensible formats and with unknown codecs")
    func formatTags() throws {
        let rest: [UInt8] = [1, 0, 0x40, 0x1F, 0, 0, 0xA0, 0x0F, 0, 0, 1, 0, 4, 0]
        for (tag, name) in [
            (0x0014, "G.723 ADPCM"), (0x0045, "G.726"), (0x00FF, "AAC"), (0x1610, "AAC"), (0x1600, "AAC"), (0x2000, "AC-3"),
            (0x1234, "WAV format 0x1234"),
        ] {
            let bytes = WAVEBytes.number(tag, byteCount: 2)
            let extensible = [0xFE, 0xFF] + rest + [22, 0, 4, 0, 4, 0, 0, 0] + bytes + [UInt8](repeating: 0, count: 14)
            for format in [bytes + rest, bytes + rest + [0, 0], extensible] {
                let error = #expect(throws: AudioFileError.self) { try PCMFileReader(bytes: wave(format: format)) }
                guard case .unsupportedCodec(let codec?)? = error?.code else {
                    Issue.record("\(name): \(String(describing: error))")
                    continue
                }
                #expect(codec.codecName == name)
            }
        }
    }

    private func voc(_ blocks: [(type: UInt8, body: [UInt8])]) -> [UInt8] {
        let head = Array("Creative Voice File\u{1A}".utf8) + [26, 0, 0x0A, 1, 0x29, 0x11]
        return head + blocks.flatMap { [$0.type] + WAVEBytes.number($0.body.count, byteCount: 3) + $0.body } + [0]
    }

    @Test("The error of Creative ADPCM in VOC names the codec", arguments: [1, 2, 3] as [UInt8])
    func adpcm(codec: UInt8) throws {
        try expectRefusal(voc([(1, [0xA6, codec] + [UInt8](repeating: 0x5A, count: 5000))]), "Creative ADPCM")
        try expectRefusal(voc([(3, [1, 0, 0xA6])]), "type 3")
    }

    @Test("Reads VOC blocks in sequence, as FFmpeg and sox write them", arguments: ["pcm_s16le", "pcm_u8"])
    func blocks(codec: String) throws {
        let folder = try TemporaryFolder()
        let bits = codec == "pcm_u8" ? 8 : 16
        let run = try ProgramRun.shell(
            """
            sox -R -D -n -r 44100 -c 2 -b \(bits) a.wav synth 1 sine 440 && sox -D a.wav b.voc && ffmpeg -v error -i a.wav -c:a \(codec) c.voc
            """, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let wanted = try readAll(folder.path("a.wav")).channels
        for name in ["b.voc", "c.voc"] {
            for read in [try readAll(folder.path(name)), try readThroughPipe(try bytes(ofFile: folder.path(name)))] {
                #expect(read.channels == wanted && read.reader.properties.containerName == "VOC", "\(name)")
            }
        }
    }

    @Test("Damaged VOC files never trap", arguments: [1, 2] as [UInt64])
    func damagedBlocks(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let samples = [UInt8](repeating: 0x80, count: 100)
        let file = voc([
            (8, [0, 0xAA, 0, 1]), (1, [0xA6, 0] + samples), (2, samples), (9, [0x44, 0xAC, 0, 0, 16, 2, 4, 0, 0, 0, 0, 0] + samples),
        ])
        for _ in 0..<300 {
            var damaged = Array(file.prefix(Int.random(in: 20...file.count, using: &random)))
            for _ in 0..<4 {
                damaged[Int.random(in: 20..<damaged.count + 1, using: &random) - 1] = UInt8.random(in: 0...255, using: &random)
            }
            guard let reader = try? PCMFileReader(bytes: damaged) else { continue }
            var bytes: [UInt8] = []
            try? reader.read(1000, into: &bytes)
        }
    }
}
