// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

#if !hasFeature(Embedded) || LINNET_USAC
package import MPEG4Audio
#endif

/// The parametric stereo resolutions used by the encoder.
///
/// Measured in SBR.md#parametric-stereo.
package struct StereoCodingSettings: Hashable, Sendable {
    /// The number of parameter bands, 10 or 20.
    var bandCount: Int
    /// The number of envelopes per frame, 1, 2 or 4.
    var envelopeCount: Int
    /// Whether intensity differences use fine quantization.
    var hasFineLevels = false
    /// The first of the 20 stereo bands that SBR generates, at least partly.
    var firstReplicatedBand = 20
    /// Whether the decorrelated signal of the higher bands is estimated instead of measured.
    var isFast = false
    /// Whether the parameters are those of MPEG Surround 2-1-2, with fine quantization, instead of parametric stereo.
    package var isSurround = false

    package init(bandCount: Int, envelopeCount: Int, hasFineLevels: Bool = false) {
        self.bandCount = bandCount
        self.envelopeCount = envelopeCount
        self.hasFineLevels = hasFineLevels
    }

    var levelCodebooks: (frequency: DeltaCodebook, time: DeltaCodebook) {
        hasFineLevels ? (.iidFrequencyFine, .iidTimeFine) : (.iidFrequencyCoarse, .iidTimeCoarse)
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// The MPEG Surround configuration with these resolutions.
    ///
    /// Its gain doubles the energy of the downmix, which is the mean of both channels' energies.
    package var surround: MPEGSurround212Config {
        var surround = MPEGSurround212Config()
        surround.bandCount = bandCount
        surround.fixedGain = 2
        surround.isHighRate = envelopeCount > 1
        return surround
    }
    #endif

    /// The header that signals these resolutions.
    var header: ParametricStereoHeader {
        var header = ParametricStereoHeader()
        header.hasLevelDifferences = true
        header.levelMode = (bandCount == 10 ? 0 : 1) + (hasFineLevels ? 3 : 0)
        header.hasCoherence = true
        header.coherenceMode = bandCount == 10 ? 0 : 1
        return header
    }
}

extension StereoCodingSettings {
    /// The bit rate, scaled to a sample rate of 48 kHz, at and above which there are 20 bands.
    private static let fullBandRate = 20_000
    /// The bit rate at and above which there are two envelopes.
    private static let twoEnvelopesRate = 22_000
    /// The bit rate at and above which there are four envelopes.
    private static let fourEnvelopesRate = 44_000

    /// Creates settings for a bit rate.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate of the stream, in bits per second.
    ///   - sampleRate: The output sample rate, in hertz.
    ///   - crossoverSubband: `kx`: the first QMF subband of SBR.
    ///   - isSurround: Whether the parameters are those of MPEG Surround. At 16 kbit/s, 10 bands or two sets increase the Zimtohrli
    ///     distance by 9 %.
    init(bitRate: Int, sampleRate: Int, crossoverSubband: Int, isSurround: Bool) {
        let rate = bitRate.scaled(by: 48_000, over: sampleRate)
        self.init(
            bandCount: rate < Self.fullBandRate && !isSurround ? 10 : 20,
            envelopeCount: rate < Self.twoEnvelopesRate || isSurround ? 1 : rate < Self.fourEnvelopesRate ? 2 : 4)
        self.isSurround = isSurround
        firstReplicatedBand = StereoBands.bands20.stereoBand(ofSubband: crossoverSubband)
    }
}
