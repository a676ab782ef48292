// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

extension AACError: DescribedError {
    /// One line with the values that were refused and, where there are any, those that are supported.
    public var description: String {
        switch code {
        case .unsupportedConfiguration, .invalidInput: encodingDescription
        default: decodingDescription
        }
    }

    /// The description of the errors of an encoder.
    private var encodingDescription: String {
        switch self {
        case .unsupportedSampleRate(let rate, let allowed):
            "AAC does not support a sample rate of \(rate) Hz, only " + allowed.map(String.init).joined(separator: ", ")
        case .unsupportedChannelCount(let count, let allowed):
            "AAC has no configuration of \(count) channels, only of " + allowed.map(String.init).joined(separator: ", ")
        case .unsupportedProfile(let profile, let count, let allowed):
            "\(profile) does not support \(count) channel\(count == 1 ? "" : "s"); "
                + allowed.dropLast().map { $0.description }.joined(separator: ", ") + (allowed.count > 1 ? " and " : "")
                + "\(allowed.last?.description ?? "none") \(allowed.count == 1 ? "does" : "do")"
        case .unsupportedProfileRate(let profile, let sampleRate, let allowed):
            "\(profile) does not support a sample rate of \(sampleRate) Hz, only "
                + allowed.map(String.init).joined(separator: ", ") + "; AAC-LC does"
        case .fixedBandwidth(let profile):
            "the bandwidth of \(profile) follows from the bit rate; that of profiles without SBR can be set"
        case .lowDelayProfile(let profile): "\(profile) has no low delay; AAC-LC, AAC-LD and AAC-ELD have"
        case .lowDelaySBR(.enhancedLowDelay, let sampleRate):
            "SBR of AAC-ELD is supported from 16000 Hz on, not at \(sampleRate) Hz; use automatic or off"
        case .lowDelaySBR(let profile, _): "\(profile) has no choice of SBR; AAC-ELD has"
        case .rateGroupProfile(let profile): "a group of access units can't be \(profile), but AAC-LC, HE-AAC or HE-AAC v2"
        case .unsupportedFrameLength(let length, let allowed):
            "a frame length of \(length) is not supported; supported are \(allowed.map(String.init).joined(separator: ", "))"
        case .unsupportedBitRate(let rate, let allowed):
            "\(rate) bit/s is outside the supported range \(allowed.lowerBound)…\(allowed.upperBound) "
                + "for this sample rate and channel count"
        case .variableBitRate: "the bit rate can't be set at constant quality, where it follows from the signal"
        case .unsupportedQuality(let quality): "a quality of \(quality) is outside the range 0…100"
        case .rateGroupTooShort(let byteCount, let minimum):
            "a group of access units leaves \(byteCount) bytes for audio, which needs at least \(minimum)"
        case .unsupportedBandwidth(let bandwidth, let allowed):
            "a bandwidth of \(bandwidth) Hz is outside the supported range \(allowed.lowerBound)…\(allowed.upperBound) "
                + "for this sample rate"
        case .sampleRateMismatch(let expected, let found):
            "the input has a sample rate of \(found) Hz, the encoder \(expected) Hz; AudioConverter converts it"
        case .channelCountMismatch(let expected, let found): "the input has \(found) channels, the encoder \(expected)"
        case .incompleteFrame(let byteCount, let bytesPerFrame):
            "\(byteCount) bytes is not a multiple of the frame size, \(bytesPerFrame) bytes"
        case .invalidSample(let channel, let frame): "frame \(frame) of channel \(channel) is infinite or not a number"
        case .finished: "the stream is finished"
        default: code.rawValue
        }
    }

    /// The description of the errors of a decoder.
    private var decodingDescription: String {
        switch self {
        case .truncated(let bitCount): "the access unit ends inside an element, after \(bitCount / 8) bytes"
        case .emptyAccessUnit: "the access unit is empty"
        case .reservedBitSet: "a reserved bit is set"
        case .tooManyBands(let count, let available): "\(count) bands in a window of \(available)"
        case .reservedCodebook: "the reserved codebook 12"
        case .emptySection: "a section without bands"
        case .sectionTooLong(let end, let bandCount): "a section that ends at band \(end) of \(bandCount)"
        case .misplacedIntensity(let codebook): "intensity stereo (codebook \(codebook)) without a left channel"
        case .scaleFactorOutOfRange(let value): "the scale factor \(value) is outside the range 0…255"
        case .intensityPositionOutOfRange(let value): "the intensity position \(value) is outside the range -155…100"
        case .noiseEnergyOutOfRange(let value): "the noise energy \(value) is outside the range -100…155"
        case .pulsesInShortWindows: "pulses in short windows"
        case .pulseStartOutOfRange(let band, let bandCount): "pulses from band \(band) of \(bandCount) on"
        case .pulseOutOfRange(let line, let lineCount): "a pulse at line \(line) of \(lineCount)"
        case .quantizedValueOutOfRange(let value): "the quantised value \(value) is outside the range -8191…8191"
        case .escapeTooLong(let prefix): "an escape sequence with a prefix of \(prefix) ones"
        case .filterOrderOutOfRange(let order, let maximum): "a TNS filter of order \(order), above the maximum of \(maximum)"
        case .blockSwitching(let sequence): "window sequence \(sequence) in AAC-LD, which has long windows alone"
        case .invalidReversibleCode: "the reversible code of the scale factors is damaged"
        case .invalidReordering: "the reordered codewords of the spectrum are damaged"
        case .reservedMidSideMask: "the reserved middle and side mask 3"
        case .predictorResetGroupOutOfRange(let group): "the predictor reset group \(group) is outside the range 1…30"
        case .duplicateElement(let id, let tag): "element \(id) with tag \(tag) occurs twice"
        case .unexpectedElement(let id, let tag): "element \(id) with tag \(tag) is not in the channel layout"
        case .missingChannels(let found, let expected): "\(found) channel elements, not \(expected)"
        case .fillElementTooLong(let byteCount): "a fill element of \(byteCount) bytes, longer than the rest of the access unit"
        case .missingChannelLayout: "no channel layout"
        case .accessUnitTooLong(let byteCount, let maximum): "an access unit of \(byteCount) bytes, above the maximum of \(maximum)"
        case .unsupportedTool(let tool): "\(tool.rawValue) is not supported"
        case .unsupportedObjectType(let type): "audio object type \(type) is not supported"
        case .unsupportedChannelConfiguration(let number): "channel configuration \(number) is not supported"
        case .tooManyChannels(let count, let maximum): "\(count) channels exceed the maximum of \(maximum)"
        default: code.rawValue
        }
    }
}
