// SPDX-License-Identifier: Apache-2.0

/// Errors of the codecs: of their settings, their input, the configuration of a stream, and its packets.
///
/// Each case carries the values that were refused and, where there are any, those that are supported. ``description`` is one line for people.
public enum CodecError: Error, Hashable, Sendable {
    // MARK: Libraries

    /// A library that is loaded at run time is not installed.
    case libraryMissing(Library)
    /// A library refused a call with an error number of its own.
    case libraryFailed(Library, code: Int32)

    // MARK: Settings of an encoder

    /// The codec does not support the sample rate, in hertz.
    case unsupportedSampleRate(Int, allowed: [Int])
    /// The codec does not support the number of channels.
    case unsupportedChannelCount(Int, allowed: [Int])
    /// The speakers of the input are not those that the codec has for their number.
    case unsupportedChannelLayout(ChannelLayout, allowed: ChannelLayout)
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
    /// A rate group has too few bytes for its access units.
    case rateGroupTooShort(byteCount: Int, minimum: Int)
    /// The frame length, in sample frames, is not supported.
    case unsupportedFrameLength(Int, allowed: [Int])
    /// The bit rate, in bits per second, is outside the range for this sample rate and channel count.
    case unsupportedBitRate(Int, allowed: ClosedRange<Int>)
    /// A bit rate was given to an encoder at constant quality, whose bit rate follows from the signal.
    case variableBitRate
    /// The quality is outside 0 to 100.
    case unsupportedQuality(Double)
    /// The bandwidth in hertz is outside the range for this sample rate.
    case unsupportedBandwidth(Int, allowed: ClosedRange<Int>)
    /// The complexity of Opus is out of range.
    case unsupportedComplexity(Int, allowed: ClosedRange<Int>)
    /// The expected packet loss, in per cent, is out of range.
    case unsupportedPacketLoss(Int, allowed: ClosedRange<Int>)
    /// The codec does not support samples of this number of bits.
    case unsupportedBitDepth(Int, allowed: [Int])

    // MARK: Input of an encoder

    /// The sample rate of the input, in hertz, is not that of the encoder; `AudioConverter` of AudioConversion converts it.
    case sampleRateMismatch(expected: Int, found: Int)
    /// The input has another number of channels than the encoder.
    case channelCountMismatch(expected: Int, found: Int)
    /// The number of bytes is not a multiple of the frame size.
    case incompleteFrame(byteCount: Int, bytesPerFrame: Int)
    /// A sample is infinite or not a number; the frame is counted from the first one encoded.
    case invalidSample(channel: Int, frame: Int)
    /// A block to encode has another number of samples than the blocks of the mode.
    case wrongBlockLength(sampleCount: Int, mode: ILBCMode)
    /// Input came after the end of the stream.
    case finished

    // MARK: Configuration of a stream

    /// The configuration ends before its last field, which needs at least `neededBits`.
    case truncatedConfiguration(availableBits: Int, neededBits: Int)
    /// The configuration has a version of its format that is not supported.
    case unsupportedVersion(Int, maximum: Int)
    /// The audio object type is 0 or reserved (ISO/IEC 14496-3:2009, Table 1.17).
    case reservedObjectType(Int)
    /// The decoder does not support the audio object type.
    case unsupportedObjectType(Int)
    /// The sampling frequency index is reserved.
    case reservedSamplingFrequencyIndex(Int)
    /// The explicit sample rate in hertz is out of range.
    case invalidSampleRate(Int, allowed: ClosedRange<Int>)
    /// A channel configuration that is reserved or has too many channels.
    case unsupportedChannelConfiguration(Int)
    /// The configuration asks for error protection (`epConfig` 1 to 3).
    case unsupportedErrorProtection(epConfig: Int)
    /// The configuration of AAC-ELD has more extensions than any stream has use for.
    case tooManyELDExtensions(maximum: Int)
    /// A reserved `coreSbrFrameLengthIndex` of USAC.
    case reservedUSACFrameLength(index: Int)
    /// USAC with more elements than a stream of eight channels has use for.
    case tooManyUSACElements(Int, maximum: Int)
    /// The identification header of Opus does not begin with `OpusHead`.
    case missingOpusSignature
    /// The channel mapping family of Opus has no defined speakers, or none known here.
    case unsupportedMappingFamily(Int)
    /// The numbers of streams of Opus contradict each other, or the mapping family.
    case invalidStreamCounts(streams: Int, coupled: Int)
    /// A channel of Opus takes a decoded channel that does not exist.
    case invalidChannelIndex(Int, decodedChannels: Int)

    // MARK: Packets of any codec

    /// The packet, with this number of bytes, ends before its last element.
    case truncated(byteCount: Int)
    /// The packet has no bytes.
    case emptyAccessUnit
    /// The packet is longer than any valid one.
    case accessUnitTooLong(byteCount: Int, maximum: Int)
    /// An element is longer than the rest of the packet.
    case elementTooLong(byteCount: Int)
    /// A reserved bit is set.
    case reservedBitSet
    /// More channels than the decoder or the configuration has.
    case tooManyChannels(Int, maximum: Int)
    /// A tool of the standard that the decoder does not support.
    case unsupportedTool(Tool)

    // MARK: Access units of AAC and USAC

    /// A channel sends more bands than its windows have.
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
    /// Channel configuration 0 and no program config element so far.
    case missingChannelLayout
    /// More bits are left after the last element than fill a byte.
    case excessBits(Int)
    /// The arithmetic code of a spectrum is damaged.
    case invalidSpectrum
    /// The frame continues from one that was damaged or is missing.
    case missingReference
    /// A reserved mode of linear prediction.
    case reservedMode(Int)
    /// A codebook number of the lattice quantiser is above the largest one.
    case codebookNumberOutOfRange(Int, maximum: Int)
    /// The linear prediction domain at a rate of the core, in hertz, that it is not defined for.
    case unsupportedCoreRate(Int)
    /// The data of enhanced SBR is damaged.
    case invalidSBRData
    /// The configuration or the data of MPEG Surround is damaged.
    case invalidSurroundData

    // MARK: Packets of Opus, Apple Lossless and iLBC

    /// The packet of Opus is damaged.
    case invalidOpusPacket(byteCount: Int)
    /// A packet of Opus has no frame, or more than 120 ms of them (RFC 6716 3.2.5).
    case invalidOpusFrameCount(Int)
    /// A span of Opus to conceal, in sample frames at 48 kHz, is no multiple of 2.5 ms up to 120 ms.
    case unsupportedDuration(Int)
    /// A packet of Apple Lossless has an element of a kind that the format reserves: 2 (coupling) or 5 (program configuration).
    case reservedElement(kind: Int)
    /// The frames of Apple Lossless, or an element of one, have no sample frames, too many, or another number than the elements before.
    case invalidFrameLength(Int, allowed: ClosedRange<Int>)
    /// The number of low bytes of Apple Lossless that are stored apart does not fit the number of bits of a sample.
    case invalidLowBytes(count: Int, bitDepth: Int)
    /// A run of zeros of Apple Lossless is longer than the rest of the element.
    case runTooLong(Int, remaining: Int)
    /// A frame to decode has another number of bytes than the frames of the mode.
    case wrongFrameLength(byteCount: Int, mode: ILBCMode)

    // MARK: Conversion

    /// There is no decoder for the codec.
    case unsupportedCodec(FourCharCode)
    /// No implementation that was asked for has the codec.
    case unavailableCodec(FourCharCode, kind: String, makers: [String], available: [String])
    /// The magic cookie of a stream is missing or damaged.
    case invalidMagicCookie(FourCharCode, byteCount: Int)
    /// The conversion between these sample rates, in hertz, is not supported.
    case unsupportedSampleRates(from: Int, to: Int)
    /// The library that converts sample rates failed.
    case rateConversionFailed
    /// A channel map or matrix does not have these numbers of inputs and outputs, or names a channel that does not exist.
    case channelMappingMismatch(inputs: Int, outputs: Int)
    /// The number of frames to remove from the beginning is negative.
    case invalidLeadingFrames(Int)
    /// A bit rate was given to a converter whose output is PCM.
    case noBitRate
    /// PCM was given to a converter whose input is packets.
    case packetsExpected
    /// A packet was given to a converter whose input is PCM.
    case pcmExpected
    #if !hasFeature(Embedded)
    /// A codec of the system failed in a step, with the system's status.
    case systemCodec(step: String, status: Int32)
    /// A codec of the system does not have a setting that others have, or not this value; `allowed` is what it has.
    case unsupportedSystemSetting(String, value: String, allowed: String)
    #endif
}

extension CodecError {
    /// A library that is loaded at run time.
    public enum Library: Hashable, Sendable {
        /// libopus, which encodes and decodes Opus.
        case opus
    }

    /// Coding tools of the standards that the decoders may not support.
    public enum Tool: Hashable, Sendable {
        /// Backward-adaptive prediction of the Main object type (ISO/IEC 14496-3:2009, 4.6.6).
        case mainPrediction
        /// Long-term prediction of the LTP object type (ISO/IEC 14496-3:2009, 4.6.7).
        case longTermPrediction
        /// Gain control of the SSR object type (ISO/IEC 14496-3:2009, 4.6.12).
        case gainControl
        /// The time-warped transform of USAC, which no profile has.
        case timeWarpedTransform
    }
}
