// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

@Suite struct ForeignFormatTests {
    /// The first bytes of a file of each format.
    private static let fronts: [(AudioFileFormat, [UInt8])] = [
        (.ac3, [0x0B, 0x77, 0x12, 0x34, 0x14, 0x40]), (.eac3, [0x0B, 0x77, 0x01, 0xFF, 0x34, 0x86]), (.dts, [0x7F, 0xFE, 0x80, 0x01]),
        (.windowsMedia, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]), (.dsf, Array("DSD \u{1C}".utf8)), (.dsdiff, Array("FRM8".utf8)),
        (.monkeysAudio, Array("MAC ".utf8)), (.wavPack, Array("wvpk".utf8)), (.trueAudio, Array("TTA1".utf8)),
        (.musepack, Array("MPCK".utf8)), (.tak, Array("tBaK".utf8)), (.shorten, Array("ajkg".utf8)), (.amr, Array("#!AMR-WB\n".utf8)),
        (.realMedia, Array(".RMF".utf8)), (.speex, Array("OggS".utf8) + [UInt8](repeating: 1, count: 24) + Array("Speex   1.2".utf8)),
        (.avi, Array("RIFF\u{1}\u{1}\u{1}\u{1}AVI ".utf8)), (.flashVideo, Array("FLV\u{1}".utf8)), (.programStream, [0, 0, 1, 0xBA]),
        (.pva, Array("AV".utf8) + [1, 0, 0x55, 0, 0x17, 0xF8]),
        (.midi, Array("MThd".utf8)),
    ]

    @Test func `Detects all unsupported formats from their first bytes`() {
        for (format, bytes) in Self.fronts { #expect(AudioFileFormat(foreignSignature: bytes) == format) }
        #expect(AudioFileFormat(foreignSignature: []) == nil)
        #expect(AudioFileFormat(foreignSignature: Array("RIFF\u{1}\u{1}\u{1}\u{1}WAVE".utf8)) == nil)
        #expect(AudioFileFormat(foreignSignature: [0x0B, 0x77, 0, 0, 0xFF, 0xFF]) == nil)
    }

    @Test(arguments: ["ac3", "eac3"], [0, 1, 333])
    func `Detects AC-3 if frames start later, and in either byte order`(codec: String, lead: Int) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(
            "ffmpeg -v error -f lavfi -i sine=d=1:sample_rate=48000 -c:a \(codec) a.\(codec)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let frames = try bytes(ofFile: folder.path("a.\(codec)"))
        let format: AudioFileFormat = codec == "ac3" ? .ac3 : .eac3
        let swapped = frames.indices.map { frames[min($0 ^ 1, frames.count - 1)] }
        for file in [Array(frames[lead...]), swapped] {
            let path = try folder.write(file, to: "b.bin")
            #expect(throws: AudioFileError(.foreignInput(format), path: path)) {
                try FileConverter(input: path, output: folder.path("a.wav")).run()
            }
        }
    }

    @Test(arguments: fronts)
    func `Encoder, decoder and probe name the format and suggest a conversion`(format: AudioFileFormat, front: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(front + [UInt8](repeating: 0x55, count: 4_000), to: "a.bin")
        let error = AudioFileError(.foreignInput(format), path: path)
        #expect(throws: error) { try ProbeSummary(contentsOf: path) }
        #expect(throws: error) { try FileDecoder(path: path) }
        #expect(throws: error) { try FileEncoder(input: path, output: folder.path("a.m4a")).run() }
        #expect(throws: error) { try FileConverter(input: path, output: folder.path("a.wav")).run() }
        #expect(error.description.contains(format == .midi ? "fluidsynth" : "ffmpeg -i \(path) -vn out.flac"))
    }
}
