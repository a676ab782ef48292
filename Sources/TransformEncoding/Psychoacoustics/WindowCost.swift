// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The extra bits that short windows need compared with a long window, for the same samples and noise.
///
/// A long window suits stationary and periodic signals, such as the partials of a low voice; short windows suit transients. The bits
/// are estimated with ``PerceptualEntropy``. The noise density follows the band energies of the long window, as in ``NoiseAllocation``:
///
///     log N[b] = a · log E[b] + (1 - a) · log Ē + offset[b]
///
/// A short band covers several long bands with uniform noise. Its noise is the harmonic mean of theirs, so that the weighted noise is
/// the same.
///
/// Measured in Windows.md#pulses-in-short-windows.
package struct WindowCost {
    /// The exponent a of a band's energy.
    private let energyExponent: Float

    /// The factor from the inverse noise target to the inverse effective noise.
    private let inverseScale: Float

    private let longBandCount: Int

    private let shortBandCount: Int

    /// Creates the comparison for a bit rate.
    ///
    /// - Parameters:
    ///   - energyExponent: The exponent a of a band's energy.
    ///   - noiseScale: The noise scale at which typical music has the bit rate. The frame's own noise scale would make decisions depend on
    ///     previous frames.
    ///   - longBandCount: The number of coded bands of a long window.
    ///   - shortBandCount: The number of coded bands of a short window.
    package init(energyExponent: Float, noiseScale: Float, longBandCount: Int, shortBandCount: Int) {
        self.energyExponent = energyExponent
        inverseScale = PerceptualEntropy.inverseScale(noiseScale: noiseScale)
        self.longBandCount = longBandCount
        self.shortBandCount = shortBandCount
    }

    /// Returns the extra bits of short windows; negative if they need fewer bits than a long window.
    ///
    /// - Parameters:
    ///   - long: The coefficients of the long window.
    ///   - short: The coefficients of the eight short windows, in window order.
    ///   - tables: The auditory properties of the long window's bands.
    ///   - inverseNoise: Workspace of ``PsychoacousticTables/bandCapacity`` values.
    package func excessOfShort(
        long: Span<Float>, short: Span<Float>, bands: borrowing ScaleFactorBands, tables: borrowing PsychoacousticTables.Bands,
        inverseNoise: inout MutableSpan<Float>
    ) -> Float {
        computeInverseNoise(long, bands: bands, tables: tables, into: &inverseNoise)
        return shortBits(short, inverseNoise: inverseNoise.span, bands: bands)
            - longBits(long, inverseNoise: inverseNoise.span, bands: bands)
    }

    /// Computes the inverse noise energy per line in each band of the long window.
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

    private func longBits(_ long: Span<Float>, inverseNoise: Span<Float>, bands: borrowing ScaleFactorBands) -> Float {
        var sum = PerceptualEntropy.Sum()
        for band in 0..<longBandCount {
            Self.add(long, Self.lines(bands.longOffsets.span, band), inverseNoise: inverseNoise[band], to: &sum)
        }
        return sum.bits
    }

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
            // The mean over the lines, for lines with an eighth of the energy.
            let mean = weighted / Float(max(line - 8 * lines.lowerBound, 1)) * 8
            for window in 0..<8 {
                let first = window * bands.shortLength
                Self.add(short, first + lines.lowerBound..<first + lines.upperBound, inverseNoise: mean, to: &sum)
            }
        }
        return sum.bits
    }

    private static func lines(_ offsets: Span<UInt16>, _ band: Int) -> Range<Int> { Int(offsets[band])..<Int(offsets[band + 1]) }

    private static func add(_ lines: Span<Float>, _ range: Range<Int>, inverseNoise: Float, to sum: inout PerceptualEntropy.Sum) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let x = lines.vector(at: line)
            sum.add(x * x, inverseNoise: inverseNoise)
        }
    }
}
