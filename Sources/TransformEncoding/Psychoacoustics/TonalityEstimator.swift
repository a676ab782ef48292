// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Estimates the tonality of each band, from 0 (noise) to 1 (tone), from the coefficients of two frames.
package struct TonalityEstimator: ~Copyable {
    /// The magnitudes of the previous frame's pseudo-spectrum.
    private var previous: FixedArray<Float>

    /// Whether the previous frame had a long window, so that its lines are comparable.
    private var canPredict = false

    /// Sums over the lines of each band, with a zero entry before the first and after the last: the power of the pseudo-spectrum, its
    /// log2, the magnitude change since the previous frame, and the sum of both frames' magnitudes.
    private var sums = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: sumCount)

    private static let sumCount = PsychoacousticTables.bandCapacity + 2

    /// Creates the estimator of a channel with `frameLength` lines per long window.
    package init(frameLength: Int) { previous = FixedArray(repeating: 0, count: frameLength) }

    /// Estimates the tonality of the bands of a long window and computes their energies.
    ///
    /// Two measures distinguish noise from tones: the spectral flatness of the pseudo-spectrum over a band and its neighbours, and the
    /// change of its magnitudes since the previous frame.
    ///
    /// - Parameter samplesLines: Whether to estimate the tonality of wide bands from every other group of four lines.
    package mutating func estimate(
        _ spectrum: Span<Float>, samplesLines: Bool = false, layout: borrowing BandLayout, into tonality: inout MutableSpan<Float>,
        energies: inout MutableSpan<Float>
    ) {
        var sums = sums.mutableSpan(first: Self.sumCount)
        var previous = previous.mutableSpan
        precondition(spectrum.count == previous.count)
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let added =
                samplesLines && lines.count >= Self.wideBand
                ? Self.addUp(spectrum, in: lines, step: 8, previous: &previous)
                : Self.addUp(spectrum, in: lines, step: 4, previous: &previous)
            sums[band + 1] = added.sums
            energies[band] = added.energy
        }
        sums[layout.count + 1] = SIMD4(repeating: 0)
        let lineCounts = layout.lineCounts.span
        for band in stride(from: 0, to: layout.count, by: 4) {
            let here = lineCounts.vector(at: band)
            let below = SIMD4(band > 0 ? lineCounts[band - 1] : 0, here[0], here[1], here[2])
            let above = SIMD4(here[1], here[2], here[3], lineCounts[band + 4])
            let value = Self.tonality(
                SIMD4<Float>.transposed(
                    Self.withNeighbours(sums.span, band), Self.withNeighbours(sums.span, band + 1),
                    Self.withNeighbours(sums.span, band + 2), Self.withNeighbours(sums.span, band + 3)),
                lineCount: (below + here + above).maximum(SIMD4(repeating: 1)), canPredict: canPredict)
            tonality.store(value, at: band)
        }
        canPredict = true
    }

    /// Discards the previous frame.
    ///
    /// Call it after a frame of short windows.
    package mutating func interrupt() { canPredict = false }

    /// Returns the sums over a band and its two neighbours.
    private static func withNeighbours(_ sums: Span<SIMD4<Float>>, _ band: Int) -> SIMD4<Float> {
        sums[band] + sums[band + 1] + sums[band + 2]
    }

    @inline(__always)
    private static func tonality(
        _ sums: (power: SIMD4<Float>, logPower: SIMD4<Float>, change: SIMD4<Float>, total: SIMD4<Float>), lineCount: SIMD4<Float>,
        canPredict: Bool
    ) -> SIMD4<Float> {
        let (zero, one) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 1))
        let flatness = sums.logPower / lineCount - PortableMath.log2(sums.power / lineCount)
        let byFlatness = ((SIMD4(repeating: flatnessOfNoise) - flatness) * tonalityPerOctave).maximum(zero).minimum(one)
        guard canPredict else { return byFlatness }
        let byChange = (one - changeOfNoise * sums.change / sums.total.maximum(one)).maximum(zero).minimum(one)
        return 0.55 * byFlatness + 0.45 * byChange
    }

    /// Computes the sums over a band and replaces the previous frame's magnitudes.
    ///
    /// - Parameter step: 4, or 8 to use every other group of four lines in the sums. The energy always covers all lines. Pass a literal, so
    ///   that it is constant.
    @inline(__always)
    private static func addUp(
        _ spectrum: Span<Float>, in lines: Range<Int>, step: Int, previous: inout MutableSpan<Float>
    ) -> (sums: SIMD4<Float>, energy: Float) {
        var power = SIMD4<Float>(repeating: 0)
        var (change, total, energy) = (power, power, power)
        var count = 0
        precondition(spectrum.hasQuads(lines) && previous.count == spectrum.count)
        let logPower = PortableMath.sumOfLog2(lines, step: step) { line in
            let (powers, squares) = PseudoSpectrum.powers(spectrum, at: line)
            let pseudo = powers + SIMD4(repeating: 1)
            energy += squares
            if step == 8 && line &+ 4 < lines.upperBound {
                let next = unsafe spectrum.vector(unchecked: line &+ 4)
                energy += next * next
            }
            let magnitude = pseudo.squareRoots
            // Within the checked range.
            let before = unsafe previous.vector(unchecked: line)
            power += pseudo
            change += (magnitude - before).magnitudes
            total += magnitude + before
            unsafe previous.store(magnitude, unchecked: line)
            count &+= 4
            return pseudo
        }
        let (a, b, c, d) = SIMD4<Float>.transposed(power, logPower, change, total)
        let sums = (a + b) + (c + d)
        return (step == 8 ? sums * (Float(lines.count) / Float(count)) : sums, energy.laneSum)
    }

    /// The minimum line count of a wide band.
    private static let wideBand = 16

    /// The spectral flatness (mean of log2 minus log2 of the mean) at and above which a band counts as noise.
    ///
    /// Noise has about -0.5.
    private static let flatnessOfNoise: Float = -0.7

    /// The tonality per octave of flatness below ``flatnessOfNoise``.
    private static let tonalityPerOctave: Float = 0.22

    /// The inverse of the relative magnitude change at and above which a band counts as noise.
    private static let changeOfNoise: Float = 3
}
