// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives

/// The qualities for the variable modes 1 to 5 of the interface.
///
/// Programs expect a certain size from a mode. At these qualities, six clips have the same mean sizes as with fdk-aac, for each profile,
/// sample rate, and mono or more channels.
///
/// Measured in Documentation/Guides/CLibraries.md#variable-bit-rate.
enum VariableModes {
    /// Returns the quality of a mode.
    ///
    /// - Parameters:
    ///   - mode: 1 to 5.
    ///   - sampleRate: The input sample rate, in hertz.
    static func quality(_ mode: Int, profile: AACProfile, sampleRate: Int, channelCount: Int) -> Double {
        let isMono = channelCount == 1
        let qualities =
            switch profile {
            case .highEfficiency: isMono ? monoHighEfficiency(sampleRate) : highEfficiency(sampleRate)
            case .highEfficiencyV2: parametricStereo(sampleRate)
            default: isMono ? mono(sampleRate, profile) : stereo(sampleRate, profile)
            }
        return qualities[mode - 1]
    }

    /// Returns the qualities of mono AAC-LC, AAC-LD and AAC-ELD.
    private static func mono(_ sampleRate: Int, _ profile: AACProfile) -> [Double] {
        switch sampleRate {
        case 64_000...: [36, 34, 51, 66, 88]
        case 40_000...: [51, 49, 57, 71, 89]
        case 28_000...: [57, 55, 60, 75, 89]
        case 20_000...: [60, 57, 55, 71, 86]
        case 14_000...: profile.isLowDelay ? [56, 54, 53, 66, 82] : [54, 51, 51, 63, 100]
        case 10_000...: [50, 48, 48, 97, 97]
        default: [47, 47, 95, 95, 95]
        }
    }

    /// Returns the qualities of AAC-LC, AAC-LD and AAC-ELD with two or more channels.
    private static func stereo(_ sampleRate: Int, _ profile: AACProfile) -> [Double] {
        switch sampleRate {
        case 64_000...: [34, 33, 48, 63, 86]
        case 40_000...: [46, 44, 52, 66, 86]
        case 28_000...: [52, 51, 57, 71, 85]
        case 20_000...: [59, 57, 56, 69, 83]
        case 14_000...: profile.isLowDelay ? [58, 56, 56, 69, 82] : [55, 53, 53, 65, 100]
        case 10_000...: [49, 49, 50, 62, 99]
        default: [44, 46, 96, 96, 96]
        }
    }

    /// Returns the qualities of mono HE-AAC.
    private static func monoHighEfficiency(_ sampleRate: Int) -> [Double] {
        switch sampleRate {
        case 40_000...: [37, 40, 48, 57, 67]
        case 28_000...: [48, 53, 53, 62, 100]
        case 20_000...: [53, 52, 53, 98, 98]
        default: [52, 53, 94, 94, 94]
        }
    }

    /// Returns the qualities of HE-AAC with two or more channels.
    private static func highEfficiency(_ sampleRate: Int) -> [Double] {
        switch sampleRate {
        case 40_000...: [40, 53, 52, 62, 77]
        case 28_000...: [48, 52, 52, 64, 100]
        case 23_000...: [44, 49, 51, 62, 100]
        case 20_000...: [45, 51, 53, 100, 100]
        default: [47, 50, 98, 98, 98]
        }
    }

    /// Returns the qualities of HE-AAC v2.
    private static func parametricStereo(_ sampleRate: Int) -> [Double] {
        switch sampleRate {
        case 40_000...: [29, 32, 40, 55, 71]
        case 28_000...: [40, 49, 48, 63, 100]
        case 20_000...: [46, 45, 47, 100, 100]
        default: [38, 39, 97, 97, 97]
        }
    }
}
