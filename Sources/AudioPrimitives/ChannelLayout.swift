// SPDX-License-Identifier: Apache-2.0

/// The position of a channel's loudspeaker.
///
/// Raw values are the bit numbers of the mask in an extensible WAV header, as far as there is one.
public enum Speaker: Int, Hashable, Sendable, CaseIterable {
    /// Front left.
    case left = 0
    /// Front right.
    case right = 1
    /// Front centre, and the only channel of mono.
    case center = 2
    /// Low-frequency effects.
    case lowFrequency = 3
    /// Back left.
    case backLeft = 4
    /// Back right.
    case backRight = 5
    /// Front, between left and centre.
    case leftOfCenter = 6
    /// Front, between right and centre.
    case rightOfCenter = 7
    /// Back centre.
    case backCenter = 8
    /// Side left; the surround of 5.1.
    case sideLeft = 9
    /// Side right; the surround of 5.1.
    case sideRight = 10
    /// Front left, above.
    case topLeft = 12
    /// Front right, above.
    case topRight = 14
}

/// The loudspeakers of a stream's channels, in the order of the channels.
public struct ChannelLayout: Hashable, Sendable {
    /// One speaker a channel.
    public var speakers: [Speaker]

    /// Creates a layout from speakers in channel order.
    public init(_ speakers: [Speaker]) { self.speakers = speakers }

    /// Creates a layout from speakers in channel order; nil if some are unknown.
    package init?(known speakers: [Speaker?]) {
        guard !speakers.contains(nil) else { return nil }
        self.init(speakers.compactMap { $0 })
    }

    /// Creates the usual layout of 1 to 8 channels, which FLAC defines (RFC 9639, 9.1.3); nil for others.
    package init?(usualChannelCount count: Int) {
        let surround: [Speaker] = [.left, .right, .center, .lowFrequency]
        switch count {
        case 1: self.init([.center])
        case 2: self.init([.left, .right])
        case 3: self.init([.left, .right, .center])
        case 4: self.init([.left, .right, .backLeft, .backRight])
        case 5: self.init([.left, .right, .center, .backLeft, .backRight])
        case 6: self.init(surround + [.backLeft, .backRight])
        case 7: self.init(surround + [.backCenter, .sideLeft, .sideRight])
        case 8: self.init(surround + [.backLeft, .backRight, .sideLeft, .sideRight])
        default: return nil
        }
    }

    /// The number of channels.
    public var channelCount: Int { speakers.count }

    /// The same speakers in the order of WAV files: ascending mask bits.
    public var inWAVOrder: ChannelLayout { ChannelLayout(Speaker.allCases.filter(speakers.contains)) }

    /// For each channel of `self`, the channel of `other` with the same speaker; nil if the speakers differ.
    public func permutation(from other: ChannelLayout) -> [Int]? {
        guard other.channelCount == channelCount else { return nil }
        let indices = speakers.map { other.speakers.firstIndex(of: $0) }
        return indices.contains(nil) ? nil : indices.compactMap { $0 }
    }
}
