// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension MPEG4AudioError: DescribedError {
    /// The reason for which the configuration can't be used.
    public var description: String {
        switch self {
        case .truncated(let available, let needed): "the configuration has \(available) bits, but needs \(needed)"
        case .reservedObjectType(let type): "audio object type \(type) is reserved"
        case .unsupportedObjectType(let type): "\(type) is not supported"
        case .reservedSamplingFrequencyIndex(let index): "sampling frequency index \(index) is reserved"
        case .invalidSampleRate(let rate, let allowed):
            "a sample rate of \(rate) Hz is out of range, \(allowed.lowerBound) to \(allowed.upperBound) Hz"
        case .reservedChannelConfiguration(let configuration): "channel configuration \(configuration) is reserved"
        case .unsupportedErrorProtection(let epConfig): "error protection (epConfig \(epConfig)) is not supported"
        case .tooManyELDExtensions(let maximum): "AAC-ELD with more than \(maximum) extensions is not supported"
        case .unsupportedUSACConfig(let refusal): refusal.text
        }
    }
}

extension MPEG4AudioError.USACRefusal {
    /// The reason for which a configuration of USAC can't be used.
    fileprivate var text: String {
        switch self {
        case .frameLengthIndex(let index): "the frame length index \(index) of USAC is reserved"
        case .channelCount(let count): "USAC with \(count) channels is not supported, 1 to \(USACConfig.maximumChannelCount) are"
        case .elementCount(let count): "USAC with \(count) elements is not supported, up to \(USACConfig.maximumElementCount) are"
        case .timeWarpedTransform: "USAC with a time-warped transform is not supported; no profile has it"
        case .surroundConfig: "the configuration of MPEG Surround has reserved values"
        }
    }
}
