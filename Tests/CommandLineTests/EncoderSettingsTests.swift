// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import Foundation
import LiveAudio
import LiveStreaming
import Testing

@testable import LinnetCommand

/// All that encodes has all settings of the encoder.
@Suite struct EncoderSettingsTests {
    /// The names of a setting outside of Swift.
    struct Names {
        /// The fields in C, and keywords in Python.
        let inC: [String]
        /// The properties in JavaScript.
        let inJavaScript: [String]

        init(_ inC: String..., inJavaScript: String...) {
            self.inC = inC
            self.inJavaScript = inJavaScript
        }
    }

    /// The names of each setting.
    private static let names: [String: Names] = [
        "rateControl": Names("rate_control", "bit_rate", "quality", inJavaScript: "rateControl", "bitRate", "quality"),
        "peakBitRate": Names("peak_bit_rate", inJavaScript: "peakBitRate"),
        "profile": Names("profile", inJavaScript: "profile"),
        "signaling": Names("signaling", inJavaScript: "signaling"),
        "effort": Names("effort", inJavaScript: "effort"),
        "lowDelay": Names("low_delay", inJavaScript: "lowDelay"),
        "frameLength": Names("frame_length", inJavaScript: "frameLength"),
        "lowDelaySBR": Names("low_delay_sbr", inJavaScript: "lowDelaySbr"),
        "subchannel": Names("dab_bit_rate", "dab_pad", inJavaScript: "dabBitRate", "dabPad"),
        "bandwidth": Names("bandwidth", inJavaScript: "bandwidth"),
        "usesNoiseSubstitution": Names("no_noise_substitution", inJavaScript: "noNoiseSubstitution"),
        "invalidSamples": Names("silences_invalid", inJavaScript: "silencesInvalid"),
    ]

    /// The settings, by reflection: one that is added to the structure is here at once.
    private static let settings = Mirror(reflecting: AACEncoderSettings()).children.compactMap(\.label)

    /// Returns a command line.
    private static func parse(_ words: [String], _ options: [CommandOption]) throws -> ParsedArguments {
        try ArgumentParser(command: "linnet", options: options).parse(words)
    }

    /// Returns a file of the repository.
    private static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func `The tables of options and names have all settings, and no other`() {
        #expect(Set(EncoderOptions.table.map(\.setting)) == Set(Self.settings))
        #expect(Set(Self.names.keys) == Set(Self.settings))
    }

    @Test(arguments: [
        ("encode", EncodeCommand.options), ("record", RecordCommand.options), ("convert", ConvertCommand.options),
        ("stream", StreamCommand.options), ("batch", BatchCommand.options),
    ])
    func `Each command that encodes has the options of all settings`(command: String, options: [CommandOption]) {
        for entry in EncoderOptions.table {
            #expect(options.contains { $0.name == entry.option.name }, "\(command) has no --\(entry.option.name)")
        }
    }

    @Test(arguments: [
        ("peakBitRate", ["--peak-bitrate", "256k"]), ("profile", ["--profile", "he"]),
        ("signaling", ["--profile", "he", "--signaling", "hierarchical"]), ("effort", ["--effort", "best"]), ("lowDelay", ["--low-delay"]),
        ("frameLength", ["--frame-length", "960"]),
        ("lowDelaySBR", ["--profile", "eld", "--sbr", "dual"]), ("bandwidth", ["--bandwidth", "9k"]),
        ("subchannel", ["--dab", "72k", "--dab-pad", "30"]),
        ("usesNoiseSubstitution", ["--no-noise-substitution"]), ("invalidSamples", ["--silence-invalid"]),
        ("rateControl", ["-b", "64k", "--cbr"]),
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
        guard case .pcm(let sink) = streamed, let variants = sink as? HLSVariantSink else {
            Issue.record("several bit rates are variants")
            return
        }
        #expect(variants.settings == settings)
    }

    @Test func `The library for C, Python and JavaScript have all settings`() throws {
        let header = try Self.text("CLibrary/include/linnet.h")
        let implementation = try Self.text("CLibrary/Sources/LinnetC/EncoderSettings.swift")
        let python = try Self.text("Packaging/python/linnet/__init__.py")
        let signature = try #require(python.components(separatedBy: "def encode(").last?.components(separatedBy: ") -> bytes").first)
        let script = try Self.text("Web/Site/linnet-settings.js")
        let types = try Self.text("Web/Site/linnet.d.ts")
        for setting in Self.settings {
            let names = try #require(Self.names[setting])
            for name in names.inC {
                #expect(header.contains("uint32_t \(name);"), "linnet.h has no \(name)")
                #expect(implementation.contains("settings.\(name)"), "the library for C does not read \(name)")
                #expect(signature.contains("\(name): "), "linnet.encode of Python has no \(name)")
            }
            for name in names.inJavaScript {
                #expect(script.contains("'\(name)'"), "linnet-settings.js has no \(name)")
                #expect(types.contains("\(name)?: "), "linnet.d.ts has no \(name)")
            }
        }
    }

    @Test func `Variants of HLS have all settings but the rate, and the profile unless it is theirs`() {
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

    /// The settings that fdk-aac's interface has no parameter for.
    ///
    /// Its delay is that of the look-ahead, and its samples are integers.
    private static let unknownToFDK: Set = ["lowDelay", "subchannel", "invalidSamples"]

    @Test func `The interface of fdk-aac sets the settings themselves, each that it has a parameter for`() throws {
        let resolution = try Self.text("CLibrary/Sources/FDKAAC/EncoderParameters+Resolution.swift")
        for setting in Self.settings {
            #expect(resolution.contains("settings.\(setting) =") == !Self.unknownToFDK.contains(setting), "\(setting)")
        }
    }

    @Test func `JavaScript has the fields of the header in its order`() throws {
        let header = try Self.text("CLibrary/include/linnet.h")
        let start = try #require(header.components(separatedBy: "typedef struct linnet_encoder_settings {").last)
        let structure = try #require(start.components(separatedBy: "}").first)
        let fields = structure.matches(of: /uint32_t (\w+);/).map { match in
            let parts = match.1.split(separator: "_")
            return parts[0] + parts.dropFirst().map(\.capitalized).joined()
        }
        let script = try Self.text("Web/Site/linnet-settings.js")
        let list = try #require(script.components(separatedBy: "const fields = [").last?.components(separatedBy: "]").first)
        #expect(list.matches(of: /'(\w+)'/).map { String($0.1) } == fields.map(String.init))
    }
}
