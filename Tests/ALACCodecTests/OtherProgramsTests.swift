// SPDX-License-Identifier: Apache-2.0

import ALACCodec
import AudioPrimitives
import TestSupport
import Testing

@Suite struct OtherProgramsTests {
    /// FFmpeg's names of the layouts for each channel count.
    private static let layouts = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "6.1(back)", "7.1(wide)"]

    /// Returns a signal with partials, noise and silence, interleaved and left-aligned in 32 bits.
    private func signal(frameCount: Int, channelCount: Int, bitDepth: Int, hasNoise: Bool = true, seed: UInt64) -> [Int32] {
        var random = SeededRandom(seed: seed)
        let unused = 32 - bitDepth
        return (0..<frameCount * channelCount).map { index in
            let (frame, channel) = index.quotientAndRemainder(dividingBy: channelCount)
            // A triangle wave of rising pitch with some noise, silence in the third quarter, and full-scale noise at the end.
            let part = frame * 8 / frameCount
            guard part != 4 && part != 5 else { return 0 }
            if part == 7 && hasNoise {
                return (Int32.random(in: .min ... .max, using: &random) >> Int32(unused)) << Int32(unused)
            }
            let phase = (frame * (channel + 3) * (1 + frame / 2000)) % 400
            let triangle = (phase < 200 ? phase : 400 - phase) * 9_000_000 - 900_000_000
            return (Int32(triangle + Int.random(in: -2_000_000...2_000_000, using: &random)) >> Int32(unused)) << Int32(unused)
        }
    }

    /// Returns all samples of a file, interleaved and left-aligned in 32 bits.
    private func decode(_ file: CAFFile) throws -> [Int32] {
        let decoder = try ALACDecoder(file.configuration)
        var samples = ALACSamples()
        var result: [Int32] = []
        for packet in file.packets {
            try decoder.decode(packet.span, into: &samples)
            for frame in 0..<samples.frameCount {
                for channel in 0..<samples.channelCount {
                    result.append(samples.samples[samples.range(ofChannel: channel).lowerBound + frame] << Int32(32 - samples.bitDepth))
                }
            }
        }
        return result
    }

    /// Returns 32-bit samples as little-endian bytes.
    private func littleEndian(_ samples: [Int32]) -> [UInt8] {
        samples.flatMap { sample in (0..<4).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) } }
    }

    /// Returns a WAV file with 32-bit samples.
    private func wave(_ samples: [Int32], channelCount: Int) -> [UInt8] {
        /// Returns a little-endian number.
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let data = littleEndian(samples)
        let format = number(1, 2) + number(channelCount, 2) + number(44100, 4) + number(176_400 * channelCount, 4)
        let header = Array("WAVEfmt ".utf8) + number(16, 4) + format + number(4 * channelCount, 2) + number(32, 2)
        let body = header + Array("data".utf8) + number(data.count, 4) + data
        return Array("RIFF".utf8) + number(body.count, 4) + body
    }

    @Test("FFmpeg's files decode losslessly", arguments: [1, 2, 3, 4, 5, 6, 7, 8], [16, 24])
    func ffmpegEncoder(channelCount: Int, bitDepth: Int) throws {
        let program = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let samples = signal(frameCount: 12_345, channelCount: channelCount, bitDepth: bitDepth, seed: 1)
        let run = try ProgramRun(
            program,
            [
                "-v", "error", "-f", "s32le", "-ar", "44100", "-ac", "\(channelCount)", "-channel_layout", Self.layouts[channelCount - 1],
                "-i",
                "-",
                "-c:a", "alac", "-sample_fmt", bitDepth == 16 ? "s16p" : "s32p", "-min_prediction_order", "1", "-max_prediction_order",
                "30",
                folder.path("a.caf"),
            ], input: littleEndian(samples))
        try #require(run.exitCode == 0, "\(run.errorText)")
        let file = try CAFFile(parsing: try bytes(ofFile: folder.path("a.caf")))
        #expect(file.configuration.bitDepth == bitDepth)
        let decoded = try decode(file)
        // FFmpeg uses WAV order. In Apple Lossless, the first channel is the centre.
        let orders = [
            [0], [0, 1], [2, 0, 1], [2, 0, 1, 3], [2, 0, 1, 3, 4], [2, 0, 1, 4, 5, 3], [2, 0, 1, 4, 5, 6, 3], [2, 6, 7, 0, 1, 4, 5, 3],
        ]
        let order = orders[channelCount - 1]
        let isSame = decoded == samples.indices.map { samples[$0 / channelCount * channelCount + order[$0 % channelCount]] }
        #expect(isSame)
    }

    @Test(
        "libsndfile's files decode losslessly", arguments: [1, 2, 6], [16, 20, 24, 32])
    func libsndfileEncoder(channelCount: Int, bitDepth: Int) throws {
        let folder = try TemporaryFolder()
        // libsndfile 1.2.0 cannot read its own incompressible pairs, such as noise or few samples at the end, unless they have 16 bits.
        let samples = signal(
            frameCount: channelCount == 1 || bitDepth == 16 ? 12_345 : 12_288, channelCount: channelCount, bitDepth: bitDepth,
            hasNoise: channelCount == 1 || bitDepth == 16, seed: 2)
        _ = try folder.write(wave(samples, channelCount: channelCount), to: "a.wav")
        let run = try ProgramRun.encodeAppleLossless("a.wav", to: "a.caf", bitDepth: bitDepth, in: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)\(run.text)")
        let file = try CAFFile(parsing: try bytes(ofFile: folder.path("a.caf")))
        #expect(file.configuration.bitDepth == bitDepth && file.configuration.channelCount == channelCount)
        let isSame = try decode(file) == samples
        #expect(isSame)
    }

    @Test("FFmpeg decodes the model's packets losslessly", arguments: (0..<12 as Range<UInt64>).selectedCases)
    func ffmpegDecoder(seed: UInt64) throws {
        let program = try ProgramRun.require("ffmpeg")
        var random = SeededRandom(seed: seed)
        let configuration = ALACConfiguration(
            sampleRate: 44100, channelCount: 1 + Int(seed % 2), bitDepth: seed % 4 < 2 ? 16 : 24, frameLength: 600)
        var packets: [[UInt8]] = []
        var expected: [Int32] = []
        for _ in 0..<10 {
            var model = PacketModel(configuration)
            let element = RandomPackets.element(
                kind: configuration.channelCount - 1, bitDepth: configuration.bitDepth, isUsual: true, random: &random)
            let samples = (0..<configuration.channelCount).map { _ in
                RandomPackets.signal(count: 600, bitDepth: configuration.bitDepth, random: &random)
            }
            model.write(element, samples)
            packets.append(model.finished())
            for frame in 0..<600 { for channel in samples { expected.append(Int32(channel[frame] << (32 - configuration.bitDepth))) } }
        }
        let folder = try TemporaryFolder()
        let file = CAFFile(configuration, packets: packets, remainderFrames: 0)
        let isOurs = try decode(file) == expected
        #expect(isOurs, "seed \(seed)")
        let path = try folder.write(file.bytes, to: "a.caf")
        let run = try ProgramRun(program, ["-v", "error", "-i", path, "-f", "s32le", "-"])
        let isTheirs = run.output == littleEndian(expected)
        #expect(isTheirs, "seed \(seed): \(run.errorText)")
    }

    @Test("FFmpeg decodes pairs of almost equal channels losslessly")
    func almostEqualChannels() throws {
        let program = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 6)
        let noise = (0..<10 * 4096).map { _ in Int.random(in: -9000...9000, using: &random) }
        let channels = (0..<2).map { _ in noise.map { $0 + Int.random(in: -1...1, using: &random) } }
        let configuration = ALACConfiguration(sampleRate: 44_100, channelCount: 2, bitDepth: 16)
        let packets = try ALACEncoderTests.encode(channels, configuration).accessUnits.map(\.payload)
        let path = try folder.write(CAFFile(configuration, packets: packets, remainderFrames: 0).bytes, to: "a.caf")
        let run = try ProgramRun(program, ["-v", "error", "-i", path, "-f", "s32le", "-"])
        let isSame = run.output == littleEndian(noise.indices.flatMap { index in channels.map { Int32($0[index]) << 16 } })
        #expect(isSame, "\(run.errorText)")
    }

    @Test("FFmpeg decodes noise of 32 bits losslessly", arguments: [1, 2, 6])
    func longNoise(channelCount: Int) throws {
        let program = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 7)
        let channels = (0..<channelCount).map { _ in (0..<5000).map { _ in Int(Int32.random(in: .min ... .max, using: &random)) } }
        let configuration = ALACConfiguration(sampleRate: 44_100, channelCount: channelCount, bitDepth: 32)
        let packets = try ALACEncoderTests.encode(channels, configuration).accessUnits.map(\.payload)
        let file = CAFFile(configuration, packets: packets, remainderFrames: 2 * 4096 - 5000)
        let path = try folder.write(file.bytes, to: "a.caf")
        let run = try ProgramRun(program, ["-v", "error", "-i", path, "-f", "s32le", "-"])
        let isSame = run.output == littleEndian((0..<5000).flatMap { index in channels.map { Int32($0[index]) } })
        #expect(isSame, "\(run.errorText)")
    }

    @Test("FFmpeg decodes our packets losslessly, and its own are not 1 % smaller", arguments: [1, 2, 3, 4, 5, 6, 7, 8], [16, 24])
    func encoder(channelCount: Int, bitDepth: Int) throws {
        let program = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let frameCount = 6000
        let samples = signal(frameCount: frameCount, channelCount: channelCount, bitDepth: bitDepth, seed: 3)
        // FFmpeg has back instead of side channels.
        let orders = [7: [0, 1, 2, 3, 6, 4, 5], 8: [0, 1, 2, 3, 6, 7, 4, 5]]
        let channels = (orders[channelCount] ?? Array(0..<channelCount)).map { channel in
            (0..<frameCount).map { Int(samples[$0 * channelCount + channel] >> Int32(32 - bitDepth)) }
        }
        let configuration = ALACConfiguration(sampleRate: 44_100, channelCount: channelCount, bitDepth: bitDepth)
        let packets = try ALACEncoderTests.encode(channels, configuration).accessUnits.map(\.payload)
        let file = CAFFile(configuration, packets: packets, remainderFrames: packets.count * 4096 - frameCount)
        let path = try folder.write(file.bytes, to: "a.caf")
        let run = try ProgramRun(program, ["-v", "error", "-i", path, "-f", "s32le", "-"])
        let isSame = run.output == littleEndian(samples)
        #expect(isSame, "\(run.errorText)")
        let format = ["-f", "s32le", "-ar", "44100", "-ac", "\(channelCount)", "-channel_layout", Self.layouts[channelCount - 1]]
        let theirs = try ProgramRun(
            program,
            ["-v", "error"] + format + ["-i", "-", "-c:a", "alac", "-sample_fmt", bitDepth == 16 ? "s16p" : "s32p", folder.path("b.caf")],
            input: littleEndian(samples))
        #expect(theirs.exitCode == 0, "\(theirs.errorText)")
        let size = try CAFFile(parsing: try bytes(ofFile: folder.path("b.caf"))).packets.reduce(0) { $0 + $1.count }
        #expect(Double(packets.reduce(0) { $0 + $1.count }) < 1.01 * Double(size))
    }
}
