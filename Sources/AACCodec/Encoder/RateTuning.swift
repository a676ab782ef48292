// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Numbers that follow from the rate a channel gets.
struct RateTuning {
    /// Bits a second and channel, as if the sample rate were 48 kHz: what is left for a line.
    let bitRatePerChannel: Float

    /// Derives the rate that counts.
    init(bitRate: Int, sampleRate: Int, channelCount: Int) {
        bitRatePerChannel = Float(bitRate) / Float(channelCount) * 48000 / Float(sampleRate)
    }

    /// The highest frequency worth coding at a rate a channel, in hertz: wide, since the top is coded coarsely where it costs.
    var bandwidth: Float {
        PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 24_000, 32_000, 40_000, 48_000, 64_000, 80_000, 96_000, 160_000],
            values: [8_500, 12_000, 14_500, 16_500, 18_500, 19_500, 20_000, 20_500, 22_000])
    }

    /// How noise is shared out.
    var law: NoiseAllocation {
        NoiseAllocation(
            energyExponent: PortableMath.interpolate(bitRatePerChannel, at: [48_000, 64_000, 96_000], values: [0.70, 0.64, 0.60]),
            thresholdExponent: 0.1,
            onsetExponent: PortableMath.interpolate(
                bitRatePerChannel, at: [32_000, 48_000, 56_000, 96_000, 140_000], values: [0.2, 0.55, 0.4, 0.4, 0.2]))
    }

    /// log2 of the quality at which typical music takes this rate.
    var startLevel: Float {
        PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 28_500, 41_000, 56_500, 74_000, 93_000, 160_000, 288_000],
            values: [-0.5, -2, -3, -4, -5, -6, -9, -16])
    }
}
