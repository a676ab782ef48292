// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioPrimitives

/// Errors thrown when converting audio or choosing a codec.
public struct AudioConversionError: Error, Sendable {
    /// The reason for an error.
    public enum Code: Hashable, Sendable {
        /// The input has another number of channels than the converter or the encoder.
        case channelCountMismatch(expected: Int, found: Int)
        /// The encoder does not support this bit rate, in bits per second.
        case unsupportedBitRate(Int, applicable: [ClosedRange<Int>])
        /// AAC has no channel configuration with the speakers of these channels.
        case unsupportedChannelLayout(channelCount: Int)
        /// There is no decoder for the codec.
        case unsupportedCodec(FourCharCode)
        /// The input has another sample rate, in hertz, than the converter.
        case sampleRateMismatch(expected: Int, found: Int)
        /// A number of a PCM format is out of range.
        case unsupportedFormat(field: String, value: Int)
        /// The conversion between these sample rates, in hertz, is not supported, or its library is missing.
        case unsupportedSampleRates(from: Int, to: Int)
        /// The library that converts sample rates failed.
        case rateConversionFailed
        /// A channel map or matrix does not have these numbers of inputs and outputs, or names a channel that does not exist.
        case channelMappingMismatch(inputs: Int, outputs: Int)
        /// The number of bytes is not a multiple of the frame size.
        case incompleteFrame(byteCount: Int, bytesPerFrame: Int)
        /// PCM was given to a converter whose input is packets.
        case packetsExpected
        /// A packet was given to a converter whose input is PCM.
        case pcmExpected
        /// The decoder does not support the stream.
        case cannotDecode
        /// The encoder does not support its parameters, or refused its input.
        case cannotEncode
        /// The magic cookie of a stream is missing or damaged.
        case invalidMagicCookie(FourCharCode, byteCount: Int)
        /// No implementation that was asked for has this codec; `available` lists those that do.
        case noCodec(FourCharCode, kind: CodecDescription.Kind, makers: [CodecDescription.Maker], available: [CodecDescription.Maker])
        /// A codec of the system failed in a step, with the system's status.
        case systemCodec(step: String, status: Int32)
        /// Input came after the end of the stream.
        case finished
    }

    /// The reason for the error.
    public let code: Code
    /// The error of the codec or the library that caused it, if one did.
    public let underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }
}

extension AudioConversionError: DescribedError {
    /// One line that names the step, the values and the way out.
    public var description: String {
        let text =
            switch code {
            case .channelCountMismatch(let expected, let found): "the input has \(found) channels, and \(expected) are expected"
            case .unsupportedBitRate(let bitRate, let applicable):
                "the bit rate of \(bitRate) bit/s is unsupported"
                    + (applicable.isEmpty ? "" : "; choose " + applicable.map(Self.text).joined(separator: ", "))
            case .unsupportedChannelLayout(let channelCount):
                "AAC has no layout for the speakers of these \(channelCount) channels; set the input's layout to one of its own"
            case .unsupportedCodec(let codec): "there is no decoder for \(codec.codecName)"
            case .sampleRateMismatch(let expected, let found): "the input has \(found) Hz, and \(expected) Hz are expected"
            case .unsupportedFormat(let field, let value): "a \(field) of \(value) is out of range"
            case .unsupportedSampleRates(let from, let to): "can't convert from \(from) Hz to \(to) Hz"
            case .rateConversionFailed: "can't convert the sample rate"
            case .channelMappingMismatch(let inputs, let outputs):
                "the channel map does not fit \(inputs) input and \(outputs) output channels"
            case .incompleteFrame(let byteCount, let bytesPerFrame):
                "\(byteCount) bytes are not a multiple of the frame size, \(bytesPerFrame) bytes"
            case .packetsExpected: "the converter's input is packets, not PCM"
            case .pcmExpected: "the converter's input is PCM, not packets"
            case .cannotDecode: "can't decode the stream"
            case .cannotEncode: "can't encode the audio"
            case .invalidMagicCookie(let codec, let byteCount): "\(byteCount) bytes are no magic cookie of \(codec)"
            case .noCodec(let codec, let kind, let makers, let available):
                "no \(kind.rawValue) for \(codec) by \(makers.map(\.rawValue).joined(separator: ", "))"
                    + (available.isEmpty ? "" : "; there is one by \(available.map(\.rawValue).joined(separator: ", "))")
            case .systemCodec(let step, let status):
                "the system's codec failed: \(step), \(FourCharCode(rawValue: UInt32(bitPattern: status)))"
            case .finished: "the stream has ended; reset the converter before more input"
            }
        return underlying.map { "\(text): \($0)" } ?? text
    }

    /// Returns a range as text; a single number for one of a single number.
    private static func text(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
}
