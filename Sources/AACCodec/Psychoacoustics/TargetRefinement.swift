// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Refines the noise targets of a long window by how the energy of each band is distributed over its lines and over time.
///
/// Quantisation noise is even over the lines of a band and over the length of the window; the signal isn't. So a band gets less noise
///
/// - where its energy fluctuates within the window, since the noise is heard in the pauses;
/// - where its energy exceeds that of the frame before, since noise precedes the rise;
/// - at low rates, where a few lines hold most of its energy, since the noise is heard between them.
///
/// Measured in Search.md#noise-targets-within-a-long-window.
struct TargetRefinement {
    /// log2 of the energy per line of each band in the frame before.
    private var previous = [52 of Float](repeating: 0)

    /// Whether the frame before had a long window.
    private var hasPrevious = false

    /// The octaves by which the noise of a band changes for each property.
    struct Shares {
        /// The octaves less for an octave of fluctuation within the window.
        var fluctuation: Float

        /// The octaves less for an octave of rise since the frame before.
        var rise: Float = 0.15

        /// The octaves less for an octave of crest: of the energy of a mean line over the geometric mean of the lines' energies.
        var crest: Float

        /// The octaves more at 21 Bark (8 kHz), none up to 18 Bark and from 24 Bark on.
        var treble: Float
    }

    /// Refines the noise targets of the bands of a long window.
    ///
    /// - Parameters:
    ///   - targets: The noise target of each band.
    ///   - spectra: The coefficients of the long window, and of eight short ones in its place, window after window.
    ///   - energies: The energy of each band.
    ///   - barks: The critical band rate of each band.
    ///   - shares: The amounts by which the targets change.
    mutating func refine(
        _ targets: inout MutableSpan<Float>, spectra: (long: Span<Float>, short: Span<Float>), energies: Span<Float>, barks: Span<Float>,
        shares: Shares, layout: borrowing BandLayout
    ) {
        let fluctuation = Self.fluctuation(spectra.short, layout: layout)
        let logMeans = shares.crest > 0 ? Self.logMeans(spectra.long, layout: layout) : [52 of Float](repeating: 0)
        for band in stride(from: 0, to: layout.count, by: 4) {
            let widths = layout.lineCounts.span.vector(at: band).maximum(SIMD4(repeating: 1))
            let energy = PortableMath.log2(energies.vector(at: band) / widths + SIMD4(repeating: PsychoacousticModel.silence))
            var octaves = fluctuation.span.vector(at: band) * shares.fluctuation
            if hasPrevious {
                let rise = PsychoacousticModel.limited(energy - previous.span.vector(at: band), to: Self.largestChange)
                octaves += rise * shares.rise
            }
            if shares.crest > 0 {
                let crest = energy - logMeans.span.vector(at: band) - SIMD4(repeating: Self.typicalCrest)
                octaves += crest.minimum(SIMD4(repeating: Self.largestCrest)) * shares.crest
            }
            octaves -= Self.treble(barks.vector(at: band)) * shares.treble
            targets.store(targets.vector(at: band) * PortableMath.exp2(SIMD4(repeating: 0) - octaves), at: band)
            var previous = previous.mutableSpan
            previous.store(energy, at: band)
        }
        hasPrevious = true
    }

    /// Discards the frame before.
    mutating func interrupt() { hasPrevious = false }
}

extension TargetRefinement {
    /// Returns the octaves by which the arithmetic mean of each band's energies in the short windows exceeds their harmonic mean.
    private static func fluctuation(_ short: Span<Float>, layout: borrowing BandLayout) -> [52 of Float] {
        var sums = [52 of Float](repeating: 0)
        var inverseSums = [52 of Float](repeating: 0)
        var spectrum = [128 of Float](repeating: 0)
        var powers = spectrum.mutableSpan
        for window in 0..<8 {
            PseudoSpectrum.measure(short.extracting(window * 128..<(window + 1) * 128), into: &powers)
            for band in 0..<layout.count {
                let lines = layout.lines(band)
                let first = lines.lowerBound / 8
                let end = max((lines.upperBound + 7) / 8, first + 1)
                var energy: Float = 0
                for line in first..<end { energy += powers[line] }
                energy = energy / Float(end - first) + shortSilence
                sums[band] += energy
                inverseSums[band] += 1 / energy
            }
        }
        var result = [52 of Float](repeating: 0)
        var octaves = result.mutableSpan
        for band in stride(from: 0, to: layout.count, by: 4) {
            let ratio = (sums.span.vector(at: band) * inverseSums.span.vector(at: band) * (1.0 / 64)).maximum(SIMD4(repeating: 1))
            octaves.store(PsychoacousticModel.limited(PortableMath.log2(ratio), to: largestChange), at: band)
        }
        return result
    }

    /// Returns the mean of log2 of the energies of each band's lines.
    private static func logMeans(_ lines: Span<Float>, layout: borrowing BandLayout) -> [52 of Float] {
        var result = [52 of Float](repeating: 0)
        for band in 0..<layout.count {
            let sum = PortableMath.sumOfLog2(layout.lines(band)) { line in
                let x = lines.vector(at: line)
                return x * x + SIMD4(repeating: PsychoacousticModel.silence)
            }
            result[band] = sum.laneSum / Float(layout.width(band))
        }
        return result
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
