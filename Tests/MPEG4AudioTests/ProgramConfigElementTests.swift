// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct ProgramConfigElementTests {
    typealias Element = ProgramConfigElement.Element

    @Test("PCEs round-trip at any alignment", arguments: 0..<8)
    func roundTrip(offset: Int) throws {
        var random = SeededRandom(seed: UInt64(offset))
        for _ in 0..<100 {
            let pce = Self.randomElement(&random)
            var writer = BitWriter()
            writer.write(0, count: offset)
            pce.write(to: &writer, alignedTo: offset)
            var reader = BitReader(writer.bytes)
            reader.skip(offset)
            let parsed = try ProgramConfigElement(reading: &reader, alignedTo: offset)
            #expect(parsed == pce)
            #expect(reader.bitPosition == writer.bitCount)
        }
    }

    @Test("A truncated PCE throws")
    func truncated() {
        var pce = ProgramConfigElement(samplingFrequencyCode: 3)
        pce.comment = [1, 2, 3]
        var writer = BitWriter()
        pce.write(to: &writer, alignedTo: 0)
        var reader = BitReader(writer.bytes.dropLast())
        #expect(throws: CodecError.truncatedConfiguration(availableBits: writer.bitCount - 8, neededBits: writer.bitCount)) {
            try ProgramConfigElement(reading: &reader, alignedTo: 0)
        }
    }

    @Test("Common layouts have named speakers")
    func layouts() {
        let single = Element(isPair: false, instanceTag: 0)
        let pair = Element(isPair: true, instanceTag: 0)
        var pce = ProgramConfigElement(samplingFrequencyCode: 3)
        #expect(pce.channelLayout == nil && pce.channelCount == 0)
        pce.front = [single]
        #expect(pce.channelLayout?.speakers == [.center])
        pce.front = [pair]
        pce.lowFrequencyTags = [0]
        #expect(pce.channelLayout?.speakers == [.left, .right, .lowFrequency])
        pce.front = [single, pair, pair]
        pce.side = [pair]
        pce.back = [single, single, single]
        #expect(
            pce.channelLayout?.speakers == [
                .center, .leftOfCenter, .rightOfCenter, .left, .right, .sideLeft, .sideRight, .backLeft, .backRight, .backCenter,
                .lowFrequency,
            ])
        #expect(pce.channelCount == 11)
        pce.back = [single]
        #expect(pce.channelLayout?.speakers.dropLast().last == .backCenter)
        pce.front = [pair, single]
        #expect(pce.channelLayout == nil)
        #expect(pce.channelElements.map(\.element) == [.pair, .single, .pair, .single, .lowFrequency])
    }

    static func randomElement(_ random: inout SeededRandom) -> ProgramConfigElement {
        func tag(_ random: inout SeededRandom) -> Int { Int.random(in: 0...15, using: &random) }
        func elements(_ random: inout SeededRandom) -> [Element] {
            (0..<Int.random(in: 0...15, using: &random)).map { _ in
                Element(isPair: .random(using: &random), instanceTag: tag(&random))
            }
        }
        func tags(_ limit: Int, _ random: inout SeededRandom) -> [Int] {
            (0..<Int.random(in: 0...limit, using: &random)).map { _ in tag(&random) }
        }
        var pce = ProgramConfigElement(samplingFrequencyCode: tag(&random))
        pce.instanceTag = tag(&random)
        pce.objectType = AudioObjectType(rawValue: Int.random(in: 1...4, using: &random))
        pce.front = elements(&random)
        pce.side = elements(&random)
        pce.back = elements(&random)
        pce.lowFrequencyTags = tags(3, &random)
        pce.associatedDataTags = tags(7, &random)
        pce.coupling = tags(15, &random).map { .init(isIndependentlySwitched: .random(using: &random), instanceTag: $0) }
        if Bool.random(using: &random) { pce.monoMixdownTag = tag(&random) }
        if Bool.random(using: &random) { pce.stereoMixdownTag = tag(&random) }
        if Bool.random(using: &random) {
            pce.matrixMixdown = .init(index: Int.random(in: 0...3, using: &random), isPseudoSurround: .random(using: &random))
        }
        pce.comment = tags(40, &random).map { UInt8($0) }
        return pce
    }
}
