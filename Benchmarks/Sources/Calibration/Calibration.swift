// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioMeasures
import AudioPrimitives
import TransformEncoding

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Fits the constants of rate control to the encoder's psychoacoustic model.
///
///     Calibration EFFORT CLIP...
///
/// The constants are the noise scale at which typical music needs a bit rate, the ratio of bits to perceptual entropy, and the bit rates of
/// `-q`. Scripts/Measure/calibrate runs it.
@main
enum Calibration {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 1,
            let effort = AACEncoderConfiguration.Effort.allCases.first(where: { "\($0)" == arguments[0] })
        else {
            print("usage: Calibration fast|balanced|best CLIP...")
            exit(2)
        }
        let clips = try arguments.dropFirst().map { try Clip(AudioSignal(path: $0), effort: effort) }
        try printNoiseScales(clips)
        try printBitsPerEntropy(clips)
        try printQualities(clips)
    }

    /// Prints `RateTuning.initialLog2NoiseScale`, and the spread of clips around it.
    private static func printNoiseScales(_ clips: [Clip]) throws {
        print("kbit/s per channel  log2 of the noise scale: now  fitted  spread of clips")
        var fitted: [Float] = []
        for rate in RateTuning.noiseScaleRates {
            let scales = try clips.map { try $0.log2NoiseScale(bitRatePerChannel: Int(rate)) }
            let tuning = RateTuning(
                bitRate: 2 * Int(rate), sampleRate: 48_000, channelCount: 2, profile: .lowComplexity, hasSBR: false)
            let mean = scales.reduce(0, +) / Float(scales.count)
            let spread = (scales.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Float(scales.count)).squareRoot()
            fitted.append(mean)
            print(text(rate / 1000, 18), text(tuning.initialLog2NoiseScale, 28), text(mean, 7), text(spread, 16))
        }
        print("RateTuning.log2NoiseScales: [\(fitted.map { text($0, 0) }.joined(separator: ", "))]\n")
    }

    /// Prints `RateController.log2BitsPerEntropy`.
    private static func printBitsPerEntropy(_ clips: [Clip]) throws {
        print("kbit/s per channel  log2 of bits per entropy")
        var sum: Float = 0
        let rates = [32_000, 48_000, 64_000, 96_000]
        for rate in rates {
            let mean = try clips.map { try $0.log2BitsPerEntropy(bitRatePerChannel: rate) }.reduce(0, +) / Float(clips.count)
            sum += mean
            print(text(Float(rate) / 1000, 18), text(mean, 25))
        }
        print("RateController.log2BitsPerEntropy: \(text(sum / Float(rates.count), 0))\n")
    }

    /// Prints the bit rates of `-q`, and the line through their logarithms.
    private static func printQualities(_ clips: [Clip]) throws {
        print("quality  kbit/s of stereo at 44.1 kHz: now  measured")
        var points: [(quality: Double, log2Rate: Double)] = []
        for quality in stride(from: 0.0, through: 100, by: 10) {
            let rates = try clips.map { try $0.stereoBitRate(quality: quality) }
            let mean = rates.reduce(0, +) / Double(rates.count)
            points.append((quality, log2(mean)))
            let typical = EncoderSetup.typicalBitRate(.variable(quality: quality), sampleRate: 44_100, channelCount: 2)
            print(text(Float(quality), 7), text(Float(typical) / 1000, 35), text(Float(mean / 1000), 9))
        }
        let count = Double(points.count)
        let middle = points.map(\.quality).reduce(0, +) / count
        let height = points.map(\.log2Rate).reduce(0, +) / count
        let slope =
            points.map { ($0.quality - middle) * ($0.log2Rate - height) }.reduce(0, +)
            / points.map { ($0.quality - middle) * ($0.quality - middle) }.reduce(0, +)
        print("twice the bit rate for \(text(Float(1 / slope), 0)) of quality, \(Int(exp2(height - slope * middle))) bit/s at 0")
    }

    /// Returns a number with two decimals, at least `width` characters long.
    private static func text(_ value: Float, _ width: Int) -> String {
        let hundredths = Int((value.magnitude * 100).rounded())
        let digits = "\(value < 0 ? "-" : "")\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
        return String(repeating: " ", count: max(0, width - digits.count)) + digits
    }
}

/// A clip, and how the encoder codes it.
private struct Clip {
    let signal: AudioSignal
    let effort: AACEncoderConfiguration.Effort

    init(_ signal: AudioSignal, effort: AACEncoderConfiguration.Effort) {
        self.signal = signal
        self.effort = effort
    }

    /// Returns the noise scale at which the clip has a bit rate, by the secant method.
    ///
    /// - Parameter bitRatePerChannel: Bits per second, scaled to a sample rate of 48 kHz.
    func log2NoiseScale(bitRatePerChannel: Int) throws -> Float {
        let bitRate = bitRatePerChannel * signal.channels.count * signal.sampleRate / 48_000
        let encoder = try encoder(.average(bitRate: bitRate))
        var scale = encoder.typicalLog2NoiseScale
        var last: (scale: Float, error: Float)?
        for _ in 0..<6 {
            encoder.setFixedNoiseScale(log2: scale)
            let error = log2f(Float(try self.bitRate(encoder) / Double(bitRate)))
            encoder.reset()
            guard error.magnitude > 0.002 else { break }
            let slope = last.map { (error - $0.error) / (scale - $0.scale) } ?? -0.3
            last = (scale, error)
            // Bits fall by 0.1 to 0.6 octaves per octave of noise.
            scale -= error / min(max(slope, -0.6), -0.1)
        }
        return scale
    }

    /// Returns the mean of the base-2 logarithm of the ratio of bits to entropy at a constant bit rate, without the first second.
    func log2BitsPerEntropy(bitRatePerChannel: Int) throws -> Float {
        let encoder = try encoder(.constant(bitRate: bitRatePerChannel * signal.channels.count * signal.sampleRate / 48_000))
        var sum: (total: Float, count: Float) = (0, 0)
        let length = encoder.framesPerPacket
        for start in stride(from: 0, to: signal.frameCount - length + 1, by: length) {
            let block = signal.channels.map { Array($0[start..<start + length]) }
            _ = try encoder.encode(PCMBuffer(channels: block, sampleRate: signal.sampleRate))
            guard start > signal.sampleRate, let checkpoint = encoder.checkpoint else { continue }
            sum = (sum.total + checkpoint.log2BitsPerEntropy, sum.count + 1)
        }
        return sum.total / max(sum.count, 1)
    }

    /// Returns the bit rate at a constant quality, scaled to stereo at 44.1 kHz.
    func stereoBitRate(quality: Double) throws -> Double {
        try bitRate(encoder(.variable(quality: quality))) * 2 * 44_100 / Double(signal.channels.count * signal.sampleRate)
    }

    private func encoder(_ control: AACEncoderConfiguration.RateControl) throws -> AACEncoder {
        var configuration = AACEncoderConfiguration(
            sampleRate: signal.sampleRate, channelCount: signal.channels.count, rateControl: control, effort: effort)
        configuration.profile = .lowComplexity
        return try AACEncoder(configuration)
    }

    /// Encodes the clip, and returns its bit rate without headers, in bits per second.
    private func bitRate(_ encoder: AACEncoder) throws -> Double {
        var byteCount = try encoder.encode(PCMBuffer(channels: signal.channels, sampleRate: signal.sampleRate)).reduce(0) {
            $0 + $1.payload.count
        }
        byteCount += encoder.finish().accessUnits.reduce(0) { $0 + $1.payload.count }
        return Double(8 * byteCount) * Double(signal.sampleRate) / Double(signal.frameCount)
    }
}
