// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct ADTSChecksumTests {
    /// Mono 32 kHz frames of another encoder, up to the end of the checksum's range.
    ///
    /// Each starts with an SCE.
    static let foreignFrames: [(bytes: [UInt8], elementBits: Int)] = [
        (
            [
                0xFF, 0xF0, 0x54, 0x40, 0x2B, 0xA1, 0xA0, 0xA1, 0xC8, 0x01, 0x18, 0x9B, 0x98, 0x3E, 0xBD, 0x08, 0x8B, 0x14, 0x42,
                0x6F, 0xBA, 0x77, 0x2B, 0x43, 0x70, 0x95, 0x74, 0xAB, 0xA8, 0xFD, 0x06, 0xAE, 0x17, 0x57, 0x3D, 0xC2, 0xA5, 0x5E,
            ], 2000
        ),
        (
            [
                0xFF, 0xF0, 0x54, 0x40, 0x20, 0x02, 0x00, 0x42, 0xE5, 0x01, 0x40, 0x42, 0x80, 0xA3, 0x7F, 0x10, 0x85, 0x2D, 0x2D, 0x2D,
                0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D, 0x2D,
            ], 34
        ),
    ]

    @Test("Matches another encoder's checksums for long and short elements", arguments: [0, 1])
    func foreign(index: Int) throws {
        let frame = Self.foreignFrames[index]
        let header = try ADTSHeader(parsing: frame.bytes)
        let elements = [ElementSpan(coverage: .singleChannel, bits: 3..<3 + frame.elementBits)]
        let value = ADTSChecksum.value(header: header, payload: Array(frame.bytes.dropFirst(9)), elements: elements)
        #expect(value == UInt16(frame.bytes[7]) << 8 | UInt16(frame.bytes[8]))
    }

    @Test("Covers exactly the protected bits")
    func coverage() throws {
        var header = ADTSHeader(
            samplingFrequencyIndex: try #require(SamplingFrequencyIndex(hertz: 48_000)), channelConfiguration: 2, frameLength: 309)
        header.hasCRC = true
        let elements = [
            ElementSpan(coverage: .channelPair(secondChannelBit: 700), bits: 3..<1400),
            ElementSpan(coverage: .none, bits: 1403..<1500),
            ElementSpan(coverage: .whole, bits: 1503..<1600),
            ElementSpan(coverage: .singleChannel, bits: 1603..<1700),
        ]
        var payload = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let value = ADTSChecksum.value(header: header, payload: payload, elements: elements)
        let covered = Set(3..<195).union(700..<828).union(1503..<1600).union(1603..<1700)
        for bit in 0..<1800 {
            payload[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            let changed = ADTSChecksum.value(header: header, payload: payload, elements: elements) != value
            #expect(changed == covered.contains(bit), "bit \(bit)")
            payload[bit / 8] ^= 0x80 >> UInt8(bit % 8)
        }
        header.isHome = true
        #expect(ADTSChecksum.value(header: header, payload: payload, elements: elements) != value)
    }

    @Test("Written checksums verify")
    func writtenAndRead() throws {
        let config = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 1))
        var writer = try ADTSWriter(to: MemorySink(), config, options: .init(hasCRC: true))
        let elements = [ElementSpan(coverage: .singleChannel, bits: 3..<90)]
        let payload = (0..<40).map { UInt8($0 * 5) }
        var accessUnit = AccessUnit(payload)
        accessUnit.elementSpans = elements
        for _ in 0..<2 { try writer.append(accessUnit) }
        var bytes = writer.sink.bytes
        bytes[49 + 9 + 4] ^= 1
        var reader = ADTSParser()
        reader.append(bytes)
        reader.finish()
        var valid: [Bool?] = []
        while let event = reader.nextEvent() {
            if case .accessUnit(let accessUnit) = event { valid.append(accessUnit.isChecksumValid(elements: elements)) }
        }
        #expect(valid == [true, false])
    }
}
