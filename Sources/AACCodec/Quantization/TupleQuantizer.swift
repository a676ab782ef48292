// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Quantises the lines of a channel, tuple by tuple, with the lowest cost in distortion and bits.
///
/// The codewords of AAC are independent of each other: for a scale factor and a codebook, the best choice for each tuple is the best choice for
/// the frame. Each line is quantised to its nearest value or to the value with the next smaller magnitude.
struct TupleQuantizer: ~Copyable {
    /// The lengths of codewords; a stored property, since access to a global includes a check each time.
    private let tables = SpectralBitTables.shared

    /// The steps of all scale factors, stored for the same reason.
    private let steps = Quantizer.steps

    /// The nearest value of each line, with its sign.
    private var nearest = [1024 of Int16](repeating: 0)

    /// The scale factor for which each band was rounded last, at the index of its first four lines; -1 for none.
    private var roundedFor = [256 of Int16](repeating: -1)

    /// The cost of lowering each value by 1, in sixteenths of a bit; ``never`` where that is not considered.
    private var loweringCosts = [1024 of UInt16](repeating: 0)

    /// The cost of a value that is not lowered.
    static let never: UInt16 = .max

    /// The distance of a line from the next lower value at and above which it is not lowered, since that never saves bits.
    private static let lowerableDistance: Float = 1.05

    /// The largest cost of lowering: 30 bits, in sixteenths.
    private static let largestLoweringCost: Float = 480

    /// The largest magnitude of ``nearest`` in the current band.
    private var largest = 0

    /// The largest magnitude in the current band when all values are lowered that can be.
    private var leastLargest = 0

    /// Discards the values of the frame before.
    mutating func startFrame() { roundedFor = [256 of Int16](repeating: -1) }

    /// A band with a scale factor to quantise it with.
    struct Trial {
        /// The lines of the band.
        var lines: Range<Int>
        /// The largest |x|^(3/4).
        var peak: Float
        /// The scale factor.
        var scaleFactor: Int
        /// The cost of a unit of squared error, in bits.
        var weight: Float
        /// The cost of leaving out the band, in bits.
        var zeroCost: Float

        /// Makes a trial of a band.
        init(_ lines: Range<Int>, _ band: SpectralLines.Band, scaleFactor: Int, weight: Float) {
            self.lines = lines
            self.scaleFactor = scaleFactor
            self.weight = weight
            peak = band.peak
            zeroCost = weight * band.energy * ChannelCoder.zeroPenalty
        }
    }

    /// Measures the cost of a band in all codebooks, distortion included.
    ///
    /// - Parameters:
    ///   - quads: The lines of the frame.
    ///   - count: The count of the band at this scale factor, if values are not lowered and it is known.
    /// - Returns: The cost in each codebook, in bits.
    @inline(__always)
    mutating func measure(
        _ quads: Span<LineQuad>, _ trial: Trial, count: BandBitCount? = nil, effort: SearchEffort
    ) -> CodebookCosts {
        effort.lowersValues ? measureLowered(quads, trial) : measureNearest(quads, trial, count: count)
    }

    /// Measures the cost of a band in all codebooks, with the best choice of values for each.
    private mutating func measureLowered(_ quads: Span<LineQuad>, _ trial: Trial) -> CodebookCosts {
        roundedFor[trial.lines.lowerBound / 4] = Int16(trial.scaleFactor)
        let distortion = roundToNearest(quads, trial)
        var quadUnits = SIMD4<UInt16>(repeating: 0)
        if leastLargest <= 2 {
            quadUnits = Self.countQuads(nearest.span, loweringCosts.span, in: trial.lines, lengths: tables.quads.span)
        }
        let pairs = Self.countPairs(
            nearest.span, loweringCosts.span, in: trial.lines, lengths: tables.pairs.span, largest: largest)
        return CodebookCosts(
            quads: quadUnits, pairs: pairs.units, escapes: Float(pairs.escapes), distortion: trial.weight * distortion,
            largest: Float(leastLargest), zero: trial.zeroCost)
    }

    /// Measures the cost of a band in all codebooks with the nearest values.
    private mutating func measureNearest(_ quads: Span<LineQuad>, _ trial: Trial, count: BandBitCount?) -> CodebookCosts {
        let step = steps[trial.scaleFactor]
        let largest = trial.peak * step.inversePower34 + SearchEffort.nearestOnly
        let quads = quads.extracting(trial.lines.lowerBound >> 2..<trial.lines.upperBound >> 2)
        let (quadLengths, pairLengths) = (tables.quads.span, tables.pairs.span)
        let count =
            count
            ?? BandBitCount(
                quads, step: step, rounding: SearchEffort.nearestOnly, largest: largest, quadLengths: quadLengths, pairLengths: pairLengths)
        var pairs = count.units
        if largest < BandBitCount.pairLimit {
            pairs = SIMD8(repeating: 0)
            var index = 0
            while index < quads.count {
                let indices = SpectralBitTables.Indices(quads[index].rounded(step, rounding: SearchEffort.nearestOnly))
                index &+= 1
                pairs &+= pairLengths[indices.firstPair] &+ pairLengths[indices.secondPair]
            }
        }
        return CodebookCosts(
            quads: count.units.lowHalf, pairs: pairs, escapes: count.escapes, distortion: trial.weight * count.distortion,
            largest: largest, zero: trial.zeroCost)
    }

    /// Returns whether a band has lines at a scale factor, all within the range of quantised values.
    func canCode(_ trial: Trial) -> Bool {
        let largest = Int(trial.peak * steps[trial.scaleFactor].inversePower34 + SearchEffort.nearest)
        return largest > 0 && largest <= Quantizer.largestMagnitude
    }

    /// Quantises a band for its codebook, 1 to 11.
    mutating func quantize(
        _ quads: Span<LineQuad>, _ trial: Trial, codebook: Int, into quantized: inout MutableSpan<Int16>, effort: SearchEffort
    ) {
        guard effort.lowersValues else {
            let step = steps[trial.scaleFactor]
            let quads = quads.extracting(trial.lines.lowerBound >> 2..<trial.lines.upperBound >> 2)
            var index = 0
            while index < quads.count {
                let values = quads[index].rounded(step, rounding: SearchEffort.nearestOnly)
                quantized.store(values.saturated, at: trial.lines.lowerBound &+ index &* 4)
                index &+= 1
            }
            return
        }
        if roundedFor[trial.lines.lowerBound / 4] != Int16(trial.scaleFactor) { _ = measureLowered(quads, trial) }
        if codebook < 5 {
            Self.chooseQuads(
                nearest.span, loweringCosts.span, in: trial.lines, book: codebook, lengths: tables.quads.span, into: &quantized)
        } else {
            Self.choosePairs(
                nearest.span, loweringCosts.span, in: trial.lines, book: codebook, lengths: tables.pairs.span, into: &quantized)
        }
    }

    /// Sets ``nearest`` and ``loweringCosts`` for a band, and returns the distortion of the nearest values.
    private mutating func roundToNearest(_ quads: Span<LineQuad>, _ trial: Trial) -> Float {
        let step = steps[trial.scaleFactor]
        var distortion = SIMD4<Float>(repeating: 0)
        var most: UInt16 = 0
        var least: UInt16 = 0
        let unitWeight = trial.weight * Float(SpectralBitTables.unitsPerBit)
        var nearest = nearest.mutableSpan
        var loweringCosts = loweringCosts.mutableSpan
        for line in stride(from: trial.lines.lowerBound, to: trial.lines.upperBound, by: 4) {
            let quad = quads[line / 4]
            let scaled = quad.power34 * step.inversePower34
            let rounded = Quantizer.round(scaled, rounding: SearchEffort.nearest)
            let distance = scaled - rounded.floats
            var errors = quad.errors(of: distance * step.power34)
            errors.replace(with: quad.magnitudes, where: rounded.integers .== 0)
            var lowered = quad.errors(of: (distance + SIMD4(repeating: 1)) * step.power34)
            lowered.replace(with: quad.magnitudes, where: rounded.integers .== 1)
            distortion += errors * errors
            let units = ((lowered * lowered - errors * errors) * unitWeight)
                .minimum(SIMD4(repeating: Self.largestLoweringCost)).maximum(SIMD4(repeating: 0))
            let unitBits = (units + SIMD4(repeating: Quantizer.magic)).bitPatterns &- SIMD4(repeating: 0x4B00_0000)
            let values = quad.signed(rounded.integers)
            for lane in 0..<4 {
                let size = UInt16(truncatingIfNeeded: rounded.integers[lane])
                let canLower = size > 0 && size < 16 && distance[lane] + 1 < Self.lowerableDistance
                nearest[line + lane] = Int16(truncatingIfNeeded: values[lane])
                loweringCosts[line + lane] = canLower ? UInt16(truncatingIfNeeded: unitBits[lane]) : Self.never
                most = max(most, size)
                least = max(least, canLower ? size - 1 : size)
            }
        }
        largest = Int(most)
        leastLargest = Int(least)
        return distortion.laneSum
    }
}
