// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Noise that is added before samples are rounded to fewer bits.
///
/// It makes the rounding error independent of the signal, which otherwise distorts quiet signals. It is added only if bits are lost.
public enum Dither: String, Hashable, Sendable, CaseIterable {
    /// No noise. Each sample is rounded to nearest, ties to even.
    case none
    /// White noise with a triangular distribution (2 LSB wide), independent in each channel.
    case triangular
    /// Triangular noise, with rounding errors shifted to frequencies where the auditory system is least sensitive.
    case noiseShaped
}

/// Adds dither to a stream's samples before they are rounded to integers.
///
/// The noise depends only on the seed, the channel and the sample frame index, so buffer sizes do not matter.
struct DitherGenerator<Sample: WorkingSample> {
    /// The bit depth of the integers.
    private let bitCount: Int
    /// The coefficients of the error feedback, newest error first.
    ///
    /// Empty without noise shaping.
    private let feedback: [Sample]
    private let keys: [UInt32]
    /// The latest errors of each channel, newest first.
    private var errors: [Sample]
    private var frame: UInt32 = 0

    /// Creates a generator, or returns `nil` without dither.
    init?(_ dither: Dither, bitCount: Int, sampleRate: Int, channelCount: Int, seed: UInt64) {
        guard dither != .none else { return nil }
        self.bitCount = bitCount
        feedback = dither == .noiseShaped ? NoiseShapingFilter.coefficients(sampleRate: sampleRate).map { Sample(double: $0) } : []
        errors = Array(repeating: 0, count: feedback.count * channelCount)
        keys = (0..<channelCount).map { channel in
            let key = seed &+ UInt64(channel + 1) &* 0x9E37_79B9_7F4A_7C15
            return Self.mixed(UInt32(truncatingIfNeeded: key >> 32) ^ Self.mixed(UInt32(truncatingIfNeeded: key)))
        }
    }

    /// Adds noise to the frames of all channels.
    ///
    /// With noise shaping, the results are multiples of the quantization step.
    ///
    /// - Parameter queue: The frames; full scale is ±1.
    mutating func apply(to queue: SampleQueue<Sample>, frameCount: Int) {
        queue.update(frameCount) { channel, plane in
            if feedback.isEmpty { addNoise(to: &plane, key: keys[channel]) } else { shape(&plane, channel: channel) }
        }
        frame = frame &+ UInt32(truncatingIfNeeded: frameCount)
    }

    private func addNoise(to plane: inout MutableSpan<Sample>, key: UInt32) {
        let step = Sample(double: 1 / Double(Int64(1) << Int64(bitCount - 1)))
        for index in plane.indices { plane[index] += Self.noise(key, frame &+ UInt32(truncatingIfNeeded: index)) * step }
    }

    /// Quantizes with white noise and error feedback.
    private mutating func shape(_ plane: inout MutableSpan<Sample>, channel: Int) {
        let scale = Sample(double: Double(Int64(1) << Int64(bitCount - 1)))
        let step = 1 / scale
        let order = feedback.count
        let first = channel * order
        for index in plane.indices {
            var wanted = plane[index] * scale
            // Infinities and NaN must not enter the history.
            guard wanted.isFinite else { continue }
            for tap in 0..<order { wanted += feedback[tap] * errors[first + tap] }
            let noise = Self.noise(keys[channel], frame &+ UInt32(truncatingIfNeeded: index))
            let rounded = min(max((wanted + noise).rounded(.toNearestOrEven), -scale), scale - 1)
            for tap in stride(from: order - 1, to: 0, by: -1) { errors[first + tap] = errors[first + tap - 1] }
            // Limit the error so that clipping does not destabilize the feedback.
            errors[first] = min(max(rounded - wanted, -2), 2)
            plane[index] = rounded * step
        }
    }

    /// Returns triangularly distributed noise from -1 to 1, the sum of two 16-bit random numbers.
    @inline(__always)
    private static func noise(_ key: UInt32, _ frame: UInt32) -> Sample {
        let bits = mixed(key ^ (frame &* 0x9E37_79B1))
        let sum = Int32(bits & 0xFFFF) &+ Int32(bits >> 16) &- 0xFFFF
        return Sample(integer: sum) * (1 / 65_536)
    }

    /// Hashes a number with two rounds of multiplications and shifts.
    @inline(__always)
    private static func mixed(_ number: UInt32) -> UInt32 {
        var bits = number
        bits = (bits ^ bits >> 16) &* 0x7FEB_352D
        bits = (bits ^ bits >> 15) &* 0x846C_A68B
        return bits ^ bits >> 16
    }
}
