// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
public import AudioPrimitives

/// Errors thrown when converting audio or choosing a codec.
public struct AudioConversionError: Error, Sendable {
    /// The reason for an error.
    public enum Code: Hashable, Sendable {
        /// The input has another number of channels than the converter or the encoder.
        case channelCountMismatch(expected: Int, found: Int)
        /// The encoder does not support this bit rate, in bits per second.
        case unsupportedBitRate(Int, applicable: [Int])
        /// There is no decoder for the codec.
        case unsupportedCodec(FourCharCode)
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

extension AudioConversionError: CustomStringConvertible {
    /// One line that names the step, the values and the way out.
    public var description: String {
        let text =
            switch code {
            case .channelCountMismatch(let expected, let found): "the input has \(found) channels, and \(expected) are expected"
            case .unsupportedBitRate(let bitRate, let applicable):
                "\(bitRate) bit/s is unsupported; applicable are " + applicable.map(String.init).joined(separator: ", ")
            case .unsupportedCodec(let codec): "there is no decoder for \(codec.codecName)"
            case .finished: "the stream has ended; reset the converter before more input"
            }
        return underlying.map { "\(text): \($0)" } ?? text
    }
}
