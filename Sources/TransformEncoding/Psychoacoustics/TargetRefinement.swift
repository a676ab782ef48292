// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Refines the noise targets of a long window by how the energy of each band is distributed over its lines and over time.
///
/// Quantisation noise is even over the lines of a band and over the length of the window; the signal isn't. So a band gets less noise
///
/// - where its energy fluctuates within the window, since the noise is heard in the pauses;
/// - where its energy exceeds that of the frame before, since noise precedes the rise;
/// - at low rates, where a few lines hold most of its energy, since the noise is heard between them.
///
/// Measured in Search.md#noise-targets-within-a-long-window.
package struct TargetRefinement: ~Copyable {
    /// log2 of the energy per line of each band in the frame before.
    private var previous = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// Whether the frame before had a long window.
    private var hasPrevious = false

    /// The pseudo-spectrum of a short window.
    private var powers: FixedArray<Float>

    /// The sums over the short windows of the energy in each band.
    private var sums = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// The sums over the short windows of the inverse of the energy in each band.
    private var inverseSums = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// The mean of log2 of the energies of each band's lines.
    private var logMeans = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// Makes the refinement of a channel with so many lines in a long window.
    package init(frameLength: Int) { powers = FixedArray(repeating: 0, count: frameLength / 8) }

    /// The octaves by which the noise of a band changes for each property.
    package struct Shares {
        /// The octaves less for an octave of fluctuation within the window.
        var fluctuation: Float

        /// The octaves less for an octave of rise since the frame before.
        var rise: Float

        /// The octaves less for an octave of crest: of the energy of a mean line over the geometric mean of the lines' energies.
        var crest: Float

        /// The octaves more at 21 Bark (8 kHz), none up to 18 Bark and from 24 Bark on.
        var treble: Float

        /// Makes shares.
        package init(fluctuation: Float, rise: Float = 0.15, crest: Float, treble: Float) {
            self.fluctuation = fluctuation
            self.rise = rise
            self.crest = crest
            self.treble = treble
        }
    }

    /// Refines the noise targets of the bands of a long window.
    ///
    /// - Parameters:
    ///   - targets: The noise target of each band.
    ///   - spectra: The coefficients of the long window, and of eight short ones in its place, window after window.
    ///   - energies: The energy of each band.
    ///   - barks: The critical band rate of each band.
    ///   - shares: The amounts by which the targets change.
    package mutating func refine(
        _ targets: inout MutableSpan<Float>, spectra: (long: Span<Float>, short: Span<Float>), energies: Span<Float>, barks: Span<Float>,
        shares: Shares, layout: borrowing BandLayout
    ) {
        addShortEnergies(spectra.short, layout: layout)
        if shares.crest > 0 { setLogMeans(spectra.long, layout: layout) }
        let (sums, inverseSums, logMeans) = (sums.span, inverseSums.span, logMeans.span)
        var previous = previous.mutableSpan
        for band in stride(from: 0, to: layout.count, by: 4) {
            let widths = layout.lineCounts.span.vector(at: band).maximum(SIMD4(repeating: 1))
            let energy = PortableMath.log2(energies.vector(at: band) / widths + SIMD4(repeating: PsychoacousticModel.silence))
            var octaves = Self.fluctuation(sums.vector(at: band), inverseSums.vector(at: band)) * shares.fluctuation
            if hasPrevious {
                let rise = PsychoacousticModel.limited(energy - previous.vector(at: band), to: Self.largestChange)
                octaves += rise * shares.rise
            }
            if shares.crest > 0 {
                let crest = energy - logMeans.vector(at: band) - SIMD4(repeating: Self.typicalCrest)
                octaves += crest.minimum(SIMD4(repeating: Self.largestCrest)) * shares.crest
            }
            octaves -= Self.treble(barks.vector(at: band)) * shares.treble
            targets.store(targets.vector(at: band) * PortableMath.exp2(SIMD4(repeating: 0) - octaves), at: band)
            previous.store(energy, at: band)
        }
        hasPrevious = true
    }

    /// Discards the frame before.
    package mutating func interrupt() { hasPrevious = false }
}

extension TargetRefinement {
    /// Sets the sums of each band's energies in the short windows, and of the inverses of these.
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

    /// Returns the octaves by which the arithmetic mean of four bands' energies in the short windows exceeds their harmonic mean.
    private static func fluctuation(_ sums: SIMD4<Float>, _ inverseSums: SIMD4<Float>) -> SIMD4<Float> {
        let ratio = (sums * inverseSums * (1.0 / 64)).maximum(SIMD4(repeating: 1))
        return PsychoacousticModel.limited(PortableMath.log2(ratio), to: largestChange)
    }

    /// Sets the mean of log2 of the energies of each band's lines.
    private mutating func setLogMeans(_ lines: Span<Float>, layout: borrowing BandLayout) {
        for band in 0..<layout.count {
            let sum = PortableMath.sumOfLog2(layout.lines(band)) { line in
                let x = lines.vector(at: line)
                return x * x + SIMD4(repeating: PsychoacousticModel.silence)
            }
            logMeans[band] = sum.laneSum / Float(layout.width(band))
        }
    }

    /// Returns the weight of ``Shares/treble`` at four critical band rates.
    private static func treble(_ barks: SIMD4<Float>) -> SIMD4<Float> {
        let distance = (barks - SIMD4(repeating: 21)).magnitudes * (1.0 / 3)
        return (SIMD4(repeating: 1) - distance).maximum(SIMD4(repeating: 0))
    }

    /// The largest rise and fluctuation that count, in octaves.
    private static let largestChange: Float = 8

    /// The typical crest, in octaves.
    private static let typicalCrest: Float = 1.5

    /// The largest excess over the typical crest that counts, in octaves.
    private static let largestCrest: Float = 6

    /// The energy per line of a short window below which fluctuation doesn't count.
    private static let shortSilence: Float = 100
}
