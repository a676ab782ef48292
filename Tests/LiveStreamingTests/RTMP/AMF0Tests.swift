// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport
import Testing

@Suite struct AMF0Tests {
    /// Returns a random value with at most `depth` levels.
    private func value(depth: Int, _ random: inout SeededRandom) -> AMF0Value {
        switch Int.random(in: 0..<(depth > 1 ? 9 : 6), using: &random) {
        case 0: .number(Double.random(in: -1e9...1e9, using: &random))
        case 1: .boolean(.random(using: &random))
        case 2: .string(text(&random))
        case 3: .date(Double(Int.random(in: 0...Int(2e12), using: &random)))
        case 4: .null
        case 5: .undefined
        case 6: .object(properties(depth: depth, &random))
        case 7: .associativeArray(properties(depth: depth, &random))
        default: .strictArray((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
        }
    }

    private func properties(depth: Int, _ random: inout SeededRandom) -> [AMF0Value.Property] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in .init(text(&random), value(depth: depth - 1, &random)) }
    }

    private func text(_ random: inout SeededRandom) -> String {
        let count = Int.random(in: 0...200, using: &random) == 0 ? 70_000 : Int.random(in: 0...20, using: &random)
        return String((0..<count).map { _ in random.element(of: Array("aä—🎙x0")) })
    }

    /// Serializes values, which truncates long property names.
    private func bytes(_ values: [AMF0Value]) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values { value.write(to: &bytes) }
        return bytes
    }

    @Test("Random values round trip", arguments: 1...200)
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let values = (0..<Int.random(in: 1...5, using: &random)).map { _ in value(depth: 5, &random) }
        let written = bytes(values)
        let read = AMF0Reader.values(written)
        // Names over 65 535 bytes are truncated, and then round trip.
        #expect(bytes(read) == written || written.count > 65_535)
        if written.count < 65_535 { #expect(read == values, "seed \(seed)") }
    }

    @Test("Prefixes of a message parse up to the last complete value", arguments: 1...20)
    func prefixes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let values = (0..<4).map { _ in value(depth: 4, &random) }
        let written = bytes(values)
        for count in 0...min(written.count, 3000) {
            let read = AMF0Reader.values(Array(written.prefix(count)))
            #expect(read == Array(values.prefix(read.count)), "seed \(seed), \(count) bytes")
        }
    }

    @Test("Random bytes and corrupt messages only end the parsing")
    func randomBytes() {
        for seed in 1...2000 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var bytes: [UInt8]
            if seed % 2 == 0 {
                bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...16, using: &random) }
            } else {
                bytes = self.bytes([value(depth: 4, &random)])
                for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
            }
            let values = AMF0Reader.values(bytes)
            #expect(values.count <= bytes.count, "seed \(seed)")
        }
    }

    @Test("Nesting beyond 16 levels and counts beyond the data are malformed")
    func nesting() {
        func nested(_ depth: Int) -> AMF0Value { depth == 0 ? .null : .strictArray([nested(depth - 1)]) }
        #expect(AMF0Reader.values(bytes([nested(15)])) == [nested(15)])
        #expect(AMF0Reader.values(bytes([nested(16)])) == [])
        #expect(AMF0Reader.values([UInt8](repeating: 10, count: 1 << 20)) == [])
        let arrays = [[UInt8]](repeating: [10, 0, 0, 0, 1], count: 100_000).flatMap { $0 }
        #expect(AMF0Reader.values(arrays) == [])
        #expect(AMF0Reader.values([10, 0xFF, 0xFF, 0xFF, 0xFF, 5, 5]) == [])
        #expect(AMF0Reader.values([12, 0xFF, 0xFF, 0xFF, 0xFF, 5, 5]) == [])
    }

    @Test("Connect command matches the specification")
    func knownBytes() {
        let written = bytes([.string("connect"), .number(1), .object([.init("app", .string("live"))]), .boolean(true), .null])
        let expected: [UInt8] =
            [2, 0, 7] + Array("connect".utf8) + [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0] + [3, 0, 3] + Array("app".utf8)
            + [2, 0, 4] + Array("live".utf8) + [0, 0, 9, 1, 1, 5]
        #expect(written == expected)
    }
}
