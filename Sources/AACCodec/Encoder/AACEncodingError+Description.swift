// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension AACEncodingError: CustomStringConvertible {
    /// One line with the value that was refused and those that are allowed.
    public var description: String {
        switch self {
        case .unsupportedSampleRate(let rate, let allowed):
            "AAC has no sample rate of \(rate) Hz; it has " + allowed.map(String.init).joined(separator: ", ")
        case .unsupportedChannelCount(let count, let allowed):
            "AAC has no configuration for \(count) channels; it has " + allowed.map(String.init).joined(separator: ", ")
        case .unsupportedProfile(let profile, let channelCount, let allowed):
            "\(profile) makes one channel of two, and here \(channelCount == 1 ? "is" : "are") \(channelCount); "
                + allowed.map(\.description).joined(separator: " and ") + " can have that"
        case .unsupportedProfileRate(let profile, let sampleRate, let allowed):
            "\(profile) has no sample rate of \(sampleRate) Hz, only " + allowed.map(String.init).joined(separator: ", ")
                + "; AAC-LC has it"
        case .fixedBandwidth(let profile): "the bandwidth of \(profile) follows from its rate; that of AAC-LC can be set"
        case .unsupportedBitRate(let rate, let allowed):
            "\(rate) bit/s can't be had with this sample rate and these channels; \(allowed.lowerBound) to \(allowed.upperBound) can"
        case .unsupportedQuality(let quality): "there is no quality \(quality), only 0 to 100"
        case .unsupportedBandwidth(let bandwidth, let allowed):
            "a bandwidth of \(bandwidth) Hz can't be had with this sample rate; \(allowed.lowerBound) to \(allowed.upperBound) can"
        case .channelCountMismatch(let expected, let found): "the encoder has \(expected) channels, the input \(found)"
        case .incompleteFrame(let byteCount, let bytesPerFrame): "\(byteCount) bytes are no whole frames of \(bytesPerFrame) bytes"
        case .invalidSample(let channel, let frame): "frame \(frame) of channel \(channel) is not a number or infinite"
        case .finished: "the stream is finished"
        }
    }
}
