// SPDX-License-Identifier: Apache-2.0

extension CodecError: DescribedError {
    /// One line with the rejected values and, where applicable, the supported ones.
    public var description: String {
        settingsDescription ?? inputDescription ?? configurationDescription ?? syntaxDescription ?? rangeDescription ?? packetDescription
            ?? conversionDescription ?? ""
    }

    /// The description of an encoder settings or library error, or `nil` for others.
    private var settingsDescription: String? {
        switch self {
        case .libraryMissing(.opus): "Opus needs libopus, which is not installed; on Debian it is in the package libopus0"
        case .libraryFailed(.opus, let code): "libopus failed with error \(code)"
        case .unsupportedSampleRate(let rate, let allowed): "a sample rate of \(rate) Hz is not supported, only \(Self.list(allowed))"
        case .unsupportedChannelCount(let count, let allowed): "\(count) channels are not supported, only \(Self.list(allowed))"
        case .unsupportedChannelLayout(let layout, let allowed):
            "the codec has no layout of \(Self.names(layout)); with \(allowed.channelCount) channels it has \(Self.names(allowed))"
        case .unsupportedProfile(let profile, let count, let allowed):
            "\(profile) does not support \(count) channel\(count == 1 ? "" : "s"); "
                + allowed.dropLast().map { $0.description }.joined(separator: ", ") + (allowed.count > 1 ? " and " : "")
                + "\(allowed.last?.description ?? "none") \(allowed.count == 1 ? "does" : "do")"
        case .unsupportedProfileRate(let profile, let rate, let allowed):
            "\(profile) does not support a sample rate of \(rate) Hz, only \(Self.list(allowed)); AAC-LC does"
        case .fixedBandwidth(let profile):
            "the bandwidth of \(profile) follows from the bit rate; that of profiles without SBR can be set"
        case .lowDelayProfile(let profile): "\(profile) has no low delay; AAC-LC, AAC-LD and AAC-ELD have"
        case .lowDelaySBR(.enhancedLowDelay, let sampleRate):
            "SBR of AAC-ELD is supported from 16000 Hz on, not at \(sampleRate) Hz; use automatic or off"
        case .lowDelaySBR(let profile, _): "\(profile) has no choice of SBR; AAC-ELD has"
        case .rateGroupProfile(let profile): "a group of access units can't be \(profile), but AAC-LC, HE-AAC or HE-AAC v2"
        case .rateGroupTooShort(let byteCount, let minimum):
            "a group of access units leaves \(byteCount) bytes for audio, which needs at least \(minimum)"
        case .unsupportedFrameLength(let length, let allowed):
            "a frame length of \(length) is not supported; supported are \(Self.list(allowed))"
        case .unsupportedBitRate(let rate, let allowed):
            "\(rate) bit/s is outside the supported range \(Self.range(allowed)) for this sample rate and channel count"
        case .variableBitRate: "the bit rate can't be set at constant quality, where it follows from the signal"
        case .unsupportedQuality(let quality): "a quality of \(quality) is outside the range 0…100"
        case .unsupportedBandwidth(let bandwidth, let allowed):
            "a bandwidth of \(bandwidth) Hz is outside the supported range \(Self.range(allowed)) for this sample rate"
        case .unsupportedComplexity(let value, let allowed): "a complexity of \(value) is outside the range \(Self.range(allowed))"
        case .unsupportedPacketLoss(let value, let allowed):
            "an expected packet loss of \(value) % is outside the range \(Self.range(allowed))"
        case .unsupportedBitDepth(let value, let allowed): "a bit depth of \(value) is not supported, only \(Self.list(allowed))"
        default: nil
        }
    }

    /// The description of an encoder input error, or `nil` for others.
    private var inputDescription: String? {
        switch self {
        case .sampleRateMismatch(let expected, let found):
            "the input has a sample rate of \(found) Hz, and \(expected) Hz are expected; AudioConverter converts it"
        case .channelCountMismatch(let expected, let found): "the input has \(found) channels, and \(expected) are expected"
        case .incompleteFrame(let byteCount, let bytesPerFrame):
            "\(byteCount) bytes is not a multiple of the frame size, \(bytesPerFrame) bytes"
        case .invalidSample(let channel, let frame): "frame \(frame) of channel \(channel) is infinite or not a number"
        case .wrongBlockLength(let sampleCount, let mode):
            "a block to encode has \(sampleCount) samples, but blocks of \(mode.milliseconds) ms have \(mode.samplesPerFrame); fill the last "
                + "block with zeros"
        case .finished: "the stream is finished"
        default: nil
        }
    }

    /// The description of a stream configuration error, or `nil` for others.
    private var configurationDescription: String? {
        switch self {
        case .truncatedConfiguration(let available, let needed): "the configuration has \(available) bits, but needs \(needed)"
        case .unsupportedVersion(let version, let maximum):
            "the configuration has version \(version) of its format; versions up to \(maximum) are supported"
        case .reservedObjectType(let type): "audio object type \(type) is reserved"
        case .unsupportedObjectType(let type): "audio object type \(type) is not supported"
        case .reservedSamplingFrequencyIndex(let index): "sampling frequency index \(index) is reserved"
        case .invalidSampleRate(let rate, let allowed): "a sample rate of \(rate) Hz is outside the range \(Self.range(allowed))"
        case .unsupportedChannelConfiguration(let number): "channel configuration \(number) is not supported"
        case .unsupportedErrorProtection(let epConfig): "error protection (epConfig \(epConfig)) is not supported"
        case .tooManyELDExtensions(let maximum): "AAC-ELD with more than \(maximum) extensions is not supported"
        case .reservedUSACFrameLength(let index): "the frame length index \(index) of USAC is reserved"
        case .tooManyUSACElements(let count, let maximum): "USAC with \(count) elements is not supported, up to \(maximum) are"
        case .missingOpusSignature: "an Opus identification header does not begin with OpusHead"
        case .unsupportedMappingFamily(let family): "the Opus channel mapping family \(family) is not supported; 0 and 1 are"
        case .invalidStreamCounts(let streams, let coupled):
            "the Opus channel mapping is invalid: \(streams) streams of which \(coupled) are coupled"
        case .invalidChannelIndex(let index, let decodedChannels):
            "the Opus channel mapping is invalid: a channel takes decoded channel \(index) of \(decodedChannels)"
        default: nil
        }
    }

    /// The description of an AAC or USAC syntax error, or `nil` for others.
    private var syntaxDescription: String? {
        switch self {
        case .reservedCodebook: "the reserved codebook 12"
        case .emptySection: "a section without bands"
        case .misplacedIntensity(let codebook): "intensity stereo (codebook \(codebook)) without a left channel"
        case .pulsesInShortWindows: "pulses in short windows"
        case .blockSwitching(let sequence): "window sequence \(sequence) in AAC-LD, which has long windows alone"
        case .invalidReversibleCode: "the reversible code of the scale factors is damaged"
        case .invalidReordering: "the reordered codewords of the spectrum are damaged"
        case .reservedMidSideMask: "the reserved middle and side mask 3"
        case .duplicateElement(let id, let tag): "element \(id) with tag \(tag) occurs twice"
        case .unexpectedElement(let id, let tag): "element \(id) with tag \(tag) is not in the channel layout"
        case .missingChannels(let found, let expected): "\(found) channel elements, not \(expected)"
        case .missingChannelLayout: "no channel layout"
        case .excessBits(let count): "\(count) bits are left after the last element, more than fill a byte"
        case .invalidSpectrum: "the arithmetic code of a spectrum is damaged"
        case .missingReference: "the unit continues from one that is damaged or missing"
        case .reservedMode(let mode): "the mode \(mode) of linear prediction is reserved"
        case .unsupportedCoreRate(let rate): "linear prediction is not defined for a core at \(rate) Hz, only for 6000…24000 Hz"
        case .invalidSBRData: "the data of spectral band replication is damaged"
        case .invalidSurroundData: "the data of MPEG Surround is damaged, or has reserved values"
        default: nil
        }
    }

    /// The description of an AAC or USAC value that is out of range, or `nil` for others.
    private var rangeDescription: String? {
        switch self {
        case .tooManyBands(let count, let available): "\(count) bands in a window of \(available)"
        case .sectionTooLong(let end, let bandCount): "a section that ends at band \(end) of \(bandCount)"
        case .scaleFactorOutOfRange(let value): "the scale factor \(value) is outside the range 0…255"
        case .intensityPositionOutOfRange(let value): "the intensity position \(value) is outside the range -155…100"
        case .noiseEnergyOutOfRange(let value): "the noise energy \(value) is outside the range -100…155"
        case .pulseStartOutOfRange(let band, let bandCount): "pulses from band \(band) of \(bandCount) on"
        case .pulseOutOfRange(let line, let lineCount): "a pulse at line \(line) of \(lineCount)"
        case .quantizedValueOutOfRange(let value): "the quantised value \(value) is outside the range -8191…8191"
        case .escapeTooLong(let prefix): "an escape sequence with a prefix of \(prefix) ones"
        case .filterOrderOutOfRange(let order, let maximum): "a TNS filter of order \(order), above the maximum of \(maximum)"
        case .predictorResetGroupOutOfRange(let group): "the predictor reset group \(group) is outside the range 1…30"
        case .codebookNumberOutOfRange(let number, let maximum):
            "a codebook number of the lattice quantizer is \(number), above \(maximum)"
        default: nil
        }
    }

    /// The description of a packet error, or `nil` for others.
    private var packetDescription: String? {
        switch self {
        case .truncated(let byteCount): "the packet of \(byteCount) bytes ends inside an element"
        case .emptyAccessUnit: "the packet is empty"
        case .accessUnitTooLong(let byteCount, let maximum): "a packet of \(byteCount) bytes, above the maximum of \(maximum)"
        case .elementTooLong(let byteCount): "an element of \(byteCount) bytes, longer than the rest of the packet"
        case .reservedBitSet: "a reserved bit is set"
        case .tooManyChannels(let count, let maximum): "\(count) channels exceed the maximum of \(maximum)"
        case .unsupportedTool(let tool):
            switch tool {
            case .mainPrediction: "Main prediction is not supported"
            case .longTermPrediction: "long-term prediction is not supported"
            case .gainControl: "gain control is not supported"
            case .timeWarpedTransform: "USAC with a time-warped transform is not supported; no profile has it"
            }
        case .invalidOpusPacket(let byteCount): "an Opus packet of \(byteCount) bytes is damaged"
        case .invalidOpusFrameCount(let count): "an Opus packet has \(count) frames, which is none or more than 120 ms"
        case .unsupportedDuration(let frames): "\(frames) sample frames at 48 kHz are no multiple of 2.5 ms up to 120 ms"
        case .reservedElement(let kind): "the ALAC packet has an element of kind \(kind), which the format reserves"
        case .invalidFrameLength(let count, let allowed): "ALAC frames of \(count) samples are not possible, only of \(Self.range(allowed))"
        case .invalidLowBytes(let count, let bitDepth):
            "\(count) low bytes of ALAC samples of \(bitDepth) bits are stored apart, which is not possible"
        case .runTooLong(let count, let remaining): "a run of \(count) zeros is longer than the \(remaining) ALAC samples that remain"
        case .wrongFrameLength(let byteCount, let mode):
            "an iLBC frame has \(byteCount) bytes, but frames of \(mode.milliseconds) ms have \(mode.bytesPerFrame); choose the other mode, or "
                + "split the packet into frames"
        default: nil
        }
    }

    /// The description of a conversion error, or `nil` for others.
    private var conversionDescription: String? {
        #if !hasFeature(Embedded)
        if case .systemCodec(let step, let status) = self {
            return "the system's codec failed: \(step), \(FourCharCode(rawValue: UInt32(bitPattern: status)))"
        }
        if case .unsupportedSystemSetting(let setting, let value, let allowed) = self {
            return "the system's codec does not have \(setting) \(value), only \(allowed)"
        }
        #endif
        return switch self {
        case .unsupportedCodec(let codec): "there is no decoder for \(codec)"
        case .unavailableCodec(let codec, let kind, let makers, let available):
            "no \(kind) for \(codec) by \(makers.joined(separator: ", "))"
                + (available.isEmpty ? "" : "; there is one by \(available.joined(separator: ", "))")
        case .invalidMagicCookie(let codec, let byteCount): "\(byteCount) bytes are no magic cookie of \(codec)"
        case .unsupportedSampleRates(let from, let to): "can't convert from \(from) Hz to \(to) Hz"
        case .rateConversionFailed: "can't convert the sample rate"
        case .channelMappingMismatch(let inputs, let outputs):
            "the channel map does not fit \(inputs) input and \(outputs) output channels"
        case .invalidLeadingFrames(let count): "\(count) leading frames are out of range"
        case .noBitRate: "the converter's output is PCM, which has no bit rate to set"
        case .packetsExpected: "the converter's input is packets, not PCM"
        case .pcmExpected: "the converter's input is PCM, not packets"
        default: nil
        }
    }

    /// Formats supported values as a list, or as bounds if they are contiguous.
    private static func list(_ values: [Int]) -> String {
        guard let first = values.first, values.count > 8, values.elementsEqual(first..<first + values.count) else {
            return values.map { String($0) }.joined(separator: ", ")
        }
        return "\(first)…\(first + values.count - 1)"
    }

    private static func range(_ values: ClosedRange<Int>) -> String { "\(values.lowerBound)…\(values.upperBound)" }

    private static func names(_ layout: ChannelLayout) -> String {
        #if hasFeature(Embedded)
        "\(layout.channelCount) channels"
        #else
        layout.speakers.map { String(describing: $0) }.joined(separator: ", ")
        #endif
    }
}
