// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The gains that mix the channels of an input to those of an output.
public struct ChannelMatrix: Hashable, Sendable {
    /// The gain of each channel of the input (inner) in each channel of the output (outer).
    public var gains: [[Double]]

    /// Creates a matrix.
    ///
    /// - Parameter gains: One row for each channel of the output, with one gain for each channel of the input.
    public init(_ gains: [[Double]]) { self.gains = gains }

    /// Creates the matrix that copies channels.
    ///
    /// - Parameters:
    ///   - map: The channel of the input for each channel of the output.
    ///   - inputCount: The number of channels of the input; sources outside of it are silent.
    public init(_ map: ChannelMap, inputCount: Int) {
        gains = map.sources.map { source in (0..<inputCount).map { $0 == source ? 1 : 0 } }
    }

    /// Whether each channel of the output is one of the input, unchanged, or silent.
    package var isCopy: Bool { gains.allSatisfy { row in row.allSatisfy { $0 == 0 || $0 == 1 } && row.reduce(0, +) <= 1 } }

    /// Whether the channels of the output are those of the input in their order.
    package var isIdentity: Bool {
        gains.indices.allSatisfy { output in
            gains[output].count == gains.count && gains[output].indices.allSatisfy { gains[output][$0] == ($0 == output ? 1 : 0) }
        }
    }
}

extension ChannelMatrix {
    /// The channels of a stream: their number, and their speakers if known.
    public struct Channels: Hashable, Sendable {
        /// The number of channels.
        public var count: Int
        /// The speakers, if known.
        public var layout: ChannelLayout?

        /// Creates a description; a layout with another number of channels is ignored.
        public init(count: Int, layout: ChannelLayout? = nil) {
            self.count = count
            self.layout = layout?.channelCount == count ? layout : nil
        }
    }

    /// Creates the matrix from one set of channels to another.
    ///
    /// - As many channels, of which not all speakers are known, or the same speakers: each is copied, by speaker if known.
    /// - One to many: the channel is copied to the centre if there is one, else to left and right, and to all if speakers are unknown.
    /// - Many to one or two: the downmix of ISO/IEC 14496-3:2009, 4.5.1.2.2.
    /// - Otherwise channels are copied by speaker; one whose speaker is missing goes to the nearest ones, 3 dB lower if it is divided, and
    ///   all gains are then lowered so that no output can clip.
    ///
    /// Where channels become fewer, unknown speakers are those of the usual layout for the number of channels, 1 to 8. Of more channels,
    /// each output is the mean of all. Where they become more, the first channels are copied, and the rest is silent.
    ///
    /// - Parameters:
    ///   - input: The channels of the input.
    ///   - output: The channels of the output.
    public init(from input: Channels, to output: Channels) {
        if input.count == output.count {
            let order = input.layout.flatMap { input in output.layout.map { $0.permutation(from: input) } } ?? Array(0..<input.count)
            if let order {
                self.init(ChannelMap(order), inputCount: input.count)
                return
            }
        }
        if input.count == 1 {
            self.init(ChannelMap(Self.copies(in: output)), inputCount: 1)
            return
        }
        if output.count == 1 {
            self.init([Downmix(monoFrom: input.count, layout: input.layout).left.map { Double($0) }])
            return
        }
        let targets =
            output.layout ?? (input.count > output.count || output.count == 2 ? ChannelLayout(usualChannelCount: output.count) : nil)
        if targets?.speakers == [.left, .right], input.count > 2 {
            let mix = Downmix(stereoFrom: input.count, layout: input.layout)
            self.init([mix.left, mix.right].map { row in row.map { Double($0) } })
            return
        }
        let sources = input.layout ?? (input.count > output.count ? ChannelLayout(usualChannelCount: input.count) : nil)
        if let sources, let targets {
            self.init(Self.fold(sources.speakers, into: targets.speakers))
        } else if input.count > output.count {
            self.init((0..<output.count).map { _ in Array(repeating: 1 / Double(input.count), count: input.count) })
        } else {
            self.init(ChannelMap((0..<output.count).map { $0 < input.count ? $0 : nil }), inputCount: input.count)
        }
    }

    /// Returns the sources of all channels of an output from a single channel.
    private static func copies(in output: Channels) -> [Int?] {
        guard let speakers = output.layout?.speakers else { return Array(repeating: 0, count: output.count) }
        if speakers.contains(.center) { return speakers.map { $0 == .center ? 0 : nil } }
        if speakers.contains(.left) || speakers.contains(.right) { return speakers.map { $0 == .left || $0 == .right ? 0 : nil } }
        return Array(repeating: 0, count: output.count)
    }

    /// Returns the gains of speakers in others.
    private static func fold(_ speakers: [Speaker], into targets: [Speaker]) -> [[Double]] {
        var gains = targets.map { _ in speakers.map { _ in 0.0 } }
        for (input, speaker) in speakers.enumerated() {
            for (target, gain) in places(of: speaker, in: targets) { gains[target][input] += gain }
        }
        let largest = gains.map { $0.reduce(0, +) }.max() ?? 0
        return largest > 1 ? gains.map { row in row.map { $0 / largest } } : gains
    }

    /// Returns the channels, and the gains in them, that a speaker's signal goes to; none for low frequencies without a channel.
    private static func places(of speaker: Speaker, in targets: [Speaker]) -> [(target: Int, gain: Double)] {
        for choice in [[speaker]] + speaker.nearest {
            let found = choice.compactMap { targets.firstIndex(of: $0) }
            guard found.count == choice.count else { continue }
            let gain = choice.count == 1 ? 1 : 0.5.squareRoot()
            return found.map { ($0, gain) }
        }
        return []
    }
}

extension Speaker {
    /// The speakers that replace this one where it is missing, the best choice first.
    fileprivate var nearest: [[Speaker]] {
        switch self {
        case .left: [[.leftOfCenter], [.center]]
        case .right: [[.rightOfCenter], [.center]]
        case .center: [[.left, .right]]
        case .lowFrequency: []
        case .backLeft: [[.sideLeft], [.backCenter], [.left]]
        case .backRight: [[.sideRight], [.backCenter], [.right]]
        case .sideLeft: [[.backLeft], [.backCenter], [.left]]
        case .sideRight: [[.backRight], [.backCenter], [.right]]
        case .leftOfCenter, .topLeft: [[.left], [.center]]
        case .rightOfCenter, .topRight: [[.right], [.center]]
        case .backCenter: [[.backLeft, .backRight], [.sideLeft, .sideRight], [.left, .right], [.center]]
        }
    }
}
