// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import LinnetCommand
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

/// All interfaces of the encoder have all its settings.
@Suite struct EncoderSettingsTests {
    /// The fields of each setting in the C library.
    private static let fields: [String: [String]] = [
        "rateControl": ["rate_control", "bit_rate", "quality"],
        "peakBitRate": ["peak_bit_rate"],
        "profile": ["profile"],
        "signaling": ["signaling"],
        "effort": ["effort"],
        "lowDelay": ["low_delay"],
        "frameLength": ["frame_length"],
        "lowDelaySBR": ["low_delay_sbr"],
        "rateGroup": ["dab_bit_rate", "dab_pad"],
        "bandwidth": ["bandwidth"],
        "usesNoiseSubstitution": ["no_noise_substitution"],
        "statedLoudness": ["stated_loudness"],
        "accessPointInterval": ["access_point_interval"],
        "invalidSamples": ["silences_invalid"],
    ]

    /// The settings, by reflection, which includes new ones.
    private static let settings = Mirror(reflecting: AACEncoderSettings()).children.compactMap(\.label)

    private static func parse(_ words: [String], _ options: [CommandOption]) throws -> ParsedArguments {
        try ArgumentParser(command: "linnet", options: options).parse(words)
    }

    /// Returns the path of a file in the repository.
    private static func url(_ path: String) -> URL {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return root.appending(path: path)
    }

    /// Returns a file of the repository.
    private static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    @Test func `The tables of options and fields have exactly all settings`() {
        #expect(Set(EncoderOptions.table.map(\.setting)) == Set(Self.settings))
        #expect(Set(Self.fields.keys) == Set(Self.settings))
    }

    @Test(arguments: [
        ("encode", EncodeCommand.options), ("record", RecordCommand.options), ("convert", ConvertCommand.options),
        ("stream", StreamCommand.options), ("batch", BatchCommand.options),
    ])
    func `Each encoding command has the options of all settings`(command: String, options: [CommandOption]) {
        for entry in EncoderOptions.table {
            #expect(options.contains { $0.name == entry.option.name }, "\(command) has no --\(entry.option.name)")
        }
    }

    @Test(arguments: [
        ("peakBitRate", ["--peak-bitrate", "256k"]), ("profile", ["--profile", "he"]),
        ("signaling", ["--profile", "he", "--signaling", "hierarchical"]), ("effort", ["--effort", "best"]), ("lowDelay", ["--low-delay"]),
        ("frameLength", ["--frame-length", "960"]),
        ("lowDelaySBR", ["--profile", "eld", "--sbr", "dual"]), ("bandwidth", ["--bandwidth", "9k"]),
        ("rateGroup", ["--dab", "72k", "--dab-pad", "30"]),
        ("usesNoiseSubstitution", ["--no-noise-substitution"]), ("invalidSamples", ["--silence-invalid"]),
        ("rateControl", ["-b", "64k", "--cbr"]),
        ("statedLoudness", ["--profile", "xhe", "--stated-loudness=-16LUFS"]),
        ("accessPointInterval", ["--profile", "xhe", "--access-points", "1", "--stated-loudness=-16"]),
    ])
    func `Each option changes its setting`(setting: String, words: [String]) throws {
        #expect(Self.settings.contains(setting))
        let parsed = try Self.parse(words, EncodeCommand.options)
        let settings = try EncoderOptions.settings(parsed)
        let changed = zip(Mirror(reflecting: settings).children, Mirror(reflecting: AACEncoderSettings()).children)
            .filter { "\($0.0.value)" != "\($0.1.value)" }.compactMap(\.0.label)
        #expect(changed.contains(setting))
        #expect(try ConvertOptions.configuration(Self.parse(["a", "-o", "a.m4a"] + words, ConvertCommand.options)).settings == settings)
        #expect(try EncodeCommand.encoderOptions(parsed).settings == settings)
        let recorded = try RecordOptions.configuration(
            Self.parse(words, RecordCommand.options), container: nil, isFile: false, bufferMilliseconds: 20)
        #expect(recorded.settings == settings)
        let streamed = try StreamingOptions.sink("hls:talk", Self.parse(words + ["--hls-rates", "64k"], StreamCommand.options)).sink
        guard case .samples(let sink) = streamed, let variants = sink as? HLSVariantSink else {
            Issue.record("several bit rates are variants")
            return
        }
        #expect(variants.settings == settings)
    }

    @Test func `The C library has all settings`() throws {
        let header = try Self.text("CLibrary/include/linnet.h")
        let implementation = try Self.text("CLibrary/Sources/LinnetC/EncoderSettings.swift")
        for field in try Self.settings.flatMap({ try #require(Self.fields[$0]) }) {
            #expect(header.contains("uint32_t \(field);"), "linnet.h has no \(field)")
            #expect(implementation.contains("settings.\(field)"), "the library for C does not read \(field)")
        }
    }

    @Test func `JavaScript, TypeScript and Python have the settings of the header`() throws {
        let check = try ProgramRun(Self.url("Scripts/Make/bindings").path, ["--check"])
        #expect(check.exitCode == 0, "\(check.errorText)")
    }

    @Test func `HLS variants have all settings except the rate, and the profile unless it is their own`() {
        var settings = AACEncoderSettings()
        settings.rateControl = .constant(bitRate: 1)
        settings.effort = .best
        settings.bandwidth = 9_000
        let sink = HLSVariantSink(
            HLSFolder(path: "talk"), variants: [.init(bitRate: 64_000), .init(bitRate: 32_000, profile: .highEfficiency)],
            settings: settings)
        var expected = settings
        expected.rateControl = .constant(bitRate: 64_000)
        expected.profile = .automatic
        expected.invalidSamples = .silence
        #expect(sink.encoderSettings(of: .init(bitRate: 64_000)) == expected)
        expected.profile = .highEfficiency
        #expect(sink.encoderSettings(of: .init(bitRate: 64_000, profile: .highEfficiency)) == expected)
    }

    /// The settings without a parameter in fdk-aac's interface.
    ///
    /// Its delay is always the look-ahead, and its samples are integers.
    private static let unknownToFDK: Set = ["lowDelay", "rateGroup", "invalidSamples", "statedLoudness", "accessPointInterval"]

    @Test func `The fdk-aac interface has parameters for its settings`() throws {
        let resolution = try Self.text("CLibrary/Sources/FDKAAC/EncoderParameters+Resolution.swift")
        for setting in Self.settings {
            #expect(resolution.contains("settings.\(setting) =") == !Self.unknownToFDK.contains(setting), "\(setting)")
        }
    }
}
