// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Refines the noise targets of a long window by the distribution of each band's energy over lines and time.
///
/// Quantization noise is uniform over a band's lines and over the window; the signal is not. A band therefore gets less noise
///
/// - if its energy fluctuates within the window, because noise is audible in the pauses;
/// - if its energy exceeds the previous frame's, because noise precedes the rise;
/// - at low bit rates, if a few lines contain most of its energy, because noise is audible between them.
///
/// Measured in Search.md#noise-targets-within-a-long-window.
package struct TargetRefinement: ~Copyable {
    /// log2 of the previous frame's energy per line of each band.
    private var previous = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// Whether the previous frame had a long window.
    private var hasPrevious = false

    private var powers: FixedArray<Float>

    /// The sums of band energies over the short windows.
    private var sums = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// The sums of inverse band energies over the short windows.
    private var inverseSums = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// The mean log2 line energy of each band.
    private var logMeans = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// Creates the refinement of a channel with `frameLength` lines per long window.
    package init(frameLength: Int) { powers = FixedArray(repeating: 0, count: frameLength / 8) }

    /// The weights of the properties, in octaves of noise.
    package struct Weights {
        /// Octaves less per octave of fluctuation within the window.
        var fluctuation: Float

        /// Octaves less per octave of rise since the previous frame.
        var rise: Float

        /// Octaves less per octave of crest: the mean line energy over the geometric mean of line energies.
        var crest: Float

        /// Octaves more at 21 Bark (8 kHz).
        ///
        /// They fall to zero at 18 and 24 Bark.
        var highFrequency: Float

        /// Creates weights; the default for `rise` is 0.15.
        package init(fluctuation: Float, rise: Float = 0.15, crest: Float, highFrequency: Float) {
            self.fluctuation = fluctuation
            self.rise = rise
            self.crest = crest
            self.highFrequency = highFrequency
        }
    }

    /// Refines the noise targets of the bands of a long window.
    ///
    /// - Parameters:
    ///   - targets: The noise target of each band.
    ///   - spectra: The coefficients of the long window, and of eight short windows in its place, in window order.
    ///   - energies: The energy of each band.
    ///   - barks: The critical band rate of each band, in Bark.
    ///   - weights: The weights.
    package mutating func refine(
        _ targets: inout MutableSpan<Float>, spectra: (long: Span<Float>, short: Span<Float>), energies: Span<Float>, barks: Span<Float>,
        weights: Weights, layout: borrowing BandLayout
    ) {
        addShortEnergies(spectra.short, layout: layout)
        if weights.crest > 0 { setLogMeans(spectra.long, layout: layout) }
        let (sums, inverseSums, logMeans) = (sums.span, inverseSums.span, logMeans.span)
        var previous = previous.mutableSpan
        for band in stride(from: 0, to: layout.count, by: 4) {
            let widths = layout.lineCounts.span.vector(at: band).maximum(SIMD4(repeating: 1))
            let energy = PortableMath.log2(energies.vector(at: band) / widths + SIMD4(repeating: PsychoacousticModel.silence))
            var octaves = Self.fluctuation(sums.vector(at: band), inverseSums.vector(at: band)) * weights.fluctuation
            if hasPrevious {
                let rise = PsychoacousticModel.limited(energy - previous.vector(at: band), to: Self.maximumChange)
                octaves += rise * weights.rise
            }
            if weights.crest > 0 {
                let crest = energy - logMeans.vector(at: band) - SIMD4(repeating: Self.typicalCrest)
                octaves += crest.minimum(SIMD4(repeating: Self.maximumCrest)) * weights.crest
            }
            octaves -= Self.highFrequency(barks.vector(at: band)) * weights.highFrequency
            targets.store(targets.vector(at: band) * PortableMath.exp2(SIMD4(repeating: 0) - octaves), at: band)
            previous.store(energy, at: band)
        }
        hasPrevious = true
    }

    /// Discards the previous frame.
    package mutating func interrupt() { hasPrevious = false }
}

extension TargetRefinement {
    /// Computes ``sums`` and ``inverseSums``.
    private mutating func addShortEnergies(_ short: Span<Float>, layout: borrowing BandLayout) {
        sums.fill(0)
        inverseSums.fill(0)
        var powers = powers.mutableSpan
        var sums = sums.mutableSpan
        var inverseSums = inverseSums.mutableSpan
        let length = powers.count
        for window in 0..<8 {
            PseudoSpectrum.measure(short.extracting(window * length..<(window + 1) * length), into: &powers)
            for band in 0..<layout.count {
                let lines = layout.lines(band)
                let first = lines.lowerBound / 8
                let end = max((lines.upperBound + 7) / 8, first + 1)
                var energy: Float = 0
                for line in first..<end { energy += powers[line] }
                energy = energy / Float(end - first) + Self.shortSilence
                sums[band] += energy
                inverseSums[band] += 1 / energy
            }
        }
    }

    /// Returns by how many octaves the arithmetic mean of four bands' energies in the short windows exceeds the harmonic mean.
    private static func fluctuation(_ sums: SIMD4<Float>, _ inverseSums: SIMD4<Float>) -> SIMD4<Float> {
        let ratio = (sums * inverseSums * (1.0 / 64)).maximum(SIMD4(repeating: 1))
        return PsychoacousticModel.limited(PortableMath.log2(ratio), to: maximumChange)
    }

    private mutating func setLogMeans(_ lines: Span<Float>, layout: borrowing BandLayout) {
        for band in 0..<layout.count {
            let sum = PortableMath.sumOfLog2(layout.lines(band)) { line in
                let x = lines.vector(at: line)
                return x * x + SIMD4(repeating: PsychoacousticModel.silence)
            }
            logMeans[band] = sum.laneSum / Float(layout.width(band))
        }
    }

    /// Returns the weight of ``Weights/highFrequency`` at four critical band rates.
    private static func highFrequency(_ barks: SIMD4<Float>) -> SIMD4<Float> {
        let distance = (barks - SIMD4(repeating: 21)).magnitudes * (1.0 / 3)
        return (SIMD4(repeating: 1) - distance).maximum(SIMD4(repeating: 0))
    }

    /// The maximum effective rise and fluctuation, in octaves.
    private static let maximumChange: Float = 8

    /// The typical crest, in octaves.
    private static let typicalCrest: Float = 1.5

    /// The maximum effective excess over the typical crest, in octaves.
    private static let maximumCrest: Float = 6

    /// The energy per line of a short window below which fluctuation is ignored.
    private static let shortSilence: Float = 100
}
