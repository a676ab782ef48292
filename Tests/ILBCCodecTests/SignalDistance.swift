// SPDX-License-Identifier: Apache-2.0

import Foundation
import ILBCCodec

/// Measures of the similarity of two signals.
enum SignalDistance {
    /// Returns the ratio of a signal to its difference from another, in dB.
    static func signalToNoise(_ reference: some Collection<Float>, _ other: some Collection<Float>) -> Float {
        var (signal, noise) = (Float(0), Float(1e-9))
        for (wanted, found) in zip(reference, other) {
            signal += wanted * wanted
            noise += (wanted - found) * (wanted - found)
        }
        return 10 * log10f(signal / noise)
    }

    /// Returns the mean ratio of 20 ms segments in dB, each limited to -10 to 35.
    ///
    /// Segments with a level below 14 do not count.
    static func segmental(_ reference: [Float], _ other: [Float]) -> Float {
        let length = 160
        let ratios = stride(from: 0, through: min(reference.count, other.count) - length, by: length).compactMap { start -> Float? in
            let segment = reference[start..<start + length]
            guard segment.reduce(0, { $0 + $1 * $1 }) / Float(length) > 200 else { return nil }
            return max(-10, min(35, signalToNoise(segment, other[start..<start + length])))
        }
        return ratios.reduce(0, +) / Float(max(1, ratios.count))
    }

    /// Returns the root mean square.
    static func level(_ samples: some Collection<Float>) -> Float {
        (samples.reduce(0) { $0 + $1 * $1 } / Float(max(1, samples.count))).squareRoot()
    }
}

extension ILBCMode {
    /// Returns the frames of a signal without its incomplete last block.
    func encode(_ samples: [Int16]) throws -> [[UInt8]] {
        var encoder = ILBCEncoder(mode: self)
        return try stride(from: 0, through: samples.count - samplesPerFrame, by: samplesPerFrame).map { start in
            try encoder.encode(Array(samples[start..<start + samplesPerFrame]))
        }
    }

    /// Returns the samples of frames, where `nil` is a lost frame.
    func decode(_ frames: [[UInt8]?], isEnhanced: Bool = false, removesLowFrequencies: Bool = false) throws -> [Float] {
        var decoder = ILBCDecoder(mode: self, isEnhanced: isEnhanced, removesLowFrequencies: removesLowFrequencies)
        return try frames.flatMap { frame in try frame.map { try decoder.decode($0) } ?? decoder.conceal() }.map { Float($0) }
    }

    /// Returns a signal after the encoder's high-pass filter.
    static func filteredInput(_ samples: [Int16]) -> [Float] {
        var filter = HighPassFilter.input()
        var filtered = samples.map { Float($0) }
        filter.filter(&filtered)
        return filtered
    }
}
