// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Errors of the Opus encoder and decoder.
public enum OpusError: Error, Hashable, Sendable {
    // The library

    /// The codec needs libopus, which is not installed; Debian's package is libopus0.
    case libraryMissing
    /// The library refused a call with an error number of its own (`opus_errorcodes` in its documentation).
    case libraryFailed(code: Int32)

    // Encoder

    /// The sample rate is none of those that Opus takes and gives; the caller resamples.
    case unsupportedSampleRate(Int, allowed: [Int])
    /// The channel mapping has no such number of channels.
    case configuration(OpusFormatError)
    /// The speakers of the input are not those that Opus has for the number of channels.
    case unsupportedChannelLayout(ChannelLayout, allowed: ChannelLayout)
    /// The bit rate is out of range for the number of channels.
    case unsupportedBitRate(Int, allowed: ClosedRange<Int>)
    /// The complexity is out of range.
    case unsupportedComplexity(Int, allowed: ClosedRange<Int>)
    /// The expected packet loss, in per cent, is out of range.
    case unsupportedPacketLoss(Int, allowed: ClosedRange<Int>)
    /// The bit depth of the input is out of range.
    case unsupportedBitDepth(Int, allowed: ClosedRange<Int>)
    /// The input has another number of channels than the configuration.
    case channelCountMismatch(expected: Int, found: Int)
    /// The bytes of the input are no whole number of sample frames.
    case incompleteFrame(byteCount: Int, bytesPerFrame: Int)
    /// A sample is infinite or not a number.
    case invalidSample(channel: Int, frame: Int)
    /// The stream is finished.
    case finished

    // Decoder

    /// The packet is damaged.
    case invalidPacket(byteCount: Int)
    /// A span to conceal, in sample frames at 48 kHz, is no multiple of 2.5 ms up to 120 ms.
    case unsupportedDuration(Int)

    /// The error of another layer that caused this one; nil if there is none.
    public var underlyingError: (any Error)? {
        if case .configuration(let error) = self { error } else { nil }
    }
}

extension OpusError: DescribedError {
    /// One line with the values that were refused and, where there are any, those that are supported.
    public var description: String {
        switch self {
        case .libraryMissing: "Opus needs libopus, which is not installed; on Debian it is in the package libopus0"
        case .libraryFailed(let code): "libopus failed with error \(code)"
        case .unsupportedSampleRate(let rate, let allowed):
            "Opus does not support a sample rate of \(rate) Hz, only " + allowed.map(String.init).joined(separator: ", ")
        case .configuration(let error): error.description
        case .unsupportedChannelLayout(let layout, let allowed):
            "Opus has no layout of \(Self.names(layout)); with \(allowed.channelCount) channels it has \(Self.names(allowed))"
        case .unsupportedBitRate(let rate, let allowed):
            "\(rate) bit/s is outside the supported range \(allowed.lowerBound)…\(allowed.upperBound) for this channel count"
        case .unsupportedComplexity(let value, let allowed):
            "a complexity of \(value) is outside the range \(allowed.lowerBound)…\(allowed.upperBound)"
        case .unsupportedPacketLoss(let value, let allowed):
            "an expected packet loss of \(value) % is outside the range \(allowed.lowerBound)…\(allowed.upperBound)"
        case .unsupportedBitDepth(let value, let allowed):
            "a bit depth of \(value) is outside the range \(allowed.lowerBound)…\(allowed.upperBound)"
        case .channelCountMismatch(let expected, let found): "the input has \(found) channels, the encoder \(expected)"
        case .incompleteFrame(let byteCount, let bytesPerFrame):
            "\(byteCount) bytes is not a multiple of the frame size, \(bytesPerFrame) bytes"
        case .invalidSample(let channel, let frame): "frame \(frame) of channel \(channel) is infinite or not a number"
        case .finished: "the stream is finished"
        case .invalidPacket(let byteCount): "an Opus packet of \(byteCount) bytes is damaged"
        case .unsupportedDuration(let frames): "\(frames) sample frames at 48 kHz are no multiple of 2.5 ms up to 120 ms"
        }
    }

    /// The names of a layout's speakers.
    private static func names(_ layout: ChannelLayout) -> String {
        layout.speakers.map { String(describing: $0) }.joined(separator: ", ")
    }
}
