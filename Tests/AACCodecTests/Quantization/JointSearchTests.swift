// SPDX-License-Identifier: Apache-2.0

import AACCodec
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct JointSearchTests {
    /// The coding of a band; `nil` for an omitted band.
    private struct Choice {
        var candidate: Int
        var codebook: Int
    }

    private struct Problem {
        var firstScaleFactors: [Int]
        var zeroCosts: [Float]
        /// Indexed by band, candidate and codebook.
        var costs: [[[Float]]]

        /// Returns the cost of one choice per band, by definition.
        func cost(_ choices: [Choice?]) -> Float {
            var cost: Float = 0
            var lastScaleFactor: Int?
            var lastBook = -1
            for (band, choice) in choices.enumerated() {
                let codebook = choice?.codebook ?? 0
                if codebook != lastBook { cost += 9 }
                lastBook = codebook
                guard let choice else {
                    cost += zeroCosts[band]
                    continue
                }
                let scaleFactor = firstScaleFactors[band] + choice.candidate
                if let lastScaleFactor { cost += Float(ScaleFactorCodebook.lengths[scaleFactor - lastScaleFactor + 60]) }
                lastScaleFactor = scaleFactor
                cost += costs[band][choice.candidate][choice.codebook]
            }
            return cost
        }

        /// Returns the minimum cost over the remaining bands, optionally with fixed scale factors.
        func lowest(_ choices: [Choice?] = [], fixed: [Int16]? = nil) -> Float {
            let band = choices.count
            guard band < firstScaleFactors.count else { return cost(choices) }
            var best = Float.infinity
            if fixed == nil || fixed?[band] == ScaleFactorSearch.notCoded { best = lowest(choices + [nil], fixed: fixed) }
            for candidate in 0..<costs[band].count where fixed == nil || Int(fixed?[band] ?? 0) == firstScaleFactors[band] + candidate {
                for codebook in 1...11 where costs[band][candidate][codebook] < 1e8 {
                    best = min(best, lowest(choices + [Choice(candidate: candidate, codebook: codebook)], fixed: fixed))
                }
            }
            return best
        }
    }

    @Test("Finds the cheapest scale factors over all codebooks and sections", arguments: 1...20 as ClosedRange<UInt64>)
    func exhaustive(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bandCount = 4
        var problem = Problem(firstScaleFactors: [], zeroCosts: [], costs: [])
        var search = JointSearch()
        search.allocate()
        for band in 0..<bandCount {
            problem.firstScaleFactors.append(Int.random(in: 95...105, using: &random))
            problem.zeroCosts.append(Float.random(in: 5...60, using: &random))
            search.setBand(band, first: problem.firstScaleFactors[band], zeroCost: problem.zeroCosts[band])
            var candidates: [[Float]] = []
            for candidate in 0..<3 {
                var codebooks = CodebookCosts(repeating: 1e8)
                for codebook in [1, 5, 7] { codebooks[codebook] = Float.random(in: 0...40, using: &random) }
                search.setCosts(band, candidate: candidate, codebooks)
                candidates.append((0..<12).map { codebooks[$0] })
            }
            problem.costs.append(candidates)
        }
        var layout = BandLayout()
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        layout.setLong(.onlyLong, bands: bands, bandCount: bandCount)
        var found = [Int16](repeating: 0, count: bandCount)
        var span = found.mutableSpan
        search.search(layout: layout, into: &span)
        let best = problem.lowest()
        #expect(abs(problem.lowest(fixed: found) - best) < 1e-3, "seed \(seed): \(found)")
    }

    @Test(
        "Codes mandatory bands at any cost, and omits bands without candidates",
        arguments: 1...20 as ClosedRange<UInt64>)
    func keptBands(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bandCount = 12
        var search = JointSearch()
        search.allocate()
        let areCoded = (0..<bandCount).map { _ in Bool.random(using: &random) }
        for band in 0..<bandCount {
            search.setBand(band, first: Int.random(in: 90...110, using: &random), zeroCost: areCoded[band] ? JointSearch.omissionCost : 0)
            guard areCoded[band] else { continue }
            for candidate in 0..<JointSearch.candidateCount {
                var codebooks = CodebookCosts(repeating: 1e8)
                codebooks[11] = Float.random(in: 0...2000, using: &random)
                search.setCosts(band, candidate: candidate, codebooks)
            }
        }
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024), bandCount: bandCount)
        var found = [Int16](repeating: 0, count: bandCount)
        var span = found.mutableSpan
        search.search(layout: layout, into: &span)
        #expect(found.map { $0 >= 0 } == areCoded, "seed \(seed)")
    }
}
