// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Energies of envelopes and noise floors in real numbers (ISO/IEC 14496-3:2009, 4.6.18.3.6).
enum EnvelopeDequantizer {
    /// Levels above are taken as this one: 64 · 2^44 is far above what samples can reach, and its square is a float still.
    private static let maximumExponent = 88

    /// 2^(halves / 2), for halves from -252 to 252.
    static func powerOfTwo(halves: Int) -> Float {
        let whole = halves >> 1
        let power = Float(bitPattern: UInt32(truncatingIfNeeded: whole &+ 127) << 23)
        return halves & 1 == 0 ? power : power * 1.414_213_5
    }

    /// The energy that a level stands for, `E_Orig`, relative to samples of ±32768.
    static func energy(level: UInt8, isCoarse: Bool) -> Float {
        64 * powerOfTwo(halves: min(Int(level) * (isCoarse ? 2 : 1), maximumExponent))
    }

    /// The ratio of noise to signal that a noise floor stands for, `Q_Orig`.
    static func noise(level: UInt8) -> Float { powerOfTwo(halves: 2 * (6 - Int(level))) }

    /// The energies of both channels from their level and their balance.
    static func energies(level: UInt8, balance: UInt8, isCoarse: Bool) -> (left: Float, right: Float) {
        let scale = isCoarse ? 2 : 1
        let total = 2 * energy(level: level, isCoarse: isCoarse)
        return split(total, halves: scale * ((isCoarse ? 12 : 24) - Int(balance)))
    }

    /// The noise floors of both channels from their level and their balance.
    static func noises(level: UInt8, balance: UInt8) -> (left: Float, right: Float) {
        split(2 * noise(level: level), halves: 2 * (12 - Int(balance)))
    }

    /// total / (1 + 2^(halves / 2)) and total / (1 + 2^(-halves / 2)).
    private static func split(_ total: Float, halves: Int) -> (left: Float, right: Float) {
        let limited = max(-120, min(120, halves))
        return (total / (1 + powerOfTwo(halves: limited)), total / (1 + powerOfTwo(halves: -limited)))
    }
}
