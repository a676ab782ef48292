// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Errors of decoding Apple Lossless.
public enum ALACError: Error, Hashable, Sendable {
    /// The configuration of the stream has a field out of range.
    case configuration(ALACConfigurationError)
    /// The packet ends inside an element, or before all channels came; it has this number of bytes.
    case truncated(byteCount: Int)
    /// The packet has an element of a kind that the format reserves: 2 (coupling) or 5 (program configuration).
    case unsupportedElement(kind: Int)
    /// Bits at the beginning of an element that have to be 0 are not.
    case reservedBitsSet
    /// The packet has more channels than the configuration.
    case tooManyChannels(Int, expected: Int)
    /// An element has no sample frames, more than the frame length, or another number than the elements before it.
    case invalidFrameCount(Int, allowed: ClosedRange<Int>)
    /// The number of low bytes that are stored apart does not fit the number of bits of a sample.
    case invalidLowBytes(count: Int, bitDepth: Int)
    /// A run of zeros is longer than the rest of the element.
    case runTooLong(Int, remaining: Int)
}

extension ALACError: DescribedError {
    /// The error in one line of plain text.
    public var description: String {
        switch self {
        case .configuration(let error): error.description
        case .truncated(let byteCount): "the ALAC packet of \(byteCount) bytes ends too early"
        case .unsupportedElement(let kind): "the ALAC packet has an element of kind \(kind), which the format reserves"
        case .reservedBitsSet: "reserved bits of an ALAC element are set"
        case .tooManyChannels(let count, let expected): "the ALAC packet has \(count) channels; the configuration has \(expected)"
        case .invalidFrameCount(let count, let allowed):
            "an ALAC element has \(count) sample frames; \(allowed.lowerBound) to \(allowed.upperBound) are possible"
        case .invalidLowBytes(let count, let bitDepth):
            "\(count) low bytes of ALAC samples of \(bitDepth) bits are stored apart, which is not possible"
        case .runTooLong(let count, let remaining): "a run of \(count) zeros is longer than the \(remaining) ALAC samples that remain"
        }
    }
}
