// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing

@Suite struct EncodingNoteTests {
    private func encode(_ chord: ChordFile, _ change: (inout FileConverterConfiguration) -> Void) throws -> ConversionSummary {
        let folder = try TemporaryFolder()
        var configuration = chord.configuration
        change(&configuration)
        let input = try folder.write(chord.bytes, to: "in.pcm")
        return try FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration).run()
    }

    @Test("HE-AAC v2 with one channel encodes HE-AAC with a note")
    func monoParametricStereo() throws {
        let chord = ChordFile(sampleRate: 44_100, channelCount: 1, frameCount: 10_000)
        let summary = try encode(chord) { configuration in
            configuration.settings.profile = .highEfficiencyV2
            configuration.settings.rateControl = .average(bitRate: 24_000)
        }
        #expect(summary.profile == .highEfficiency)
        #expect(summary.notes.map(\.description) == ["HE-AAC v2 needs two channels; encoded as HE-AAC"])
        let stereo = ChordFile(sampleRate: 44_100, channelCount: 2, frameCount: 10_000)
        let mixed = try encode(stereo) { configuration in
            configuration.settings.profile = .highEfficiencyV2
            configuration.settings.rateControl = .average(bitRate: 24_000)
            configuration.channelCount = 1
        }
        #expect(mixed.profile == .highEfficiency && mixed.notes.count == 1)
    }

    @Test(
        "An unsupported sample rate is converted to the next higher supported one or the highest, with a note",
        arguments: [
            (192_000, 96_000, AACProfile.lowComplexity), (50_000, 64_000, .lowComplexity), (45_000, 48_000, .lowComplexity),
            (6_000, 7_350, .lowComplexity), (96_000, 48_000, .extendedHighEfficiency), (11_025, 16_000, .extendedHighEfficiency),
            (12_000, 16_000, .highEfficiency), (96_000, 48_000, .enhancedLowDelay),
        ])
    func sampleRate(from: Int, to: Int, profile: AACProfile) throws {
        let summary = try encode(ChordFile(sampleRate: from, frameCount: from / 10)) { $0.settings.profile = profile }
        #expect(summary.sampleRate == to)
        #expect(summary.notes == [.sampleRateConverted(from: from, to: to, codec: .aac)])
        #expect(abs(summary.gapless.validFrames - to / 10) <= 1)
    }

    @Test("A supported sample rate is kept without a note; an unsupported requested one throws")
    func requestedSampleRate() throws {
        let chord = ChordFile(sampleRate: 48_000, frameCount: 3_000)
        #expect(try encode(chord) { _ in }.notes.isEmpty)
        #expect(try encode(chord) { $0.sampleRate = 32_000 }.notes.isEmpty)
        let error = #expect(throws: AudioFileError.self) { try encode(chord) { $0.sampleRate = 192_000 } }
        #expect(error?.code == .unsupportedConfiguration)
    }

    @Test("The extension chooses the container; an unknown one throws and lists the known ones")
    func fileExtension() throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(frameCount: 3_000)
        let input = try folder.write(chord.bytes, to: "in.pcm")
        for (name, container) in [("a.aac", AudioFileFormat.adts), ("a.M4A", .m4a), ("a.caf", .caf), ("a.loas", .loas), ("a", .adts)] {
            let encoder = FileEncoder(input: input, output: folder.path(name), configuration: chord.configuration)
            #expect(try encoder.run().format == container)
        }
        let path = folder.path("song.ac")
        let error = #expect(throws: AudioFileError(.unknownExtension("ac"), path: path)) {
            try FileEncoder(input: input, output: path, configuration: chord.configuration).run()
        }
        #expect(error?.description.contains(".ac; supported extensions: .aac, .adts, .m4a, .m4b, .mp4, .caf, .loas, .latm, .ts") == true)
        var configuration = chord.configuration
        configuration.format = .adts
        #expect(try FileEncoder(input: input, output: path, configuration: configuration).run().format == .adts)
    }

    @Test("A note describes unsupported MPEG Surround; the mono core is encoded")
    func unsupportedSurround() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1, rateControl: .constant(bitRate: 64_000))
        configuration.profile = .enhancedLowDelay
        configuration.settings.lowDelaySBR = .off
        let encoder = try AACEncoder(configuration)
        // A surround configuration at a sample rate that differs from the core's. No decoder supports it.
        let surround = ELDSpecificConfig.Extension(type: ELDSpecificConfig.Extension.lowDelaySurround, bytes: [0x47, 0xA7, 0x08, 0x00])
        let config = AudioSpecificConfig(
            sampleRate: 48_000, channelConfiguration: try #require(ChannelConfiguration(rawValue: 1)),
            enhancedLowDelay: ELDSpecificConfig(extensions: [surround]))
        var writer = try LOASWriter(to: MemorySink(), config)
        let silence = PCMBuffer(channels: [[Float](repeating: 0, count: 20 * 512)], sampleRate: 48_000)
        for accessUnit in try encoder.encode(silence) { try writer.append(accessUnit) }
        try writer.finish(nil)
        let folder = try TemporaryFolder()
        let input = try folder.write(writer.sink.bytes, to: "in.loas")
        let encoded = try FileEncoder(input: input, output: folder.path("out.m4a")).run()
        #expect(encoded.notes.contains(.surroundLeftOut))
        let converted = try FileConverter(input: input, output: folder.path("out.wav")).run()
        #expect(converted.notes.contains(.surroundLeftOut))
    }
}
