// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What is wrong with an access unit, or not provided for.
public enum AACDecodingError: Error, Hashable, Sendable {
    // Truncated

    /// The unit ends inside an element; it has so many bits.
    case truncated(bitCount: Int)
    /// The unit is empty.
    case emptyAccessUnit

    // Against the standard

    /// `ics_reserved_bit` is 1.
    case reservedBitSet
    /// More bands are announced (`max_sfb`) than the window has.
    case tooManyBands(Int, available: Int)
    /// A section uses the reserved codebook 12.
    case reservedCodebook
    /// A section has no band.
    case emptySection
    /// A section reaches beyond the last band sent.
    case sectionTooLong(end: Int, bandCount: Int)
    /// An intensity codebook stands where there is no left channel to take from.
    case misplacedIntensity(codebook: Int)
    /// A scale factor is outside 0 to 255.
    case scaleFactorOutOfRange(Int)
    /// An intensity position is outside -155 to 100.
    case intensityPositionOutOfRange(Int)
    /// A noise energy is outside -100 to 155.
    case noiseEnergyOutOfRange(Int)
    /// Pulses in short windows.
    case pulsesInShortWindows
    /// The band in which pulses start does not exist.
    case pulseStartOutOfRange(band: Int, bandCount: Int)
    /// A pulse lies behind the last line.
    case pulseOutOfRange(line: Int, lineCount: Int)
    /// A quantised value is larger than 8191, or a pulse made it so.
    case quantizedValueOutOfRange(Int)
    /// The prefix of an escape sequence has more than 8 ones.
    case escapeTooLong(prefix: Int)
    /// A TNS filter has a higher order than the profile allows.
    case filterOrderOutOfRange(Int, maximum: Int)
    /// `ms_mask_present` is 3.
    case reservedMidSideMask
    /// The reset group of Main prediction is 0 or 31.
    case predictorResetGroupOutOfRange(Int)
    /// An element occurs twice in a unit.
    case duplicateElement(id: Int, tag: Int)
    /// An element that the channel layout does not have at this place.
    case unexpectedElement(id: Int, tag: Int)
    /// The unit ends with fewer channels than the layout has.
    case missingChannels(found: Int, expected: Int)
    /// A fill element is longer than the rest of the unit.
    case fillElementTooLong(byteCount: Int)
    /// There is no layout yet: channel configuration 0 and no program config element.
    case missingChannelLayout

    // Limits

    /// A unit is larger than what the standard allows for its channels by far.
    case accessUnitTooLong(byteCount: Int, maximum: Int)

    // Not provided for

    /// A tool of the standard that this decoder does not have.
    case unsupportedTool(AACTool)
    /// An audio object type that this decoder does not have.
    case unsupportedObjectType(Int)
    /// A channel configuration that is reserved or has too many channels.
    case unsupportedChannelConfiguration(Int)
    /// More channels than the decoder provides for.
    case tooManyChannels(Int, maximum: Int)
}

/// Coding tools of the standard that can be missing.
public enum AACTool: String, Hashable, Sendable, CaseIterable {
    /// Backward-adaptive prediction of the Main object type.
    case mainPrediction = "Main prediction"
    /// Prediction from the decoded past, of the LTP object type.
    case longTermPrediction = "long-term prediction"
    /// The gain control of the SSR object type.
    case gainControl = "gain control"
}
