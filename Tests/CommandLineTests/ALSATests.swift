// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

#if os(Linux)
/// ALSA without hardware: its `file` plugin replaces devices by files, without real-time pacing.
@Suite struct ALSATests {
    /// Returns a folder with a configuration of two devices, and the command with that configuration.
    private static func folder() throws -> (folder: TemporaryFolder, environment: String) {
        let folder = try TemporaryFolder()
        let devices = """
            pcm.microphone { type file slave.pcm "null" file "/dev/null" infile "\(folder.path("in.raw"))" format "raw" }
            pcm.loudspeaker { type file slave.pcm "null" file "\(folder.path("out.raw"))" format "raw" }
            """
        try devices.write(toFile: folder.path("asound.conf"), atomically: true, encoding: .utf8)
        return (folder, "ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:\(folder.path("asound.conf")) '\(LinnetProgram.path)'")
    }

    @Test("The samples of an ALSA device are recorded unchanged")
    func record() throws {
        let (folder, linnet) = try Self.folder()
        let samples = (0..<24_000).map { Float(Int16(truncatingIfNeeded: $0 &* 25_173 &+ 13_849)) / 32_768 }
        try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: folder.path("in.raw"))) }
        let run = try ProgramRun.shell(
            "\(linnet) record --quiet --backend alsa --device microphone --rate 48k --channels 1 --pick 1 -s 0.25 -o out.wav",
            folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let wave = try Data(contentsOf: URL(filePath: folder.path("out.wav")))
        let chunk = try #require(wave.range(of: Data("data".utf8)))
        let recorded = wave[(chunk.upperBound + 4)...].withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { Float(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) / 32_768 }
        }
        #expect(recorded.count == 12_000)
        let isSame = recorded == Array(samples.prefix(12_000))
        #expect(isSame)
    }

    @Test("An ALSA device gets the samples unchanged")
    func play() throws {
        let (folder, linnet) = try Self.folder()
        try Data().write(to: URL(filePath: folder.path("in.raw")))
        let script = """
            ffmpeg -v error -f lavfi -i sine=f=1000:r=48000:d=0.5 -c:a pcm_f32le tone.wav -c:a pcm_f32le -f f32le tone.raw
            \(linnet) play --backend alsa --device loudspeaker tone.wav && cmp -n 96000 tone.raw out.raw
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText) \(run.text)")
    }

    @Test("A range after the end is an error", arguments: ["wav", "m4a", "aac"])
    func rangeAfterEnd(fileExtension: String) throws {
        let (folder, linnet) = try Self.folder()
        try Data().write(to: URL(filePath: folder.path("in.raw")))
        try folder.writeSignal("in.wav", frames: 4410)
        let run = try ProgramRun.shell(
            """
            [ -e in.\(fileExtension) ] || \(linnet) encode --quiet in.wav -o in.\(fileExtension)
            \(linnet) play --backend alsa --device loudspeaker in.\(fileExtension) --range 5-6
            """, folder: folder.url)
        #expect(run.exitCode == 10, "\(run.errorText)")
        #expect(run.errorText.hasPrefix("linnet: the time range starts after the end of in.\(fileExtension) or "))
    }

    @Test("Inputs that were not played are not reported as finished")
    func missingDevice() throws {
        let (folder, linnet) = try Self.folder()
        for name in ["a.wav", "b.wav"] { try folder.writeSignal(name, frames: 4410) }
        let run = try ProgramRun.shell("\(linnet) play --backend alsa --device missing --json a.wav b.wav", folder: folder.url)
        #expect(run.exitCode == 11, "\(run.errorText)")
        let results = try run.jsonObjects()
        #expect(results.map { $0["input"] as? String } == ["a.wav"] && results.map { $0["end"] as? String } == ["failed"])
    }

    @Test("Several files are played in order, each in the requested range, and reported as JSON")
    func playSeveral() throws {
        let (folder, linnet) = try Self.folder()
        try Data().write(to: URL(filePath: folder.path("in.raw")))
        for name in ["a.wav", "b.wav"] { try folder.writeSignal(name, frames: 44_100) }
        let run = try ProgramRun.shell(
            "\(linnet) play --backend alsa --device loudspeaker --json --range 0.25-0.5 a.wav b.wav", folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        #expect(parsed.map { $0["input"] as? String } == ["a.wav", "b.wav"])
        #expect(parsed.map { $0["end"] as? String } == ["finished", "finished"])
        #expect(parsed.map { $0["seconds"] as? Double } == [0.5, 0.5])
    }

    @Test("An unknown device is an error that names the known ones")
    func missing() throws {
        let (folder, linnet) = try Self.folder()
        let run = try ProgramRun.shell("\(linnet) record --backend alsa --device nothing -o out.aac", folder: folder.url)
        #expect(run.exitCode == 11)
        #expect(run.errorText.contains("unknown device “nothing”; available devices: "))
        #expect(run.errorText.contains("microphone"))
    }

    @Test("ALSA cannot record programs; the error names systems that can", arguments: ["system", "app:firefox"])
    func programs(device: String) throws {
        let (folder, linnet) = try Self.folder()
        let run = try ProgramRun.shell("\(linnet) record --backend alsa --device \(device) -o out.aac", folder: folder.url)
        #expect(run.exitCode == 11)
        #expect(run.errorText.contains("ALSA cannot record what programs play; use PulseAudio, PipeWire or macOS"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.aac")))
    }
}
#endif
