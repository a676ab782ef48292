// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import TestSupport
import Testing

@Suite struct OggPageTests {
    private func randomPages(_ count: Int, random: inout SeededRandom) -> [OggPage] {
        (0..<count).map { index in
            var page = OggPage(serialNumber: .random(in: 0 ... .max, using: &random), sequenceNumber: UInt32(index))
            page.isContinued = Bool.random(using: &random)
            page.isFirst = Bool.random(using: &random)
            page.isLast = Bool.random(using: &random)
            page.granulePosition = .random(in: .min ... .max, using: &random)
            for _ in 0..<Int.random(in: 0...10, using: &random) {
                page.append(packet: (0..<Int.random(in: 0...900, using: &random)).map { _ in .random(in: 0 ... .max, using: &random) })
            }
            return page
        }
    }

    /// Returns the events of a stream in chunks of random sizes.
    private func events(_ bytes: [UInt8], random: inout SeededRandom) -> [OggPageParser.Event] {
        var parser = OggPageParser()
        var events: [OggPageParser.Event] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...3000, using: &random))
            parser.append(bytes[start..<end])
            while let event = parser.nextEvent() { events.append(event) }
            start = end
        }
        parser.finish()
        while let event = parser.nextEvent() { events.append(event) }
        return events
    }

    @Test("Matches the CRC-32 of RFC 3533")
    func checksum() {
        // The check value of CRC-32/CKSUM, which differs only in its final inversion.
        #expect(OggChecksum.value(Array("123456789".utf8).span) == ~0x765E_7680)
    }

    @Test("Checksums of any length and alignment match a bitwise model")
    func bitwiseChecksum() {
        var random = SeededRandom(seed: 1)
        let bytes = (0..<200).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        for _ in 0..<500 {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let part = bytes[start..<Int.random(in: start...bytes.count, using: &random)]
            let initial = UInt32.random(in: 0 ... .max, using: &random)
            var expected = initial
            for byte in part {
                for bit in (0..<8).reversed() {
                    let isOdd = expected >> 31 != UInt32(byte >> UInt8(bit) & 1)
                    expected = expected << 1 ^ (isOdd ? 0x04C1_1DB7 : 0)
                }
            }
            #expect(OggChecksum.value(part.span, continuing: initial) == expected)
        }
    }

    @Test("Pages round-trip with any chunk sizes", arguments: 0..<20)
    func roundTrip(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let pages = randomPages(30, random: &random)
        let found = events(pages.flatMap(\.serialized), random: &random)
        var offset = 0
        let expected = pages.map { page in
            let count = page.serialized.count
            defer { offset += count }
            return OggPageParser.Event.page(page, byteRange: offset..<offset + count)
        }
        #expect(found == expected)
    }

    @Test("Finds every intact page after damage and reports other bytes", arguments: 0..<40)
    func damage(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let pages = randomPages(20, random: &random)
        var bytes: [UInt8] = []
        var intact: [OggPageParser.Event] = []
        for page in pages {
            var coded = page.serialized
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let index = Int.random(in: 0..<coded.count, using: &random)
                coded[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                bytes += coded
            case 1:
                bytes += (0..<Int.random(in: 1...300, using: &random)).map { _ in "OgS".utf8.randomElement(using: &random) ?? 0 }
            case 2:
                bytes += coded.dropLast(Int.random(in: 1...coded.count, using: &random))
            default:
                intact.append(.page(page, byteRange: bytes.count..<bytes.count + coded.count))
                bytes += coded
            }
        }
        let found = events(bytes, random: &random)
        var position = 0
        for event in found {
            switch event {
            case .page(_, let range), .lost(let range, _):
                #expect(range.lowerBound == position && !range.isEmpty)
                position = range.upperBound
            }
        }
        #expect(position == bytes.count)
        let foundPages = found.filter { if case .page = $0 { true } else { false } }
        #expect(foundPages == intact)
    }
}
