// SPDX-License-Identifier: Apache-2.0

/// The gains that mix channels down to stereo or mono (ISO/IEC 14496-3:2009, 4.5.1.2.2; ITU-R BS.775-3, annex 4).
///
/// Front channels have gain 1 on their side; the centre has 1/√2 on both sides; surround channels have the gain of the matrix mix-down index
/// on their side, 1/√2 by default; a back centre has that times 1/√2 on both sides; LFE is left out. Mono is the mean of left and right.
/// The gains of an output are divided by the larger sum of the two sides, so that the mix can't clip where the channels did not.
package struct Downmix: Hashable, Sendable {
    /// The root of one half: 3 dB less power.
    package static let minus3dB: Float = 0.70710678
    /// The gains of surround channels by `matrix_mixdown_idx`: 1/√2, 1/2, 1/(2√2) and 0.
    package static let surroundGains: [Float] = [0.70710678, 0.5, 0.35355339, 0]

    /// The gains of each input channel in the first output: left, or mono.
    package private(set) var left: [Float]
    /// The gains of each input channel in the second output; not used for mono.
    package private(set) var right: [Float]

    /// Creates the gains for a layout.
    ///
    /// - Parameters:
    ///   - layout: The input channels.
    ///   - toMono: Whether the output is mono and not stereo.
    ///   - matrixIndex: `matrix_mixdown_idx` of the stream, 0 to 3.
    ///   - isPseudoSurround: `pseudo_surround_enable`: whether surround channels enter left with negative and right with positive sign.
    package init(_ layout: ChannelLayout, toMono: Bool, matrixIndex: Int = 0, isPseudoSurround: Bool = false) {
        let surround = Self.surroundGains[matrixIndex & 3]
        var pairs = layout.speakers.map { Self.gains(of: $0, surround: surround) }
        if isPseudoSurround && !toMono {
            pairs = zip(layout.speakers, pairs).map { Self.isSurround($0) ? (left: -$1.left - $1.right, right: $1.left + $1.right) : $1 }
        }
        let total = max(pairs.reduce(0) { $0 + abs($1.left) }, pairs.reduce(0) { $0 + abs($1.right) })
        guard total > 0 else {
            // A layout of LFE alone.
            left = pairs.map { _ in 0 }
            right = left
            return
        }
        left = pairs.map { (toMono ? ($0.left + $0.right) / 2 : $0.left) / total }
        right = pairs.map { $0.right / total }
    }

    /// Creates the gains for a stereo output; without speakers that are known, those of the usual layout count.
    ///
    /// - Parameters:
    ///   - channelCount: The number of input channels, more than two.
    ///   - layout: The input channels, if known.
    package init(stereoFrom channelCount: Int, layout: ChannelLayout?) {
        if let layout = layout ?? ChannelLayout(usualChannelCount: channelCount) {
            self.init(layout, toMono: false)
        } else {
            self.init(monoFrom: channelCount, layout: nil)
        }
    }

    /// Creates the gains for a mono output.
    ///
    /// Without speakers that are known, those of the usual layout count. For one or two channels, and where no layout is usual, all channels
    /// have the same gain.
    ///
    /// - Parameters:
    ///   - channelCount: The number of input channels.
    ///   - layout: The input channels, if known.
    package init(monoFrom channelCount: Int, layout: ChannelLayout?) {
        let mean = [Float](repeating: 1 / Float(channelCount), count: channelCount)
        left = mean
        right = mean
        guard channelCount > 2, let layout = layout ?? ChannelLayout(usualChannelCount: channelCount), layout.channelCount == channelCount
        else { return }
        let gains = Downmix(layout, toMono: true).left
        let sum = gains.reduce(0, +)
        guard sum > 0 else { return }
        // The mean of two sides that differ can be below full scale; what is left is used.
        left = gains.map { $0 / sum }
        right = left
    }

    /// Whether a speaker is a surround channel.
    private static func isSurround(_ speaker: Speaker) -> Bool {
        switch speaker {
        case .backLeft, .backRight, .sideLeft, .sideRight, .backCenter: true
        default: false
        }
    }

    /// The gains of a speaker in left and right before normalisation.
    private static func gains(of speaker: Speaker, surround: Float) -> (left: Float, right: Float) {
        switch speaker {
        case .left, .leftOfCenter: (1, 0)
        case .right, .rightOfCenter: (0, 1)
        case .center: (minus3dB, minus3dB)
        case .lowFrequency: (0, 0)
        case .backLeft, .sideLeft, .topLeft: (surround, 0)
        case .backRight, .sideRight, .topRight: (0, surround)
        case .backCenter: (surround * minus3dB, surround * minus3dB)
        }
    }
}
