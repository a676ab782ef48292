// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The parameters of a core coder that follow from its bit rate per channel.
struct RateTuning {
    /// The bit rate per channel, in bits per second, scaled to a sample rate of 48 kHz: a measure of the bits per line.
    let bitRatePerChannel: Float

    /// The number of channels of the core.
    private let channelCount: Int

    /// Makes the parameters of a bit rate.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate of all channels, in bits per second.
    ///   - sampleRate: The sample rate of the core, in hertz.
    ///   - channelCount: The number of channels of the core.
    init(bitRate: Int, sampleRate: Int, channelCount: Int) {
        self.channelCount = channelCount
        bitRatePerChannel = Float(bitRate) / Float(channelCount) * 48000 / Float(sampleRate)
    }

    /// The highest frequency worth coding, in hertz: wide, since the highest bands are coded coarsely where bits are short.
    var bandwidth: Float {
        PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 24_000, 32_000, 40_000, 48_000, 64_000, 80_000, 96_000, 160_000],
            values: [8_500, 12_000, 14_500, 16_500, 18_500, 19_500, 20_000, 20_500, 22_000])
    }

    /// The exponents of the noise allocation rule.
    var noiseAllocation: NoiseAllocation {
        NoiseAllocation(
            energyExponent: PortableMath.interpolate(bitRatePerChannel, at: [48_000, 64_000, 96_000], values: [0.70, 0.64, 0.60]),
            thresholdExponent: 0.1,
            shortTilt: shortTilt,
            longTilt: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 96_000, 128_000], values: [0, 0.4, 0.4, 0]),
            raiseLimit: Self.raiseLimit - initialLog2NoiseScale,
            onsetExponent: PortableMath.interpolate(
                bitRatePerChannel, at: [32_000, 48_000, 56_000, 96_000, 140_000], values: [0.2, 0.55, 0.4, 0.4, 0.2]))
    }

    /// The tilt of the noise in short windows; none where speech in mono needs them.
    private var shortTilt: Float {
        channelCount == 1
            ? PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0, 0.5])
            : PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000], values: [0, 0.5])
    }

    /// The noise relative to the energy of a band, as a base-2 logarithm, up to which the tilt raises it: -9 dB.
    private static let raiseLimit: Float = -3

    /// The pre-echo exposure of pulses that justifies a bit in each channel, in decibels summed over steps of 64 samples; 0 where bits
    /// don't count.
    ///
    /// At low rates speech in mono is nearer to the original with short windows, whatever they take.
    var exposurePerBit: Float {
        channelCount == 1
            ? PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0, 2])
            : PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000], values: [0, 2])
    }

    /// The refinement of noise targets in long windows.
    var refinement: TargetRefinement.Shares {
        TargetRefinement.Shares(
            fluctuation: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 64_000], values: [0.04, 0.08, 0.1]),
            crest: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0.1, 0]))
    }

    /// The base-2 logarithm of the noise scale at which typical music takes this bit rate.
    var initialLog2NoiseScale: Float {
        PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 28_500, 41_000, 56_500, 74_000, 93_000, 160_000, 288_000],
            values: [-0.5, -2, -3, -4, -5, -6, -9, -16])
    }
}
