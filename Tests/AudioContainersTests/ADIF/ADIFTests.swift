// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import Testing

@Suite struct ADIFTests {
    static func header() -> ADIFHeader {
        var pce = ProgramConfigElement(samplingFrequencyCode: 3)
        pce.front = [.init(isPair: true, instanceTag: 0)]
        pce.comment = [1, 2, 3]
        var header = ADIFHeader(programConfig: pce)
        header.bitRate = 128_000
        return header
    }

    @Test("Headers of all variants round-trip", arguments: [false, true], [false, true])
    func roundTrip(hasCopyright: Bool, isVariable: Bool) throws {
        var header = Self.header()
        header.copyrightID = hasCopyright ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : nil
        header.isVariableRate = isVariable
        header.programConfigs.append(header.programConfigs[0])
        header.bufferFullness = isVariable ? [] : [7, 0xFFFFF]
        let bytes = header.serialized()
        let parsed = try ADIFHeader(parsing: bytes + [9, 9, 9])
        #expect(parsed.byteCount == bytes.count)
        #expect(parsed.programConfigs == header.programConfigs && parsed.bufferFullness == header.bufferFullness)
        #expect(parsed.copyrightID == header.copyrightID && parsed.bitRate == 128_000)
        let config = try parsed.audioSpecificConfig
        #expect(config.sampleRate == 48_000 && config.channelCount == 2 && config.objectType == .aacLC)
    }

    @Test("The window follows the raw data blocks")
    func reading() throws {
        let front = Self.header().serialized()
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        var reader = try RawBlockReader(adif: MemorySource(front + body))
        var position = 0
        while true {
            let window = try reader.window()
            #expect(reader.offset == front.count + position)
            #expect(window.elementsEqual(body[position..<min(body.count, position + 65_536)]))
            if window.isEmpty { break }
            let step = min(window.count, position % 3 == 0 ? 1111 : 60_000)
            reader.advance(by: step)
            position += step
        }
        #expect(position == body.count)
    }

    @Test("Missing, truncated and reserved headers throw")
    func errors() throws {
        #expect(throws: ContainerError.noSyncword(offset: 0)) { try ADIFHeader(parsing: [1, 2, 3, 4, 5]) }
        let bytes = Self.header().serialized()
        for count in 4..<bytes.count {
            #expect(throws: ContainerError.self) { try RawBlockReader(adif: MemorySource(Array(bytes.prefix(count)))) }
        }
        var header = Self.header()
        header.programConfigs[0].samplingFrequencyCode = 14
        #expect(throws: ContainerError.codec(.reservedSamplingFrequencyIndex(14))) {
            try RawBlockReader(adif: MemorySource(header.serialized() + [0]))
        }
    }
}
