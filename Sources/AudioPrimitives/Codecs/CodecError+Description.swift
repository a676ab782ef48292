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
        case .libraryMissing(.opus): "libopus is not installed; on Debian, install the package libopus0"
        case .libraryFailed(.opus, let code): "libopus failed with error \(code)"
        case .unsupportedSampleRate(let rate, let allowed): "unsupported sample rate \(rate) Hz; supported: \(Self.list(allowed))"
        case .unsupportedChannelCount(let count, let allowed): "unsupported channel count \(count); supported: \(Self.list(allowed))"
        case .unsupportedChannelLayout(let layout, let allowed):
            "unsupported channel layout \(Self.names(layout)); supported with \(allowed.channelCount) channels: \(Self.names(allowed))"
        case .unsupportedProfile(let profile, let count, let allowed):
            "\(profile) does not support \(count) channel\(count == 1 ? "" : "s"); "
                + allowed.dropLast().map { $0.description }.joined(separator: ", ") + (allowed.count > 1 ? " and " : "")
                + "\(allowed.last?.description ?? "none") \(allowed.count == 1 ? "does" : "do")"
        case .unsupportedProfileRate(let profile, let rate, let allowed):
            "\(profile) does not support a sample rate of \(rate) Hz, only \(Self.list(allowed)); AAC-LC does"
        case .fixedBandwidth(let profile):
            "cannot set the bandwidth for \(profile); it is derived from the bit rate"
        case .lowDelayProfile(let profile): "low delay requires AAC-LC, AAC-LD or AAC-ELD, not \(profile)"
        case .lowDelaySBR(.enhancedLowDelay, let sampleRate):
            "SBR in AAC-ELD requires a sample rate of at least 16000 Hz, not \(sampleRate) Hz; use automatic or off"
        case .lowDelaySBR(let profile, _): "cannot choose SBR for \(profile), only for AAC-ELD"
        case .rateGroupProfile(let profile):
            "unsupported profile \(profile) for a group of access units; supported: AAC-LC, HE-AAC, HE-AAC v2"
        case .rateGroupTooShort(let byteCount, let minimum):
            "a group of access units has only \(byteCount) bytes left for audio; at least \(minimum) are required"
        case .unsupportedFrameLength(let length, let allowed):
            "unsupported frame length \(length); supported: \(Self.list(allowed))"
        case .unsupportedBitRate(let rate, let allowed):
            "unsupported bit rate \(rate) bit/s; supported for this sample rate and channel count: \(Self.range(allowed))"
        case .unsupportedPeakBitRate(let peak, let minimum): "unsupported peak bit rate \(peak) bit/s; supported: at least \(minimum)"
        case .variableBitRate: "cannot set the bit rate at constant quality; it depends on the signal"
        case .unsupportedQuality(let quality): "unsupported quality \(quality); supported: 0…100"
        case .unsupportedBandwidth(let bandwidth, let allowed):
            "unsupported bandwidth \(bandwidth) Hz; supported for this sample rate: \(Self.range(allowed))"
        case .unsupportedComplexity(let value, let allowed): "unsupported complexity \(value); supported: \(Self.range(allowed))"
        case .unsupportedPacketLoss(let value, let allowed):
            "unsupported expected packet loss \(value) %; supported: \(Self.range(allowed))"
        case .unsupportedBitDepth(let value, let allowed): "unsupported bit depth \(value); supported: \(Self.list(allowed))"
        default: nil
        }
    }

    /// The description of an encoder input error, or `nil` for others.
    private var inputDescription: String? {
        switch self {
        case .sampleRateMismatch(let expected, let found):
            "the input sample rate is \(found) Hz instead of \(expected) Hz; convert it with AudioConverter"
        case .channelCountMismatch(let expected, let found): "the input has \(found) channels instead of \(expected)"
        case .incompleteFrame(let byteCount, let bytesPerFrame):
            "\(byteCount) bytes are not a multiple of the frame size, \(bytesPerFrame) bytes"
        case .invalidSample(let channel, let frame): "frame \(frame) of channel \(channel + 1) is infinite or not a number"
        case .wrongBlockLength(let sampleCount, let mode):
            "the block has \(sampleCount) samples instead of \(mode.samplesPerFrame) for \(mode.milliseconds) ms; fill the last "
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
            "unsupported configuration version \(version); supported: up to \(maximum)"
        case .reservedObjectType(let type): "audio object type \(type) is reserved"
        case .unsupportedObjectType(let type): "audio object type \(type) is not supported"
        case .reservedSamplingFrequencyIndex(let index): "sampling frequency index \(index) is reserved"
        case .invalidSampleRate(let rate, let allowed): "invalid sample rate \(rate) Hz; supported: \(Self.range(allowed))"
        case .unsupportedChannelConfiguration(let number): "channel configuration \(number) is not supported"
        case .unsupportedErrorProtection(let epConfig): "error protection (epConfig \(epConfig)) is not supported"
        case .tooManyELDExtensions(let maximum): "AAC-ELD with more than \(maximum) extensions is not supported"
        case .reservedUSACFrameLength(let index): "USAC frame length index \(index) is reserved"
        case .tooManyUSACElements(let count, let maximum): "USAC with \(count) elements is not supported; the maximum is \(maximum)"
        case .missingOpusSignature: "the Opus identification header does not start with OpusHead"
        case .unsupportedMappingFamily(let family): "unsupported Opus channel mapping family \(family); supported: 0, 1"
        case .invalidStreamCounts(let streams, let coupled):
            "invalid Opus channel mapping: \(streams) streams, \(coupled) of them coupled"
        case .invalidChannelIndex(let index, let decodedChannels):
            "invalid Opus channel mapping: decoded channel index \(index) of \(decodedChannels)"
        default: nil
        }
    }

    /// The description of an AAC or USAC syntax error, or `nil` for others.
    private var syntaxDescription: String? {
        switch self {
        case .reservedCodebook: "reserved codebook 12"
        case .emptySection: "section without bands"
        case .misplacedIntensity(let codebook): "intensity stereo (codebook \(codebook)) without a left channel"
        case .pulsesInShortWindows: "pulses in short windows"
        case .blockSwitching(let sequence): "window sequence \(sequence) in AAC-LD, which only supports long windows"
        case .invalidReversibleCode: "the reversible scale factor code is damaged"
        case .invalidReordering: "the reordered spectral codewords are damaged"
        case .reservedMidSideMask: "reserved mid/side mask 3"
        case .duplicateElement(let id, let tag): "element \(id) with tag \(tag) occurs twice"
        case .unexpectedElement(let id, let tag): "element \(id) with tag \(tag) is not in the channel layout"
        case .missingChannels(let found, let expected): "\(found) channel elements instead of \(expected)"
        case .missingChannelLayout: "no channel layout"
        case .excessBits(let count): "\(count) bits are left after the last element, more than byte alignment needs"
        case .invalidSpectrum: "an arithmetic-coded spectrum is damaged"
        case .missingReference: "the access unit depends on a damaged or missing one"
        case .reservedMode(let mode): "linear prediction mode \(mode) is reserved"
        case .unsupportedCoreRate(let rate): "unsupported core sample rate \(rate) Hz for linear prediction; supported: 6000…24000"
        case .invalidSBRData: "the SBR data is damaged"
        case .invalidSurroundData: "the MPEG Surround data is damaged or has reserved values"
        default: nil
        }
    }

    /// The description of an AAC or USAC value that is out of range, or `nil` for others.
    private var rangeDescription: String? {
        switch self {
        case .tooManyBands(let count, let available): "\(count) bands in a window with \(available)"
        case .sectionTooLong(let end, let bandCount): "section ends at band \(end) of \(bandCount)"
        case .scaleFactorOutOfRange(let value): "scale factor \(value) is outside the range 0…255"
        case .intensityPositionOutOfRange(let value): "intensity position \(value) is outside the range -155…100"
        case .noiseEnergyOutOfRange(let value): "noise energy \(value) is outside the range -100…155"
        case .pulseStartOutOfRange(let band, let bandCount): "pulses start at band \(band) of \(bandCount)"
        case .pulseOutOfRange(let line, let lineCount): "pulse at line \(line) of \(lineCount)"
        case .quantizedValueOutOfRange(let value): "quantised value \(value) is outside the range -8191…8191"
        case .escapeTooLong(let prefix): "escape sequence with a prefix of \(prefix) ones"
        case .filterOrderOutOfRange(let order, let maximum): "TNS filter order \(order) exceeds the maximum of \(maximum)"
        case .predictorResetGroupOutOfRange(let group): "predictor reset group \(group) is outside the range 1…30"
        case .codebookNumberOutOfRange(let number, let maximum):
            "lattice quantiser codebook number \(number) exceeds the maximum of \(maximum)"
        default: nil
        }
    }

    /// The description of a packet error, or `nil` for others.
    private var packetDescription: String? {
        switch self {
        case .truncated(let byteCount): "the packet is truncated after \(byteCount) bytes"
        case .emptyAccessUnit: "the packet is empty"
        case .accessUnitTooLong(let byteCount, let maximum): "packet size \(byteCount) exceeds the maximum of \(maximum) bytes"
        case .elementTooLong(let byteCount): "an element of \(byteCount) bytes is longer than the rest of the packet"
        case .reservedBitSet: "a reserved bit is set"
        case .tooManyChannels(let count, let maximum): "\(count) channels exceed the maximum of \(maximum)"
        case .unsupportedTool(let tool):
            switch tool {
            case .mainPrediction: "Main prediction is not supported"
            case .longTermPrediction: "long-term prediction is not supported"
            case .gainControl: "gain control is not supported"
            case .timeWarpedTransform: "the time-warped transform of USAC is not supported"
            }
        case .invalidOpusPacket(let byteCount): "damaged Opus packet (\(byteCount) bytes)"
        case .invalidOpusFrameCount(let count): "invalid frame count \(count) in an Opus packet; the duration must be up to 120 ms"
        case .unsupportedDuration(let frames): "frame count \(frames) is not a multiple of 2.5 ms, up to 120 ms, at 48 kHz"
        case .reservedElement(let kind): "reserved element kind \(kind) in an ALAC packet"
        case .invalidFrameLength(let count, let allowed): "invalid ALAC frame length \(count); supported: \(Self.range(allowed))"
        case .invalidLowBytes(let count, let bitDepth):
            "invalid number of separate low bytes (\(count)) for \(bitDepth)-bit ALAC samples"
        case .runTooLong(let count, let remaining): "a run of \(count) zeros is longer than the remaining \(remaining) ALAC samples"
        case .wrongFrameLength(let byteCount, let mode):
            "the iLBC frame has \(byteCount) bytes instead of \(mode.bytesPerFrame) for \(mode.milliseconds) ms; choose the other mode, or "
                + "split the packet into frames"
        default: nil
        }
    }

    /// The description of a conversion error, or `nil` for others.
    private var conversionDescription: String? {
        #if !hasFeature(Embedded)
        if case .systemCodec(let step, let status) = self {
            return "the system codec failed: \(step), \(FourCharCode(rawValue: UInt32(bitPattern: status)))"
        }
        if case .unsupportedSystemSetting(let setting, let value, let allowed) = self {
            return "the system codec does not support \(setting) \(value), only \(allowed)"
        }
        #endif
        return switch self {
        case .unsupportedCodec(let codec): "no decoder for \(codec)"
        case .unavailableCodec(let codec, let kind, let makers, let available):
            "no \(kind) for \(codec) by \(makers.joined(separator: ", "))"
                + (available.isEmpty ? "" : "; available: \(available.joined(separator: ", "))")
        case .invalidMagicCookie(let codec, let byteCount): "invalid \(codec) magic cookie (\(byteCount) bytes)"
        case .unsupportedSampleRates(let from, let to): "cannot convert from \(from) Hz to \(to) Hz"
        case .rateConversionFailed: "sample rate conversion failed"
        case .channelMappingMismatch(let inputs, let outputs):
            "the channel map does not fit \(inputs) input and \(outputs) output channels"
        case .invalidLeadingFrames(let count): "invalid number of leading frames: \(count)"
        case .noBitRate: "cannot set a bit rate for a converter with PCM output"
        case .packetsExpected: "the converter expects packets, not PCM"
        case .pcmExpected: "the converter expects PCM, not packets"
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
