// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The bits that short windows take beyond those of a long window, for the same samples and the same noise.
///
/// A long window is better for what is stationary or periodic, such as the partials of a low voice, short ones for an attack. The bits are
/// those of ``PerceptualEntropy``, with a noise density that follows the energies of the long window's bands as ``NoiseAllocation`` has it:
///
///     log N[b] = a · log E[b] + (1 - a) · log Ē + offset[b]
///
/// A short band covers several long ones, over which its noise is flat. It has the harmonic mean of their noise, so that the weighted noise
/// is the same.
///
/// Measured in Windows.md#pulses-in-short-windows.
package struct WindowCost {
    /// The exponent of a band's energy, a: that of the allocation rule, less the share of the signal-to-mask ratio.
    private let energyExponent: Float

    /// The factor from the inverse of a noise target to the inverse of the noise that counts.
    private let inverseScale: Float

    /// The number of bands of a long window that are coded.
    private let longBandCount: Int

    /// The number of bands of a short window that are coded.
    private let shortBandCount: Int

    /// Makes the comparison for a bit rate.
    ///
    /// - Parameters:
    ///   - allocation: The noise allocation rule, whose threshold counts as energy here.
    ///   - noiseScale: The noise scale at which typical music takes the bit rate. The one of the frame would make decisions depend on
    ///     earlier frames.
    ///   - longBandCount: The number of bands of a long window that are coded.
    ///   - shortBandCount: The number of bands of a short window that are coded.
    package init(allocation: NoiseAllocation, noiseScale: Float, longBandCount: Int, shortBandCount: Int) {
        energyExponent = allocation.energyExponent - allocation.signalToMaskShare
        inverseScale = PerceptualEntropy.inverseScale(noiseScale: noiseScale)
        self.longBandCount = longBandCount
        self.shortBandCount = shortBandCount
    }

    /// Returns the bits that short windows take beyond those of a long window; negative where they take fewer.
    ///
    /// - Parameters:
    ///   - long: The coefficients of the long window.
    ///   - short: The coefficients of the eight short windows, window after window.
    ///   - bands: The scale factor bands.
    ///   - tables: The properties of hearing in the bands of a long window.
    ///   - inverseNoise: Workspace, of ``PsychoacousticTables/bandCapacity``.
    package func excessOfShort(
        long: Span<Float>, short: Span<Float>, bands: borrowing ScaleFactorBands, tables: borrowing PsychoacousticTables.Bands,
        inverseNoise: inout MutableSpan<Float>
    ) -> Float {
        computeInverseNoise(long, bands: bands, tables: tables, into: &inverseNoise)
        return shortBits(short, inverseNoise: inverseNoise.span, bands: bands)
            - longBits(long, inverseNoise: inverseNoise.span, bands: bands)
    }

    /// Computes the inverse of the noise energy of a line in each band of the long window.
    private func computeInverseNoise(
        _ long: Span<Float>, bands: borrowing ScaleFactorBands, tables: borrowing PsychoacousticTables.Bands,
        into inverses: inout MutableSpan<Float>
    ) {
        var amplitudes: Float = 0
        for band in 0..<longBandCount {
            let lines = Self.lines(bands.longOffsets.span, band)
            let energy = PortableMath.sumOfSquares(long, lines) / Float(lines.count) + PsychoacousticModel.silence
            inverses[band] = energy
            amplitudes += energy.squareRoot() * Float(lines.count)
        }
        let loudness = 2 * PortableMath.log2(amplitudes / Float(bands.longOffsets[longBandCount]))
        let rest = (1 - energyExponent) * loudness
        for band in stride(from: 0, to: longBandCount, by: 4) {
            let noise =
                PortableMath.log2(inverses.vector(at: band).maximum(SIMD4(repeating: PsychoacousticModel.silence))) * energyExponent
                + (tables.noiseOffset.span.vector(at: band) + rest)
            inverses.store(PortableMath.exp2(SIMD4(repeating: 0) - noise) * inverseScale, at: band)
        }
    }

    /// Returns the bits of the long window.
    private func longBits(_ long: Span<Float>, inverseNoise: Span<Float>, bands: borrowing ScaleFactorBands) -> Float {
        var sum = PerceptualEntropy.Sum()
        for band in 0..<longBandCount {
            Self.add(long, Self.lines(bands.longOffsets.span, band), inverseNoise: inverseNoise[band], to: &sum)
        }
        return sum.bits
    }

    /// Returns the bits of the eight short windows.
    private func shortBits(_ short: Span<Float>, inverseNoise: Span<Float>, bands: borrowing ScaleFactorBands) -> Float {
        var sum = PerceptualEntropy.Sum()
        var longBand = 0
        for band in 0..<shortBandCount {
            let lines = Self.lines(bands.shortOffsets.span, band)
            var weighted: Float = 0
            var line = 8 * lines.lowerBound
            while line < 8 * lines.upperBound, longBand < longBandCount {
                let end = Int(bands.longOffsets[longBand + 1])
                weighted += inverseNoise[longBand] * Float(min(end, 8 * lines.upperBound) - line)
                line = min(end, 8 * lines.upperBound)
                if line == end { longBand += 1 }
            }
            // The mean over the lines, for lines that have an eighth of the energy.
            let mean = weighted / Float(max(line - 8 * lines.lowerBound, 1)) * 8
            for window in 0..<8 {
                let first = window * bands.shortLength
                Self.add(short, first + lines.lowerBound..<first + lines.upperBound, inverseNoise: mean, to: &sum)
            }
        }
        return sum.bits
    }

    /// Returns the lines of a band.
    private static func lines(_ offsets: Span<UInt16>, _ band: Int) -> Range<Int> { Int(offsets[band])..<Int(offsets[band + 1]) }

    /// Adds a range of lines to an entropy.
    private static func add(_ lines: Span<Float>, _ range: Range<Int>, inverseNoise: Float, to sum: inout PerceptualEntropy.Sum) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let x = lines.vector(at: line)
            sum.add(x * x, inverseNoise: inverseNoise)
        }
    }
}
