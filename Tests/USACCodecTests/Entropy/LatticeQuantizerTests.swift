// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@testable import USACCodec

@Suite struct LatticeQuantizerTests {
    @Test("A vector is a point of the lattice RE8", arguments: Array(2...36), 0..<5 as Range<UInt64>)
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

    @Test("A base codebook has as many vectors as indices", arguments: [(2, 8), (3, 12), (4, 16)])
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

    @Test("A number above the largest codebook is damage")
    func number() {
        var reader = BitReader([UInt8](repeating: 0xFF, count: 64))
        #expect(throws: USACError.self) { try LatticeQuantizer.readUnaryNumber(from: &reader) }
    }
}
