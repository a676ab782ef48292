// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The profiles of AAC that are encoded (ISO/IEC 14496-3:2009, 1.5.2).
public enum AACProfile: Hashable, Sendable, CaseIterable {
    /// AAC-LC.
    case lowComplexity
    /// HE-AAC: AAC-LC at half the sample rate, and spectral band replication (SBR) for the upper half of the spectrum.
    case highEfficiency
    /// HE-AAC v2: HE-AAC of one channel, and parametric stereo (PS) for the second.
    case highEfficiencyV2
    /// The one with the best quality for the bit rate, the sample rate and the channel count, with regard to
    /// ``AACEncoderConfiguration/isNearlyMono`` and ``AACEncoderSettings/bandwidth``; ``AACEncoder/profile`` tells which it is.
    case automatic
}

extension AACProfile: CustomStringConvertible {
    /// The usual name.
    public var description: String {
        switch self {
        case .lowComplexity: "AAC-LC"
        case .highEfficiency: "HE-AAC"
        case .highEfficiencyV2: "HE-AAC v2"
        case .automatic: "automatic"
        }
    }
}
