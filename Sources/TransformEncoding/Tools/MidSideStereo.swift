// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding

/// Mid and side instead of left and right in bands where that needs fewer bits (`ms_used`, ISO/IEC 14496-3:2009, 4.6.8.1).
///
/// There are two ways to choose. ``decide(_:_:noiseScale:layout:combinesTargets:fillsMidSide:)`` estimates the bits from energies. Slower and better, the caller
/// measures the coding costs of both representations: ``convertAll(_:_:layout:)`` runs between the two measurements and
/// ``revert(_:_:leftRightCosts:midSideCosts:layout:)`` after them.
package struct MidSideStereo: ~Copyable {
    /// Whether each band of the frame is coded as mid and side.
    package private(set) var usesMidSide = FixedArray<Bool>(repeating: false, count: BandLayout.maximumCount)

    /// The bits that mid and side save in each band.
    private var savings = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The choices of the previous long frame.
    private var previous = FixedArray<Bool>(repeating: false, count: BandLayout.maximumCount)

    /// The noise targets of left and right while a choice by costs is pending.
    private var leftTargets = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)
    private var rightTargets = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The bits that a band must save to change its choice between frames.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    private static let hysteresis: Float = 2

    /// The noise target of mid and side relative to the smaller target of left and right.
    ///
    /// It is a little more than the half that would preserve the noise of the more sensitive channel.
    ///
    /// Measured in NoiseTargets.md#noise-allocation.
    @inlinable package static var noiseFraction: Float { 0.6 }

    /// Creates an instance without history.
    package init() {}

    // MARK: By energies

    /// Chooses for each band by energies.
    ///
    /// Converts chosen bands to mid and side and sets their noise targets.
    ///
    /// - Parameters:
    ///   - first: The left channel; becomes mid.
    ///   - second: The right channel; becomes side.
    ///   - noiseScale: The expected ratio of noise energy to noise target.
    ///   - combinesTargets: Whether mid and side use both noise targets instead of the lower one.
    ///   - fillsMidSide: Whether bands that are sent without lines in both channels may be mid and side, as with noise filling.
    package mutating func decide(
        _ first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, noiseScale: Float, layout: borrowing BandLayout,
        combinesTargets: Bool = false, fillsMidSide: Bool = false
    ) {
        var left = first.lines.mutableSpan
        var right = second.lines.mutableSpan
        var leftTargets = first.noiseTargets.mutableSpan
        var rightTargets = second.noiseTargets.mutableSpan
        usesMidSide.fill(false)
        for band in 0..<layout.count {
            savings[band] = -.infinity
            if first.replacements.contains(band) || second.replacements.contains(band) { continue }
            let lines = layout.lines(band)
            let width = Float(lines.count)
            let leftNoise = leftTargets[band]
            let rightNoise = rightTargets[band]
            // The noise of mid and side adds up in both channels.
            let shared = Self.midSideNoise(leftNoise, rightNoise, combinesTargets: combinesTargets)
            let gains = SIMD4(leftNoise, rightNoise, shared, shared) * SIMD4(repeating: noiseScale / width)
            savings[band] = Self.bitsSaved(left.span, right.span, in: lines, inverseNoise: SIMD4(repeating: 1) / gains)
            usesMidSide[band] = savings[band] > Self.margin(layout.sequence, wasMidSide: previous[band])
        }
        countFlags(first.replacements, second.replacements, layout: layout, fillsMidSide: fillsMidSide)
        for band in 0..<layout.count where usesMidSide[band] && savings[band] > -.infinity {
            let shared = Self.midSideNoise(leftTargets[band], rightTargets[band], combinesTargets: combinesTargets)
            Self.mix(&left, &right, in: layout.lines(band), scale: 0.5)
            leftTargets[band] = shared
            rightTargets[band] = shared
        }
        if layout.sequence != .eightShort { previous.copy(usesMidSide) }
    }

    /// Chooses the same for all bands if that saves more than the flags of the bands cost.
    ///
    /// Measured in Tools.md#bands-and-flags-that-are-not-sent.
    private mutating func countFlags(
        _ left: borrowing BandReplacements, _ right: borrowing BandReplacements, layout: borrowing BandLayout, fillsMidSide: Bool
    ) {
        var (perBand, all): (Float, Float) = (-Float(layout.count), 0)
        var (midSideCount, choiceCount) = (0, 0)
        for band in 0..<layout.count {
            guard savings[band] > -.infinity else {
                // Noise in one channel, and noise and intensity stereo of AAC, need left and right.
                if !fillsMidSide || left.contains(band) != right.contains(band) { all = -.infinity }
                continue
            }
            all += savings[band]
            choiceCount += 1
            guard usesMidSide[band] else { continue }
            perBand += savings[band]
            midSideCount += 1
        }
        let needsFlags = midSideCount > 0 && (midSideCount < choiceCount || all == -.infinity)
        guard needsFlags, max(all, 0) > perBand else { return }
        usesMidSide.fill(all > 0)
    }

    /// Returns the extra bits of left and right over mid and side, with ½ log2(1 + x²/N) per line.
    private static func bitsSaved(_ left: Span<Float>, _ right: Span<Float>, in lines: Range<Int>, inverseNoise: SIMD4<Float>) -> Float {
        let weights = (
            SIMD4(repeating: inverseNoise[0]), SIMD4(repeating: inverseNoise[1]), SIMD4(repeating: inverseNoise[2] * 0.25),
            SIMD4(repeating: inverseNoise[3] * 0.25)
        )
        let one = SIMD4<Float>(repeating: 1)
        precondition(left.hasQuads(lines) && right.hasQuads(lines))
        let bits = PortableMath.sumOfLog2(lines) { line in
            // Within the range checked above.
            let (l, r) = unsafe (left.vector(unchecked: line), right.vector(unchecked: line))
            let (mid, side) = (l + r, l - r)
            let separate = (one + l * l * weights.0) * (one + r * r * weights.1)
            return separate / ((one + mid * mid * weights.2) * (one + side * side * weights.3))
        }
        return bits.laneSum * 0.5
    }

    private static func midSideNoise(_ left: Float, _ right: Float, combinesTargets: Bool) -> Float {
        combinesTargets ? sharedNoise(left, right) : noiseFraction * min(left, right)
    }

    // MARK: By coding costs

    /// Converts all bands to mid and side, except bands sent without lines, to measure their cost.
    ///
    /// Call ``revert(_:_:leftRightCosts:midSideCosts:layout:)`` afterwards.
    package mutating func convertAll(_ first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, layout: borrowing BandLayout) {
        leftTargets.copy(first.noiseTargets)
        rightTargets.copy(second.noiseTargets)
        var left = first.lines.mutableSpan
        var right = second.lines.mutableSpan
        for band in 0..<layout.count {
            usesMidSide[band] = !first.replacements.contains(band) && !second.replacements.contains(band)
            guard usesMidSide[band] else { continue }
            Self.mix(&left, &right, in: layout.lines(band), scale: 0.5)
            let shared = Self.sharedNoise(leftTargets[band], rightTargets[band])
            first.noiseTargets[band] = shared
            second.noiseTargets[band] = shared
        }
    }

    /// Converts bands back to left and right unless mid and side cost less.
    ///
    /// - Parameters:
    ///   - leftRightCosts: The total cost of both channels as left and right in each band, in bits, including weighted distortion.
    ///   - midSideCosts: The total cost as mid and side in each band.
    package mutating func revert(
        _ first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, leftRightCosts: Span<Float>, midSideCosts: Span<Float>,
        layout: borrowing BandLayout
    ) {
        for band in 0..<layout.count {
            savings[band] = usesMidSide[band] ? leftRightCosts[band] - midSideCosts[band] : -.infinity
            usesMidSide[band] = savings[band] > Self.margin(layout.sequence, wasMidSide: previous[band])
        }
        countFlags(first.replacements, second.replacements, layout: layout, fillsMidSide: false)
        var left = first.lines.mutableSpan
        var right = second.lines.mutableSpan
        for band in 0..<layout.count where savings[band] > -.infinity && !usesMidSide[band] {
            Self.mix(&left, &right, in: layout.lines(band), scale: 1)
            first.noiseTargets[band] = leftTargets[band]
            second.noiseTargets[band] = rightTargets[band]
        }
        if layout.sequence != .eightShort { previous.copy(usesMidSide) }
    }

    /// Returns the common noise target of mid and side.
    ///
    /// Errors of either are heard in both channels, so their weight is the sum of both channels' weights.
    package static func sharedNoise(_ left: Float, _ right: Float) -> Float { costedNoiseWeight * left * right / (left + right) }

    /// The factor on the inverse of that sum.
    ///
    /// With equal targets it results in ``noiseFraction``.
    ///
    /// Measured in Search.md#the-gain-of-best.
    @inlinable package static var costedNoiseWeight: Float { 2 * noiseFraction }

    // MARK: Both

    /// Returns whether a band was mid and side in the previous long window.
    package func wasMidSide(_ band: Int) -> Bool { previous[band] }

    /// Returns the bits that mid and side must save in a band.
    ///
    /// They are negative if the band was mid and side in the previous long frame.
    private static func margin(_ sequence: WindowSequence, wasMidSide: Bool) -> Float {
        sequence != .eightShort && wasMidSide ? -hysteresis : hysteresis
    }

    /// Replaces lines with their sum and difference times `scale`: 0.5 converts L/R to M/S, 1 converts back.
    package static func mix(
        _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, in lines: Range<Int>, scale: Float
    ) {
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            let (a, b) = (first.vector(at: line), second.vector(at: line))
            first.store((a + b) * scale, at: line)
            second.store((a - b) * scale, at: line)
        }
    }

    /// Returns whether two channels are equal or opposite, with a difference below -50 dB.
    ///
    /// They are one signal in two channels; its side or mid signal needs no bits.
    package static func isDualMono(_ left: Span<Float>, _ right: Span<Float>) -> Bool {
        var energy = SIMD4<Float>(repeating: 0)
        var (sum, difference) = (energy, energy)
        let part = left.count / 8
        for first in stride(from: 0, to: left.count, by: part) {
            for line in stride(from: first, to: first + part, by: 4) {
                let (l, r) = (left.vector(at: line), right.vector(at: line))
                energy += l * l
                sum += (l + r) * (l + r)
                difference += (l - r) * (l - r)
            }
            guard min(sum.laneSum, difference.laneSum) <= Self.maximumDifference * energy.laneSum else { return false }
        }
        return true
    }

    /// The maximum energy of the difference (or sum) of equal (or opposite) channels, relative to the energy of one.
    ///
    /// Measured in NoiseTargets.md#equal-channels.
    private static let maximumDifference: Float = 1e-5

    /// Discards the choices of previous frames, including bands that the previous frame lacked.
    package mutating func interrupt() {
        previous.fill(false)
        usesMidSide.fill(false)
    }

    /// Copies the choices of another instance.
    ///
    /// Neither may have a pending choice by costs.
    package mutating func copy(_ other: borrowing MidSideStereo) {
        usesMidSide.copy(other.usesMidSide)
        previous.copy(other.previous)
    }
}
