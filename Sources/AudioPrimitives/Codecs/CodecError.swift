// SPDX-License-Identifier: Apache-2.0

/// An error of a codec: its settings, its input, a stream configuration or a packet.
///
/// Cases carry the rejected values and, where applicable, the supported ones. ``description`` is one line for users.
public enum CodecError: Error, Hashable, Sendable {
    // MARK: Libraries

    /// A library loaded at run time is not installed.
    case libraryMissing(Library)
    /// A library call failed with the library's error code.
    case libraryFailed(Library, code: Int32)

    // MARK: Encoder settings

    /// Unsupported sample rate, in hertz.
    case unsupportedSampleRate(Int, allowed: [Int])
    /// Unsupported channel count.
    case unsupportedChannelCount(Int, allowed: [Int])
    /// Unsupported speakers; `allowed` is the codec's layout for the channel count.
    case unsupportedChannelLayout(ChannelLayout, allowed: ChannelLayout)
    /// The profile does not support this channel count; `allowed` lists the profiles that do.
    case unsupportedProfile(AACProfile, channelCount: Int, allowed: [AACProfile])
    /// The profile does not support this sample rate; `allowed` lists its sample rates, in hertz.
    case unsupportedProfileRate(AACProfile, sampleRate: Int, allowed: [Int])
    /// A bandwidth was set for a profile that derives it from the bit rate.
    case fixedBandwidth(AACProfile)
    /// Low delay was requested for HE-AAC or HE-AAC v2, which do not support it.
    case lowDelayProfile(AACProfile)
    /// SBR use was set for a profile other than AAC-ELD, or for a sample rate without SBR (8 to 12 kHz).
    case lowDelaySBR(AACProfile, sampleRate: Int)
    /// Rate groups do not support the profile.
    case rateGroupProfile(AACProfile)
    /// A rate group has too few bytes for its access units.
    case rateGroupTooShort(byteCount: Int, minimum: Int)
    /// Unsupported frame length, in sample frames.
    case unsupportedFrameLength(Int, allowed: [Int])
    /// The bit rate, in bits per second, is out of range for this sample rate and channel count.
    case unsupportedBitRate(Int, allowed: ClosedRange<Int>)
    /// The peak bit rate is below the bit rate or the lowest supported one, in bits per second.
    case unsupportedPeakBitRate(Int, minimum: Int)
    /// A bit rate was set for an encoder at constant quality, where it depends on the signal.
    case variableBitRate
    /// The quality is outside 0 to 100.
    case unsupportedQuality(Double)
    /// The bandwidth, in hertz, is out of range for this sample rate.
    case unsupportedBandwidth(Int, allowed: ClosedRange<Int>)
    /// The Opus complexity is out of range.
    case unsupportedComplexity(Int, allowed: ClosedRange<Int>)
    /// The expected packet loss, in percent, is out of range.
    case unsupportedPacketLoss(Int, allowed: ClosedRange<Int>)
    /// Unsupported number of bits per sample.
    case unsupportedBitDepth(Int, allowed: [Int])

    // MARK: Encoder input

    /// The input sample rate, in hertz, differs from the encoder's; `AudioConverter` of AudioConversion can convert it.
    case sampleRateMismatch(expected: Int, found: Int)
    /// The input channel count differs from the encoder's.
    case channelCountMismatch(expected: Int, found: Int)
    /// The number of bytes is not a multiple of the frame size.
    case incompleteFrame(byteCount: Int, bytesPerFrame: Int)
    /// A sample is infinite or NaN; `frame` counts from the first encoded frame.
    case invalidSample(channel: Int, frame: Int)
    /// An iLBC block to encode has the wrong number of samples for the mode.
    case wrongBlockLength(sampleCount: Int, mode: ILBCMode)
    /// Input was passed after the end of the stream.
    case finished

    // MARK: Stream configuration

    /// The configuration ends before its last field, which requires at least `neededBits`.
    case truncatedConfiguration(availableBits: Int, neededBits: Int)
    /// Unsupported configuration version.
    case unsupportedVersion(Int, maximum: Int)
    /// The audio object type is 0 or reserved (ISO/IEC 14496-3:2009, Table 1.17).
    case reservedObjectType(Int)
    /// Unsupported audio object type.
    case unsupportedObjectType(Int)
    /// The sampling frequency index is reserved.
    case reservedSamplingFrequencyIndex(Int)
    /// The explicit sample rate, in hertz, is out of range.
    case invalidSampleRate(Int, allowed: ClosedRange<Int>)
    /// The channel configuration is reserved or has too many channels.
    case unsupportedChannelConfiguration(Int)
    /// The configuration requires error protection (`epConfig` 1 to 3).
    case unsupportedErrorProtection(epConfig: Int)
    /// The AAC-ELD configuration has too many extensions for any real stream.
    case tooManyELDExtensions(maximum: Int)
    /// `coreSbrFrameLengthIndex` of USAC is reserved.
    case reservedUSACFrameLength(index: Int)
    /// USAC has more elements than any stream of eight channels needs.
    case tooManyUSACElements(Int, maximum: Int)
    /// The Opus identification header does not start with `OpusHead`.
    case missingOpusSignature
    /// The Opus channel mapping family has no defined or no known speakers.
    case unsupportedMappingFamily(Int)
    /// The Opus stream counts contradict each other or the mapping family.
    case invalidStreamCounts(streams: Int, coupled: Int)
    /// An Opus channel uses a decoded channel that does not exist.
    case invalidChannelIndex(Int, decodedChannels: Int)

    // MARK: Packets of any codec

    /// The packet, with this number of bytes, ends before its last element.
    case truncated(byteCount: Int)
    /// The packet has no bytes.
    case emptyAccessUnit
    /// The packet is longer than the maximum of the codec.
    case accessUnitTooLong(byteCount: Int, maximum: Int)
    /// An element is longer than the rest of the packet.
    case elementTooLong(byteCount: Int)
    /// A reserved bit is set.
    case reservedBitSet
    /// There are more channels than the decoder or the configuration supports.
    case tooManyChannels(Int, maximum: Int)
    /// The decoder does not support a tool of the standard.
    case unsupportedTool(Tool)

    // MARK: Access units of AAC and USAC

    /// A channel has more bands than its windows.
    case tooManyBands(Int, available: Int)
    /// A section uses the reserved codebook 12.
    case reservedCodebook
    /// A section has no bands.
    case emptySection
    /// A section extends beyond the last transmitted band.
    case sectionTooLong(end: Int, bandCount: Int)
    /// An intensity codebook occurs outside the right channel of a pair with a common window.
    case misplacedIntensity(codebook: Int)
    /// A scale factor is outside 0 to 255.
    case scaleFactorOutOfRange(Int)
    /// An intensity position is outside -155 to 100.
    case intensityPositionOutOfRange(Int)
    /// A noise energy is outside -100 to 155.
    case noiseEnergyOutOfRange(Int)
    /// Pulses occur in short windows.
    case pulsesInShortWindows
    /// `pulse_start_sfb` is not a band of the window.
    case pulseStartOutOfRange(band: Int, bandCount: Int)
    /// A pulse is beyond the last spectral line.
    case pulseOutOfRange(line: Int, lineCount: Int)
    /// The magnitude of a quantised value exceeds 8191, with or without a pulse.
    case quantizedValueOutOfRange(Int)
    /// An escape prefix has more than 8 ones.
    case escapeTooLong(prefix: Int)
    /// A TNS filter order exceeds the maximum of the object type.
    case filterOrderOutOfRange(Int, maximum: Int)
    /// `window_sequence` is not 0 in AAC-LD, which has no short windows.
    case blockSwitching(sequence: Int)
    /// The reversible scale factor code has a forbidden codeword or the wrong length.
    case invalidReversibleCode
    /// Reordered spectral codewords do not fit the announced number of bits.
    case invalidReordering
    /// `ms_mask_present` is 3.
    case reservedMidSideMask
    /// `predictor_reset_group_number` is 0 or 31.
    case predictorResetGroupOutOfRange(Int)
    /// An element occurs twice in an access unit.
    case duplicateElement(id: Int, tag: Int)
    /// An element is not in the channel layout at this position.
    case unexpectedElement(id: Int, tag: Int)
    /// The access unit has fewer channel elements than the layout.
    case missingChannels(found: Int, expected: Int)
    /// Channel configuration 0 without a program config element so far.
    case missingChannelLayout
    /// More bits remain after the last element than byte alignment needs.
    case excessBits(Int)
    /// The arithmetic code of a spectrum is damaged.
    case invalidSpectrum
    /// The frame depends on a damaged or missing one.
    case missingReference
    /// The linear prediction mode is reserved.
    case reservedMode(Int)
    /// A lattice quantiser codebook number exceeds the maximum.
    case codebookNumberOutOfRange(Int, maximum: Int)
    /// The linear prediction domain is not defined for this core sample rate, in hertz.
    case unsupportedCoreRate(Int)
    /// Enhanced SBR data is damaged.
    case invalidSBRData
    /// The MPEG Surround configuration or data is damaged.
    case invalidSurroundData

    // MARK: Opus, Apple Lossless and iLBC packets

    /// An Opus packet is damaged.
    case invalidOpusPacket(byteCount: Int)
    /// An Opus packet has no frames, or more than 120 ms of them (RFC 6716 3.2.5).
    case invalidOpusFrameCount(Int)
    /// An Opus duration to conceal, in sample frames at 48 kHz, is not a multiple of 2.5 ms up to 120 ms.
    case unsupportedDuration(Int)
    /// An Apple Lossless packet has a reserved element: kind 2 (coupling) or 5 (program configuration).
    case reservedElement(kind: Int)
    /// The number of sample frames in an Apple Lossless frame or element is zero, too large, or differs from earlier elements.
    case invalidFrameLength(Int, allowed: ClosedRange<Int>)
    /// The number of separately stored low bytes in Apple Lossless does not fit the bit depth.
    case invalidLowBytes(count: Int, bitDepth: Int)
    /// An Apple Lossless run of zeros is longer than the rest of the element.
    case runTooLong(Int, remaining: Int)
    /// An iLBC frame to decode has the wrong number of bytes for the mode.
    case wrongFrameLength(byteCount: Int, mode: ILBCMode)

    // MARK: Conversion

    /// There is no decoder for the codec.
    case unsupportedCodec(FourCharCode)
    /// None of the requested implementations supports the codec.
    case unavailableCodec(FourCharCode, kind: String, makers: [String], available: [String])
    /// The magic cookie is missing or damaged.
    case invalidMagicCookie(FourCharCode, byteCount: Int)
    /// The conversion between these sample rates, in hertz, is not supported.
    case unsupportedSampleRates(from: Int, to: Int)
    /// The sample rate conversion library failed.
    case rateConversionFailed
    /// A channel map or matrix does not fit the numbers of inputs and outputs, or uses a missing channel.
    case channelMappingMismatch(inputs: Int, outputs: Int)
    /// The number of leading frames to remove is negative.
    case invalidLeadingFrames(Int)
    /// A bit rate was set for a converter with PCM output.
    case noBitRate
    /// PCM was passed to a converter with packet input.
    case packetsExpected
    /// A packet was passed to a converter with PCM input.
    case pcmExpected
    #if !hasFeature(Embedded)
    /// A system codec failed in a step, with the system's status.
    case systemCodec(step: String, status: Int32)
    /// A system codec does not support a setting or its value; `allowed` describes the supported value.
    case unsupportedSystemSetting(String, value: String, allowed: String)
    #endif
}

extension CodecError {
    /// A library loaded at run time.
    public enum Library: Hashable, Sendable {
        /// libopus, the Opus encoder and decoder.
        case opus
    }

    /// Coding tools of the standards that decoders may not support.
    public enum Tool: Hashable, Sendable {
        /// Backward-adaptive prediction in the Main object type (ISO/IEC 14496-3:2009, 4.6.6).
        case mainPrediction
        /// Long-term prediction in the LTP object type (ISO/IEC 14496-3:2009, 4.6.7).
        case longTermPrediction
        /// Gain control in the SSR object type (ISO/IEC 14496-3:2009, 4.6.12).
        case gainControl
        /// The time-warped transform of USAC, which no profile uses.
        case timeWarpedTransform
    }
}
