// SPDX-License-Identifier: Apache-2.0

/// The channels of an input that become those of an output, without mixing.
///
/// `[1, 0]` swaps two channels, `[0, 0]` copies the first one to both, `[nil, 0]` leaves the first one silent.
public struct ChannelMap: Hashable, Sendable {
    /// For each channel of the output, the index of the channel of the input; nil for silence.
    public var sources: [Int?]

    /// Creates a map.
    public init(_ sources: [Int?]) { self.sources = sources }
}

extension ChannelMap: ExpressibleByArrayLiteral {
    /// Creates a map from the channels of the input in the order of the output.
    public init(arrayLiteral sources: Int?...) { self.sources = sources }
}

/// The way from the channels of an input to those of an output.
public enum ChannelMapping: Hashable, Sendable {
    /// By the speakers of both, or their number where speakers are unknown: ``ChannelMatrix/init(from:to:)`` says how. The default.
    case automatic
    /// Channels are copied.
    case map(ChannelMap)
    /// Channels are mixed.
    case matrix(ChannelMatrix)
}
