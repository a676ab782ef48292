// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_USAC
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The choice of noise filling in xHE-AAC.
extension ElementEncoder {
    /// The evenness of the high-frequency level over a window, and the tonality of its lines.
    ///
    /// A window that is less even and more tonal than these is not filled.
    ///
    /// Measured in Tools.md#noise-filling.
    private static let limits: (evenness: Float, tonality: Float) = (0.5, 0.11)

    /// Decides whether noise may replace zeros in the frame.
    ///
    /// It may not in frames with an uneven level and tonal bands, because it would fill the gaps between the pulses of a voice or a string.
    mutating func decideNoiseFilling(_ ranges: BandRanges) {
        let firstBand = ranges.firstFilledBand
        let mayFill = firstBand < layout.count && layout.sequence != .eightShort
        fillsNoise = !(mayFill && ranges.choosesNoiseFilling) || isNoiseLike(from: firstBand)
        let firstLine = mayFill && fillsNoise ? layout.lines(firstBand).lowerBound : .max
        first.coder.setFirstFilledLine(firstLine)
        if kind == .pair { second.coder.setFirstFilledLine(firstLine) }
    }

    /// Returns whether the level over the window is even, or the lines from a band on are not tonal.
    private func isNoiseLike(from firstBand: Int) -> Bool {
        var tonality = tonality(of: first, firstBand: firstBand)
        if kind == .pair { tonality = (tonality + self.tonality(of: second, firstBand: firstBand)) / 2 }
        guard tonality > Self.limits.tonality else { return true }
        var evenness = first.transients.highFrequencyFlatness
        if kind == .pair { evenness = (evenness + second.transients.highFrequencyFlatness) / 2 }
        return evenness >= Self.limits.evenness
    }

    /// Returns the mean tonality of a channel's lines from a band on.
    private func tonality(of channel: borrowing ChannelState, firstBand: Int) -> Float {
        var sum: Float = 0
        for band in firstBand..<layout.count { sum += channel.analysis.tonality[band] * Float(layout.width(band)) }
        return sum / Float(layout.lines(layout.count - 1).upperBound - layout.lines(firstBand).lowerBound)
    }
}
#endif
