// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import DABPlus
import MPEG4Audio
import TestSupport
import Testing

@Suite struct PADTests {
    private static let texts = [
        "A", "Now playing: Vivaldi", "Grüße aus Köln – Ænglisch 世界", String(repeating: "x", count: 128),
        String(repeating: "Long label ", count: 20), "price: 5 $",
    ]

    @Test("Labels round-trip for every data size", arguments: texts)
    func labels(text: String) throws {
        let label = DynamicLabel(text)
        #expect(text.utf8.count > 128 || label.text == text)
        #expect(label.bytes.count <= 128)
        for byteCount in 8...198 {
            var writer = PADWriter(byteCount: byteCount)
            writer.setLabel(label)
            var reader = PADReader()
            var found: [PADReader.Item] = []
            for _ in 0..<120 {
                let data = writer.next()
                #expect(data.bytes.count == byteCount)
                // Pass the data through an access unit, as a receiver gets them.
                let accessUnit = data.prepended(to: [0x21, 1, 2])
                #expect(accessUnit.count == 2 + byteCount + 3)
                found += reader.read(try #require(ProgrammeAssociatedData(inUnit: accessUnit)))
            }
            #expect(!found.isEmpty && found.allSatisfy { $0 == .label(label) }, "\(byteCount)")
            #expect(reader.label == label && reader.damagedCount == 0)
        }
    }

    @Test("A new label replaces the previous one, and an empty label removes it")
    func changes() {
        var writer = PADWriter(byteCount: 16)
        var reader = PADReader()
        /// Passes on the data of `count` access units.
        func pass(_ count: Int) -> [PADReader.Item] { (0..<count).flatMap { _ in reader.read(writer.next()) } }
        #expect(pass(5).isEmpty)
        for text in ["First", "Second, which is longer than a segment", "Third"] {
            writer.setLabel(DynamicLabel(text))
            #expect(pass(20).last == .label(DynamicLabel(text)))
        }
        writer.setLabel(nil)
        #expect(pass(3).contains(.labelRemoval) && reader.label == nil)
    }

    @Test("Truncates a label at 128 bytes between characters")
    func truncation() {
        let start = String(repeating: "x", count: 126)
        #expect(DynamicLabel(start + "éy").text == start + "é")
        #expect(DynamicLabel(start + "xéy").text == start + "x")
    }

    @Test("After lost segments, a label does not start with segments of an earlier one")
    func lostSegments() {
        var reader = PADReader()
        /// Passes on a segment of a label with two.
        func pass(_ text: String, isLast: Bool) -> [PADReader.Item] {
            var segment = [UInt8(isLast ? 0x20 : 0x40) | UInt8(text.utf8.count - 1), isLast ? 0x10 : 0xF0] + Array(text.utf8)
            DABChecksum.accessUnits.append(to: &segment, from: 0)
            let logical = [0xA2, 0] + segment + [UInt8](repeating: 0, count: 24 - segment.count)
            return reader.read(ProgrammeAssociatedData(bytes: logical.reversed() + [0x20, 0x02]))
        }
        #expect(pass("Title: ", isLast: false).isEmpty)
        #expect(pass("Song A", isLast: true) == [.label(DynamicLabel(bytes: Array("Title: Song A".utf8), characterSetNumber: 15))])
        #expect(pass("Peter", isLast: true).isEmpty && pass("Artist: ", isLast: false).isEmpty)
        #expect(pass("Peter", isLast: true) == [.label(DynamicLabel(bytes: Array("Artist: Peter".utf8), characterSetNumber: 15))])
    }

    @Test("Descriptions of label parts (DL Plus) are not damage")
    func labelParts() {
        var reader = PADReader()
        // The command, its length less one, and two tags: the title and the artist.
        var command: [UInt8] = [0x72, 0x06, 0x01, 0x01, 0x00, 0x05, 0x04, 0x09, 0x03]
        DABChecksum.accessUnits.append(to: &command, from: 0)
        let logical = [0x62, 0] + command + [UInt8](repeating: 0, count: 12 - command.count)
        #expect(reader.read(ProgrammeAssociatedData(bytes: logical.reversed() + [0x20, 0x02])).isEmpty)
        #expect(reader.damagedCount == 0)
        var damaged = logical
        damaged[6] ^= 1
        #expect(reader.read(ProgrammeAssociatedData(bytes: damaged.reversed() + [0x20, 0x02])).isEmpty)
        #expect(reader.damagedCount == 1)
    }

    @Test("Slideshow data groups round-trip with and without contents lists")
    func dataGroups() {
        var group: [UInt8] = [0x43, 0, 0, 0] + (0..<300).map { UInt8($0 % 251) }
        DABChecksum.accessUnits.append(to: &group, from: 0)
        var length = [UInt8(group.count >> 8), UInt8(group.count & 255)]
        DABChecksum.accessUnits.append(to: &length, from: 0)
        var reader = PADReader()
        var found: [PADReader.Item] = []
        var rest = group[...]
        var isFirst = true
        while !rest.isEmpty {
            let part = Array(rest.prefix(48)) + [UInt8](repeating: 0, count: max(0, 48 - rest.count))
            rest = rest.dropFirst(48)
            // The contents list: the group length (4 bytes), then 48 bytes of the group, which continues without a list.
            let logical = isFirst ? [0x01, 0xEC, 0x00] + length + part : part
            found += reader.read(ProgrammeAssociatedData(bytes: logical.reversed() + [0x20, isFirst ? 0x02 : 0x00]))
            isFirst = false
        }
        #expect(found == [.dataGroup(group)])
    }

    @Test("Reads labels in short extensions; random data never trap or yield labels")
    func others() {
        var segment: [UInt8] = [0x60 | 4, 0xF0] + Array("Hello".utf8)
        DABChecksum.accessUnits.append(to: &segment, from: 0)
        segment += [0, 0]
        var reader = PADReader()
        var found = reader.read(ProgrammeAssociatedData(bytes: ([2] + segment[0..<3]).reversed() + [0x10, 0x02]))
        for start in [3, 7] { found += reader.read(ProgrammeAssociatedData(bytes: segment[start..<start + 4].reversed() + [0x10, 0x00])) }
        #expect(found == [.label(DynamicLabel(bytes: Array("Hello".utf8), characterSetNumber: 15))])
        var random = SeededRandom(seed: 4)
        var labelCount = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 2...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            labelCount += reader.read(ProgrammeAssociatedData(bytes: bytes)).count { if case .label = $0 { true } else { false } }
            _ = ProgrammeAssociatedData(inUnit: bytes)
        }
        #expect(labelCount <= 2)
    }
}
