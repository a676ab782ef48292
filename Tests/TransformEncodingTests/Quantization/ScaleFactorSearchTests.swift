// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct ScaleFactorSearchTests {
    private static let stateCount = BandLayout.maximumCount * CostCurves.candidateCount

    private struct Cell {
        var distortion: Float
        var bits: Float
    }

    /// The cost of a choice of candidates by definition; -1 stands for a zeroed band.
    private static func cost(
        of choice: [Int], cells: [[Cell]], firstScaleFactors: [Int], spacing: Int, energies: [Float], weights: [Float]
    ) -> Float {
        var cost: Float = 0
        var last: Int?
        for (band, candidate) in choice.enumerated() {
            guard candidate >= 0 else {
                cost += energies[band] * weights[band] * SpectralLines.Band.zeroPenalty
                continue
            }
            let scaleFactor = firstScaleFactors[band] + candidate * spacing
            let difference = last.map { scaleFactor - $0 } ?? 0
            guard abs(difference) <= 60 else { return .infinity }
            cost += weights[band] * cells[band][candidate].distortion + cells[band][candidate].bits
            cost += Float(ScaleFactorCodebook.lengths[difference + 60])
            last = scaleFactor
        }
        return cost
    }

    @Test("Finds the cheapest of all choices", arguments: 1...40 as ClosedRange<UInt64>)
    func exhaustive(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Predecessors are stored with four candidates, and recomputed with twelve.
        let candidateCount = [4, 12][Int(seed % 2)]
        let bandCount = candidateCount == 4 ? 5 : 3
        var effort = SearchEffort.balanced
        effort.candidateCount = candidateCount
        let spacing = seed % 4 == 0 ? 2 : 1
        effort.candidateStride = spacing
        var curves = [[Cell]]()
        var distortions = [Float](repeating: 0, count: Self.stateCount)
        var bits = [Float](repeating: .infinity, count: Self.stateCount)
        var firstScaleFactors = [Int16]()
        for band in 0..<bandCount {
            firstScaleFactors.append(Int16.random(in: (seed % 3 == 0 ? 90...106 : 40...140), using: &random))
            curves.append(
                (0..<candidateCount).map { _ in
                    let isPossible = Int.random(in: 0..<6, using: &random) > 0
                    return Cell(
                        distortion: Float.random(in: 0...40, using: &random),
                        bits: isPossible ? Float(Int.random(in: 0...30, using: &random)) : .infinity)
                })
            for candidate in 0..<candidateCount {
                distortions[band * CostCurves.candidateCount + candidate] = curves[band][candidate].distortion
                bits[band * CostCurves.candidateCount + candidate] = curves[band][candidate].bits
            }
        }
        let bands = (0..<bandCount).map { _ in SpectralLines.Band(energy: Float.random(in: 1...80, using: &random)) }
        let weights = (0..<bandCount).map { _ in Float.random(in: 0.3...4, using: &random) }
        var search = ScaleFactorSearch()
        search.search(
            (distortions.span, bits.span), firstScaleFactors: firstScaleFactors.span, bands: bands.span, weights: weights.span,
            effort: effort,
            bandCount: bandCount)

        func cost(_ choice: [Int]) -> Float {
            Self.cost(
                of: choice, cells: curves, firstScaleFactors: firstScaleFactors.map(Int.init), spacing: spacing,
                energies: bands.map(\.energy), weights: weights)
        }
        let found = (0..<bandCount).map { band in
            let scaleFactor = search.scaleFactors[band]
            return scaleFactor < 0 ? -1 : (Int(scaleFactor) - Int(firstScaleFactors[band])) / spacing
        }
        var best = Float.infinity
        func extend(_ choice: [Int]) {
            guard choice.count < bandCount else {
                best = min(best, cost(choice))
                return
            }
            for candidate in -1..<candidateCount { extend(choice + [candidate]) }
        }
        extend([])
        #expect(abs(cost(found) - best) < 1e-3, "seed \(seed)")
    }

    @Test("Codes a band after much louder ones if zeroing it costs more", arguments: [4, 12])
    func fineBass(candidateCount: Int) {
        var effort = SearchEffort.balanced
        effort.candidateCount = candidateCount
        let bandCount = 8
        var bits = [Float](repeating: .infinity, count: Self.stateCount)
        for band in 0..<bandCount {
            for candidate in 0..<candidateCount { bits[band * CostCurves.candidateCount + candidate] = 30 }
        }
        let distortions = [Float](repeating: 1, count: Self.stateCount)
        let firstScaleFactors = [Int16](repeating: 100, count: bandCount)
        // Pure low tones 90 dB above their noise, and a band with a zeroing cost of 150 bits.
        var bands = [SpectralLines.Band](repeating: SpectralLines.Band(energy: 1e9), count: bandCount)
        bands[bandCount - 1] = SpectralLines.Band(energy: 100)
        let weights = [Float](repeating: 1, count: bandCount)
        var search = ScaleFactorSearch()
        search.search(
            (distortions.span, bits.span), firstScaleFactors: firstScaleFactors.span, bands: bands.span, weights: weights.span,
            effort: effort,
            bandCount: bandCount)
        for band in 0..<bandCount { #expect(search.scaleFactors[band] >= 0, "band \(band)") }
    }
}
