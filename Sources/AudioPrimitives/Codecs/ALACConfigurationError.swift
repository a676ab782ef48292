// SPDX-License-Identifier: Apache-2.0

/// Errors of reading the configuration of an Apple Lossless stream.
public enum ALACConfigurationError: Error, Hashable, Sendable {
    /// The cookie has fewer bytes than its form needs.
    case truncated(byteCount: Int, neededBytes: Int)
    /// Decoders need a later version of the format than 0 (`compatibleVersion`).
    case unsupportedVersion(Int)
    /// The frame length is 0 or above the limit of ``ALACConfiguration/frameLengths``.
    case unsupportedFrameLength(Int)
    /// The samples don't have 16, 20, 24 or 32 bits.
    case unsupportedBitDepth(Int)
    /// The number of channels is not one of 1 to 8.
    case unsupportedChannelCount(Int)
    /// The sample rate in hertz is 0 or above what a timescale of 31 bits can express.
    case invalidSampleRate(Int)
}

extension ALACConfigurationError: DescribedError {
    /// The error in one line of plain text.
    public var description: String {
        switch self {
        case .truncated(let byteCount, let needed): "the ALAC configuration has \(byteCount) bytes and needs \(needed)"
        case .unsupportedVersion(let version): "the ALAC stream needs version \(version) of the format; this is version 0"
        case .unsupportedFrameLength(let length):
            "the ALAC frame length of \(length) samples is outside of the supported range, "
                + "\(ALACConfiguration.frameLengths.lowerBound) to \(ALACConfiguration.frameLengths.upperBound)"
        case .unsupportedBitDepth(let bitDepth): "the ALAC bit depth of \(bitDepth) is not one of 16, 20, 24 and 32"
        case .unsupportedChannelCount(let count): "\(count) ALAC channels are outside of the supported range, 1 to 8"
        case .invalidSampleRate(let rate): "the ALAC sample rate of \(rate) Hz is not valid"
        }
    }
}
