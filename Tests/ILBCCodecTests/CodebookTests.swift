// SPDX-License-Identifier: Apache-2.0

import ILBCCodec
import TestSupport
import Testing

@Suite struct CodebookTests {
    @Test("Start state and segments cover each sample once", arguments: ILBCMode.allCases)
    func coverage(mode: ILBCMode) {
        for block in 1..<mode.subblockCount {
            for isStateFirst in [false, true] {
                let position = StatePosition(mode: mode, block: block, isStateFirst: isStateFirst)
                var decoded = Set(position.samples)
                let segments = CodebookSegment.all(mode: mode, position: position)
                #expect(segments.count == mode.segmentCount)
                #expect(segments.filter(\.isFirstSubblock).count == 1 && segments[1].isFirstSubblock)
                for segment in segments {
                    // Only decoded samples next to the target are used.
                    #expect(decoded.isSuperset(of: segment.source) && decoded.isDisjoint(with: segment.target))
                    #expect(
                        segment.isReversed
                            ? segment.source.lowerBound == segment.target.upperBound
                            : segment.source.upperBound == segment.target.lowerBound)
                    #expect(segment.source.count <= segment.memoryLength)
                    decoded.formUnion(segment.target)
                }
                #expect(decoded == Set(0..<mode.samplesPerFrame))
            }
        }
    }

    @Test("Bitstream indices and vector numbers map one to one")
    func indices() {
        let position = StatePosition(mode: .milliseconds30, block: 2, isStateFirst: true)
        for segment in CodebookSegment.all(mode: .milliseconds30, position: position) {
            for stage in 0..<3 {
                let count = segment.target.count < 40 || segment.isFirstSubblock && stage > 0 ? 128 : 256
                for index in 0..<count {
                    let vector = AdaptiveCodebook.vector(forIndex: index, stage: stage, segment: segment)
                    #expect(AdaptiveCodebook.index(forVector: vector, stage: stage, segment: segment) == index)
                }
            }
        }
    }

    @Test("Codebook sections have the sizes in RFC 3951, Table 3.1")
    func sizes() {
        #expect(AdaptiveCodebook(memory: [Float](repeating: 0, count: 85), vectorLength: 22).vectorCount == 128)
        // With 23 samples there are 63 positions, so two indices select zeros.
        #expect(AdaptiveCodebook(memory: [Float](repeating: 0, count: 85), vectorLength: 23).vectorCount == 126)
        #expect(AdaptiveCodebook(memory: [Float](repeating: 0, count: 147), vectorLength: 40).vectorCount == 256)
    }

    @Test("Vectors are parts of the memory or, for short delays, interpolated repetitions")
    func vectors() {
        // Values equal positions. The expanded section's filter has a gain of 1.276 for them.
        let memory = (0..<147).map { Float($0) }
        let codebook = AdaptiveCodebook(memory: memory, vectorLength: 40)
        var vector = [Float](repeating: 0, count: 40)
        codebook.copyVector(0, to: &vector)
        #expect(vector == (107..<147).map { Float($0) })
        codebook.copyVector(107, to: &vector)
        #expect(vector == (0..<40).map { Float($0) })
        for delay in 20..<40 {
            codebook.copyVector(108 + delay - 20, to: &vector)
            for index in 0..<40 {
                let position = index < delay ? 147 - delay + index : 147 - delay + index - delay
                var wanted = Float(position)
                if (delay - 5..<delay).contains(index) { wanted -= 0.2 * Float(index - delay + 5) * Float(delay) }
                #expect(abs(vector[index] - wanted) < 1e-3, "delay \(delay), sample \(index)")
            }
        }
        codebook.copyVector(128 + 50, to: &vector)
        let gain = QuantizerTables.expansion.reduce(0, +)
        let first = QuantizerTables.expansion.enumerated().reduce(Float(0)) { $0 + $1.element * Float(57 - 3 + $1.offset) }
        #expect(abs(vector[0] - first) < 1e-2 && abs(vector[1] - vector[0] - gain) < 1e-2)
        codebook.copyVector(256, to: &vector)
        #expect(vector.allSatisfy { $0 == 0 })
    }

    @Test("The dispersion filter is reversible", arguments: 0..<10 as Range<UInt64>)
    func dispersion(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let coefficients = LineSpectrum.coefficients(of: LSFTables.mean)
        let state = random.samples(57, amplitude: 1000)
        let dispersed = DispersionFilter.apply(to: state, with: coefficients)
        let restored: [Float] = DispersionFilter.apply(to: dispersed.reversed(), with: coefficients).reversed()
        // The tail is truncated after twice the length.
        #expect(SignalDistance.signalToNoise(state, restored) > 40, "seed \(seed)")
        let ratio = SignalDistance.level(dispersed) / SignalDistance.level(state)
        #expect(abs(ratio - 1) < 0.02, "seed \(seed): an all-pass filter keeps the energy")
    }

    @Test("Finds the nearest table value", arguments: 0..<5 as Range<UInt64>)
    func nearest(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for table in [QuantizerTables.stateSample, QuantizerTables.firstGain, QuantizerTables.secondGain, QuantizerTables.thirdGain] {
            for value in random.samples(100, amplitude: 6) {
                let index = QuantizerTables.nearest(to: value, in: table)
                #expect(abs(table[index] - value) <= (table.map { abs($0 - value) }.min() ?? 0) + 1e-5, "seed \(seed)")
            }
        }
    }
}
