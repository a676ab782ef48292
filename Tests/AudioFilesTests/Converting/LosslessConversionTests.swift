// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Conversions that must be lossless.
@Suite struct LosslessConversionTests {
    /// Encodings with different bit patterns.
    ///
    /// The file format determines the byte order; raw PCM has its own.
    private static let encodings: [SampleEncoding] = [
        .unsigned8, .signed8, .int16, .int16BigEndian, .int24, .int24BigEndian, .int32, .int32BigEndian, .float32, .float32BigEndian,
        .float64, .float64BigEndian,
    ]

    @Test(
        "A round trip between any two PCM formats yields the same bytes",
        arguments: selectedCases(AudioFileFormat.pcmFormats, AudioFileFormat.pcmFormats))
    func roundTrip(first: AudioFileFormat, second: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        for encoding in Self.encodings where first.canStore(encoding) {
            let bytes = randomSamples(encoding, count: 2 * 700, seed: 1)
            let format = PCMOutputFormat(first, encoding: encoding, sampleRate: 48_000, channelCount: 2)
            try folder.writePCM(bytes, to: "a.\(first.fileExtension)", format)
            let raw = AudioFormat(encoding, sampleRate: 48_000, channelCount: 2)
            let there = try folder.convert("a.\(first.fileExtension)", "b.\(second.fileExtension)") { $0.raw = first == .raw ? raw : nil }
            let found = try #require(there.encoding)
            let isHeld = second.canStore(second.counterpart(of: encoding))
            #expect(there.notes.isEmpty == isHeld, "\(encoding) in \(second)")
            guard isHeld else { continue }
            #expect(there.dither == .none && there.frameCount == 700 && there.clippedSampleCount == 0)
            try folder.convert("b.\(second.fileExtension)", "c.\(first.fileExtension)") {
                $0.raw = second == .raw ? AudioFormat(found, sampleRate: 48_000, channelCount: 2) : nil
                $0.encoding = encoding
            }
            let before = try folder.readPCM("a.\(first.fileExtension)", raw: first == .raw ? raw : nil)
            let after = try folder.readPCM("c.\(first.fileExtension)", raw: first == .raw ? raw : nil)
            #expect(before.encoding == after.encoding && before.bytes == after.bytes, "\(encoding) by \(second)")
        }
    }

    @Test("Widening and narrowing yields the same samples")
    func widening() throws {
        let folder = try TemporaryFolder()
        let narrow: [SampleEncoding] = [.unsigned8, .int16, .int24]
        for (index, encoding) in narrow.enumerated() {
            let bytes = randomSamples(encoding, count: 999, seed: 2)
            try folder.writePCM(bytes, to: "a.wav", PCMOutputFormat(.wav, encoding: encoding, sampleRate: 8000, channelCount: 1))
            for wide in narrow[(index + 1)...] + [.int32, .float32, .float64] {
                try folder.convert("a.wav", "b.wav") { $0.encoding = wide }
                // Dither is unnecessary because no bits are lost.
                try folder.convert("b.wav", "c.wav") {
                    $0.encoding = encoding
                    $0.dither = Dither.none
                }
                #expect(try folder.readPCM("c.wav").bytes == bytes, "\(encoding) by \(wide)")
            }
        }
    }

    @Test("Swapping, copying and dropping channels keeps all bits")
    func channelMap() throws {
        let folder = try TemporaryFolder()
        let bytes = randomSamples(.int16, count: 2 * 500, seed: 3)
        try folder.writePCM(bytes, to: "a.wav", PCMOutputFormat(.wav, encoding: .int16, sampleRate: 8000, channelCount: 2))
        let summary = try folder.convert("a.wav", "b.wav") { $0.channels = .map([1, nil, 0]) }
        #expect(summary.channelCount == 3 && summary.dither == .none)
        let expected = stride(from: 0, to: bytes.count, by: 4).flatMap { frame -> [UInt8] in
            Array(bytes[frame + 2..<frame + 4]) + [0, 0] + Array(bytes[frame..<frame + 2])
        }
        #expect(try folder.readPCM("b.wav").bytes == expected)
    }

    @Test("Apple Lossless of any depth decodes to the original samples, in full and in part", arguments: [16, 20, 24, 32])
    func appleLossless(bitDepth: Int) throws {
        let folder = try TemporaryFolder()
        // libsndfile 1.2 writes invalid 20- and 24-bit packets for noise, which is incompressible. This signal has few high-order bits.
        let bytes = (0..<2 * 9000).flatMap { index -> [UInt8] in
            let value = sin(Double(index / 2) * 0.01 + Double(index % 2)) * 0x4000_0000
            let sample = Int32(value) & (-1 << Int32(32 - bitDepth))
            return (0..<4).map { UInt8(truncatingIfNeeded: sample >> (8 * Int32($0))) }
        }
        try folder.writePCM(bytes, to: "a.wav", PCMOutputFormat(.wav, encoding: .int32, sampleRate: 44_100, channelCount: 2))
        let made = try ProgramRun.encodeAppleLossless("a.wav", to: "a.caf", bitDepth: bitDepth, in: folder.url)
        #expect(made.exitCode == 0)
        let summary = try folder.convert("a.caf", "b.wav")
        #expect(summary.encoding == (bitDepth == 32 ? .int32 : bitDepth == 16 ? .int16 : .int24) && summary.frameCount == 9000)
        try folder.convert("b.wav", "c.wav") { $0.encoding = .int32 }
        #expect(try folder.readPCM("c.wav").bytes == bytes)
        let decoded = try FileConverter(
            decoding: folder.path("a.caf"), output: folder.path("e.wav"), configuration: FileConverterConfiguration()
        ).run()
        #expect(decoded.encoding == (bitDepth == 16 ? .int16 : .int24))
        #expect(decoded.notes == (bitDepth == 32 ? [.samplesRounded(from: .int32, to: .int24)] : []))
        try folder.convert("a.caf", "d.wav") {
            $0.encoding = .int32
            $0.range = .milliseconds(100)..<Duration.milliseconds(200)
        }
        #expect(try folder.readPCM("d.wav").bytes == Array(bytes[8 * 4410..<8 * 8820]))
    }

    @Test(
        "A round trip through Apple Lossless yields the same bytes", arguments: [SampleEncoding.int16, .int24, .int32], ["b.m4a", "b.caf"])
    func appleLosslessOutput(encoding: SampleEncoding, name: String) throws {
        let folder = try TemporaryFolder()
        for (channelCount, frameCount) in [(1, 1), (2, 4097), (6, 300), (8, 1), (2, 0)] {
            let bytes = randomSamples(encoding, count: channelCount * frameCount, seed: 5)
            try folder.writePCM(
                bytes, to: "a.wav", PCMOutputFormat(.wav, encoding: encoding, sampleRate: 96_000, channelCount: channelCount))
            let summary = try folder.convert("a.wav", name) { $0.codec = .alac }
            #expect(summary.encoding == encoding && summary.frameCount == frameCount && summary.notes.isEmpty)
            #expect(summary.dither == .none && summary.accessUnitCount == max(1, (frameCount + 4095) / 4096))
            let back = try folder.convert(name, "c.wav")
            #expect(back.frameCount == frameCount && back.encoding == encoding)
            let isSame = try folder.readPCM("c.wav").bytes == bytes
            #expect(isSame, "\(channelCount) channels")
        }
    }

    @Test("Apple Lossless has the depth of the input or the requested one, with a note for floating point")
    func appleLosslessDepth() throws {
        let folder = try TemporaryFolder()
        let bytes = randomSamples(.float32, count: 500, seed: 6)
        try folder.writePCM(bytes, to: "a.wav", PCMOutputFormat(.wav, encoding: .float32, sampleRate: 8000, channelCount: 1))
        let summary = try folder.convert("a.wav", "a.m4a") { $0.codec = .alac }
        #expect(summary.encoding == .int24 && summary.notes == [.samplesRounded(from: .float32, to: .int24)])
        let short = try folder.convert("a.wav", "b.m4a") {
            $0.codec = .alac
            $0.encoding = .int16
        }
        #expect(short.encoding == .int16 && short.dither == .triangular && short.notes.isEmpty)
        let louder = try folder.convert("a.wav", "c.m4a") {
            $0.codec = .alac
            $0.loudnessTarget = LoudnessTarget(integrated: -20)
        }
        #expect(louder.frameCount == 500)
        #expect(try folder.convert("a.m4a", "d.m4a") { $0.codec = .alac }.notes.isEmpty)
    }

    @Test("An input layout that Apple Lossless does not have throws")
    func appleLosslessLayout() throws {
        let folder = try TemporaryFolder()
        let layout = ChannelLayout([.left, .right, .backLeft, .backRight])
        var format = PCMOutputFormat(.wav, encoding: .int16, sampleRate: 8000, channelCount: 4)
        format.channelLayout = layout
        try folder.writePCM(randomSamples(.int16, count: 400, seed: 7), to: "a.wav", format)
        let error = #expect(throws: AudioFileError.self) { try folder.convert("a.wav", "a.m4a") { $0.codec = .alac } }
        #expect(
            error?.code == .unsupportedChannelLayout(found: layout, supported: ChannelLayout([.left, .right, .center, .backCenter])))
        #expect(
            try folder.convert("a.wav", "a.m4a") {
                $0.codec = .alac
                $0.channelCount = 2
            }.channelCount == 2)
    }

    @Test("An empty file converts to an empty file", arguments: AudioFileFormat.pcmFormats.filter { $0 != .raw })
    func empty(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        try folder.writePCM([], to: "a.wav", PCMOutputFormat(.wav, encoding: .int16, sampleRate: 8000, channelCount: 1))
        #expect(try folder.convert("a.wav", "b.\(file.fileExtension)").frameCount == 0)
        #expect(try folder.readPCM("b.\(file.fileExtension)").bytes.isEmpty)
    }

    @Test("A range is exact whether or not the file is seekable", arguments: ["a.wav", "a.flac", "a.m4a"])
    func range(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeChord("a.wav", frameCount: 40_000)
        if name != "a.wav" { try folder.convert("a.wav", name) }
        try folder.convert(name, "all.wav") { $0.encoding = .int24 }
        let range: Range<Duration> = .milliseconds(300)..<Duration.milliseconds(500)
        let summary = try folder.convert(name, "part.wav") {
            $0.encoding = .int24
            $0.range = range
        }
        #expect(summary.frameCount == 8820)
        let all = try folder.readPCM("all.wav").bytes
        #expect(try folder.readPCM("part.wav").bytes == Array(all[6 * 13_230..<6 * 22_050]))
        #expect(throws: AudioFileError.self) {
            try folder.convert(name, "none.wav") { $0.range = .seconds(2)..<Duration.seconds(3) }
        }
        #expect(try !folder.contents.contains("none.wav"))
    }
}
