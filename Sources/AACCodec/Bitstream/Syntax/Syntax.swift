// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The access unit syntax for an object type (ISO/IEC 14496-3:2009, 4.4.2).
package enum Syntax: Equatable {
    /// General audio: elements in any order, each with an identifier (`raw_data_block`).
    case generalAudio(Profile)
    /// AAC-LD (23): the elements of the channel configuration, without identifiers (`er_raw_data_block`).
    case lowDelay
    /// AAC-ELD (39): the same elements in a shorter form (`er_raw_data_block_eld`).
    case enhancedLowDelay

    /// The object types with general audio syntax.
    ///
    /// They differ in prediction.
    package enum Profile {
        /// AAC-LC (2), without prediction.
        case lowComplexity
        /// AAC Main (1).
        case main
        /// AAC-LTP (4).
        case longTermPrediction
    }

    package static var lowComplexity: Syntax { .generalAudio(.lowComplexity) }

    /// Creates the syntax of an object type; `nil` if unsupported.
    init?(_ objectType: AudioObjectType) {
        switch objectType {
        case .aacLC: self = .generalAudio(.lowComplexity)
        case .aacMain: self = .generalAudio(.main)
        case .aacLTP: self = .generalAudio(.longTermPrediction)
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        case .aacLD: self = .lowDelay
        case .aacELD: self = .enhancedLowDelay
        #endif
        default: return nil
        }
    }

    /// The size of a TNS filter order in long windows, in bits.
    static let tnsOrderBitCount = 5

    func readTNS(from reader: inout BitReader, isShort: Bool) throws(CodecError) -> TNSData {
        let maximum = isShort ? TNSLimits.shortOrder : maximumTNSOrder
        return try TNSData(reading: &reader, isShort: isShort, orderBitCount: Self.tnsOrderBitCount) { (order) throws(CodecError) in
            guard order <= maximum else { throw .filterOrderOutOfRange(order, maximum: maximum) }
        }
    }

    /// The maximum TNS filter order in long windows.
    private var maximumTNSOrder: Int {
        switch self {
        case .generalAudio(.lowComplexity): TNSLimits.longOrder
        case .lowDelay, .enhancedLowDelay: TNSLimits.longOrderOfMain
        case .generalAudio(.main), .generalAudio(.longTermPrediction): TNSLimits.longOrderOfMain
        }
    }

    /// Whether an identifier precedes each element and marks the end of the access unit.
    var hasElementIDs: Bool { !isLowDelay }

    /// Whether the syntax is that of AAC-LD or AAC-ELD.
    var isLowDelay: Bool {
        if case .generalAudio = self { false } else { true }
    }
}
