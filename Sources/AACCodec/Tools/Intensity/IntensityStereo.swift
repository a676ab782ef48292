// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Decides which bands of the right channel are sent as a scaled copy of the left one (ISO/IEC 14496-3:2009, 4.6.8.2).
///
/// Only at rates where bits are short, in the treble, where the ear judges direction by level, and where both channels have
/// nearly the same wave, so that the image moves by less than the noise hides.
struct IntensityStereo {
    /// Which bands were copies in the frame before.
    private var previous = [52 of Bool](repeating: false)

    /// The lowest frequency of a band that is copied, in hertz.
    static let lowestFrequency = 5_500

    /// Rates a channel, as at 48 kHz, from which no band is copied.
    static let highestBitRate: Float = 18_000

    /// How much of the right channel's energy may be wrong, against its noise: more where the band was a copy before.
    private static let errorLimit: Float = 2
    private static let errorLimitWhileUsed: Float = 3

    /// Levels may differ by 30 dB: 20 steps.
    private static let largestPosition = 20

    /// Marks the bands of a long window that become copies.
    mutating func decide(
        first: inout ChannelState, second: inout ChannelState, quality: Float, firstBand: Int, layout: borrowing BandLayout
    ) {
        for band in firstBand..<layout.count {
            let isUsed = tryBand(band, first: &first, second: &second, quality: quality, lines: layout.lines(band))
            previous[band] = isUsed
        }
    }

    private func tryBand(
        _ band: Int, first: inout ChannelState, second: inout ChannelState, quality: Float, lines: Range<Int>
    ) -> Bool {
        if first.coder.replacements.contains(band) || second.coder.replacements.contains(band) { return false }
        let left = first.coder.lines.values.span
        let right = second.coder.lines.values.span
        var products = SIMD4<Float>(repeating: 0)
        var leftSquares = products
        var rightSquares = products
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            let l = left.vector(at: line)
            let r = right.vector(at: line)
            products += l * r
            leftSquares += l * l
            rightSquares += r * r
        }
        let (product, leftEnergy, rightEnergy) = (products.laneSum, leftSquares.laneSum, rightSquares.laneSum)
        guard leftEnergy > 1, rightEnergy > 1 else { return false }
        let error = 1 - product * product / (leftEnergy * rightEnergy)
        let limit = (previous.span[band] ? Self.errorLimitWhileUsed : Self.errorLimit) * quality
        guard error * rightEnergy < limit * second.coder.noise.span[band], error * leftEnergy < limit * first.coder.noise.span[band]
        else { return false }
        let position = 2 * PortableMath.log2(leftEnergy / rightEnergy)
        let rounded = Int(position + 100.5) - 100
        guard abs(rounded) <= Self.largestPosition else { return false }
        second.coder.replacements.setIntensity(band, position: rounded, isInPhase: product > 0)
        return true
    }

    /// Forgets the frame before, after short windows.
    mutating func interrupt() { previous = [52 of Bool](repeating: false) }
}
