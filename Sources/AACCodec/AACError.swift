// SPDX-License-Identifier: Apache-2.0

/// Errors of the encoder and the decoder.
///
/// Each case carries the values that were refused and, where there are any, those that are supported; ``code`` tells the kind of error, and
/// ``description`` is one line for people.
public enum AACError: Error, Hashable, Sendable {
    // MARK: Configuration of an encoder

    /// The sample rate in hertz has no sampling frequency index (ISO/IEC 14496-3:2009, Table 1.18).
    case unsupportedSampleRate(Int, allowed: [Int])
    /// No channel configuration has this number of channels.
    case unsupportedChannelCount(Int, allowed: [Int])
    /// The profile does not support this number of channels; `allowed` lists the profiles that do.
    case unsupportedProfile(AACProfile, channelCount: Int, allowed: [AACProfile])
    /// The profile does not support this sample rate in hertz; `allowed` lists the rates that it does.
    case unsupportedProfileRate(AACProfile, sampleRate: Int, allowed: [Int])
    /// A bandwidth was given for a profile whose bandwidth follows from the bit rate.
    case fixedBandwidth(AACProfile)
    /// Low delay was requested for a profile that does not have it: HE-AAC or HE-AAC v2.
    case lowDelayProfile(AACProfile)
    /// The use of SBR was set for a profile other than AAC-ELD, or for a sample rate that has none (8 to 12 kHz).
    case lowDelaySBR(AACProfile, sampleRate: Int)
    /// Rate groups do not have the profile.
    case rateGroupProfile(AACProfile)
    /// The frame length, in sample frames, is not supported.
    case unsupportedFrameLength(Int, allowed: [Int])
    /// The bit rate, in bits a second, is outside the range for this sample rate and channel count.
    case unsupportedBitRate(Int, allowed: ClosedRange<Int>)
    /// A bit rate was given to an encoder at constant quality, whose bit rate follows from the signal.
    case variableBitRate
    /// The quality is outside 0 to 100.
    case unsupportedQuality(Double)
    /// A rate group has too few bytes for its access units.
    case rateGroupTooShort(byteCount: Int, minimum: Int)
    /// The bandwidth in hertz is outside the range for this sample rate.
    case unsupportedBandwidth(Int, allowed: ClosedRange<Int>)

    // MARK: Input of an encoder

    /// The sample rate of the input, in hertz, is not that of the encoder; `AudioConverter` of AudioConversion converts it.
    case sampleRateMismatch(expected: Int, found: Int)
    /// The input has another number of channels than the encoder.
    case channelCountMismatch(expected: Int, found: Int)
    /// The number of bytes is not a multiple of the frame size.
    case incompleteFrame(byteCount: Int, bytesPerFrame: Int)
    /// A sample is infinite or not a number; the frame is counted from the first one encoded.
    case invalidSample(channel: Int, frame: Int)
    /// Input came after ``AACEncoder/finish(_:)``.
    case finished

    // MARK: Truncated access units

    /// The access unit ends inside an element; it has `bitCount` bits.
    case truncated(bitCount: Int)
    /// The access unit has no bytes.
    case emptyAccessUnit

    // MARK: Access units that break the standard

    /// `ics_reserved_bit` is 1.
    case reservedBitSet
    /// `max_sfb` exceeds the number of bands of the window.
    case tooManyBands(Int, available: Int)
    /// A section uses the reserved codebook 12.
    case reservedCodebook
    /// A section has no band.
    case emptySection
    /// A section ends after the last band sent.
    case sectionTooLong(end: Int, bandCount: Int)
    /// An intensity codebook in a channel that is not the right one of a pair with common windows.
    case misplacedIntensity(codebook: Int)
    /// A scale factor is outside 0 to 255.
    case scaleFactorOutOfRange(Int)
    /// An intensity position is outside -155 to 100.
    case intensityPositionOutOfRange(Int)
    /// A noise energy is outside -100 to 155.
    case noiseEnergyOutOfRange(Int)
    /// Pulses in short windows.
    case pulsesInShortWindows
    /// `pulse_start_sfb` is not a band of the window.
    case pulseStartOutOfRange(band: Int, bandCount: Int)
    /// A pulse lies after the last line.
    case pulseOutOfRange(line: Int, lineCount: Int)
    /// The magnitude of a quantised value exceeds 8191, with or without a pulse.
    case quantizedValueOutOfRange(Int)
    /// The prefix of an escape sequence has more than 8 ones.
    case escapeTooLong(prefix: Int)
    /// The order of a TNS filter exceeds the maximum of the object type.
    case filterOrderOutOfRange(Int, maximum: Int)
    /// `window_sequence` is not 0 in AAC-LD, which has no short windows.
    case blockSwitching(sequence: Int)
    /// The reversible code of scale factors has a forbidden codeword, or another length than announced.
    case invalidReversibleCode
    /// Reordered codewords of the spectrum do not fit the bits that are announced for them.
    case invalidReordering
    /// `ms_mask_present` is 3.
    case reservedMidSideMask
    /// `predictor_reset_group_number` is 0 or 31.
    case predictorResetGroupOutOfRange(Int)
    /// An element occurs twice in an access unit.
    case duplicateElement(id: Int, tag: Int)
    /// An element that is not in the channel layout at this position.
    case unexpectedElement(id: Int, tag: Int)
    /// The access unit has fewer channel elements than the layout.
    case missingChannels(found: Int, expected: Int)
    /// A fill element is longer than the rest of the access unit.
    case fillElementTooLong(byteCount: Int)
    /// Channel configuration 0 and no program config element so far.
    case missingChannelLayout

    // MARK: Limits

    /// The access unit exceeds four times the input buffer of a decoder with the most channels.
    case accessUnitTooLong(byteCount: Int, maximum: Int)

    // MARK: Streams that are not supported

    /// A tool of the standard that the decoder does not support.
    case unsupportedTool(AACTool)
    /// An audio object type that the decoder does not support.
    case unsupportedObjectType(Int)
    /// A channel configuration that is reserved or has too many channels.
    case unsupportedChannelConfiguration(Int)
    /// More channels than the decoder supports.
    case tooManyChannels(Int, maximum: Int)
}

extension AACError {
    /// Kinds of errors.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The configuration of an encoder is not supported.
        case unsupportedConfiguration
        /// The input of an encoder is not valid.
        case invalidInput
        /// An access unit is truncated.
        case truncatedAccessUnit
        /// An access unit breaks the standard.
        case invalidAccessUnit
        /// An access unit exceeds a limit of the decoder.
        case limitExceeded
        /// A stream uses a part of the standard that the decoder does not support.
        case unsupportedStream
    }

    /// The kind of error.
    public var code: Code {
        switch self {
        case .unsupportedSampleRate, .unsupportedChannelCount, .unsupportedProfile, .unsupportedProfileRate, .fixedBandwidth,
            .lowDelayProfile, .lowDelaySBR, .rateGroupProfile, .unsupportedFrameLength, .unsupportedBitRate, .variableBitRate,
            .unsupportedQuality, .rateGroupTooShort, .unsupportedBandwidth:
            .unsupportedConfiguration
        case .sampleRateMismatch, .channelCountMismatch, .incompleteFrame, .invalidSample, .finished: .invalidInput
        case .truncated, .emptyAccessUnit: .truncatedAccessUnit
        case .accessUnitTooLong: .limitExceeded
        case .unsupportedTool, .unsupportedObjectType, .unsupportedChannelConfiguration, .tooManyChannels: .unsupportedStream
        default: .invalidAccessUnit
        }
    }
}

/// Coding tools of the standard that the decoder may not support.
public enum AACTool: String, Hashable, Sendable, CaseIterable {
    /// Backward-adaptive prediction of the Main object type (ISO/IEC 14496-3:2009, 4.6.6).
    case mainPrediction = "Main prediction"
    /// Long-term prediction of the LTP object type (ISO/IEC 14496-3:2009, 4.6.7).
    case longTermPrediction = "long-term prediction"
    /// Gain control of the SSR object type (ISO/IEC 14496-3:2009, 4.6.12).
    case gainControl = "gain control"
}
