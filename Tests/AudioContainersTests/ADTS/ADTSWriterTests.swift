// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct ADTSWriterTests {
    struct Vector: Sendable {
        let rate: Int
        let channels: Int
        let payload: Int
        let header: [UInt8]
    }

    static let vectors = [
        Vector(rate: 44_100, channels: 2, payload: 362, header: [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x3F, 0xFC]),
        Vector(rate: 44_100, channels: 2, payload: 6, header: [0xFF, 0xF1, 0x50, 0x80, 0x01, 0xBF, 0xFC]),
        Vector(rate: 48_000, channels: 1, payload: 200, header: [0xFF, 0xF1, 0x4C, 0x40, 0x19, 0xFF, 0xFC]),
        Vector(rate: 48_000, channels: 8, payload: 200, header: [0xFF, 0xF1, 0x4D, 0xC0, 0x19, 0xFF, 0xFC]),
        Vector(rate: 16_000, channels: 1, payload: 6, header: [0xFF, 0xF1, 0x60, 0x40, 0x01, 0xBF, 0xFC]),
        Vector(rate: 44_100, channels: 2, payload: 8184, header: [0xFF, 0xF1, 0x50, 0x83, 0xFF, 0xFF, 0xFC]),
    ]

    static func config(_ rate: Int, _ channels: Int) -> AudioSpecificConfig {
        AudioSpecificConfig(sampleRate: rate, channelConfiguration: ChannelConfiguration(rawValue: channels == 8 ? 7 : channels))
    }

    @Test("Headers match known vectors for MPEG-4 and MPEG-2", arguments: vectors.indices)
    func goldenVectors(index: Int) throws {
        let vector = Self.vectors[index]
        let payload = [UInt8](repeating: 0x21, count: vector.payload)
        let bytes = try ADTSFramer(Self.config(vector.rate, vector.channels)).frame(AccessUnit(payload))
        #expect(bytes == vector.header + payload)
        let options = ADTSWriterOptions(isMPEG2: true)
        let second = try ADTSFramer(Self.config(vector.rate, vector.channels), options: options).frame(AccessUnit(payload))
        #expect(second[1] == 0xF9)
        let header = try ADTSHeader(parsing: second)
        #expect(header.isMPEG2 && header.frameLength == vector.payload + 7 && header.rawDataBlockCount == 1)
        #expect(header.audioSpecificConfig == Self.config(vector.rate, vector.channels))
    }

    @Test("Unsupported input throws and writes nothing")
    func refusals() throws {
        var writer = try ADTSWriter(to: MemorySink(), Self.config(44_100, 2))
        #expect(throws: ContainerError.accessUnitTooLong(byteCount: 8185, limit: 8184)) {
            try writer.append(AccessUnit([UInt8](repeating: 0, count: 8185)))
        }
        var checked = try ADTSWriter(to: MemorySink(), Self.config(44_100, 2), options: .init(hasCRC: true))
        #expect(throws: ContainerError.accessUnitTooLong(byteCount: 8183, limit: 8182)) {
            try checked.append(AccessUnit([UInt8](repeating: 0, count: 8183)))
        }
        #expect(throws: ContainerError.missingElementSpans) { try checked.append(AccessUnit([1])) }
        #expect(throws: ContainerError.emptyAccessUnit) { try writer.append(AccessUnit([])) }
        #expect(writer.sink.byteCount == 0 && checked.sink.byteCount == 0)
        #expect(throws: ContainerError.unsupportedSampleRate(44_000, allowed: SamplingFrequencyIndex.standardRates)) {
            try ADTSFramer(Self.config(44_000, 2))
        }
        #expect(throws: ContainerError.unsupportedChannelConfiguration(0, allowed: 1...7)) {
            try ADTSFramer(AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: nil))
        }
        #expect(throws: ContainerError.unsupportedChannelConfiguration(12, allowed: 1...7)) {
            try ADTSFramer(
                AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(rawValue: 12)))
        }
        #expect(throws: ContainerError.unsupportedObjectType(.aacLTP, allowed: [.aacLC])) {
            try ADTSFramer(
                AudioSpecificConfig(
                    objectType: .aacLTP, sampleRate: 48_000, channelConfiguration: ChannelConfiguration(rawValue: 1)))
        }
        #expect(throws: ContainerError.unsupportedFrameLength(960, allowed: [1024])) {
            try ADTSFramer(
                AudioSpecificConfig(
                    sampleRate: 48_000, channelConfiguration: ChannelConfiguration(rawValue: 1),
                    generalAudio: GASpecificConfig(usesShortFrame: true)))
        }
    }

    @Test(
        "The error for low-delay object types lists suitable containers",
        arguments: [AudioObjectType.aacLD, .aacELD])
    func lowDelay(type: AudioObjectType) {
        let error = #expect(throws: ContainerError.self) {
            try ADTSFramer(
                AudioSpecificConfig(objectType: type, sampleRate: 48_000, channelConfiguration: ChannelConfiguration(rawValue: 1)))
        }
        #expect(
            error?.description
                == "unsupported object type \(type); the container supports AAC LC; M4A, CAF, LOAS and MPEG-TS support it")
    }

    @Test("HE-AAC headers signal the core")
    func highEfficiency() throws {
        var config = Self.config(22_050, 1)
        config.extensionConfig = .hierarchical(sampleRate: 44_100, hasParametricStereo: true)
        let bytes = try ADTSFramer(config).frame(AccessUnit([1]))
        #expect(try ADTSHeader(parsing: bytes).audioSpecificConfig == Self.config(22_050, 1))
    }

    @Test("Random headers round-trip", arguments: [1, 2] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            var header = ADTSHeader(
                objectType: AudioObjectType(rawValue: Int.random(in: 1...4, using: &random)),
                samplingFrequencyIndex: try #require(SamplingFrequencyIndex(rawValue: Int.random(in: 0...12, using: &random))),
                channelConfiguration: Int.random(in: 0...7, using: &random),
                frameLength: Int.random(in: 16...8191, using: &random))
            header.isMPEG2 = .random(using: &random)
            header.hasCRC = .random(using: &random)
            header.isPrivate = .random(using: &random)
            header.isOriginal = .random(using: &random)
            header.isHome = .random(using: &random)
            header.copyrightBit = .random(using: &random)
            header.copyrightStart = .random(using: &random)
            header.bufferFullness = Int.random(in: 0...0x7FF, using: &random)
            header.rawDataBlockCount = Int.random(in: 1...4, using: &random)
            var bytes: [UInt8] = []
            header.serialize(into: &bytes)
            #expect(try ADTSHeader(parsing: bytes) == header, "seed \(seed)")
        }
    }

    @Test("Invalid headers throw specific errors")
    func badHeaders() {
        #expect(throws: ContainerError.truncated(offset: 0, neededBytes: 7, availableBytes: 6)) {
            try ADTSHeader(parsing: [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x3F])
        }
        #expect(throws: ContainerError.noSyncword(offset: 0)) {
            try ADTSHeader(parsing: [0xFF, 0xF3, 0x50, 0x80, 0x2E, 0x3F, 0xFC])
        }
        #expect(throws: ContainerError.codec(.reservedSamplingFrequencyIndex(15))) {
            try ADTSHeader(parsing: [0xFF, 0xF1, 0x7C, 0x80, 0x2E, 0x3F, 0xFC])
        }
        #expect(throws: ContainerError.frameLengthTooShort(byteCount: 0, minimum: 8)) {
            try ADTSHeader(parsing: [0xFF, 0xF1, 0x50, 0x80, 0x00, 0x1F, 0xFC])
        }
        #expect(throws: ContainerError.frameLengthTooShort(byteCount: 7, minimum: 8)) {
            try ADTSHeader(parsing: [0xFF, 0xF1, 0x50, 0x80, 0x00, 0xFF, 0xFC])
        }
    }
}
