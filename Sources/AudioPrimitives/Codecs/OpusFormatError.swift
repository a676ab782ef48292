// SPDX-License-Identifier: Apache-2.0

/// Errors of reading the structures of Opus: its identification header and the beginning of its packets.
public enum OpusFormatError: Error, Hashable, Sendable {
    /// A header does not begin with `OpusHead`.
    case missingSignature
    /// A header, or the part of it with the channel mapping, has fewer bytes than its fields need.
    case truncatedHeader(byteCount: Int, needed: Int)
    /// The version is above 15, and so incompatible (RFC 7845 5.1).
    case unsupportedVersion(Int)
    /// The channel mapping family has no defined speakers, or none known here.
    case unsupportedMappingFamily(Int)
    /// The channel mapping family has no such number of channels.
    case unsupportedChannelCount(Int, family: Int)
    /// The numbers of streams contradict each other, or the mapping family.
    case invalidStreamCounts(streams: Int, coupled: Int)
    /// A channel takes a decoded channel that does not exist.
    case invalidChannelIndex(Int, decodedChannels: Int)
    /// A packet has no bytes, or lacks the byte with the number of its frames.
    case truncatedPacket(byteCount: Int)
    /// A packet has no frame, or more than 120 ms of them (RFC 6716 3.2.5).
    case invalidFrameCount(Int)
}

extension OpusFormatError: DescribedError {
    /// One line for people: the step, the value and the way out.
    public var description: String {
        switch self {
        case .missingSignature:
            "An Opus identification header does not begin with OpusHead."
        case .truncatedHeader(let byteCount, let needed):
            "An Opus identification header is truncated: \(byteCount) bytes where \(needed) are needed."
        case .unsupportedVersion(let version):
            "The Opus identification header has version \(version); versions up to 15 are supported."
        case .unsupportedMappingFamily(let family):
            "The Opus channel mapping family \(family) is unsupported; 0 and 1 are supported."
        case .unsupportedChannelCount(let count, let family):
            "\(count) channels are out of range for the Opus channel mapping family \(family): 1 to \(family == 0 ? 2 : 8)."
        case .invalidStreamCounts(let streams, let coupled):
            "The Opus channel mapping is invalid: \(streams) streams of which \(coupled) are coupled."
        case .invalidChannelIndex(let index, let decodedChannels):
            "The Opus channel mapping is invalid: a channel takes decoded channel \(index) of \(decodedChannels)."
        case .truncatedPacket(let byteCount):
            "An Opus packet of \(byteCount) bytes ends before its number of frames."
        case .invalidFrameCount(let count):
            "An Opus packet has \(count) frames, which is none or more than 120 ms."
        }
    }
}
