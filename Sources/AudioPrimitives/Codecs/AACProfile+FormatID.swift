// SPDX-License-Identifier: Apache-2.0

extension AACProfile {
    /// Creates a profile from a Core Audio format ID, or returns `nil` for other codecs.
    package init?(formatID: FourCharCode) {
        switch formatID {
        case .mpeg4AAC: self = .lowComplexity
        case .mpeg4HighEfficiencyAAC: self = .highEfficiency
        case .mpeg4HighEfficiencyAACv2: self = .highEfficiencyV2
        case .mpeg4LowDelayAAC: self = .lowDelay
        case .mpeg4EnhancedLowDelayAAC: self = .enhancedLowDelay
        case .mpegDUSAC: self = .extendedHighEfficiency
        default: return nil
        }
    }

    /// The Core Audio format ID, which is AAC-LC for ``automatic``.
    public var formatID: FourCharCode {
        switch self {
        case .highEfficiency: .mpeg4HighEfficiencyAAC
        case .highEfficiencyV2: .mpeg4HighEfficiencyAACv2
        case .lowDelay: .mpeg4LowDelayAAC
        case .enhancedLowDelay: .mpeg4EnhancedLowDelayAAC
        case .extendedHighEfficiency: .mpegDUSAC
        case .lowComplexity, .automatic: .mpeg4AAC
        }
    }
}
