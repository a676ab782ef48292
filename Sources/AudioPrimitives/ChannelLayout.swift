// SPDX-License-Identifier: Apache-2.0

/// A speaker position.
///
/// Raw values are the bit numbers of the channel mask in an extensible WAV header.
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
    /// Side left, the left surround of 5.1.
    case sideLeft = 9
    /// Side right, the right surround of 5.1.
    case sideRight = 10
    /// Front left, above.
    case topLeft = 12
    /// Front right, above.
    case topRight = 14
}

/// The speakers of a stream, in channel order.
public struct ChannelLayout: Hashable, Sendable {
    /// The speaker of each channel.
    public var speakers: [Speaker]

    /// Creates a layout from speakers in channel order.
    public init(_ speakers: [Speaker]) { self.speakers = speakers }

    /// Creates a layout from speakers in channel order, or returns `nil` if any is unknown.
    package init?(known speakers: [Speaker?]) {
        guard !speakers.contains(nil) else { return nil }
        self.init(speakers.compactMap { $0 })
    }

    /// Creates the usual layout of 1 to 8 channels, as in FLAC (RFC 9639, 9.1.3), or returns `nil` for other counts.
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

    /// The channel count.
    public var channelCount: Int { speakers.count }

    /// This layout in WAV order, by ascending mask bit.
    public var inWAVOrder: ChannelLayout { ChannelLayout(Speaker.allCases.filter(speakers.contains)) }

    /// Returns the channel of `other` with the same speaker for each channel, or `nil` if the speakers differ.
    public func permutation(from other: ChannelLayout) -> [Int]? {
        guard other.channelCount == channelCount else { return nil }
        let indices = speakers.map { other.speakers.firstIndex(of: $0) }
        return indices.contains(nil) ? nil : indices.compactMap { $0 }
    }
}
