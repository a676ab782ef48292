// SPDX-License-Identifier: Apache-2.0

/// The gains for a stereo or mono downmix (ISO/IEC 14496-3:2009, 4.5.1.2.2; ITU-R BS.775-3, annex 4).
///
/// Before normalisation, the gains are:
/// - front channels: 1 on their side
/// - centre: 1/√2 on both sides
/// - surround channels: the gain of the matrix mixdown index on their side, 1/√2 by default
/// - back centre: the surround gain times 1/√2 on both sides
/// - LFE: 0
///
/// Mono is the mean of left and right. All gains are divided by the larger sum of the two sides, so that the mix cannot clip unless an
/// input channel does.
package struct Downmix: Hashable, Sendable {
    /// √(1/2), or -3 dB.
    package static let minus3dB: Float = 0.70710678
    /// The surround gains by `matrix_mixdown_idx`: 1/√2, 1/2, 1/(2√2) and 0.
    package static let surroundGains: [Float] = [0.70710678, 0.5, 0.35355339, 0]

    /// The gain of each input channel in the first output channel: left, or mono.
    package private(set) var left: [Float]
    /// The gain of each input channel in the second output channel, unused for mono.
    package private(set) var right: [Float]

    /// Creates the gains for a layout.
    ///
    /// - Parameters:
    ///   - toMono: Whether the output is mono instead of stereo.
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
            // The layout has only LFE.
            left = pairs.map { _ in 0 }
            right = left
            return
        }
        left = pairs.map { (toMono ? ($0.left + $0.right) / 2 : $0.left) / total }
        right = pairs.map { $0.right / total }
    }

    /// Creates the gains for a stereo output, with the usual layout if the speakers are unknown.
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
    /// If the speakers are unknown, the usual layout is assumed. One or two channels, or channels without a usual layout, all have the same
    /// gain.
    ///
    /// - Parameter layout: The input channels, if known.
    package init(monoFrom channelCount: Int, layout: ChannelLayout?) {
        let mean = [Float](repeating: 1 / Float(channelCount), count: channelCount)
        left = mean
        right = mean
        guard channelCount > 2, let layout = layout ?? ChannelLayout(usualChannelCount: channelCount), layout.channelCount == channelCount
        else { return }
        let gains = Downmix(layout, toMono: true).left
        let sum = gains.reduce(0, +)
        guard sum > 0 else { return }
        // The mean of different sides can be below full scale, so the gains are normalised again.
        left = gains.map { $0 / sum }
        right = left
    }

    private static func isSurround(_ speaker: Speaker) -> Bool {
        switch speaker {
        case .backLeft, .backRight, .sideLeft, .sideRight, .backCenter: true
        default: false
        }
    }

    /// Returns the left and right gains of a speaker before normalisation.
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
