// SPDX-License-Identifier: Apache-2.0

/// The AAC profiles of the encoder (ISO/IEC 14496-3:2009, 1.5.2).
public enum AACProfile: Hashable, Sendable, CaseIterable {
    /// AAC-LC.
    case lowComplexity
    /// HE-AAC: AAC-LC at half the sample rate, with spectral band replication (SBR) for the upper half of the spectrum.
    case highEfficiency
    /// HE-AAC v2: mono HE-AAC with parametric stereo (PS).
    case highEfficiencyV2
    /// AAC-LD, with access units of 512 or 480 sample frames (ISO/IEC 14496-3:2009, object type 23).
    ///
    /// The delay is two access units. Sample rates up to 48 kHz and one or two channels are supported.
    case lowDelay
    /// AAC-ELD: AAC-LD with a low-delay filter bank and optional SBR (ISO/IEC 14496-3:2009, object type 39).
    ///
    /// The filter bank delay is one and a half access units. `AACEncoderSettings.lowDelaySBR` controls SBR.
    case enhancedLowDelay
    /// xHE-AAC: unified speech and audio coding (USAC, ISO/IEC 23003-3) in the frequency domain.
    ///
    /// Sample rates from 16 to 48 kHz and one or two channels are supported. Fewer players support it than other profiles.
    case extendedHighEfficiency
    /// The best profile for the bit rate, sample rate, channel count and bandwidth, available as `AACEncoder.profile`.
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
        case .extendedHighEfficiency: "xHE-AAC"
        case .automatic: "automatic"
        }
    }
}

extension AACProfile {
    /// Whether the profile uses SBR for the upper half of the spectrum, so that the core runs at half the sample rate.
    package var hasSBR: Bool { self == .highEfficiency || self == .highEfficiencyV2 }

    /// Whether the profile is AAC-LD or AAC-ELD, which small builds omit.
    package var isLowDelay: Bool {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        return self == .lowDelay || self == .enhancedLowDelay
        #else
        return false
        #endif
    }
}
