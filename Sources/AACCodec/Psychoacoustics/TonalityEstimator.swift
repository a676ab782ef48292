// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How like a tone each band is, from 0 (noise) to 1, by the coefficients of two frames.
struct TonalityEstimator {
    /// Magnitudes of the pseudo-spectrum of the frame before.
    private var previous = [1024 of Float](repeating: 0)

    /// Whether the frame before had a long window, so that its lines can be compared.
    private var canPredict = false

    /// Estimates the bands of a long window; `spectrum` has 1024 lines.
    ///
    /// A pseudo-spectrum x² + (right - left)² has little of the fluctuation that the phase puts into the lines of an MDCT.
    /// Flatness over a band and its neighbours, and the change against the frame before, both tell noise from tones.
    mutating func estimate(_ spectrum: Span<Float>, layout: borrowing BandLayout, into tonality: inout MutableSpan<Float>) {
        var power = [120 of Float](repeating: 0)
        var logPower = [120 of Float](repeating: 0)
        var change = [120 of Float](repeating: 0)
        var total = [120 of Float](repeating: 0)
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            var sum = SIMD4<Float>(repeating: 0)
            var logSum = sum
            var changeSum = sum
            var totalSum = sum
            // One logarithm for two: a product of two lines' power is far below the largest float.
            var product = SIMD4<Float>(repeating: 1)
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let pseudo = Self.pseudoSpectrum(spectrum, at: line)
                let magnitude = pseudo.squareRoots
                let before = previous.span.vector(at: line)
                sum += pseudo
                product *= pseudo
                if (line &- lines.lowerBound) & 4 != 0 || line &+ 4 == lines.upperBound {
                    logSum += PortableMath.log2(product)
                    product = SIMD4(repeating: 1)
                }
                changeSum += (magnitude - before).magnitudes
                totalSum += magnitude + before
                var storage = previous.mutableSpan
                storage.store(magnitude, at: line)
            }
            power[band] = sum.laneSum
            logPower[band] = logSum.laneSum
            change[band] = changeSum.laneSum
            total[band] = totalSum.laneSum
        }
        for band in 0..<layout.count {
            let first = max(0, band - 1)
            let last = min(layout.count - 1, band + 1)
            var lines = 0
            var sums = SIMD4<Float>(repeating: 0)
            for other in first...last {
                lines += layout.width(other)
                sums += SIMD4(power.span[other], logPower.span[other], change.span[other], total.span[other])
            }
            let flatness = sums[1] / Float(lines) - PortableMath.log2(sums[0] / Float(lines))
            let byFlatness = min(max((Self.flatnessOfNoise - flatness) * Self.tonalityPerOctave, 0), 1)
            let byChange = min(max(1 - Self.changeOfNoise * sums[2] / max(sums[3], 1), 0), 1)
            tonality[band] = canPredict ? 0.55 * byFlatness + 0.45 * byChange : byFlatness
        }
        canPredict = true
    }

    /// Forgets the frame before, after a frame of short windows.
    mutating func interrupt() { canPredict = false }

    @inline(__always)
    private static func pseudoSpectrum(_ spectrum: Span<Float>, at line: Int) -> SIMD4<Float> {
        let here = spectrum.vector(at: line)
        let left = line > 0 ? spectrum[line - 1] : here[1]
        let right = line + 4 < spectrum.count ? spectrum[line + 4] : here[2]
        let difference = SIMD4(here[1], here[2], here[3], right) - SIMD4(left, here[0], here[1], here[2])
        return here * here + difference * difference + SIMD4(repeating: 1)
    }

    /// Mean log2 less log2 of the mean: about -0.5 for noise; a pure tone is an octave of energy lower for each 0.2 of tonality.
    private static let flatnessOfNoise: Float = -0.7
    private static let tonalityPerOctave: Float = 0.22

    /// The relative change of magnitude at which a band counts as noise is the inverse of this.
    private static let changeOfNoise: Float = 3
}
