// SPDX-License-Identifier: Apache-2.0

extension AACProfile {
    /// The profile with a code of Core Audio; nil for codes of other codecs.
    package init?(formatID: FourCharCode) {
        switch formatID {
        case .mpeg4AAC: self = .lowComplexity
        case .mpeg4HighEfficiencyAAC: self = .highEfficiency
        case .mpeg4HighEfficiencyAACv2: self = .highEfficiencyV2
        case .mpeg4LowDelayAAC: self = .lowDelay
        case .mpeg4EnhancedLowDelayAAC: self = .enhancedLowDelay
        default: return nil
        }
    }

    /// The code of Core Audio; that of AAC-LC where the encoder chooses.
    public var formatID: FourCharCode {
        switch self {
        case .highEfficiency: .mpeg4HighEfficiencyAAC
        case .highEfficiencyV2: .mpeg4HighEfficiencyAACv2
        case .lowDelay: .mpeg4LowDelayAAC
        case .enhancedLowDelay: .mpeg4EnhancedLowDelayAAC
        case .lowComplexity, .automatic: .mpeg4AAC
        }
    }
}
