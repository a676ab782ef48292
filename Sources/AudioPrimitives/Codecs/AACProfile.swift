// SPDX-License-Identifier: Apache-2.0

/// The profiles of AAC that are encoded (ISO/IEC 14496-3:2009, 1.5.2).
public enum AACProfile: Hashable, Sendable, CaseIterable {
    /// AAC-LC.
    case lowComplexity
    /// HE-AAC: AAC-LC at half the sample rate, and spectral band replication (SBR) for the upper half of the spectrum.
    case highEfficiency
    /// HE-AAC v2: HE-AAC of one channel, and parametric stereo (PS) for the second.
    case highEfficiencyV2
    /// AAC-LD: one unit of 512 or 480 sample frames in, one out, and a delay of two (ISO/IEC 14496-3:2009, object type 23).
    ///
    /// At up to 48 kHz, with one or two channels.
    case lowDelay
    /// AAC-ELD: as AAC-LD with a filter bank whose delay is one and a half units (ISO/IEC 14496-3:2009, object type 39),
    /// and low delay SBR (`AACEncoderSettings.lowDelaySBR`).
    case enhancedLowDelay
    /// The one with the best quality for the bit rate, the sample rate, the channel count and `AACEncoderSettings.bandwidth`;
    /// `AACEncoder.profile` tells which it is.
    case automatic
}

extension AACProfile: CustomStringConvertible {
    /// The usual name.
    public var description: String {
        switch self {
        case .lowComplexity: "AAC-LC"
        case .highEfficiency: "HE-AAC"
        case .highEfficiencyV2: "HE-AAC v2"
        case .lowDelay: "AAC-LD"
        case .enhancedLowDelay: "AAC-ELD"
        case .automatic: "automatic"
        }
    }
}

extension AACProfile {
    /// Whether SBR codes the upper half of the spectrum, so that the core has half of the sample rate.
    package var hasReplication: Bool { self == .highEfficiency || self == .highEfficiencyV2 }

    /// Whether the profile is AAC-LD or AAC-ELD; no profile of small builds is, which leave them out.
    package var isLowDelay: Bool {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        return self == .lowDelay || self == .enhancedLowDelay
        #else
        return false
        #endif
    }
}
