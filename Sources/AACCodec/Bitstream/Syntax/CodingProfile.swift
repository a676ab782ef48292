// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

/// The object types whose streams have the syntax of AAC, and what they allow.
enum CodingProfile {
    /// AAC-LC (2).
    case lowComplexity
    /// AAC Main (1).
    case main
    /// AAC-LTP (4).
    case longTermPrediction

    /// The profile of an object type; nil for those with another syntax.
    init?(_ objectType: AudioObjectType) {
        switch objectType {
        case .aacLC: self = .lowComplexity
        case .aacMain: self = .main
        case .aacLTP: self = .longTermPrediction
        default: return nil
        }
    }

    /// The highest order of a TNS filter in long windows.
    var maximumTNSOrder: Int { self == .lowComplexity ? TNSLimits.longOrder : TNSLimits.longOrderOfMain }

    /// Which prediction `predictor_data_present` stands for.
    func prediction(hasCommonWindow: Bool) -> ICSInfo.PredictionKind {
        switch self {
        case .lowComplexity: .none
        case .main: .main
        case .longTermPrediction: .longTerm(hasCommonWindow: hasCommonWindow)
        }
    }
}
