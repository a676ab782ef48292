// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

/// The object types with the syntax of AAC, and their limits.
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

    /// The kind of prediction that `predictor_data_present` announces.
    func prediction(hasCommonWindow: Bool) -> ICSInfo.PredictionKind {
        switch self {
        case .lowComplexity: .none
        case .main: .main
        case .longTermPrediction: .longTerm(hasCommonWindow: hasCommonWindow)
        }
    }
}
