// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// The encoder with more bits than it needs, verified with its own reconstruction of the core lines and with FFmpeg.
///
/// `LINNET_RATE_COMBINATIONS` is the number of combinations of signal, format and rates.
@Suite struct HighRateTests {
    /// The number of combinations per test case.
    private static let batch = 50

    private static let count = ProcessInfo.processInfo.environment["LINNET_RATE_COMBINATIONS"].flatMap { Int($0) } ?? 300

    @Test("Quantized values are in range; no frame is worse at a higher rate", arguments: (0..<(count + batch - 1) / batch).selectedCases)
    func frames(batch: Int) throws {
        var decodable: [RateEncoding] = []
        for seed in Self.seeds(batch) {
            let combination = RateCombination(seed: seed)
            let (low, high) = (try RateEncoding(combination, .lower), try RateEncoding(combination, .higher))
            #expect(low.frames.count == high.frames.count && low.frames.count > 8, "\(combination)")
            #expect(low.largest <= 8191 && high.largest <= 8191, "\(combination)")
            let least = 1e-6 * (low.frames.map(\.energy).max() ?? 0)
            let ratios = [low, high].map { $0.frames.map { ($0.energy > least, $0.signalToNoise) } }
            Self.compare(ratios[0], ratios[1], combination)
            if combination.isDecodedByFFmpeg { decodable += [low, high] }
        }
        let decodings = try Self.decodings(decodable)
        for index in stride(from: 0, to: decodable.count, by: 2) {
            let ratios = (0..<2).map { decodable[index + $0].ratios(decodings[index + $0]) }
            Self.compare(ratios[0], ratios[1], decodable[index].combination)
        }
    }

    private static func seeds(_ batch: Int) -> Range<UInt64> {
        UInt64(batch * Self.batch + 1)..<UInt64(min((batch + 1) * Self.batch, count) + 1)
    }

    /// Expects that no audible frame has less than 30 dB at the higher rate if it has 40 dB at the lower rate.
    private static func compare(
        _ low: [(isAudible: Bool, ratio: Double)], _ high: [(isAudible: Bool, ratio: Double)], _ combination: RateCombination
    ) {
        for (frame, (low, high)) in zip(low, high).enumerated() where low.isAudible && high.isAudible && low.ratio > 40 {
            #expect(high.ratio > 30, "\(combination): frame \(frame) has \(low.ratio) dB at the lower rate")
        }
    }

    /// Decodes streams in one FFmpeg process.
    private static func decodings(_ streams: [RateEncoding]) throws -> [ReferenceDecoding] {
        guard !streams.isEmpty else { return [] }
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        var (inputs, outputs) = ("", "")
        for (index, stream) in streams.enumerated() {
            inputs += " -i \(try folder.write(stream.bytes, to: "\(index).m4a"))"
            outputs += " -map \(index) -f f32le -c:a pcm_f32le \(folder.path("\(index).raw"))"
        }
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin\(inputs)\(outputs)")
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        return try streams.indices.map { index in
            ReferenceDecoding(
                try bytes(ofFile: folder.path("\(index).raw")), channelCount: streams[index].combination.channels.count,
                messages: "")
        }
    }
}

/// A stream and its core lines.
struct RateEncoding {
    let combination: RateCombination
    /// The lines of each access unit.
    private(set) var frames: [QuantizedLines] = []
    /// The stream in MP4, whose edit list signals the start of the signal.
    let bytes: [UInt8]
    /// Samples per frame.
    private let frameLength: Int

    init(_ combination: RateCombination, _ rate: RateCombination.Rate) throws {
        self.combination = combination
        let configuration = combination.configuration(rate)
        let encoder = try AACEncoder(configuration)
        var frames: [QuantizedLines] = []
        var accessUnits: [AccessUnit] = []
        /// Stores an access unit and measures its frame.
        func add(_ accessUnit: AccessUnit) {
            accessUnits.append(accessUnit)
            frames.append(QuantizedLines(encoder))
        }
        try encoder.encode(EncodedStream.buffer(combination.channels, sampleRate: configuration.sampleRate), add)
        let gapless = encoder.finish(add)
        var writer = try MP4Writer(to: MemorySink(), .aac(encoder.audioSpecificConfig))
        for accessUnit in accessUnits { try writer.append(accessUnit) }
        try writer.finish(gapless)
        frameLength = configuration.framesPerPacket
        self.frames = frames
        bytes = writer.sink.bytes
    }

    /// The largest magnitude of a quantized line.
    var largest: Int { frames.reduce(0) { max($0, $1.largest) } }

    /// Returns for each frame whether it is above -60 dB, and its signal-to-noise ratio.
    func ratios(_ decoding: ReferenceDecoding) -> [(Bool, Double)] {
        let count = min(combination.channels[0].count, decoding.frameCount)
        return stride(from: 0, through: count - frameLength, by: frameLength).map { start in
            var (power, noise) = (0.0, 0.0)
            for (signal, decoded) in zip(combination.channels, decoding.channels) {
                for index in start..<start + frameLength {
                    let difference = Double(signal[index] - decoded[index])
                    power += Double(signal[index] * signal[index])
                    noise += difference * difference
                }
            }
            return (power > 1e-6 * Double(frameLength * combination.channels.count), 10 * log10(power / max(noise, 1e-30)))
        }
    }
}

extension QuantizedLines {
    /// Measures the last encoded frame.
    init(_ encoder: AACEncoder) {
        self.init()
        for element in encoder.elements {
            add(element.core.first, layout: element.core.layout)
            if element.core.kind == .pair { add(element.core.second, layout: element.core.layout) }
        }
    }

    private mutating func add(_ channel: borrowing ChannelState, layout: borrowing BandLayout) {
        let lines = channel.coder.spectrum.lines.span
        let quantized = channel.coder.stream.quantized.span
        for band in 0..<layout.count {
            let (group, sfb) = band.quotientAndRemainder(dividingBy: layout.bandsPerGroup)
            let index = group * ICSInfo.bandStride + sfb
            let isSent = (1...BandCodebook.escape).contains(channel.coder.stream.codebooks[index])
            add(
                lines, quantized, band: layout.lines(band), scaleFactor: isSent ? Int(channel.coder.stream.scaleFactors[index]) : nil)
        }
    }
}
