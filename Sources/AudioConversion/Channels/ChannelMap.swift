// SPDX-License-Identifier: Apache-2.0

/// A mapping of input channels to output channels without mixing.
///
/// `[1, 0]` swaps two channels, `[0, 0]` copies channel 0 to both, `[nil, 0]` silences the first output.
public struct ChannelMap: Hashable, Sendable {
    /// For each output channel, the index of its input channel, or `nil` for silence.
    public var sources: [Int?]

    /// Creates a map.
    public init(_ sources: [Int?]) { self.sources = sources }
}

extension ChannelMap: ExpressibleByArrayLiteral {
    /// Creates a map from input channel indices in output order.
    public init(arrayLiteral sources: Int?...) { self.sources = sources }
}

/// A way of deriving output channels from input channels.
public enum ChannelMapping: Hashable, Sendable {
    /// By the layouts of both, or by the channel counts if a layout is unknown; see ``ChannelMatrix/init(from:to:)``. The default.
    case automatic
    /// Channels are copied.
    case map(ChannelMap)
    /// Channels are mixed.
    case matrix(ChannelMatrix)
}
