// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Complete files of Apple Lossless and iLBC.
@Suite struct LosslessAndSpeechTests {
    /// Decodes a file to one array per channel.
    private func decode(_ path: String, _ configuration: FileDecoderConfiguration = FileDecoderConfiguration()) throws -> [[Float]] {
        let decoder = try FileDecoder(path: path, configuration: configuration)
        var channels: [[Float]] = []
        while let buffer = try decoder.next() {
            if channels.isEmpty { channels = [[Float]](repeating: [], count: buffer.channelCount) }
            for channel in channels.indices { channels[channel] += buffer.channel(channel) }
        }
        #expect(decoder.statistics.damagedUnitCount == 0)
        return channels
    }

    @Test(
        "Apple Lossless matches FFmpeg's samples and channel order in any container",
        arguments: selectedCases([1, 2, 6], ["m4a", "caf", "mov"]))
    func alac(channelCount: Int, name: String) throws {
        let folder = try TemporaryFolder()
        let sources = (0..<channelCount).map { "sin(2*PI*\(200 + 90 * $0)*t)/3+(random(\($0))-0.5)/9" }.joined(separator: "|")
        let make =
            "ffmpeg -v error -f lavfi -i \"aevalsrc='\(sources)':s=44100:d=0.7\" -ac \(channelCount) -c:a alac a.\(name) && "
            + "ffmpeg -v error -i a.\(name) -f f32le a.pcm"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let found = try decode(folder.path("a.\(name)"))
        #expect(found.count == channelCount && found[0].count == 30_870)
        let theirs = [Float](littleEndian: try bytes(ofFile: folder.path("a.pcm")))
        for (channel, samples) in found.enumerated() {
            let isSame = samples == samples.indices.map { theirs[$0 * channelCount + channel] }
            #expect(isSame, "channel \(channel)")
        }
        var range = FileDecoderConfiguration()
        range.range = .milliseconds(200)..<Duration.milliseconds(400)
        let part = try decode(folder.path("a.\(name)"), range)
        let isPart = part[0] == Array(found[0][8820..<17_640])
        #expect(isPart)
    }

    @Test("A damaged Apple Lossless packet is silenced and reported, and affects no other")
    func damage() throws {
        let folder = try TemporaryFolder()
        let make = "ffmpeg -v error -f lavfi -i anoisesrc=d=0.7:r=44100:a=0.1:seed=1 -ac 1 -c:a alac a.caf"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        var file = try bytes(ofFile: folder.path("a.caf"))
        let whole = try decode(folder.path("a.caf"))[0]
        let second = Array(try CAFReader(MemorySource(file)))[1]
        file[second.byteRange.lowerBound] = 0x40
        let decoder = try FileDecoder(path: try folder.write(file, to: "b.caf"))
        var samples: [Float] = []
        while let buffer = try decoder.next() { samples += buffer.channel(0) }
        #expect(decoder.statistics.damagedUnitCount == 1 && samples.count == whole.count)
        let isKept = samples[..<4096] == whole[..<4096] && samples[8192...] == whole[8192...]
        #expect(isKept && samples[4096..<8192].allSatisfy { $0 == 0 })
    }

    @Test func `32-bit Apple Lossless keeps all bits, reports damage, and decodes in part`() throws {
        var random = SeededRandom(seed: 8)
        let frames = (0..<1500).map { _ in [Int32.random(in: .min ... .max, using: &random)] }
        let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: 1, bitDepth: 32, frameLength: 500)
        var writer = try CAFWriter(to: MemorySink(), .alac(configuration))
        for (index, first) in [0, 500, 1000].enumerated() {
            let packet = losslessPacket(Array(frames[first..<first + 500]), bitDepth: 32)
            let time = MediaTime(value: Int64(first), timescale: 48_000)
            try writer.append(AccessUnit(payload: index == 1 ? Array(packet.prefix(9)) : packet, presentationTime: time, duration: 500))
        }
        try writer.finish(GaplessInfo(primingFrames: 0, validFrames: 1500, remainderFrames: 0))
        let folder = try TemporaryFolder()
        let path = try folder.write(writer.sink.bytes, to: "a.caf")
        let file = try AudioFile(path: path)
        var bytes: [UInt8] = []
        try file.read(2000, into: &bytes)
        let expected = frames.enumerated().flatMap { index, frame in (500..<1000).contains(index) ? [0] : frame }
        #expect(
            file.encoding == .int32 && bytes == expected.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
        #expect(file.statistics.damagedUnitCount == 1)
        var decoding = FileDecoderConfiguration()
        decoding.range = .milliseconds(25) ..< .milliseconds(30)
        let part = try AudioFile(path: path, decoding: decoding)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 2000)
        try part.read(into: &buffer)
        let samples = frames[1200..<1440].map { Float($0[0]) / 0x1p31 }
        #expect(buffer.channels == [samples])
    }

    @Test func `A missing fragment of 32-bit Apple Lossless is silent, and the following one keeps its time`() throws {
        var random = SeededRandom(seed: 9)
        let frames = (0..<4000).map { _ in [Int32.random(in: .min ... .max, using: &random)] }
        let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: 1, bitDepth: 32, frameLength: 500)
        let options = MP4WriterOptions(layout: .fragmented(unitsPerFragment: 2, priming: 0))
        var writer = try MP4Writer(to: MemorySink(), .alac(configuration), options: options)
        for first in stride(from: 0, to: 4000, by: 500) {
            let packet = losslessPacket(Array(frames[first..<first + 500]), bitDepth: 32)
            let time = MediaTime(value: Int64(first), timescale: 48_000)
            try writer.append(AccessUnit(payload: packet, presentationTime: time, duration: 500))
        }
        try writer.finish(nil)
        let whole = writer.sink.bytes
        // The type of a box follows its size.
        let fragments = whole.indices.filter { whole[$0...].starts(with: "moof".utf8) }.map { $0 - 4 }
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(whole[..<fragments[1]] + whole[fragments[2]...]), to: "a.m4a")
        let file = try AudioFile(path: path)
        var bytes: [UInt8] = []
        try file.read(5000, into: &bytes)
        let expected = frames.enumerated().flatMap { index, frame in (1000..<2000).contains(index) ? [0] : frame }
        #expect(
            file.encoding == .int32 && bytes == expected.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
        #expect(file.statistics.concealedUnitCount == 2)
        let counts = file.statistics
        #expect(counts.frameCount == 4000)
        // The damage is not counted twice.
        try file.seek(toFrame: 0)
        var again: [UInt8] = []
        try file.read(5000, into: &again)
        #expect(again == bytes && file.statistics == counts)
    }

    @Test("iLBC decodes identically from its storage format and CAF, which convert to each other", arguments: ILBCMode.allCases)
    func ilbc(mode: ILBCMode) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 5)
        var writer = ILBCWriter(to: MemorySink(), mode)
        for index in 0..<20 {
            let frame = (0..<mode.bytesPerFrame).map { _ in UInt8.random(in: 0...255, using: &random) }
            let time = MediaTime(value: Int64(index * mode.samplesPerFrame), timescale: 8000)
            try writer.append(AccessUnit(payload: frame, presentationTime: time, duration: mode.samplesPerFrame))
        }
        try writer.finish()
        let stored = try folder.write(writer.sink.bytes, to: "a.lbc")
        _ = try FileRemuxer(input: stored, output: folder.path("b.caf")).run()
        _ = try FileRemuxer(input: folder.path("b.caf"), output: folder.path("c.lbc")).run()
        #expect(try bytes(ofFile: folder.path("c.lbc")) == writer.sink.bytes)
        let samples = try decode(stored)
        #expect(samples.count == 1 && samples[0].count == 20 * mode.samplesPerFrame)
        let isSame = try decode(folder.path("b.caf")) == samples
        #expect(isSame)
    }

    @Test(
        "Encoding MP3, Vorbis and Apple Lossless keeps the length",
        arguments: ["lame --quiet a.wav", "oggenc -Q -o a.ogg a.wav", "ffmpeg -v error -i a.wav -c:a alac a.m4a"])
    func encoding(command: String) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell("ffmpeg -v error -f lavfi -i sine=d=0.5:r=44100 a.wav && \(command)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let name = try #require(folder.contents.first { $0 != "a.wav" })
        try FileEncoder(input: folder.path(name), output: folder.path("b.caf")).run()
        #expect(try decode(folder.path("b.caf"))[0].count == 22_050)
    }
}
