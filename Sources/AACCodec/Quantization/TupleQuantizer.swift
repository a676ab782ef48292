// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

/// Quantizes the lines of a channel, tuple by tuple, with the minimum rate-distortion cost.
///
/// AAC codewords are independent: for a given scale factor and codebook, the best choice for each tuple is the best choice for the frame. A
/// line is quantized to its nearest value or to the next smaller magnitude.
package struct TupleQuantizer: ~Copyable {
    /// Codeword lengths.
    ///
    /// Stored, because accessing a global includes a check each time.
    private let tables = SpectralBitTables.shared

    /// The steps of all scale factors, stored for the same reason.
    private let steps = Quantizer.steps

    /// The limits of the codebooks, stored for the same reason.
    private let limits = CodebookCosts.limits

    /// The lines in fours, with their nearest magnitudes.
    private var rounded: FixedArray<RoundedQuad>

    /// The scale factor of each band's latest rounding, at the index of its first four lines; -1 for none.
    ///
    /// If values are not lowered, the stored values of the band belong to this scale factor.
    private var roundedFor: FixedArray<Int16>

    /// The maximum magnitude of ``rounded`` in the current band.
    private var largest = 0

    /// The maximum magnitude in the current band after lowering all magnitudes that can be lowered.
    private var minimumPeak = 0

    package init(lineCount: Int) {
        rounded = FixedArray(repeating: RoundedQuad(), count: lineCount / 4)
        roundedFor = FixedArray(repeating: -1, count: lineCount / 4)
    }

    mutating func startFrame() { roundedFor.fill(-1) }

    /// A band, and a scale factor to quantize it with.
    package struct Trial {
        var lines: Range<Int>
        /// The range of the band's quads.
        @inline(__always) var quads: Range<Int> { lines.lowerBound >> 2..<lines.upperBound >> 2 }
        /// The maximum |x|^(3/4).
        var peak: Float
        var scaleFactor: Int
        /// The cost of one unit of squared error, in bits.
        var weight: Float
        /// The cost of omitting the band, in bits.
        var zeroCost: Float

        package init(_ lines: Range<Int>, _ band: SpectralLines.Band, scaleFactor: Int, weight: Float) {
            self.lines = lines
            self.scaleFactor = scaleFactor
            self.weight = weight
            peak = band.peak
            zeroCost = band.zeroCost(weight: weight)
        }
    }

    /// Measures the rate-distortion cost of a band in all codebooks, in bits, with the best choice of values for each.
    package mutating func measureLowered(_ quads: Span<LineQuad>, _ trial: Trial) -> CodebookCosts {
        roundedFor[trial.lines.lowerBound / 4] = Int16(trial.scaleFactor)
        let distortion = roundToNearest(quads, trial)
        let rounded = rounded.span.extracting(trial.quads)
        let quadUnits = minimumPeak <= 2 ? Self.countQuads(rounded, lengths: tables.quads.span) : SIMD4(repeating: 0)
        let pairs = Self.countPairs(rounded, lengths: tables.pairs.span, largest: largest)
        return CodebookCosts(
            quads: quadUnits, pairs: pairs.units, escapes: Float(pairs.escapes), distortion: trial.weight * distortion,
            limits: limits[CodebookCosts.limitIndex(Float(minimumPeak))], zero: trial.zeroCost)
    }

    /// Measures the rate-distortion cost of a band in all codebooks, in bits, with the nearest values.
    ///
    /// - Parameters:
    ///   - count: The count of the band at this scale factor, if known.
    ///   - quantized: Receives the values if they are small.
    @inline(__always)
    package mutating func measureNearest(
        _ quads: Span<LineQuad>, _ trial: Trial, count: BandBitCount?, into quantized: inout MutableSpan<Int16>
    ) -> CodebookCosts {
        let step = steps[trial.scaleFactor]
        let largest = trial.peak * step.inversePower34 + SearchEffort.nearestOnly
        let quads = quads.extracting(trial.quads)
        let count = count ?? countNearest(quads, step, largest: largest)
        var pairs = count.units
        if largest < BandBitCount.pairLimit {
            roundedFor[trial.lines.lowerBound / 4] = Int16(trial.scaleFactor)
            let lengths = tables.pairs.span.extracting(0..<SpectralBitTables.pairCount)
            var target = quantized._mutatingExtracting(trial.lines)
            pairs = SIMD8(repeating: 0)
            var index = 0
            while index < quads.count {
                let values = quads[index].rounded(step, rounding: SearchEffort.nearestOnly)
                target.store(values, at: index &* 4)
                let indices = SpectralBitTables.Indices(values)
                index &+= 1
                pairs &+= lengths[SpectralBitTables.pairRow(indices.firstPair)] &+ lengths[SpectralBitTables.pairRow(indices.secondPair)]
            }
        }
        return CodebookCosts(
            quads: count.units.lowHalf, pairs: pairs, escapes: count.escapes, distortion: trial.weight * count.distortion,
            limits: limits[CodebookCosts.limitIndex(largest)], zero: trial.zeroCost)
    }

    @inline(never)
    private func countNearest(_ quads: Span<LineQuad>, _ step: Quantizer.Step, largest: Float) -> BandBitCount {
        BandBitCount(
            quads, step: step, rounding: SearchEffort.nearestOnly, largest: largest, quadLengths: tables.quads.span,
            pairLengths: tables.pairs.span)
    }

    /// Returns whether a band has nonzero lines at a scale factor, all within the range of quantized values.
    func canCode(_ trial: Trial) -> Bool {
        let largest = trial.peak * steps[trial.scaleFactor].inversePower34
        return largest + SearchEffort.nearest >= 1 && largest < Float(Quantizer.maximumMagnitude)
    }

    /// Quantizes a band for its codebook, 1 to 11.
    package mutating func quantize(
        _ quads: Span<LineQuad>, _ trial: Trial, codebook: Int, into quantized: inout MutableSpan<Int16>, effort: SearchEffort
    ) {
        let isRounded = roundedFor[trial.lines.lowerBound / 4] == Int16(trial.scaleFactor)
        guard effort.lowersValues else {
            // Small values are already stored.
            if isRounded { return }
            let step = steps[trial.scaleFactor]
            let quads = quads.extracting(trial.quads)
            var index = 0
            while index < quads.count {
                let values = quads[index].rounded(step, rounding: SearchEffort.nearestOnly)
                quantized.store(values, at: trial.lines.lowerBound &+ index &* 4)
                index &+= 1
            }
            return
        }
        if !isRounded { _ = measureLowered(quads, trial) }
        let rounded = rounded.span.extracting(trial.quads)
        if codebook < 5 {
            Self.chooseQuads(rounded, codebook: codebook, lengths: tables.quads.span, into: &quantized, at: trial.lines.lowerBound)
        } else {
            Self.choosePairs(rounded, codebook: codebook, lengths: tables.pairs.span, into: &quantized, at: trial.lines.lowerBound)
        }
    }

    /// Sets ``rounded`` for a band, and returns the distortion of the nearest values.
    private mutating func roundToNearest(_ quads: Span<LineQuad>, _ trial: Trial) -> Float {
        let step = steps[trial.scaleFactor]
        let unitWeight = trial.weight * Float(SpectralBitTables.unitsPerBit)
        var distortion = SIMD4<Float>(repeating: 0)
        var most = SIMD8<Int16>(repeating: 0)
        var minimumMost = most
        var rounded = rounded.mutableSpan
        for index in trial.quads {
            let quad = RoundedQuad(quads[index], step: step, unitWeight: unitWeight, error: &distortion)
            rounded[index] = quad
            most = most.maximum(quad.magnitudes)
            minimumMost = minimumMost.maximum(quad.minimumMagnitudes)
        }
        largest = Int(most.lowHalf.max())
        minimumPeak = Int(minimumMost.lowHalf.max())
        return distortion.laneSum
    }
}
