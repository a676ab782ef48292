// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The gains for mixing input channels to output channels.
public struct ChannelMatrix: Hashable, Sendable {
    /// The gain of each input channel (inner) in each output channel (outer).
    public var gains: [[Double]]

    /// Creates a matrix.
    ///
    /// - Parameter gains: One row per output channel, with one gain per input channel.
    public init(_ gains: [[Double]]) { self.gains = gains }

    /// Creates a matrix that copies channels.
    ///
    /// - Parameters:
    ///   - map: The input channel of each output channel.
    ///   - inputCount: The input channel count. Channels out of range are silent.
    public init(_ map: ChannelMap, inputCount: Int) {
        gains = map.sources.map { source in (0..<inputCount).map { $0 == source ? 1 : 0 } }
    }

    /// Whether each output channel is an unchanged input channel or silent.
    package var isCopy: Bool { gains.allSatisfy { row in row.allSatisfy { $0 == 0 || $0 == 1 } && row.reduce(0, +) <= 1 } }

    /// Whether the output channels equal the input channels, in the same order.
    package var isIdentity: Bool {
        gains.indices.allSatisfy { output in
            gains[output].count == gains.count && gains[output].indices.allSatisfy { gains[output][$0] == ($0 == output ? 1 : 0) }
        }
    }
}

extension ChannelMatrix {
    /// The channel count and layout of a stream.
    public struct Channels: Hashable, Sendable {
        /// The channel count.
        public var count: Int
        /// The channel layout, if known.
        public var layout: ChannelLayout?

        /// Creates a description.
        ///
        /// A layout with a different channel count is ignored.
        public init(count: Int, layout: ChannelLayout? = nil) {
            self.count = count
            self.layout = layout?.channelCount == count ? layout : nil
        }
    }

    /// Creates the matrix from one set of channels to another.
    ///
    /// - Equal channel counts, with unknown layouts or the same speakers: each channel is copied, by speaker if known.
    /// - Mono to more channels: copied to the center if present, otherwise to left and right, or to all channels if the layout is unknown.
    /// - More channels to mono or stereo: the downmix of ISO/IEC 14496-3:2009, 4.5.1.2.2.
    /// - Otherwise channels are copied by speaker. A channel without a matching speaker is sent to the nearest ones, at -3 dB if split. All
    ///   gains are then reduced so that no output can clip.
    ///
    /// When reducing the channel count, unknown layouts default to the standard layout of 1 to 8 channels. With more channels, each output
    /// is the mean of all inputs. When increasing it, the first channels are copied and the remaining ones are silent.
    ///
    /// - Parameters:
    ///   - input: The input channels.
    ///   - output: The output channels.
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

    /// Returns the source of each output channel for mono input.
    private static func copies(in output: Channels) -> [Int?] {
        guard let speakers = output.layout?.speakers else { return Array(repeating: 0, count: output.count) }
        if speakers.contains(.center) { return speakers.map { $0 == .center ? 0 : nil } }
        if speakers.contains(.left) || speakers.contains(.right) { return speakers.map { $0 == .left || $0 == .right ? 0 : nil } }
        return Array(repeating: 0, count: output.count)
    }

    /// Returns the gains from speakers to other speakers.
    private static func fold(_ speakers: [Speaker], into targets: [Speaker]) -> [[Double]] {
        var gains = targets.map { _ in speakers.map { _ in 0.0 } }
        for (input, speaker) in speakers.enumerated() {
            for (target, gain) in places(of: speaker, in: targets) { gains[target][input] += gain }
        }
        let largest = gains.map { $0.reduce(0, +) }.max() ?? 0
        return largest > 1 ? gains.map { row in row.map { $0 / largest } } : gains
    }

    /// Returns the target channels and gains for a speaker's signal.
    ///
    /// Empty for LFE without a matching channel.
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
    /// Replacements for a missing speaker, best choice first.
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
