// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding

/// The functions of one channel's lines that quantization needs, computed once per frame.
package struct SpectralLines: ~Copyable {
    package private(set) var quads: FixedArray<LineQuad>

    /// Sums over the lines of each band.
    package private(set) var bands = FixedArray<Band>(repeating: Band(), count: BandLayout.maximumCount)

    /// The maximum |x|^(3/4) of all bands.
    package private(set) var peak: Float = 0

    /// The first line of a long window that a decoder replaces by noise if it is zero; `Int.max` for none.
    package var firstFilledLine = Int.max

    /// Sums over the lines of a band.
    package struct Band: BitwiseCopyable {
        /// The maximum |x|^(3/4).
        package var peak: Float = 0
        /// The sum of √|x|.
        package var rootSum: Float = 0
        /// The sum of x².
        package var energy: Float = 0
        /// Whether a decoder replaces the band by noise if it is zeroed.
        package var isFilled = false

        package init(peak: Float = 0, rootSum: Float = 0, energy: Float = 0) {
            self.peak = peak
            self.rootSum = rootSum
            self.energy = energy
        }

        /// The weight of the energy as distortion if the band is zeroed and stays silent.
        ///
        /// Measured in Tools.md#the-tools-one-by-one.
        @inlinable package static var zeroPenalty: Float { 1.5 }

        /// The ``zeroPenalty`` of a band that becomes noise.
        ///
        /// With 0.75 and 1.5, the Zimtohrli distance of six clips at 96 kbit/s is 2.7 and 0.6 % larger.
        @inlinable package static var filledPenalty: Float { 1 }

        /// The noise energy at the finest step that can code the largest line: 4/27 Δ^(3/2) Σ √|x|.
        @inlinable package var minimumNoise: Float {
            peak * peak * rootSum * (4 / (27 * Quantizer.maximumSearched * Quantizer.maximumSearched))
        }

        /// Returns the cost of zeroing the band, in bits.
        ///
        /// - Parameter weight: The cost per unit of squared error, in bits.
        @inlinable package func zeroCost(weight: Float) -> Float {
            weight * energy * (isFilled ? Self.filledPenalty : Self.zeroPenalty)
        }
    }

    /// The entropy coder's weights of four magnitudes in tuple indices, repeated once.
    private let tupleWeights: SIMD8<Int16>

    /// Creates a silent frame of `lineCount` lines.
    ///
    /// - Parameter tupleWeights: The entropy coder's weights of four magnitudes in tuple indices, repeated once.
    package init(lineCount: Int, tupleWeights: SIMD8<Int16>) {
        self.tupleWeights = tupleWeights
        quads = FixedArray(repeating: LineQuad(), count: lineCount / 4)
    }

    /// Computes the functions and sums of a spectrum.
    ///
    /// Zeroes the lines of bands that are sent without lines.
    ///
    /// - Parameter noiseScale: The ratio of noise energy to noise target.
    /// - Returns: The perceptual entropy, in bits. Here it takes a third of the time of a separate pass.
    package mutating func prepare(_ spectrum: inout ChannelSpectrum, layout: borrowing BandLayout, noiseScale: Float) -> Float {
        for band in 0..<layout.count where spectrum.replacements.contains(band) {
            for line in layout.lines(band) { spectrum.lines[line] = 0 }
        }
        let values = spectrum.lines.span
        let noiseTargets = spectrum.noiseTargets.span(first: BandLayout.maximumCount)
        var quads = quads.mutableSpan
        var bands = bands.mutableSpan(first: BandLayout.maximumCount)
        var entropy = PerceptualEntropy.Sum()
        let inverseScale = PerceptualEntropy.inverseScale(noiseScale: noiseScale)
        var largest: Float = 0
        let tupleWeights = tupleWeights
        let firstFilledLine = layout.sequence == .eightShort ? .max : firstFilledLine
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let inverseNoise = Float(lines.count) / noiseTargets[band] * inverseScale
            var peak = SIMD4<Float>(repeating: 0)
            var rootSum = peak
            var energy = peak
            let values = values.extracting(lines)
            var quads = quads._mutatingExtracting(lines.lowerBound >> 2..<lines.upperBound >> 2)
            // All accesses are within these.
            precondition(values.count == 4 &* quads.count)
            for index in 0..<quads.count {
                let quad = unsafe LineQuad(values.vector(unchecked: 4 &* index), tupleWeights: tupleWeights)
                quads[index] = quad
                peak = peak.maximum(quad.power34)
                rootSum += quad.magnitudes.squareRoots
                let energies = quad.magnitudes * quad.magnitudes
                energy += energies
                entropy.add(energies, inverseNoise: inverseNoise)
            }
            let bandPeak = peak.most
            bands[band] = Band(peak: bandPeak, rootSum: rootSum.laneSum, energy: energy.laneSum)
            bands[band].isFilled = lines.lowerBound >= firstFilledLine
            largest = largest.maximum(bandPeak)
        }
        peak = largest
        return entropy.bits
    }
}
