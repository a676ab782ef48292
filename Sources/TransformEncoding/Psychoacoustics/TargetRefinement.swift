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

    /// The number of frames until the next one that is measured.
    private var framesUntilMeasurement = 0

    /// The pseudo-spectra of the short windows: for each line, its power in the eight windows.
    private var powers: FixedArray<Float>

    /// The sums of band energies over the short windows.
    private var sums = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// The sums of inverse band energies over the short windows.
    private var inverseSums = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// The mean log2 line energy of each band.
    private var logMeans = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// Creates the refinement of a channel with `frameLength` lines per long window.
    package init(frameLength: Int) { powers = FixedArray(repeating: 0, count: frameLength) }

    /// The weights of the properties, in octaves of noise.
    package struct Weights {
        /// Octaves less per octave of fluctuation within the window.
        var fluctuation: Float

        /// Octaves less per octave of crest: the mean line energy over the geometric mean of line energies.
        var crest: Float

        /// Octaves more at 21 Bark (8 kHz).
        ///
        /// They fall to zero at 18 and 24 Bark.
        var highFrequency: Float

        package init(fluctuation: Float, crest: Float, highFrequency: Float) {
            self.fluctuation = fluctuation
            self.crest = crest
            self.highFrequency = highFrequency
        }
    }

    /// Refines the noise targets of the bands of a long window by the fluctuation measured last.
    ///
    /// - Parameter barks: The critical band rate of each band, in Bark.
    package mutating func refine(
        _ targets: inout MutableSpan<Float>, spectrum: Span<Float>, energies: Span<Float>, barks: Span<Float>,
        weights: Weights, layout: borrowing BandLayout
    ) {
        if weights.crest > 0 { setLogMeans(spectrum, layout: layout) }
        let (sums, inverseSums, logMeans) = (sums.span, inverseSums.span, logMeans.span)
        var previous = previous.mutableSpan
        for band in stride(from: 0, to: layout.count, by: 4) {
            let widths = layout.lineCounts.span.vector(at: band).maximum(SIMD4(repeating: 1))
            let energy = PortableMath.log2(energies.vector(at: band) / widths + SIMD4(repeating: PsychoacousticModel.silence))
            var octaves = Self.fluctuation(sums.vector(at: band), inverseSums.vector(at: band)) * weights.fluctuation
            if hasPrevious {
                let rise = PsychoacousticModel.limited(energy - previous.vector(at: band), to: Self.maximumChange)
                octaves += rise * Self.riseWeight
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

    /// Starts a frame with a long window.
    ///
    /// - Parameter interval: The interval of measurements, in frames.
    /// - Returns: Whether the frame must be measured before it is refined.
    package mutating func startFrame(interval: Int) -> Bool {
        guard hasPrevious && framesUntilMeasurement > 0 else {
            // Also measured in the second frame, so that measured frames alternate with those whose errors are predicted.
            framesUntilMeasurement = hasPrevious ? interval - 1 : 0
            return true
        }
        framesUntilMeasurement -= 1
        return false
    }

    /// Discards the previous frame.
    package mutating func interrupt() { hasPrevious = false }
}

extension TargetRefinement {
    /// Measures the fluctuation within a window.
    ///
    /// - Parameter short: The coefficients of eight short windows in its place, in window order.
    package mutating func measureFluctuation(_ short: Span<Float>, layout: borrowing BandLayout) {
        sums.fill(0)
        inverseSums.fill(0)
        setPowers(short)
        let powers = powers.span
        var sums = sums.mutableSpan
        var inverseSums = inverseSums.mutableSpan
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let first = lines.lowerBound / 8
            let end = max((lines.upperBound + 7) / 8, first + 1)
            var (early, late) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
            for line in first..<end {
                early += powers.vector(at: 8 * line)
                late += powers.vector(at: 8 * line + 4)
            }
            let (count, silence) = (SIMD4(repeating: Float(end - first)), SIMD4(repeating: Self.shortSilence))
            (early, late) = (early / count + silence, late / count + silence)
            let one = SIMD4<Float>(repeating: 1)
            let (earlyInverse, lateInverse) = (one / early, one / late)
            sums[band] = Self.sum(early, late)
            inverseSums[band] = Self.sum(earlyInverse, lateInverse)
        }
    }

    private static func sum(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float { a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w }

    /// Computes ``powers``.
    private mutating func setPowers(_ short: Span<Float>) {
        let length = short.count / 8
        var powers = powers.mutableSpan
        for first in stride(from: 0, to: 8, by: 4) {
            let windows = (
                short.extracting(first * length..<(first + 1) * length), short.extracting((first + 1) * length..<(first + 2) * length),
                short.extracting((first + 2) * length..<(first + 3) * length), short.extracting((first + 3) * length..<(first + 4) * length)
            )
            for line in stride(from: 0, to: length, by: 4) {
                let lines = SIMD4<Float>.transposed(
                    PseudoSpectrum.powers(windows.0, at: line).powers, PseudoSpectrum.powers(windows.1, at: line).powers,
                    PseudoSpectrum.powers(windows.2, at: line).powers, PseudoSpectrum.powers(windows.3, at: line).powers)
                powers.store(lines.0, at: 8 * line + first)
                powers.store(lines.1, at: 8 * line + 8 + first)
                powers.store(lines.2, at: 8 * line + 16 + first)
                powers.store(lines.3, at: 8 * line + 24 + first)
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

    /// Octaves less per octave of rise since the previous frame.
    ///
    /// Measured in Search.md#noise-targets-within-a-long-window.
    private static let riseWeight: Float = 0.15

    /// The maximum effective rise and fluctuation, in octaves.
    private static let maximumChange: Float = 8

    /// The typical crest, in octaves.
    private static let typicalCrest: Float = 1.5

    /// The maximum effective excess over the typical crest, in octaves.
    private static let maximumCrest: Float = 6

    /// The energy per line of a short window below which fluctuation is ignored.
    private static let shortSilence: Float = 100
}
