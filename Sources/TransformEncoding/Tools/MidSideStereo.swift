// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding

/// Middle and side in place of left and right, band by band, where that takes fewer bits (`ms_used`, ISO/IEC 14496-3:2009, 4.6.8.1).
///
/// Two ways lead to the choice: ``decide(_:_:noiseScale:layout:)`` estimates the bits from the energies; or, slower and better, the caller
/// measures the costs of coding either way, with ``convertAll(_:_:layout:)`` between the two measurements and
/// ``revert(_:_:separateCosts:jointCosts:layout:)`` after them.
package struct MidSideStereo: ~Copyable {
    /// Whether each band of the frame is middle and side.
    package private(set) var usesMidSide = FixedArray<Bool>(repeating: false, count: BandLayout.maximumCount)

    /// The choices of the frame before.
    private var previous = FixedArray<Bool>(repeating: false, count: BandLayout.maximumCount)

    /// The noise targets of left and right, while a choice by costs is pending.
    private var leftTargets = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)
    private var rightTargets = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The bits by which a band must win to change from one frame to the next.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    private static let hysteresis: Float = 2

    /// The noise target of middle and of side over the smaller one of left and right: a little more than the half that would keep the
    /// noise of the more sensitive channel.
    ///
    /// Measured in NoiseTargets.md#noise-allocation.
    @inlinable package static var noiseShare: Float { 0.6 }

    /// Makes a choice without a frame before.
    package init() {}

    // MARK: By energies

    /// Chooses for each band by energies, and replaces left and right by middle and side, with their noise targets, where they are chosen.
    ///
    /// - Parameters:
    ///   - first: The left channel, then the middle.
    ///   - second: The right channel, then the side.
    ///   - noiseScale: The factor from noise targets to the noise that coding will leave.
    package mutating func decide(
        _ first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, noiseScale: Float, layout: borrowing BandLayout
    ) {
        var left = first.lines.mutableSpan
        var right = second.lines.mutableSpan
        var leftTargets = first.noiseTargets.mutableSpan
        var rightTargets = second.noiseTargets.mutableSpan
        usesMidSide.fill(false)
        for band in 0..<layout.count {
            if first.replacements.contains(band) || second.replacements.contains(band) { continue }
            let lines = layout.lines(band)
            let width = Float(lines.count)
            let leftNoise = leftTargets[band]
            let rightNoise = rightTargets[band]
            // The noise of middle and side adds up in both channels.
            let shared = Self.noiseShare * min(leftNoise, rightNoise)
            let gains = SIMD4(leftNoise, rightNoise, shared, shared) * SIMD4(repeating: noiseScale / width)
            let difference = Self.bitsSaved(
                left.span, right.span, in: lines, inverseNoise: SIMD4(repeating: 1) / gains)
            guard difference > Self.margin(layout.sequence, wasMidSide: previous[band]) else { continue }
            usesMidSide[band] = true
            Self.mix(&left, &right, in: lines, scale: 0.5)
            leftTargets[band] = shared
            rightTargets[band] = shared
        }
        if layout.sequence != .eightShort { previous.copy(usesMidSide) }
    }

    /// Returns the bits by which left and right exceed middle and side: half the log2 of 1 + x²/N for each line.
    private static func bitsSaved(_ left: Span<Float>, _ right: Span<Float>, in lines: Range<Int>, inverseNoise: SIMD4<Float>) -> Float {
        let weights = (
            SIMD4(repeating: inverseNoise[0]), SIMD4(repeating: inverseNoise[1]), SIMD4(repeating: inverseNoise[2] * 0.25),
            SIMD4(repeating: inverseNoise[3] * 0.25)
        )
        let one = SIMD4<Float>(repeating: 1)
        precondition(left.hasQuads(lines) && right.hasQuads(lines))
        let bits = PortableMath.sumOfLog2(lines) { line in
            // Within what was just checked.
            let (l, r) = unsafe (left.vector(unchecked: line), right.vector(unchecked: line))
            let (middle, side) = (l + r, l - r)
            let separate = (one + l * l * weights.0) * (one + r * r * weights.1)
            return separate / ((one + middle * middle * weights.2) * (one + side * side * weights.3))
        }
        return bits.laneSum * 0.5
    }

    // MARK: By the costs of coding

    /// Converts all bands to middle and side except those that are sent without lines, to measure what they cost.
    ///
    /// ``revert(_:_:separateCosts:jointCosts:layout:)`` has to follow.
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

    /// Converts the bands back to left and right in which middle and side don't cost less.
    ///
    /// - Parameters:
    ///   - separateCosts: The costs of both channels in each band as left and right, in bits, with the weighted distortion.
    ///   - jointCosts: The same as middle and side.
    package mutating func revert(
        _ first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, separateCosts: Span<Float>, jointCosts: Span<Float>,
        layout: borrowing BandLayout
    ) {
        var left = first.lines.mutableSpan
        var right = second.lines.mutableSpan
        for band in 0..<layout.count where usesMidSide[band] {
            guard separateCosts[band] - jointCosts[band] <= Self.margin(layout.sequence, wasMidSide: previous[band]) else { continue }
            usesMidSide[band] = false
            Self.mix(&left, &right, in: layout.lines(band), scale: 1)
            first.noiseTargets[band] = leftTargets[band]
            second.noiseTargets[band] = rightTargets[band]
        }
        if layout.sequence != .eightShort { previous.copy(usesMidSide) }
    }

    /// Returns the noise target of middle and of side: errors of either are heard in both channels, so their weight is the sum of both
    /// weights.
    private static func sharedNoise(_ left: Float, _ right: Float) -> Float { costedNoiseShare * left * right / (left + right) }

    /// The factor on the inverse of that sum: for targets that are equal it gives ``noiseShare``.
    ///
    /// Measured in Search.md#the-gain-of-best.
    @inlinable package static var costedNoiseShare: Float { 1.2 }

    // MARK: Both

    /// Returns the bits that middle and side have to save in a band: fewer where it was middle and side in the long frame before.
    private static func margin(_ sequence: WindowSequence, wasMidSide: Bool) -> Float {
        sequence != .eightShort && wasMidSide ? -hysteresis : hysteresis
    }

    /// Replaces lines by their sum and difference, times `scale`: 0.5 makes middle and side, 1 makes left and right of them again.
    private static func mix(
        _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, in lines: Range<Int>, scale: Float
    ) {
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            let (a, b) = (first.vector(at: line), second.vector(at: line))
            first.store((a + b) * scale, at: line)
            second.store((a - b) * scale, at: line)
        }
    }

    /// Returns whether two channels, or one and the negative of the other, differ by less than -50 dB.
    ///
    /// They are one signal in two channels, whose side or middle takes no bits.
    package static func areEqual(_ left: Span<Float>, _ right: Span<Float>) -> Bool {
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
            guard min(sum.laneSum, difference.laneSum) <= Self.largestDifference * energy.laneSum else { return false }
        }
        return true
    }

    /// The largest energy of the difference of equal channels, or of the sum of opposite ones, over that of one of them.
    ///
    /// Measured in NoiseTargets.md#equal-channels.
    private static let largestDifference: Float = 1e-5

    /// Discards the choices of the frames before, also those of bands that the frame before did not have.
    package mutating func interrupt() {
        previous.fill(false)
        usesMidSide.fill(false)
    }

    /// Copies the choices of another one, none of them pending.
    package mutating func copy(_ other: borrowing MidSideStereo) {
        usesMidSide.copy(other.usesMidSide)
        previous.copy(other.previous)
    }
}
