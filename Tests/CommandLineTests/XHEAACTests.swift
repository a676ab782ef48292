// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// xHE-AAC as input of the program.
@Suite struct XHEAACTests {
    /// Returns a stream of `Tests/Vectors/USAC` as LOAS.
    private static func loas(_ name: String) throws -> [UInt8] {
        let file = USACVectorFile(name)
        var writer = try LOASWriter(to: MemorySink(), try AudioSpecificConfig(parsing: file.configuration))
        for unit in file.accessUnits { try writer.append(AccessUnit(unit)) }
        try writer.finish(nil)
        return writer.sink.bytes
    }

    @Test("Loudness stored in the LOAS configuration is shown, and applied without analysis")
    func loudness() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Self.loas("sw-24k-m-music"), to: "in.loas")
        let probed = try LinnetProgram.run("probe", "--json", "in.loas", folder: folder)
        let stated = try #require(try probed.jsonObjects().first?["statedLoudness"] as? [String: Any])
        let integrated = try #require(stated["integrated"] as? Double)
        let entries = try #require(stated["entries"] as? [[String: Any]])
        #expect(entries.first?["integrated"] as? Double == integrated && entries.first?["dynamicRangeControlSet"] as? Int == 0)
        // 6 dB below the stored loudness, where peaks need no headroom.
        let target = "\(integrated - 6)LUFS"
        let plain = try LinnetProgram.run("decode", "in.loas", "-o", "-", "-f", "raw", "--sample-format", "f32", "--quiet", folder: folder)
        let lower = try LinnetProgram.run(
            "decode", "in.loas", "-o", "-", "-f", "raw", "--sample-format", "f32", "--quiet", "--target-loudness=\(target)", folder: folder)
        #expect(plain.exitCode == 0 && lower.exitCode == 0, "\(lower.errorText)")
        let (before, after) = ([Float](littleEndian: plain.output), [Float](littleEndian: lower.output))
        #expect(before.count == after.count && before.contains { abs($0) > 0.01 })
        #expect(zip(before, after).allSatisfy { abs($0 * 0.501_187_2 - $1) < 1e-6 })
    }

    /// Returns a configuration whose first extension element is changed to dynamic range control.
    private static func dynamicRangeControl(_ configuration: [UInt8]) -> AudioSpecificConfig? {
        guard let plain = (try? AudioSpecificConfig(parsing: configuration))?.usac else { return nil }
        // The type of an extension element has 4 bits.
        let type: [UInt8] = [0, 1, 0, 0]
        for first in 0..<8 * configuration.count - type.count {
            var bytes = configuration
            for (offset, bit) in type.enumerated() {
                let (index, shift) = ((first + offset) / 8, 7 - (first + offset) % 8)
                bytes[index] = bytes[index] & ~(1 << shift) | bit << shift
            }
            guard let found = try? AudioSpecificConfig(parsing: bytes), let usac = found.usac else { continue }
            let kinds: [USACElementConfig.Kind] = usac.elements.map { $0.kind }
            if usac.hasDynamicRangeControl, kinds == plain.elements.map({ $0.kind }) { return found }
        }
        return nil
    }

    @Test("Dynamic range control is named by probe and a note, and not applied")
    func dynamicRangeControl() throws {
        let folder = try TemporaryFolder()
        let file = USACVectorFile("cr-ext")
        let plain = try AudioSpecificConfig(parsing: file.configuration)
        let changed = try #require(Self.dynamicRangeControl(file.configuration))
        for (name, config) in [("plain", plain), ("drc", changed)] {
            var writer = try LOASWriter(to: MemorySink(), config)
            for unit in file.accessUnits { try writer.append(AccessUnit(unit)) }
            try writer.finish(nil)
            _ = try folder.write(writer.sink.bytes, to: name + ".loas")
        }
        let note = "dynamic range control of xHE-AAC (uniDRC) is not applied"
        let run = try LinnetProgram.shell(
            "linnet probe drc.loas && linnet probe drc.loas --json && linnet decode plain.loas -o a.wav && linnet convert plain.loas -o b.wav",
            folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        #expect(run.text.contains(note) && run.text.contains(#""hasDynamicRangeControl": true"#), "\(run.text)")
        for (command, name) in [("decode", "a.wav"), ("convert", "b.wav")] {
            let changed = try LinnetProgram.run(command, "drc.loas", "-o", "c.wav", "--force", folder: folder)
            #expect(changed.exitCode == 0 && changed.errorText.contains(note), "\(command): \(changed.errorText)")
            #expect(try bytes(ofFile: folder.path("c.wav")) == bytes(ofFile: folder.path(name)))
        }
        #expect(try LinnetProgram.run("probe", "plain.loas", "--json", folder: folder).text.contains(#""hasDynamicRangeControl": false"#))
    }

    @Test("Fragments through a pipe and parts from any sync sample have the samples of the stream")
    func fragments() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Self.loas("fd-48k-st-rap"), to: "in.loas")
        // Output files need not be fragmented.
        let remuxed = try LinnetProgram.shell("linnet remux in.loas - --format m4a --quiet | cat", folder: folder)
        #expect(remuxed.exitCode == 0, "\(remuxed.errorText)")
        let fragment = Array("moof".utf8)
        #expect(remuxed.output.indices.dropLast(4).contains { Array(remuxed.output[$0..<$0 + 4]) == fragment })
        _ = try folder.write(remuxed.output, to: "in.mp4")
        let arguments = ["-o", "-", "-f", "raw", "--quiet"]
        let whole = try ProgramRun(LinnetProgram.path, ["decode", "in.loas"] + arguments, folder: folder.url)
        let again = try ProgramRun(LinnetProgram.path, ["decode", "in.mp4"] + arguments, folder: folder.url)
        #expect(whole.exitCode == 0 && again.exitCode == 0 && whole.output == again.output && !whole.output.isEmpty)
        // 45 access units of 1024 frames last 0.96 s.
        for (start, second) in [(46_080, "0.96"), (92_160, "1.92")] {
            let part = try ProgramRun(LinnetProgram.path, ["decode", "in.mp4", "--range", "\(second)-"] + arguments, folder: folder.url)
            #expect(part.exitCode == 0 && part.output == Array(whole.output[(4 * start)...]), "from \(second) s")
        }
    }

    @Test("Files are measured and pipes state their loudness, with the presets of xHE-AAC")
    func encoding() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 100_000, sampleRate: 48_000)
        let run = try LinnetProgram.shell(
            """
            linnet encode a.wav -o a.m4a --profile xhe -b 112k --effort fast --access-points 1 --quiet && \
            linnet encode - -o b.m4a --preset voice-message-24 --stated-loudness -16LUFS --effort fast --quiet < a.wav && \
            linnet convert a.wav -o c.caf --codec aac --profile xhe -b 112k --effort fast --quiet && linnet probe --json a.m4a b.m4a c.caf
            """, folder: folder)
        let probes = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]], "\(run.errorText)")
        #expect(probes.map { $0["objectType"] as? String } == ["xHE-AAC", "xHE-AAC", "xHE-AAC"])
        #expect(probes.map { $0["channels"] as? Int } == [2, 1, 2])
        #expect(probes.map { $0["accessPoints"] as? Int } == [3, 2, 2])
        #expect(probes.map { $0["coreSampleRate"] as? Int } == [48_000, 24_000, 48_000])
        let stated = probes.compactMap { ($0["statedLoudness"] as? [String: Any])?["integrated"] as? Double }
        #expect(stated.count == 3 && stated[0] == stated[2] && stated[1] == -16)
    }

    @Test("A recording decodes without damage", arguments: ["r.m4a", "r.caf", "r.loas"])
    func recording(name: String) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 7)
        _ = try folder.write(random.bytes(3 * 96_000), to: "a.pcm")
        let run = try LinnetProgram.shell(
            """
            linnet record --input a.pcm --rate 48k --channels 1 --profile xhe -b 64k --stated-loudness=-16 -o \(name) --seconds 3 --quiet \
            --effort fast && linnet decode \(name) -o r.wav --quiet && linnet probe --json --check \(name)
            """, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let probe = try #require(run.jsonObjects().first)
        #expect(probe["damageCount"] as? Int == 0 && probe["accessPoints"] as? Int == 2)
    }

    @Test("HLS segments of several rates start at access points, and decode alone")
    func segments() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 300_000, sampleRate: 48_000)
        let run = try LinnetProgram.shell(
            """
            linnet stream a.wav -o hls:talk --hls-type vod --profile xhe --hls-rates 48k,64k --effort fast --hls-segment 2 --quiet \
            --stated-loudness=-16 && grep -c mp4a.40.42 talk/master.m3u8 && for rate in 48k 64k; do cd talk/$rate; for file in *.m4s; do \
            cat $(ls *.mp4) $file > ../$rate-$file.mp4; done; cd ../..; done; linnet probe --json --check talk/*.m4s.mp4
            """, folder: folder)
        #expect(run.text.hasPrefix("2\n"), "\(run.errorText)")
        let probes = try #require(try JSONSerialization.jsonObject(with: Data(run.output.dropFirst(2))) as? [[String: Any]])
        #expect(probes.count >= 6)
        for probe in probes {
            #expect(probe["damageCount"] as? Int == 0 && probe["accessPoints"] as? Int == 1)
        }
        #expect(Set(probes.compactMap { $0["streamIdentifier"] as? Int }) == [1, 2])
    }

    @Test("HLS segments shorter than the usual distance of access points start at access points, too", arguments: ["vod", "event"])
    func shortSegments(type: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 200_000, sampleRate: 48_000)
        let run = try LinnetProgram.shell(
            """
            linnet stream - -o hls:talk --hls-type \(type) --profile xhe -b 64k --effort fast --hls-segment 1 --quiet \
            --stated-loudness=-16 < a.wav && cd talk && for file in *.m4s; do cat *.mp4 $file > $file.alone; done && \
            linnet probe --json --check *.alone
            """, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let probes = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        #expect(probes.count >= 4)
        for probe in probes { #expect(probe["damageCount"] as? Int == 0 && probe["accessPoints"] as? Int == 1, "\(probe)") }
    }

    @Test("Refusals name the option or the container that works")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 5000, sampleRate: 48_000)
        let cases: [(words: String, code: Int32, message: String)] = [
            ("encode - -o c.m4a --profile xhe", 10, "use --stated-loudness, such as -16LUFS"),
            ("record --input a.wav --seconds 1 --profile xhe -o c.m4a", 2, "unknown before a recording; use --stated-loudness"),
            ("stream a.wav -o hls:talk --preset book-32", 2, "unknown before a recording; use --stated-loudness"),
            (
                "stream a.wav -o hls:talk --profile xhe --stated-loudness=-16 --hls-segment 2 --access-points 3", 2,
                "--access-points 3 is longer than an HLS segment, which starts at an access point; use at most 2"
            ),
            ("encode a.wav -o c.m4a --stated-loudness=-16", 2, "--stated-loudness needs --profile xhe"),
            ("encode a.wav -o c.aac --profile xhe", 10, "M4A, CAF, LOAS and MPEG-TS support it"),
            ("encode a.wav -o c.m4a --profile xhe --sbr dual", 2, "--sbr applies to AAC-ELD only"),
            ("encode a.wav -o c.m4a --profile xhe --signaling hierarchical", 2, "--signaling applies to HE-AAC only"),
        ]
        for (words, code, message) in cases {
            let run = try LinnetProgram.shell("linnet \(words) < a.wav", folder: folder)
            #expect(run.exitCode == code && run.errorText.contains(message), "\(words): \(run.exitCode) \(run.errorText)")
        }
        #expect(try folder.contents == ["a.wav"])
    }
}
