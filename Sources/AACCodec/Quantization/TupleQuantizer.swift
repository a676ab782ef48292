// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Rounds the lines of a channel, tuple by tuple, to what costs least in distortion and bits together.
///
/// Codewords of AAC do not depend on each other: for a scale factor and a codebook the best choice of each tuple is the best
/// choice of all. Each line can take its nearest value or the one below it.
struct TupleQuantizer: ~Copyable {
    /// Held here, since reaching a global costs a check each time.
    private let tables = SpectralBitTables.shared
    private let steps = Quantizer.steps

    /// The nearest value of each line, with its sign.
    private var nearest = [1024 of Int16](repeating: 0)

    /// The scale factor that each band was rounded for last, by its first four lines.
    private var roundedFor = [256 of Int16](repeating: -1)

    /// What taking the value below costs, in sixteenths of a bit; ``never`` where it is not considered.
    private var loweringCosts = [1024 of UInt16](repeating: 0)

    /// A line whose value is not lowered.
    private static let never: UInt16 = .max

    /// Lines further above the value below than this are not lowered: it never pays.
    private static let lowerableDistance: Float = 1.05

    /// The largest cost of lowering that is considered: 30 bits.
    private static let largestLoweringCost: Float = 480

    /// The largest magnitude of ``nearest`` in the band at hand, and the largest that is left when all lines are lowered.
    private var largest = 0
    private var leastLargest = 0

    /// Forgets the lines of the frame before.
    mutating func startFrame() { roundedFor = [256 of Int16](repeating: -1) }

    /// A band at a scale factor.
    struct Trial {
        var lines: Range<Int>
        /// The largest |x|^(3/4).
        var peak: Float
        var scaleFactor: Int
        /// What a unit of squared error costs, in bits.
        var weight: Float
        /// What codebook 0 costs, in bits.
        var zeroCost: Float

        init(_ lines: Range<Int>, _ band: SpectralLines.Band, scaleFactor: Int, weight: Float) {
            self.lines = lines
            self.scaleFactor = scaleFactor
            self.weight = weight
            peak = band.peak
            zeroCost = weight * band.energy * ChannelCoder.zeroPenalty
        }
    }

    /// Measures a band in all codebooks, in bits, with the change of distortion included at its price.
    ///
    /// - Parameter count: What was counted at this scale factor, if values are not lowered and it was.
    /// - Returns: The costs of all codebooks, with that of the distortion.
    @inline(__always)
    mutating func measure(
        _ quads: Span<LineQuad>, _ trial: Trial, count: BandCount? = nil, effort: SearchEffort
    ) -> BookCosts {
        effort.lowersValues ? measureLowered(quads, trial) : measureNearest(quads, trial, count: count)
    }

    private mutating func measureLowered(_ quads: Span<LineQuad>, _ trial: Trial) -> BookCosts {
        roundedFor[trial.lines.lowerBound / 4] = Int16(trial.scaleFactor)
        let distortion = roundToNearest(quads, trial)
        var quadUnits = SIMD4<UInt16>(repeating: 0)
        if leastLargest <= 2 {
            quadUnits = Self.countQuads(nearest.span, loweringCosts.span, in: trial.lines, lengths: tables.quads.span)
        }
        let pairs = Self.countPairs(
            nearest.span, loweringCosts.span, in: trial.lines, lengths: tables.pairs.span, largest: largest)
        return BookCosts(
            quads: quadUnits, pairs: pairs.units, escapes: Float(pairs.escapes), distortion: trial.weight * distortion,
            largest: Float(leastLargest), zero: trial.zeroCost)
    }

    /// The same with the nearest values alone.
    private mutating func measureNearest(_ quads: Span<LineQuad>, _ trial: Trial, count: BandCount?) -> BookCosts {
        let step = steps.span[trial.scaleFactor]
        let largest = trial.peak * step.inversePower34 + SearchEffort.nearestOnly
        let quads = quads.extracting(trial.lines.lowerBound >> 2..<trial.lines.upperBound >> 2)
        let (quadLengths, pairLengths) = (tables.quads.span, tables.pairs.span)
        let count =
            count
            ?? BandCount(
                quads, step: step, rounding: SearchEffort.nearestOnly, largest: largest, quadLengths: quadLengths, pairLengths: pairLengths)
        var pairs = count.units
        if largest < BandCount.pairLimit {
            pairs = SIMD8(repeating: 0)
            var place = 0
            while place < quads.count {
                let indices = SpectralBitTables.Indices(quads[place].rounded(step, rounding: SearchEffort.nearestOnly))
                place &+= 1
                pairs &+= pairLengths[indices.firstPair] &+ pairLengths[indices.secondPair]
            }
        }
        return BookCosts(
            quads: count.units.lowHalf, pairs: pairs, escapes: count.escapes, distortion: trial.weight * count.distortion,
            largest: largest, zero: trial.zeroCost)
    }

    /// Whether the largest magnitude of a band becomes a value that can be sent, and is not zero.
    func canCode(_ trial: Trial) -> Bool {
        let largest = Int(trial.peak * steps.span[trial.scaleFactor].inversePower34 + SearchEffort.nearest)
        return largest > 0 && largest <= Quantizer.largestMagnitude
    }

    /// Quantises a band for the codebook it got.
    mutating func quantize(
        _ quads: Span<LineQuad>, _ trial: Trial, codebook: Int, into quantized: inout MutableSpan<Int16>, effort: SearchEffort
    ) {
        guard effort.lowersValues else {
            let step = steps.span[trial.scaleFactor]
            let quads = quads.extracting(trial.lines.lowerBound >> 2..<trial.lines.upperBound >> 2)
            var place = 0
            while place < quads.count {
                let values = quads[place].rounded(step, rounding: SearchEffort.nearestOnly)
                quantized.store(values.saturated, at: trial.lines.lowerBound &+ place &* 4)
                place &+= 1
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

    /// Fills ``nearest`` and ``loweringCosts``; returns the distortion of the nearest values.
    private mutating func roundToNearest(_ quads: Span<LineQuad>, _ trial: Trial) -> Float {
        let step = steps.span[trial.scaleFactor]
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
            let off = scaled - rounded.floats
            var errors = quad.errors(of: off * step.power34)
            errors.replace(with: quad.magnitudes, where: rounded.integers .== 0)
            var lowered = quad.errors(of: (off + SIMD4(repeating: 1)) * step.power34)
            lowered.replace(with: quad.magnitudes, where: rounded.integers .== 1)
            distortion += errors * errors
            let units = ((lowered * lowered - errors * errors) * unitWeight)
                .minimum(SIMD4(repeating: Self.largestLoweringCost)).maximum(SIMD4(repeating: 0))
            let unitBits = (units + SIMD4(repeating: Quantizer.magic)).bitPatterns &- SIMD4(repeating: 0x4B00_0000)
            let values = quad.signed(rounded.integers)
            for lane in 0..<4 {
                let size = UInt16(truncatingIfNeeded: rounded.integers[lane])
                let canLower = size > 0 && size < 16 && off[lane] + 1 < Self.lowerableDistance
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

    @inline(__always)
    private static func lowered(_ value: Int) -> Int { value > 0 ? value &- 1 : value &+ 1 }

    // MARK: Pairs

    private static func countPairs(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, lengths: Span<SIMD8<UInt16>>, largest: Int
    ) -> (units: SIMD8<UInt16>, escapes: Int) {
        var sums = SIMD8<UInt16>(repeating: 0)
        var escapes = 0
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            var (a, b) = (Int(nearest[line]), Int(nearest[line + 1]))
            if largest >= 16 { escapes &+= SpectralBitTables.clipEscape(&a) &+ SpectralBitTables.clipEscape(&b) }
            var best = lengths[SpectralBitTables.pairIndex(a, b)]
            let (costA, costB) = (loweringCosts[line], loweringCosts[line + 1])
            if costA != never {
                best = least(best, lengths[SpectralBitTables.pairIndex(lowered(a), b)] &+ SIMD8(repeating: costA))
                if costB != never {
                    let both = lengths[SpectralBitTables.pairIndex(lowered(a), lowered(b))]
                    best = least(best, both &+ SIMD8(repeating: costA &+ costB))
                }
            }
            if costB != never {
                best = least(best, lengths[SpectralBitTables.pairIndex(a, lowered(b))] &+ SIMD8(repeating: costB))
            }
            sums &+= best
        }
        return (sums, escapes)
    }

    @inline(__always)
    private static func least(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> { a.replacing(with: b, where: b .< a) }

    private static func choosePairs(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, book: Int, lengths: Span<SIMD8<UInt16>>,
        into quantized: inout MutableSpan<Int16>
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let (a, b) = (Int(nearest[line]), Int(nearest[line + 1]))
            var (bestA, bestB) = (a, b)
            var best = UInt16.max
            for choice in 0..<4 {
                let (lowersA, lowersB) = (choice & 1 != 0, choice & 2 != 0)
                let cost = (lowersA ? loweringCosts[line] : 0, lowersB ? loweringCosts[line + 1] : 0)
                if cost.0 == never || cost.1 == never { continue }
                let valueA = lowersA ? lowered(a) : a
                let valueB = lowersB ? lowered(b) : b
                var (clippedA, clippedB) = (valueA, valueB)
                let isEscaped = SpectralBitTables.clipEscape(&clippedA) &+ SpectralBitTables.clipEscape(&clippedB) > 0
                let length = lengths[SpectralBitTables.pairIndex(clippedA, clippedB)][book &- 5]
                guard length < SpectralBitTables.impossible else { continue }
                if isEscaped && choice == 0 || length &+ cost.0 &+ cost.1 < best {
                    best = length &+ cost.0 &+ cost.1
                    (bestA, bestB) = (valueA, valueB)
                }
            }
            quantized[line] = Int16(truncatingIfNeeded: bestA)
            quantized[line + 1] = Int16(truncatingIfNeeded: bestB)
        }
    }

    // MARK: Quads

    private static func countQuads(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, lengths: Span<SIMD4<UInt16>>
    ) -> SIMD4<UInt16> {
        var sums = SIMD4<UInt16>(repeating: 0)
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            var best = SIMD4<UInt16>(repeating: .max)
            eachQuad(nearest, loweringCosts, at: line) { values, cost in
                let candidate = lengths[SpectralBitTables.quadIndex(values.0, values.1, values.2, values.3)] &+ SIMD4(repeating: cost)
                best.replace(with: candidate, where: candidate .< best)
            }
            sums &+= best
        }
        return sums
    }

    private static func chooseQuads(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, book: Int, lengths: Span<SIMD4<UInt16>>,
        into quantized: inout MutableSpan<Int16>
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            var best = UInt16.max
            eachQuad(nearest, loweringCosts, at: line) { values, cost in
                let length = lengths[SpectralBitTables.quadIndex(values.0, values.1, values.2, values.3)][book &- 1]
                guard length < SpectralBitTables.impossible, length &+ cost < best else { return }
                best = length &+ cost
                quantized[line] = Int16(truncatingIfNeeded: values.0)
                quantized[line + 1] = Int16(truncatingIfNeeded: values.1)
                quantized[line + 2] = Int16(truncatingIfNeeded: values.2)
                quantized[line + 3] = Int16(truncatingIfNeeded: values.3)
            }
        }
    }

    /// Goes through all choices of a quad with magnitudes up to 2.
    @inline(__always)
    private static func eachQuad(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, at line: Int, _ body: ((Int, Int, Int, Int), UInt16) -> Void
    ) {
        var lowerable = 0
        var forced = 0
        for lane in 0..<4 {
            if nearest[line &+ lane].magnitude > 2 { forced |= 1 << lane }
            if loweringCosts[line &+ lane] != never { lowerable |= 1 << lane }
        }
        // All subsets of the lines that can be lowered, those that have to be always among them.
        var chosen = lowerable
        while true {
            if chosen & forced == forced {
                var cost: UInt16 = 0
                for lane in 0..<4 where chosen >> lane & 1 != 0 { cost &+= loweringCosts[line &+ lane] }
                let values = (
                    value(nearest[line], isLowered: chosen & 1 != 0), value(nearest[line &+ 1], isLowered: chosen & 2 != 0),
                    value(nearest[line &+ 2], isLowered: chosen & 4 != 0), value(nearest[line &+ 3], isLowered: chosen & 8 != 0)
                )
                body(values, min(cost, 900))
            }
            if chosen == 0 { break }
            chosen = (chosen &- 1) & lowerable
        }
    }

    @inline(__always)
    private static func value(_ nearest: Int16, isLowered: Bool) -> Int { isLowered ? lowered(Int(nearest)) : Int(nearest) }
}
