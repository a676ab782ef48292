// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct SBRSyntaxTests {
    @Test func `all headers survive writing and reading`() {
        var random = SeededRandom(seed: 21)
        for _ in 0..<500 {
            var header = SBRHeader()
            header.usesCoarseAmplitudes = Bool.random(using: &random)
            header.bands.startFrequency = Int.random(in: 0...15, using: &random)
            header.bands.stopFrequency = Int.random(in: 0...15, using: &random)
            header.bands.crossoverBand = Int.random(in: 0...7, using: &random)
            if Bool.random(using: &random) {
                header.bands.frequencyScale = Int.random(in: 0...3, using: &random)
                header.bands.altersScale = Bool.random(using: &random)
                header.bands.noiseBands = Int.random(in: 0...3, using: &random)
            }
            if Bool.random(using: &random) {
                header.limiterBands = Int.random(in: 0...3, using: &random)
                header.limiterGains = Int.random(in: 0...3, using: &random)
                header.interpolatesFrequency = Bool.random(using: &random)
                header.smoothsGains = Bool.random(using: &random)
            }
            var writer = BitWriter()
            header.write(to: &writer)
            var reader = BitReader(writer.bytes)
            #expect(SBRHeader(reading: &reader) == header)
            #expect(reader.bitPosition == writer.bitCount)
        }
    }

    @Test func `omitted fields have default values`() {
        var reader = BitReader([0b1010_1011, 0b0010_0000, 0])
        let header = SBRHeader(reading: &reader)
        #expect(header.usesCoarseAmplitudes && header.bands.startFrequency == 5 && header.bands.stopFrequency == 6)
        #expect(
            header.bands.crossoverBand == 2 && header.bands.frequencyScale == 2 && header.bands.altersScale && header.bands.noiseBands == 2)
        #expect(header.limiterBands == 2 && header.limiterGains == 2 && header.interpolatesFrequency && !header.smoothsGains)
        #expect(reader.bitPosition == 16)
    }

    @Test(arguments: [1, 2]) func `payloads survive writing and reading with their levels`(channelCount: Int) throws {
        var generator = RandomSBR(seed: 22, channelCount: channelCount, rate: 44_100)
        var histories = FixedArray(count: 2) { _ in EnvelopeLevels.History() }
        var read = SBRPayload(channelCount: channelCount, slotCount: 16)
        var levels = EnvelopeLevels()
        for frame in 0..<60 {
            let payload = generator.payload()
            var writer = BitWriter()
            payload.write(to: &writer, header: generator.header, tables: generator.tables, stereo: nil)
            var reader = BitReader(writer.bytes)
            let isRead = read.read(from: &reader, header: generator.header, tables: generator.tables)
            try #require(isRead)
            #expect(reader.bitPosition == writer.bitCount)
            var again = BitWriter()
            read.write(to: &again, header: generator.header, tables: generator.tables, stereo: nil)
            #expect(again.bytes == writer.bytes, "frame \(frame)")

            for channel in 0..<channelCount {
                let isBalance = read.isCoupled && channel == 1
                let isInRange = levels.decode(
                    read.channels[channel], after: histories[channel], tables: generator.tables, isBalance: isBalance)
                try #require(isInRange)
                histories[channel].update(levels, read.channels[channel])
                for (index, envelope) in generator.levels[channel].envelopes.enumerated() {
                    let found = envelope.indices.map { Int(levels.envelopes[48 * index + $0]) }
                    #expect(found == envelope)
                }
                for (index, floor) in generator.levels[channel].noiseFloors.enumerated() {
                    let found = floor.indices.map { Int(levels.noiseFloors[5 * index + $0]) }
                    #expect(found == floor)
                }
            }
        }
    }

    @Test func `rejects levels out of range`() throws {
        let generator = RandomSBR(seed: 23, channelCount: 1, rate: 48_000)
        var data = SBRChannelData(slotCount: 16)
        var levels = EnvelopeLevels()
        func isInRange(_ data: borrowing SBRChannelData, isBalance: Bool = false) -> Bool {
            levels.decode(data, after: EnvelopeLevels.History(), tables: generator.tables, isBalance: isBalance)
        }
        data.envelopeDifferences[0] = 10
        data.envelopeDifferences[1] = -11
        var isValid = isInRange(data)
        #expect(!isValid)
        data.envelopeDifferences[1] = 0
        isValid = isInRange(data)
        #expect(isValid)
        data.noiseDifferences[0] = 31
        isValid = isInRange(data)
        #expect(!isValid)
        data.noiseDifferences[0] = 30
        isValid = isInRange(data)
        #expect(isValid)
        isValid = isInRange(data, isBalance: true)
        #expect(!isValid)
    }

    @Test func `rejects invalid grids`() throws {
        // Eight envelopes with fixed boundaries.
        var reader = BitReader([0b0011_0000])
        #expect(SBRGrid(reading: &reader) == nil)
        var grid = SBRGrid()
        grid.frameClass = .fixVar
        for _ in 0..<3 { grid.trailingWidths.append(8) }
        #expect(EnvelopeBoundaries(grid, slotCount: 16) == nil)
        grid.trailingWidths = SBRGrid.EnvelopeWidths()
        grid.pointer = 3
        #expect(EnvelopeBoundaries(grid, slotCount: 16) == nil)
        grid.pointer = 2
        let boundaries = try #require(EnvelopeBoundaries(grid, slotCount: 16))
        #expect(boundaries.transient == 0 && boundaries.end == 16)
    }

    @Test(arguments: [16, 15]) func `fixed boundaries divide the frame`(slotCount: Int) throws {
        for (count, expected) in [(1, [0, slotCount]), (2, [0, 8, slotCount]), (4, [0, 4, 8, 12, slotCount])] {
            var grid = SBRGrid()
            grid.fixedEnvelopeCount = count
            let boundaries = try #require(EnvelopeBoundaries(grid, slotCount: slotCount))
            #expect((0...count).map { boundaries[$0] } == expected)
            #expect(boundaries.noiseCount == min(count, 2) && boundaries.noiseFloor(of: count - 1) == boundaries.noiseCount - 1)
        }
    }
}
