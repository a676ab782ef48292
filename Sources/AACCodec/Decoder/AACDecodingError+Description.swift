// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension AACDecodingError: CustomStringConvertible {
    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .truncated(let bitCount): "the unit ends inside an element, after \(bitCount / 8) bytes"
        case .emptyAccessUnit: "the unit is empty"
        case .reservedBitSet: "a reserved bit is set"
        case .tooManyBands(let count, let available): "\(count) bands where there are \(available)"
        case .reservedCodebook: "the reserved codebook 12"
        case .emptySection: "a section without bands"
        case .sectionTooLong(let end, let bandCount): "a section up to band \(end) of \(bandCount)"
        case .misplacedIntensity(let codebook): "intensity (codebook \(codebook)) without a left channel"
        case .scaleFactorOutOfRange(let value): "the scale factor \(value)"
        case .intensityPositionOutOfRange(let value): "the intensity position \(value)"
        case .noiseEnergyOutOfRange(let value): "the noise energy \(value)"
        case .pulsesInShortWindows: "pulses in short windows"
        case .pulseStartOutOfRange(let band, let bandCount): "pulses from band \(band) of \(bandCount) on"
        case .pulseOutOfRange(let line, let lineCount): "a pulse at line \(line) of \(lineCount)"
        case .quantizedValueOutOfRange(let value): "the quantised value \(value)"
        case .escapeTooLong(let prefix): "an escape with a prefix of \(prefix) ones"
        case .filterOrderOutOfRange(let order, let maximum): "a TNS filter of order \(order), above \(maximum)"
        case .reservedMidSideMask: "the reserved middle and side mask 3"
        case .predictorResetGroupOutOfRange(let group): "the predictor reset group \(group)"
        case .duplicateElement(let id, let tag): "element \(id) with tag \(tag) twice"
        case .unexpectedElement(let id, let tag): "element \(id) with tag \(tag), which the layout does not have"
        case .missingChannels(let found, let expected): "\(found) elements with channels, not \(expected)"
        case .fillElementTooLong(let byteCount): "a fill element of \(byteCount) bytes, more than are left"
        case .missingChannelLayout: "no channel layout"
        case .accessUnitTooLong(let byteCount, let maximum): "a unit of \(byteCount) bytes, more than \(maximum)"
        case .unsupportedTool(let tool): "\(tool.rawValue), which is not supported"
        case .unsupportedObjectType(let type): "audio object type \(type), which is not supported"
        case .unsupportedChannelConfiguration(let number): "channel configuration \(number), which is not supported"
        case .tooManyChannels(let count, let maximum): "\(count) channels, more than \(maximum)"
        }
    }
}
