// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import Foundation
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing

@Suite struct FileDecoderTests {
    /// At most two seconds of a chord with a slow crescendo, stereo at 22 050 Hz, and its encoded form.
    private struct Coded {
        var sound: PCMBuffer
        var accessUnits: [AccessUnit] = []
        var gapless: GaplessInfo
        var encoder: AACEncoder

        init(frameCount: Int) throws {
            sound = PCMBuffer(sampleRate: 22_050, channelCount: 2, frameCapacity: frameCount)
            for channel in 0..<2 {
                let start = sound.range(ofChannel: channel).lowerBound
                for frame in 0..<frameCount {
                    let time = Double(frame) / 22_050
                    let level = 0.2 + 0.1 * sin(time * 7)
                    sound.samples[start + frame] = Float(level * (sin(time * 2700 + Double(channel)) + sin(time * 9000 * (1 + time))))
                }
            }
            encoder = try AACEncoder(
                AACEncoderConfiguration(sampleRate: 22_050, channelCount: 2, rateControl: .constant(bitRate: 96_000), effort: .fast))
            var accessUnits: [AccessUnit] = []
            try encoder.encode(sound) { accessUnits.append($0) }
            gapless = encoder.finish { accessUnits.append($0) }
            self.accessUnits = accessUnits
        }

        func write(_ writer: some ContainerWriter<MemorySink>, to path: String, gapless: GaplessInfo?) throws {
            var writer = writer
            for accessUnit in accessUnits { try writer.append(accessUnit) }
            try writer.finish(gapless)
            try Data(writer.sink.bytes).write(to: URL(fileURLWithPath: path))
        }
    }

    private func decodeAll(_ decoder: FileDecoder) throws -> [[Float]] {
        var channels: [[Float]] = [[], []]
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        while try decoder.read(into: &buffer) {
            #expect(buffer.frameCount > 0)
            for channel in 0..<2 { channels[channel] += buffer.channel(channel) }
        }
        return channels
    }

    /// Returns the ratio of error energy to signal energy.
    private func difference(_ decoded: [Float], _ original: [Float]) -> Float {
        zip(decoded, original).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / original.reduce(0) { $0 + $1 * $1 }
    }

    @Test(arguments: [true, false]) func concealsTenSecondsOfLargeDamageAndCountsTheRemainderAsGap(isADTS: Bool) throws {
        let coded = try Coded(frameCount: 20_000)
        var bytes: [UInt8] = []
        for isEnd in [false, true] {
            let half = isEnd ? coded.accessUnits.dropFirst(8) : coded.accessUnits.prefix(8)
            if isADTS {
                var writer = try ADTSWriter(to: MemorySink(), coded.encoder.audioSpecificConfig)
                for accessUnit in half { try writer.append(accessUnit) }
                bytes += writer.sink.bytes
            } else {
                var writer = try LOASWriter(to: MemorySink(), coded.encoder.audioSpecificConfig)
                for accessUnit in half { try writer.append(accessUnit) }
                bytes += writer.sink.bytes
            }
            if !isEnd { bytes += [UInt8](repeating: 0, count: 400_000) }
        }
        let decoder = try FileDecoder(bytes: bytes)
        let frameCount = try decodeAll(decoder)[0].count
        let concealed = decoder.statistics.concealedUnitCount
        #expect(concealed == 10 * 22_050 / 1024)
        // The access unit before the damage may also be lost.
        #expect(decoder.statistics.accessUnitCount >= coded.accessUnits.count - 1)
        #expect(frameCount == (decoder.statistics.accessUnitCount + concealed) * 1024)
        #expect(decoder.statistics.gapCount == 1 && !decoder.statistics.isIntact)
        // About 560 bytes per access unit.
        #expect(decoder.statistics.gapDuration > .seconds(15) && decoder.statistics.gapDuration < .seconds(40))
    }

    @Test(arguments: [1, 1024, 2112, 30_001]) func mp4RoundTripYieldsTheExactSignal(frameCount: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("sound.m4a").path
        let coded = try Coded(frameCount: frameCount)
        try coded.write(MP4Writer(to: MemorySink(), .aac(coded.encoder.audioSpecificConfig)), to: path, gapless: coded.gapless)
        let decoder = try FileDecoder(path: path)
        let channels = try decodeAll(decoder)
        #expect(channels.map(\.count) == [frameCount, frameCount])
        #expect(decoder.statistics.isIntact && decoder.statistics.accessUnitCount == coded.accessUnits.count)
        guard frameCount > 10_000 else { return }
        for channel in 0..<2 {
            // A shift by one sample frame would cause an error ratio of 0.1.
            #expect(difference(channels[channel], coded.sound.channel(channel)) < 0.02)
        }
        var configuration = FileDecoderConfiguration()
        configuration.keepsDelay = true
        #expect(try decodeAll(FileDecoder(path: path, configuration: configuration))[0].count == coded.accessUnits.count * 1024)
    }

    @Test func aRangeMatchesThatPartOfTheWholeFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("sound.m4a").path
        let coded = try Coded(frameCount: 90_000)
        try coded.write(MP4Writer(to: MemorySink(), .aac(coded.encoder.audioSpecificConfig)), to: path, gapless: coded.gapless)
        let whole = try decodeAll(FileDecoder(path: path))
        var configuration = FileDecoderConfiguration()
        configuration.range = .seconds(0.5)..<Duration.seconds(0.8)
        let part = try decodeAll(FileDecoder(path: path, configuration: configuration))
        #expect(part[0] == Array(whole[0][11_025..<17_640]) && part[1] == Array(whole[1][11_025..<17_640]))
        configuration.range = .seconds(1)..<Duration.seconds(Int64.max)
        #expect(try decodeAll(FileDecoder(path: path, configuration: configuration))[0] == Array(whole[0][22_050...]))
        configuration.range = .seconds(3.5)..<Duration.seconds(3.6)
        #expect(try decodeAll(FileDecoder(path: path, configuration: configuration))[0] == Array(whole[0][77_175..<79_380]))
        configuration.range = .seconds(5)..<Duration.seconds(6)
        #expect(try decodeAll(FileDecoder(path: path, configuration: configuration))[0].isEmpty)
    }

    @Test func adtsDecodesEveryAccessUnitAndCountsDamage() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("sound.aac").path
        let coded = try Coded(frameCount: 20_000)
        try coded.write(ADTSWriter(to: MemorySink(), coded.encoder.audioSpecificConfig), to: path, gapless: nil)
        let sound = try FileDecoder(path: path)
        let whole = try decodeAll(sound)
        #expect(whole[0].count == coded.accessUnits.count * 1024)
        #expect(sound.statistics.isIntact)

        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.removeSubrange(bytes.count / 2..<bytes.count / 2 + 100)
        try bytes.write(to: URL(fileURLWithPath: path))
        let damaged = try FileDecoder(path: path)
        let rest = try decodeAll(damaged)
        #expect(!damaged.statistics.isIntact)
        #expect(rest[0].count >= whole[0].count - 2048)
        #expect(rest[0].suffix(4096) == whole[0].suffix(4096))
    }

    @Test("Silence replaces damaged access units at the start, and the others keep their times")
    func damagedStart() throws {
        let folder = try TemporaryFolder()
        var coded = try Coded(frameCount: 100_000)
        let path = folder.path("sound.m4a")
        try coded.write(MP4Writer(to: MemorySink(), .aac(coded.encoder.audioSpecificConfig)), to: path, gapless: coded.gapless)
        let whole = try decodeAll(FileDecoder(path: path))[0]
        // Without channel elements.
        for index in 0..<5 { coded.accessUnits[index].payload = [0xFF, 0xFF] }
        try coded.write(MP4Writer(to: MemorySink(), .aac(coded.encoder.audioSpecificConfig)), to: path, gapless: coded.gapless)
        let decoder = try FileDecoder(path: path)
        let damaged = try decodeAll(decoder)[0]
        #expect(decoder.statistics.damagedUnitCount == 5 && damaged.count == whole.count)
        let first = 5 * 1024 - coded.gapless.primingFrames
        #expect(damaged[..<first].allSatisfy { $0 == 0 } && damaged[(first + 1024)...] == whole[(first + 1024)...])
        #expect(damaged[first..<first + 1024].contains { $0 != 0 })
        var configuration = FileDecoderConfiguration()
        configuration.range = .seconds(4)..<Duration.seconds(4.2)
        let part = try decodeAll(FileDecoder(path: path, configuration: configuration))[0]
        #expect(part == Array(whole[88_200..<92_610]))
    }

    @Test("Blocks after a damaged one in its access unit are concealed", arguments: [0, 10])
    func damagedBlock(accessUnit: Int) throws {
        let folder = try TemporaryFolder()
        let coded = try Coded(frameCount: 60_000)
        var header = ADTSHeader(
            samplingFrequencyIndex: try #require(SamplingFrequencyIndex(hertz: 22_050)), channelConfiguration: 2, frameLength: 0)
        header.rawDataBlockCount = 3
        let unitCount = coded.accessUnits.count / 3
        /// Returns the samples of access units with three blocks each.
        func decoded(damages: Bool) throws -> ([Float], DecodingStatistics) {
            var bytes: [UInt8] = []
            for index in 0..<unitCount {
                var blocks = coded.accessUnits[3 * index..<3 * index + 3].map(\.payload)
                // Without channel elements.
                if damages && index == accessUnit { blocks[1] = [0xFF, 0xFF] }
                header.frameLength = 7 + blocks.reduce(0) { $0 + $1.count }
                header.serialize(into: &bytes)
                bytes += blocks.flatMap { $0 }
            }
            let decoder = try FileDecoder(path: folder.write(bytes, to: "sound.aac"))
            return (try decodeAll(decoder)[0], decoder.statistics)
        }
        let whole = try decoded(damages: false)
        let damaged = try decoded(damages: true)
        #expect(whole.1.isIntact && whole.0.count == 3 * 1024 * unitCount && damaged.0.count == whole.0.count)
        #expect(damaged.1.damagedUnitCount == 1 && damaged.1.concealedUnitCount == 1)
        let next = (3 * accessUnit + 4) * 1024
        #expect(damaged.0[next...] == whole.0[next...])
    }

    @Test("Positions in a part of a file count from its start")
    func seeking() throws {
        let folder = try TemporaryFolder()
        let coded = try Coded(frameCount: 40_000)
        let path = folder.path("sound.m4a")
        try coded.write(MP4Writer(to: MemorySink(), .aac(coded.encoder.audioSpecificConfig)), to: path, gapless: coded.gapless)
        let whole = try decodeAll(FileDecoder(path: path))[0]
        var decoding = FileDecoderConfiguration()
        decoding.range = .seconds(0.5)..<Duration.seconds(1)
        let file = try AudioFile(path: path, decoding: decoding)
        #expect(file.frameCount == 11_025)
        try file.seek(toFrame: 1000)
        var buffer = PCMBuffer(sampleRate: 22_050, channelCount: 2, frameCapacity: 20_000)
        try file.read(into: &buffer)
        #expect(buffer.frameCount == 10_025)
        #expect(zip(buffer.channel(0), whole[12_025..<22_050]).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    @Test func unsupportedFilesThrowWithTheirName() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("sound.aac").path
        try Data("RIFF    WAVEfmt ".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: AudioFileError(.unsupportedInput(format: .wav), path: path)) { try FileDecoder(path: path) }
        try Data(repeating: 0x55, count: 5000).write(to: URL(fileURLWithPath: path))
        let decoder = try FileDecoder(path: path)
        #expect(throws: AudioFileError(.noAccessUnits, path: path)) { try decodeAll(decoder) }
        #expect(throws: AudioFileError(.cannotOpen(systemCode: ENOENT), path: path + ".missing")) {
            try FileDecoder(path: path + ".missing")
        }
    }

    @Test("A stream of unsupported frames names the feature")
    func unsupportedStream() throws {
        // LOAS frames with a new StreamMuxConfig of version 0, with one access unit and two programs.
        let frame: [UInt8] = [0x56, 0xE0, 18, 0b0010_0000, 0b0000_1000] + [UInt8](repeating: 0, count: 16)
        let bytes = (0..<20).flatMap { _ in frame }
        let problem = ContainerError.unsupportedMultiplex(.severalStreams(programs: 2, layers: 1))
        let expected = AudioFileError(.unsupportedStream, path: "memory", underlying: problem)
        #expect(throws: expected) { try AudioFile(bytes: bytes) }
        #expect(throws: expected) { try ProbeSummary(bytes: bytes) }
        let reader = try AccessUnitReader(bytes: bytes)
        #expect(throws: expected) { while try reader.next() != nil {} }
        // An object type that is not supported is no damage.
        #expect(AudioFileError(reading: "memory", ContainerError.codec(.unsupportedObjectType(22))).code == .unsupportedStream)
    }
}
