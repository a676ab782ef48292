// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// Files of all profiles preserve the exact length of their input.
@Suite struct HighEfficiencyFileTests {
    /// A profile, its signaling and a container.
    struct Kind: Hashable, Sendable, CustomStringConvertible {
        var profile: AACProfile
        var signaling: AudioSpecificConfig.ExtensionSignaling
        var isCAF = false
        var description: String { "\(profile) \(signaling)\(isCAF ? " in CAF" : "")" }
    }

    static let kinds =
        [AACProfile.highEfficiency, .highEfficiencyV2].flatMap { profile in
            [AudioSpecificConfig.ExtensionSignaling.backwardCompatible, .hierarchical].map { Kind(profile: profile, signaling: $0) }
                + [Kind(profile: profile, signaling: .backwardCompatible, isCAF: true)]
        } + [Kind(profile: .lowComplexity, signaling: .backwardCompatible)]

    /// Returns a file with two identical channels, in memory.
    private static func file(_ signal: [Float], _ kind: Kind) throws -> (bytes: [UInt8], gapless: GaplessInfo) {
        var configuration = AACEncoderConfiguration(sampleRate: 44_100, channelCount: 2, rateControl: .average(bitRate: 48_000))
        configuration.profile = kind.profile
        configuration.signaling = kind.signaling
        let encoder = try AACEncoder(configuration)
        let container = kind.isCAF ? AudioFileFormat.caf : .m4a
        var writer = try container.makeWriter(to: MemorySink(), encoder.audioSpecificConfig)
        try encoder.encode(EncodedStream.buffer([signal, signal], sampleRate: 44_100)) { try writer.append($0) }
        let gapless = try encoder.finish { try writer.append($0) }
        try writer.finish(gapless)
        return (writer.sink.bytes, gapless)
    }

    /// Decodes a file and returns its second channel.
    private static func decode(_ reader: inout some ContainerReader) throws -> (samples: [Float], rate: Int, channelCount: Int) {
        guard case .configuration(.aac(let config)) = try reader.nextEvent() else { throw ContainerError.missingConfiguration }
        let decoder = try AACDecoder(config)
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 0)
        var samples: [Float] = []
        while let event = try reader.nextEvent() {
            guard case .accessUnit(let unit) = event else { continue }
            #expect(decoder.decode(unit.accessUnit.payload.span, into: &buffer).damage == nil)
            samples += buffer.channel(1)
        }
        return (samples, buffer.sampleRate, buffer.channelCount)
    }

    /// Lengths around frame boundaries, also with the encoder delay: 5186 + 958 and 6148 + 2044 fill three and four frames.
    static let lengths = [0, 1, 957, 958, 959, 1_023, 2_043, 2_044, 2_045, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 5_187, 6_000]

    @Test("Length and alignment match the input", arguments: kinds, lengths)
    func length(kind: Kind, length: Int) throws {
        let signal = TestSignal.softNoise(length, seed: 14)
        let (bytes, gapless) = try Self.file(signal, kind)
        #expect(gapless.validFrames == length)
        // A length of 0 is indistinguishable from a missing length.
        let decoded: (samples: [Float], rate: Int, channelCount: Int)
        if kind.isCAF {
            var reader = try CAFReader(MemorySource(bytes))
            #expect(length == 0 || reader.metadata.gaplessInfo == gapless)
            decoded = try Self.decode(&reader)
        } else {
            var reader = try MP4Reader(MemorySource(bytes))
            #expect(length == 0 || reader.metadata.gaplessInfo == gapless)
            decoded = try Self.decode(&reader)
        }
        #expect(decoded.samples.count == gapless.totalFrames && decoded.rate == 44_100 && decoded.channelCount == 2)
        guard length > 2_000 else { return }
        /// Returns the correlation with the input at a delay.
        func correlation(_ delay: Int) -> Float { (0..<length).reduce(0) { $0 + decoded.samples[$1 + delay] * signal[$1] } }
        let first = gapless.primingFrames
        let best = (first - 8...first + 8).filter { $0 + length <= decoded.samples.count }.max { correlation($0) < correlation($1) }
        #expect(best == first)
    }

    @Test(
        "FFmpeg decodes the complete signal, and at most the last access unit's padding",
        arguments: selectedCases(kinds.filter { $0.signaling == .backwardCompatible && !$0.isCAF }, lengths.filter { $0 > 958 }))
    func edits(kind: Kind, length: Int) throws {
        let signal = TestSignal.softNoise(length, seed: 16)
        // FFmpeg 5 drops a signal that ends in the first access unit after the priming, hence these lengths.
        let (bytes, gapless) = try Self.file(signal, kind)
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "signal.m4a")
        try ProgramRun.require("ffmpeg")
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin -i \(path) -f f32le -c:a pcm_f32le -")
        let decoded = ReferenceDecoding(run.output, channelCount: 2, messages: run.errorText)
        #expect(decoded.messages.isEmpty, "\(decoded.messages)")
        #expect((length...length + gapless.remainderFrames).contains(decoded.frameCount), "\(decoded.frameCount)")
        guard length > 2_000, decoded.frameCount >= length else { return }
        /// Returns the correlation with the input at a delay.
        func correlation(_ delay: Int) -> Float {
            (10..<length - 10).reduce(0) { $0 + decoded.channels[0][$1 + delay] * signal[$1] }
        }
        #expect((-8...8).max { correlation($0) < correlation($1) } == 0)
    }

    @Test(
        "FFmpeg detects profile, sample rate, channel count and start", arguments: kinds.filter { !$0.isCAF })
    func ffmpeg(kind: Kind) throws {
        let signal = TestSignal.softNoise(9_000, seed: 15)
        let (bytes, gapless) = try Self.file(signal, kind)
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "signal.m4a")
        for name in ["ffmpeg", "ffprobe"] { try ProgramRun.require(name) }
        let probe = try ProgramRun.shell(
            "ffprobe -v error -show_entries stream=profile,sample_rate,channels -of csv=p=0 \(path)")
        let profile = kind.profile == .lowComplexity ? "LC" : kind.profile == .highEfficiency ? "HE-AAC" : "HE-AACv2"
        #expect(String(decoding: probe.output, as: UTF8.self) == "\(profile),44100,2\n" && probe.errorText.isEmpty)
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin -i \(path) -f f32le -c:a pcm_f32le -")
        #expect(run.errorText.isEmpty, "\(run.errorText)")
        let decoded = ReferenceDecoding(run.output, channelCount: 2, messages: run.errorText)
        // Some versions keep the padding of the last access unit.
        try #require((9_000...9_000 + gapless.remainderFrames).contains(decoded.frameCount))
        /// Returns the correlation with the input at a delay.
        func correlation(_ delay: Int) -> Float {
            (100..<8_900).reduce(0) { $0 + decoded.channels[0][$1 + delay] * signal[$1] }
        }
        #expect((-8...8).max { correlation($0) < correlation($1) } == 0)
    }
}
