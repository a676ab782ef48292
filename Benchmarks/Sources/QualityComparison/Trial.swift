// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMeasures
import AudioPrimitives
import Foundation

/// One clip at one bit rate with one encoder.
struct Trial: Sendable {
    let clip: String
    let encoder: String
    /// The requested bit rate, in kbit/s.
    let target: Int
    /// The actual bit rate without headers, in kbit/s.
    let payloadRate: Double
    /// The duration, in seconds.
    let seconds: Double
    /// The fraction of frames with short windows in the first channel.
    let shortFraction: Double
    /// Results by name; NaN for missing ones.
    let figures: [(name: String, value: Double)]

    private static let tolerance = 0.02

    /// Encodes a clip with all encoders.
    ///
    /// If `isMatched`, adjusts the others to the first encoder's payload rate.
    static func all(
        clip: String, kilobits: Int, encoders: [CommandTemplate], metrics: [CommandTemplate], isMatched: Bool
    ) throws -> [Trial] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quality-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let reference = try AudioSignal(path: clip)
        var trials: [Trial] = []
        for encoder in encoders {
            let output = folder + "/\(encoder.name).aac"
            var coded = try encode(encoder, clip, output, bitRate: kilobits * 1000, seconds: reference.duration / .seconds(1))
            if let first = trials.first, isMatched {
                coded = try match(first.payloadRate, from: coded, request: kilobits * 1000) {
                    try encode(encoder, clip, output, bitRate: $0, seconds: reference.duration / .seconds(1))
                }
            }
            let comparison = try SignalComparison(
                reference: reference, test: try AudioSignal(path: output, sampleRate: reference.sampleRate))
            var figures = Self.figures(comparison)
            for metric in metrics {
                figures.append((metric.name, try measure(metric, reference, output, comparison, folder)))
            }
            let name = URL(fileURLWithPath: clip).deletingPathExtension().lastPathComponent
            trials.append(
                Trial(
                    clip: name, encoder: encoder.name, target: kilobits, payloadRate: coded.rate, seconds: reference.duration / .seconds(1),
                    shortFraction: coded.shortFraction, figures: figures))
        }
        return trials
    }

    private static func encode(
        _ encoder: CommandTemplate, _ clip: String, _ output: String, bitRate: Int, seconds: Double
    ) throws -> (rate: Double, shortFraction: Double) {
        try run(encoder.filled(["in": clip, "out": output, "bitrate": String(bitRate)]))
        var windows = WindowCount()
        var byteCount = 0
        let reader = try AccessUnitReader(path: output)
        while let event = try reader.next() {
            guard case .accessUnit(let demuxed) = event else { continue }
            windows.add(demuxed.accessUnit.payload)
            byteCount += demuxed.accessUnit.payload.count
        }
        return (Double(byteCount) * 0.008 / seconds, windows.shortFraction)
    }

    /// Requests other bit rates until the result is close enough, up to five times.
    private static func match(
        _ goal: Double, from first: (rate: Double, shortFraction: Double), request: Int,
        _ encode: (Int) throws -> (rate: Double, shortFraction: Double)
    ) throws -> (rate: Double, shortFraction: Double) {
        var (coded, asked) = (first, request)
        for _ in 0..<5 where abs(coded.rate / goal - 1) > tolerance {
            let next = max(8000, min(576_000, Int(Double(asked) * goal / max(1, coded.rate))))
            guard next != asked else { break }
            asked = next
            coded = try encode(asked)
        }
        return coded
    }

    private static func figures(_ comparison: SignalComparison) -> [(name: String, value: Double)] {
        let noise = comparison.noiseToMaskRatio
        let bands = noise.maps.filter { $0.signal != .side }.compactMap { noise.bandMeans($0)?.max() }
        let image = comparison.stereoImage?.total
        return [
            ("NMR", noise.total?.mean ?? .nan), ("95 %", noise.total?.percentile95 ?? .nan), ("worst band", bands.max() ?? .nan),
            ("SNR", comparison.level.signalToNoise), ("kHz", comparison.testBandwidth / 1000),
            ("image dB", image?.levelDifference ?? .nan), ("coherence", image?.coherence ?? .nan),
            ("pre-echo", comparison.preEcho.meanToOnset ?? .nan),
        ]
    }

    /// Runs a metric program, which prints a number, on WAVE files of equal length.
    private static func measure(
        _ metric: CommandTemplate, _ reference: AudioSignal, _ path: String, _ comparison: SignalComparison, _ folder: String
    ) throws -> Double {
        let test = try AudioSignal(path: path, sampleRate: reference.sampleRate)
        let range = comparison.alignment.referenceRange
        let files = (folder + "/reference.wav", folder + "/test.wav")
        for (sound, name, shift) in [(reference, files.0, 0), (test, files.1, comparison.alignment.delay)] {
            let part = sound.channels.map { Array($0[range.lowerBound + shift..<range.upperBound + shift]) }
            try WAVEFile(sampleRate: sound.sampleRate, channels: part).write(to: name)
        }
        let output = try run(metric.filled(["reference": files.0, "test": files.1]))
        guard let value = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw QualityError.noNumber(program: metric.words[0], output: String(output.prefix(200)))
        }
        return value
    }
}
