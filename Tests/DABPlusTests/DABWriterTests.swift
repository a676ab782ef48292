// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import DABPlus
import MPEG4Audio
import TestSupport
import Testing

@Suite struct DABWriterTests {
    private static let format = SuperframeStream.formats[6]

    private static func writer(_ options: DABWriterOptions) throws(ContainerError) -> DABWriter<MemorySink> {
        try DABWriter(to: MemorySink(), format.audioSpecificConfig, options: options)
    }

    @Test("Oversized access units throw with the limit, and shorter ones are zero-padded")
    func lengths() throws {
        let subchannel = DABSubchannel(bitRate: 8_000)
        var writer = try Self.writer(DABWriterOptions(subchannel: subchannel))
        let limit = 110 - 11 - 6 * 2
        for index in 0..<6 {
            let accessUnit = AccessUnit(
                payload: [UInt8](repeating: 0x21, count: index == 5 ? limit - 4 : 1), presentationTime: MediaTime(value: 0, timescale: 1),
                duration: 960)
            if index < 5 {
                try writer.append(accessUnit)
            } else {
                #expect(throws: ContainerError.unitGroupTooLong(byteCount: limit + 1, limit: limit)) { try writer.append(accessUnit) }
            }
        }
        var short = try Self.writer(DABWriterOptions(subchannel: subchannel))
        for _ in 0..<6 {
            try short.append(AccessUnit(payload: [0x21, 7], presentationTime: MediaTime(value: 0, timescale: 1), duration: 960))
        }
        let accessUnits = streamEvents(of: DABParser(), short.sink.bytes).accessUnits
        #expect(accessUnits.map(\.accessUnit.payload.count) == [2, 2, 2, 2, 2, limit - 10])
        #expect(accessUnits[5].accessUnit.payload == [0x21, 7] + [UInt8](repeating: 0, count: limit - 12))
    }

    @Test("Unsupported sub-channels, labels and configurations throw")
    func refusals() throws {
        for subchannel in [
            DABSubchannel(bitRate: 0), DABSubchannel(bitRate: 12_000), DABSubchannel(bitRate: 200_000),
            DABSubchannel(bitRate: 64_000, padByteCount: 1), DABSubchannel(bitRate: 64_000, padByteCount: 199),
            DABSubchannel(bitRate: 8_000, padByteCount: 60),
        ] {
            #expect(throws: ContainerError.unsupportedBitRate(subchannel.bitRate, dataByteCount: subchannel.padByteCount)) {
                try Self.writer(DABWriterOptions(subchannel: subchannel))
            }
        }
        let labels = [TimedLabel(start: .zero, label: DynamicLabel("News"))]
        #expect(throws: ContainerError.noRoomForLabels(dataByteCount: 6, minimum: 8)) {
            try Self.writer(DABWriterOptions(subchannel: DABSubchannel(bitRate: 64_000, padByteCount: 6), labels: labels))
        }
        let options = DABWriterOptions(subchannel: DABSubchannel(bitRate: 64_000))
        var configuration = Self.format.audioSpecificConfig
        configuration.sampleRate = 44_100
        #expect(throws: ContainerError.unsupportedSampleRate(44_100, allowed: [32_000, 48_000])) {
            try DABWriter(to: MemorySink(), configuration, options: options)
        }
        let long = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))
        #expect(throws: ContainerError.unsupportedFrameLength(1024, allowed: [960])) {
            try DABWriter(to: MemorySink(), long, options: options)
        }
    }

    @Test("Without a sub-channel, the bit rate is the lowest for the first superframe", arguments: DABSubchannel.bitRates)
    func bitRate(bitRate: Int) throws {
        for format in SuperframeStream.formats {
            let stream = try SuperframeStream(format, bitRate: bitRate, superframeCount: 2, seed: 1)
            var writer = try DABWriter(to: MemorySink(), format.audioSpecificConfig)
            for payload in stream.payloads {
                try writer.append(AccessUnit(payload: payload, presentationTime: MediaTime(value: 0, timescale: 1), duration: 960))
            }
            #expect(writer.sink.bytes == stream.bytes)
        }
    }

    @Test("The format's writer and reader round-trip")
    func format() throws {
        #expect(AudioFileFormat.dab.isWritable && AudioFileFormat.dab.isReadable && !AudioFileFormat.dab.needsOverwriting)
        #expect(AudioFileFormat.dab.streamable == .dab && AudioFileFormat(writableFileExtension: "dabp") == .dab)
        var writer = try AudioFileFormat.dab.makeWriter(to: MemorySink(), .aac(Self.format.audioSpecificConfig), dab: nil)
        let payloads = (0..<12).map { [0x21, UInt8($0)] }
        for payload in payloads {
            try writer.append(AccessUnit(payload: payload, presentationTime: MediaTime(value: 0, timescale: 1), duration: 960))
        }
        try writer.finish()
        let reader = try StreamReader<DABParser, SequentialBytes<MemorySource>>(MemorySource(writer.sink.bytes))
        #expect(reader.map { Array($0.accessUnit.payload.prefix(2)) } == payloads)
        #expect(throws: ContainerError.codecNotStorable(.iLBC, in: .dab)) {
            try AudioFileFormat.dab.makeWriter(to: MemorySink(), .ilbc(.milliseconds20), dab: nil)
        }
        var loas = try AudioFileFormat.loas.makeWriter(to: MemorySink(), .aac(Self.format.audioSpecificConfig), dab: nil)
        try loas.append(AccessUnit(payload: [0x21, 7], presentationTime: MediaTime(value: 0, timescale: 1), duration: 960))
        #expect(loas.sink.bytes.first == 0x56)
    }

    @Test("Silence completes the last superframe")
    func completion() throws {
        for format in SuperframeStream.formats {
            var writer = try DABWriter(
                to: MemorySink(), format.audioSpecificConfig, options: DABWriterOptions(subchannel: DABSubchannel(bitRate: 64_000)))
            try writer.append(AccessUnit(payload: [0x21, 7], presentationTime: MediaTime(value: 0, timescale: 1), duration: 960))
            try writer.finish()
            #expect(streamEvents(of: DABParser(), writer.sink.bytes).accessUnits.count == format.accessUnitCount)
        }
    }
}
