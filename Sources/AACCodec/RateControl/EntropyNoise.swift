// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How noise rises with a frame's entropy where the rate is not constant.
///
/// It has no memory, so that streams can be divided among encoders.
struct EntropyNoise {
    /// Octaves of noise for an octave of entropy.
    var exponent: Float = 0

    /// Bits of a typical frame.
    var typicalBits: Float = 1

    /// Octaves of noise that a frame gets more than a typical one.
    func octaves(entropy: Float) -> Float {
        exponent == 0 ? 0 : exponent * max(PortableMath.log2(entropy / typicalBits), Self.easyLimit)
    }

    /// Octaves below the typical beyond which entropy counts no more: without a limit speech loses 6 % at 64 kb/s, whose pauses take bits
    /// from its words.
    private static let easyLimit: Float = -0.5

    /// Octaves where a quality is asked for, which shares out bits among pieces too: with 0.5 the worst of six clips is worse than at a constant
    /// rate at 96 kb/s, with 0.7 the mean loses at 64.
    static let variableExponent: Float = 0.6

    /// Octaves where a file has a rate of its own: over 24 clips -0.1, -0.2, -1.5 and -0.7 % distance at 64, 96, 128 and 192 kb/s; with 0.6
    /// +1.3 % at 64.
    static let averageExponent: Float = 0.3
}

extension AACEncoderConfiguration {
    /// How noise follows entropy: in AAC-LC alone, since HE-AAC gains nothing.
    var entropyNoise: EntropyNoise {
        guard chosenProfile == .lowComplexity else { return EntropyNoise() }
        switch rateControl {
        case .constant: return EntropyNoise()
        case .average(let bitRate):
            return EntropyNoise(exponent: EntropyNoise.averageExponent, typicalBits: Float(bitRate) * 1024 / Float(sampleRate))
        case .variable:
            let bits = Float(typicalBitRate) * 1024 / Float(sampleRate)
            return EntropyNoise(
                exponent: EntropyNoise.variableExponent, typicalBits: channelCount == 1 ? bits * Self.monoShare : bits)
        }
    }

    /// One channel takes 0.6 of what two do, as far as it is speech, not half.
    private static let monoShare: Float = 1.2
}
