// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import USACCodec

@Suite struct LatticeQuantizerTests {
    @Test("Vectors are points of the lattice RE8", arguments: Array(2...36), 0..<5 as Range<UInt64>)
    func lattice(number: Int, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            var reader = BitReader(bytes)
            let code = LatticeCode(number: number, reading: &reader)
            var writer = BitWriter()
            code.write(to: &writer)
            #expect(writer.bitCount == 4 * number && writer.bytes.starts(with: bytes.prefix(number / 2)))
            let vector = code.vector
            let parity = vector[0] & 1
            let isEqual = vector.indices.allSatisfy { vector[$0] & 1 == parity }
            #expect(isEqual && vector.wrappedSum() & 3 == 0, "seed \(seed): \(vector)")
        }
    }

    @Test("Each index of a base codebook has a different vector", arguments: [(2, 8), (3, 12), (4, 16)])
    func codebook(number: Int, bitCount: Int) throws {
        var seen: Set<SIMD8<Int32>> = []
        for index in 0..<1 << bitCount {
            let code = UInt32(index) << UInt32(32 - bitCount)
            var reader = BitReader([UInt8(code >> 24), UInt8(code >> 16 & 255), UInt8(code >> 8 & 255), UInt8(code & 255)])
            seen.insert(LatticeCode(number: number, reading: &reader).vector)
            #expect(reader.bitPosition == 4 * number)
        }
        #expect(seen.count == 1 << bitCount)
    }

    @Test("Codebook number above the maximum throws")
    func number() {
        var reader = BitReader([UInt8](repeating: 0xFF, count: 64))
        #expect(throws: CodecError.self) { try LatticeQuantizer.readUnaryNumber(from: &reader) }
    }

    // Vectors are integers, so results are exact.
    @Test("Vectors match their leader, rank and Voronoi extension", arguments: Array(2...36))
    func vectors(number: Int) {
        // Base codebooks have no extension.
        let faults = number > 4 ? PlantedFault.allCases : [.index, .boundary]
        let comparison = ModelComparison(seeds: 600..<700, faults: faults) { seed, fault in
            var random = SeededRandom(seed: seed)
            let code = random.latticeCode(number: number)
            let expected = LatticeModel(fault: fault).vector(
                number: number, index: Int(code.index), offsets: code.offsets.indices.map { Int(code.offsets[$0]) })
            var error = ModelError()
            for index in 0..<8 { error.add(Float(code.vector[index]), expected: Double(expected[index])) }
            return error
        }
        // Exact up to the 24 bits of `Float`.
        #expect(comparison.agrees(below: -140), "\(comparison)")
    }
}
