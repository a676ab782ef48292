// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What each band costs at each of a range of scale factors: the distortion, and the bits in the best codebook.
///
/// The curves do not depend on the rate, so one set serves every rate that is tried.
struct CostCurves: ~Copyable {
    /// The most scale factors tried a band.
    static let candidateCount = 16

    /// One band at one scale factor.
    struct Cell: BitwiseCopyable {
        /// The squared error.
        var distortion: Float = 0
        /// Bits in the best codebook; infinite where all lines would be zero, or too large to code.
        var bits: Float = .infinity
    }

    /// Held here, since reaching a global costs a check each time.
    private let tables = SpectralBitTables.shared
    private let steps = Quantizer.steps

    /// The lowest scale factor tried in each band.
    private(set) var firstScaleFactors = [120 of Int16](repeating: 0)

    /// All candidates, band after band.
    private(set) var cells = [1920 of Cell](repeating: Cell())

    /// Tries the scale factors around the ones that would put `quality` times the noise target into each band.
    mutating func measure(
        _ quads: Span<LineQuad>, _ bands: Span<SpectralLines.Band>, noise: Span<Float>, quality: Float, effort: SearchEffort,
        layout: borrowing BandLayout
    ) {
        let measure = CellMeasure(rounding: effort.searchRounding)
        let (tables, steps) = (tables, steps)
        var cells = cells.mutableSpan
        for band in 0..<layout.count {
            let target = Self.expectedScaleFactor(bands[band], noise: noise[band] * quality, rounding: effort.searchRounding)
            let first = max(0, min(target - effort.candidatesBelow, 255 - Self.candidateCount))
            firstScaleFactors[band] = Int16(first)
            for candidate in 0..<effort.candidateCount {
                cells[band * Self.candidateCount + candidate] = measure.cell(
                    quads, in: layout.lines(band), peak: bands[band].peak, step: steps[first + candidate], tables: tables)
            }
        }
    }

    /// The candidate of a band that costs least by itself, whether or not it is worth coding.
    ///
    /// - Parameter weight: What a unit of squared error costs, in bits.
    func cheapest(_ band: Int, weight: Float, candidateCount: Int) -> Int {
        let cells = cells.span
        var best = 0
        var lowest = Float.infinity
        for candidate in 0..<candidateCount {
            let cell = cells[band * Self.candidateCount + candidate]
            let cost = cell.bits + weight * cell.distortion
            if cost < lowest { (best, lowest) = (candidate, cost) }
        }
        return Int(firstScaleFactors.span[band]) + best
    }

    /// The scale factor at which noise of uniform quantisation comes to `noise`: D = 4/27 Δ^(3/2) Σ√|x|.
    private static func expectedScaleFactor(_ band: SpectralLines.Band, noise: Float, rounding: Float) -> Int {
        guard band.peak > 0 else { return 100 }
        let byNoise = 8.0 / 3 * PortableMath.log2(6.75 * noise / max(band.rootSum, 1e-6))
        let allZero = 16.0 / 3 * PortableMath.log2(band.peak / (1 - rounding))
        return Int(max(0, 100 + min(byNoise, allZero - Float(candidateCount / 2))))
    }
}

/// Quantises a band and counts, without keeping the values.
private struct CellMeasure {
    let rounding: Float

    @inline(__always)
    func cell(
        _ quads: Span<LineQuad>, in range: Range<Int>, peak: Float, step: Quantizer.Step, tables: borrowing SpectralBitTables
    ) -> CostCurves.Cell {
        let largest = Int(peak * step.inversePower34 + rounding)
        guard largest > 0, largest <= Quantizer.largestMagnitude else { return CostCurves.Cell() }
        if largest <= 2 { return inQuads(quads, in: range, step: step, lengths: tables.quads.span) }
        return inPairs(quads, in: range, step: step, hasEscapes: largest >= SpectralCodebook.escapeMagnitude, lengths: tables.pairs.span)
    }

    @inline(__always)
    private func inQuads(
        _ quads: Span<LineQuad>, in range: Range<Int>, step: Quantizer.Step, lengths: Span<SIMD4<UInt16>>
    ) -> CostCurves.Cell {
        var error = SIMD4<Float>(repeating: 0)
        var units = SIMD4<UInt16>(repeating: 0)
        for place in range.lowerBound / 4..<range.upperBound / 4 {
            let q = quantize(quads[place], step: step, error: &error)
            units &+= lengths[SpectralBitTables.quadIndex(Int(q.x), Int(q.y), Int(q.z), Int(q.w))]
        }
        let least = min(min(units[0], units[1]), min(units[2], units[3]))
        return CostCurves.Cell(distortion: error.laneSum, bits: Float(least) / Float(SpectralBitTables.unitsPerBit))
    }

    @inline(__always)
    private func inPairs(
        _ quads: Span<LineQuad>, in range: Range<Int>, step: Quantizer.Step, hasEscapes: Bool, lengths: Span<SIMD8<UInt16>>
    ) -> CostCurves.Cell {
        var error = SIMD4<Float>(repeating: 0)
        var units = SIMD8<UInt16>(repeating: 0)
        var escapes = 0
        for place in range.lowerBound / 4..<range.upperBound / 4 {
            let q = quantize(quads[place], step: step, error: &error)
            var (a, b, c, d) = (Int(q.x), Int(q.y), Int(q.z), Int(q.w))
            if hasEscapes {
                escapes &+= SpectralBitTables.clipEscape(&a) &+ SpectralBitTables.clipEscape(&b)
                escapes &+= SpectralBitTables.clipEscape(&c) &+ SpectralBitTables.clipEscape(&d)
            }
            units &+= lengths[SpectralBitTables.pairIndex(a, b)] &+ lengths[SpectralBitTables.pairIndex(c, d)]
        }
        let least = hasEscapes ? units[6] : units.min()
        return CostCurves.Cell(distortion: error.laneSum, bits: Float(least) / Float(SpectralBitTables.unitsPerBit) + Float(escapes))
    }

    /// Quantises four lines, and adds up their squared errors.
    @inline(__always)
    private func quantize(_ quad: LineQuad, step: Quantizer.Step, error: inout SIMD4<Float>) -> SIMD4<Int32> {
        let scaled = quad.power34 * step.inversePower34
        let rounded = Quantizer.round(scaled, rounding: rounding)
        var errors = quad.errors(of: (scaled - rounded.floats) * step.power34)
        errors.replace(with: quad.magnitudes, where: rounded.integers .== 0)
        error += errors * errors
        return quad.signed(rounded.integers)
    }
}
