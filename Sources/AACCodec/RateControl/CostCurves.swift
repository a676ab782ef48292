// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What each band costs at each of a range of scale factors: the distortion, and the bits in the best codebook.
///
/// The curves do not depend on the rate, so one set serves every rate that is tried.
struct CostCurves: ~Copyable {
    /// Scale factors tried a band.
    static let candidateCount = 16

    /// The lowest scale factor tried in each band.
    private(set) var firstScaleFactors = [120 of Int16](repeating: 0)

    /// Squared error of each candidate; band after band.
    private(set) var distortions = [1920 of Float](repeating: 0)

    /// Spectral bits of each candidate; infinite where it would be all zero, or too large to code.
    private(set) var bits = [1920 of Float](repeating: 0)

    /// How many candidates lie below the scale factor expected.
    private static let below = 5

    /// Tries the scale factors around the ones that would put `quality` times the noise target into each band.
    ///
    /// - Parameter rounding: What is added before rounding down, 0 to 1/2.
    mutating func measure(
        _ lines: borrowing SpectralLines, noise: Span<Float>, quality: Float, rounding: Float, layout: borrowing BandLayout
    ) {
        let tables = SpectralBitTables.shared
        for band in 0..<layout.count {
            let target = Self.expectedScaleFactor(
                noise: noise[band] * quality, rootSum: lines.rootSums[band], peak: lines.peaks[band], rounding: rounding)
            let first = max(0, min(target - Self.below, 255 - Self.candidateCount))
            firstScaleFactors[band] = Int16(first)
            for candidate in 0..<Self.candidateCount {
                let cell = CellMeasure(
                    lines, in: layout.lines(band), peak: lines.peaks[band], scaleFactor: first + candidate, rounding: rounding,
                    tables: tables)
                distortions[band * Self.candidateCount + candidate] = cell.distortion
                bits[band * Self.candidateCount + candidate] = cell.bits
            }
        }
    }

    /// The scale factor at which noise of uniform quantisation comes to `noise`: D = 4/27 Δ^(3/2) Σ√|x|.
    private static func expectedScaleFactor(noise: Float, rootSum: Float, peak: Float, rounding: Float) -> Int {
        guard peak > 0 else { return 100 }
        let byNoise = 8.0 / 3 * PortableMath.log2(6.75 * noise / max(rootSum, 1e-6))
        let allZero = 16.0 / 3 * PortableMath.log2(peak / (1 - rounding))
        return Int(max(0, 100 + min(byNoise, allZero - Float(candidateCount / 2))))
    }
}

/// One band at one scale factor.
private struct CellMeasure {
    var distortion: Float = 0
    var bits: Float = .infinity

    @inline(__always)
    init(
        _ lines: borrowing SpectralLines, in range: Range<Int>, peak: Float, scaleFactor: Int, rounding: Float,
        tables: borrowing SpectralBitTables
    ) {
        let step = Quantizer.steps[scaleFactor]
        let largest = Int(peak * step.inversePower34 + rounding)
        guard largest > 0, largest <= Quantizer.largestMagnitude else { return }
        if largest <= 2 {
            measureQuads(lines, in: range, step: step, rounding: rounding, quads: tables.quads.span)
        } else {
            measurePairs(lines, in: range, step: step, rounding: rounding, largest: largest, pairs: tables.pairs.span)
        }
    }

    @inline(__always)
    private mutating func measureQuads(
        _ lines: borrowing SpectralLines, in range: Range<Int>, step: Quantizer.Step, rounding: Float, quads: Span<SIMD4<UInt16>>
    ) {
        var error = SIMD4<Float>(repeating: 0)
        var counts = SIMD4<UInt16>(repeating: 0)
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let q = Self.quantize(lines, at: line, step: step, rounding: rounding, error: &error)
            counts &+= quads[SpectralBitTables.quadIndex(Int(q.x), Int(q.y), Int(q.z), Int(q.w))]
        }
        distortion = error.laneSum
        let least = min(min(counts[0], counts[1]), min(counts[2], counts[3]))
        bits = Float(least) / Float(SpectralBitTables.unitsPerBit)
    }

    @inline(__always)
    private mutating func measurePairs(
        _ lines: borrowing SpectralLines, in range: Range<Int>, step: Quantizer.Step, rounding: Float, largest: Int,
        pairs: Span<SIMD8<UInt16>>
    ) {
        var error = SIMD4<Float>(repeating: 0)
        var counts = SIMD8<UInt16>(repeating: 0)
        var escapes = 0
        let limit = SpectralCodebook.escapeMagnitude
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let q = Self.quantize(lines, at: line, step: step, rounding: rounding, error: &error)
            var (a, b, c, d) = (Int(q.x), Int(q.y), Int(q.z), Int(q.w))
            if largest >= limit {
                escapes &+= Self.clipEscape(&a) &+ Self.clipEscape(&b) &+ Self.clipEscape(&c) &+ Self.clipEscape(&d)
            }
            counts &+= pairs[SpectralBitTables.pairIndex(a, b)] &+ pairs[SpectralBitTables.pairIndex(c, d)]
        }
        distortion = error.laneSum
        let least = largest >= limit ? counts[6] : counts.min()
        bits = Float(least) / Float(SpectralBitTables.unitsPerBit) + Float(escapes)
    }

    /// Brings a value of magnitude 16 or more to ±16; returns the bits of its escape sequence, 0 without.
    @inline(__always)
    private static func clipEscape(_ value: inout Int) -> Int {
        guard value.magnitude >= 16 else { return 0 }
        let bits = SpectralBitTables.escapeBits(Int(value.magnitude))
        value = value < 0 ? -16 : 16
        return bits
    }

    /// Quantises four lines, and adds up their squared errors.
    @inline(__always)
    private static func quantize(
        _ lines: borrowing SpectralLines, at line: Int, step: Quantizer.Step, rounding: Float, error: inout SIMD4<Float>
    ) -> SIMD4<Int32> {
        let scaled = lines.power34.span.vector(at: line) * step.inversePower34
        let rounded = Quantizer.round(scaled, rounding: rounding)
        let off = (scaled - rounded.floats) * step.power34
        var difference = off * (lines.slopes.span.vector(at: line) - off * lines.bends.span.vector(at: line))
        difference.replace(with: lines.magnitudes.span.vector(at: line), where: rounded.integers .== 0)
        error += difference * difference
        let signs = SIMD4<Int32>(truncatingIfNeeded: lines.values.span.vector(at: line).bitPatterns) &>> 31
        return (SIMD4<Int32>(truncatingIfNeeded: rounded.integers) ^ signs) &- signs
    }
}
