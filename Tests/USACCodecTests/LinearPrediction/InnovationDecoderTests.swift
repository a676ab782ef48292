// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct InnovationDecoderTests {
    // Pulses are integers, so results are exact.
    @Test("Pulses of each form match the standard's tables", arguments: 0..<8)
    func pulses(coreMode: Int) {
        // Forms with single pulses have no pairs.
        let hasPairs = ![0, 6, 7].contains(coreMode)
        let comparison = ModelComparison(seeds: 100..<300, faults: hasPairs ? PlantedFault.allCases : [.index]) { seed, fault in
            var random = SeededRandom(seed: seed)
            let widths = UnifiedTables.shared.innovationWidths[coreMode]
            var fields = SIMD8<UInt16>()
            for (index, width) in widths.enumerated() { fields[index] = UInt16(random.integer(in: 0..<1 << width)) }
            var decoder = InnovationDecoder()
            decoder.decode(fields, coreMode: coreMode)
            var model = InnovationModel(fault: fault)
            var error = ModelError()
            let expected = model.pulses(fields.indices.map { Int(fields[$0]) }, coreMode: coreMode)
            error.add(decoder.pulses.values, expected: expected.map { Double($0) })
            return error
        }
        #expect(comparison.agrees(below: -200), "\(comparison)")
    }

    @Test("Each subframe has its form's number of pulses, fewer only if opposite ones cancel", arguments: 0..<8)
    func pulseCount(coreMode: Int) {
        var random = SeededRandom(seed: UInt64(70 + coreMode))
        let counts = [4, 6, 8, 10, 12, 16, 2, 3]
        var reached = 0
        for _ in 0..<100 {
            var reader = BitReader((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
            let subframe = ACELPSubframe(reading: &reader, hasWholeLag: true, coreMode: coreMode)
            var decoder = InnovationDecoder()
            decoder.decode(subframe.innovation, coreMode: coreMode)
            let sum = decoder.pulses.values.reduce(0) { $0 + abs($1) }
            #expect(sum <= Float(counts[coreMode]) && Int(sum) % 2 == counts[coreMode] % 2)
            if Int(sum) == counts[coreMode] { reached += 1 }
        }
        #expect(reached > 20)
    }
}
