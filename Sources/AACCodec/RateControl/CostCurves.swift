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
        for band in stride(from: 0, to: layout.count, by: 4) {
            let expected = Self.expectedScaleFactors(bands, from: band, noise: noise, quality: quality, rounding: effort.searchRounding)
            for lane in 0..<min(4, layout.count - band) {
                let first = Int(expected[lane]) - effort.candidatesBelow * effort.candidateStride
                firstScaleFactors[band + lane] = Int16(max(0, min(first, 255 - Self.candidateCount * effort.candidateStride)))
            }
        }
        for band in 0..<layout.count {
            let first = Int(firstScaleFactors[band])
            for candidate in 0..<effort.candidateCount {
                cells[band * Self.candidateCount + candidate] = measure.cell(
                    quads, in: layout.lines(band), peak: bands[band].peak, step: steps[first + candidate * effort.candidateStride],
                    tables: tables)
            }
        }
    }

    /// The candidate of a band that costs least by itself, whether or not it is worth coding.
    ///
    /// - Parameter weight: What a unit of squared error costs, in bits.
    func cheapest(_ band: Int, weight: Float, effort: SearchEffort) -> Int {
        let cells = cells.span
        var best = 0
        var lowest = Float.infinity
        for candidate in 0..<effort.candidateCount {
            let cell = cells[band * Self.candidateCount + candidate]
            let cost = cell.bits + weight * cell.distortion
            if cost < lowest { (best, lowest) = (candidate, cost) }
        }
        return Int(firstScaleFactors.span[band]) + best * effort.candidateStride
    }

    /// The scale factors at which noise of uniform quantisation comes to `noise` in four bands: D = 4/27 Δ^(3/2) Σ√|x|.
    @inline(__always)
    private static func expectedScaleFactors(
        _ bands: Span<SpectralLines.Band>, from band: Int, noise: Span<Float>, quality: Float, rounding: Float
    ) -> SIMD4<Float> {
        let (a, b, c, d) = (bands[band], bands[band + 1], bands[band + 2], bands[band + 3])
        let rootSums = SIMD4(a.rootSum, b.rootSum, c.rootSum, d.rootSum)
        let peaks = SIMD4(a.peak, b.peak, c.peak, d.peak)
        let byNoise = PortableMath.log2(noise.vector(at: band) * (6.75 * quality) / rootSums.maximum(SIMD4(repeating: 1e-6))) * (8 / 3)
        let allZero = PortableMath.log2(peaks * (1 / (1 - rounding))) * (16 / 3)
        var expected = byNoise.minimum(allZero - SIMD4(repeating: Float(candidateCount / 2))) + SIMD4(repeating: 100)
        // Of a silent band it does not matter, if it is near the others.
        expected.replace(with: SIMD4(repeating: 100), where: peaks .<= SIMD4(repeating: 0))
        return expected.maximum(SIMD4(repeating: 0)).minimum(SIMD4(repeating: 255))
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
            let values = quads[place].quantized(step, rounding: rounding, error: &error)
            units &+= lengths[SpectralBitTables.Indices(values).quad]
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
            var values = quads[place].quantized(step, rounding: rounding, error: &error)
            if hasEscapes { escapes &+= SpectralBitTables.clipEscapes(&values) }
            let indices = SpectralBitTables.Indices(values)
            units &+= lengths[indices.firstPair] &+ lengths[indices.secondPair]
        }
        let least = hasEscapes ? units[6] : units.min()
        return CostCurves.Cell(distortion: error.laneSum, bits: Float(least) / Float(SpectralBitTables.unitsPerBit) + Float(escapes))
    }
}
