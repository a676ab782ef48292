// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Recognition of MPEG audio, whose headers resemble quiet noise and machine code.
@Suite struct MPEGAudioRecognitionTests {
    /// Returns an AIFF file with 8000 frames of noise that fades in from a floor, in decibels.
    private static func fadingIn(
        bits: Int, floor: Double, sampleRate: Int, channelCount: Int, _ random: inout SeededRandom
    ) -> (file: [UInt8], samples: [UInt8]) {
        let frameCount = 8000
        let samples = (0..<frameCount).flatMap { frame in
            let level = exp2(floor / 6.0206 * (1 - Double(frame) / Double(frameCount))) * Double(1 << (bits - 1) - 1)
            return (0..<channelCount).flatMap { _ in
                let value = Int((Double.random(in: -1...1, using: &random) * level).rounded())
                return (0..<bits / 8).map { UInt8(truncatingIfNeeded: value >> (bits - 8 - 8 * $0)) }
            }
        }
        /// Returns a big-endian number.
        func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
            (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - $0))) }
        }
        // The sample rate is an 80-bit floating-point number.
        let exponent = Int(log2(Double(sampleRate)))
        let rate = number(16_383 + exponent, 2) + number(sampleRate << (31 - exponent), 4) + number(0, 4)
        let common = number(channelCount, 2) + number(frameCount, 4) + number(bits, 2) + rate
        let chunks =
            Array("COMM".utf8) + number(common.count, 4) + common + Array("SSND".utf8) + number(samples.count + 8, 4) + number(0, 8)
            + samples
        return (Array("FORM".utf8) + number(chunks.count + 4, 4) + Array("AIFF".utf8) + chunks, samples)
    }

    @Test(
        "Quiet AIFF is read exactly, even if its bytes resemble MPEG audio headers",
        arguments: selectedCases([16, 24], [-90.0, -80, -70, -60]))
    func quiet(bits: Int, floor: Double) throws {
        let folder = try TemporaryFolder()
        for sampleRate in [8000, 44_100, 48_000] {
            for channelCount in [1, 2] {
                for seed in 1...6 as ClosedRange<UInt64> {
                    var random = SeededRandom(seed: seed)
                    let (file, samples) = Self.fadingIn(
                        bits: bits, floor: floor, sampleRate: sampleRate, channelCount: channelCount, &random)
                    let reader = try PCMFileReader(path: try folder.write(file, to: "a.aiff"))
                    let format = "seed \(seed), \(sampleRate) Hz, \(channelCount) channels"
                    #expect(reader.properties.containerName == "AIFF", "\(format)")
                    var bytes: [UInt8] = []
                    try reader.read(sampleRate, into: &bytes)
                    // Read as little-endian.
                    let width = bits / 8
                    let isSame =
                        bytes.count == samples.count
                        && bytes.indices.allSatisfy { bytes[$0] == samples[$0 / width * width + width - 1 - $0 % width] }
                    #expect(isSame, "\(format)")
                }
            }
        }
    }

    @Test(
        "Quiet noise in other formats is read exactly",
        arguments: ["au", "w64", "ircam", "8svx", "aifc", "caf", "nist"])
    func quietFormats(format: String) throws {
        let folder = try TemporaryFolder()
        let depth = format == "8svx" ? "-b 8 a.8svx" : "-b 16 a.\(format)"
        for seed in 1...5 {
            let source = "sox -R -D -n -r 44100 -c \(format == "8svx" ? 1 : 2) -b 16 a.wav synth 1 whitenoise vol -\(50 + 8 * seed)dB"
            let run = try ProgramRun.shell(
                "\(source) && sox -D a.wav \(depth) && sox -D a.\(format) -b 16 -e signed -t raw a.pcm", folder: folder.url)
            try #require(run.exitCode == 0, "\(run.errorText)")
            let channelCount = format == "8svx" ? 1 : 2
            let read = try readAll(folder.path("a.\(format)"))
            let wanted = try readAll(folder.path("a.pcm"), raw: AudioFormat(.int16, sampleRate: 44_100, channelCount: channelCount))
            #expect(read.reader.properties.containerName != "MPEG audio" && read.channels == wanted.channels, "\(seed)")
        }
    }

    @Test("Programs and shared libraries contain no audio")
    func programs() throws {
        let folders = ["/usr/bin", "/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
        let paths = folders.flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.map { "\(folder)/\($0)" } ?? []
        }
        let programs = paths.sorted().filter { path in
            guard let file = FileHandle(forReadingAtPath: path) else { return false }
            defer { try? file.close() }
            return (try? file.read(upToCount: 4)) == Data([0x7F, 0x45, 0x4C, 0x46])
        }
        try #require(!programs.isEmpty)
        for path in programs.prefix(450) {
            let error = #expect(throws: AudioFileError.self, "\(path)") { try PCMFileReader(path: path) }
            if case .unrecognizedFormat? = error?.pcmFault { continue }
            Issue.record("\(path): \(String(describing: error))")
        }
    }

    @Test("MP4 and 3GP without audio tracks have no audio", arguments: ["mp4", "3gp"])
    func films(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(
            "ffmpeg -v error -f lavfi -i testsrc=d=2:size=176x144:rate=25 -c:v mpeg4 -b:v 2M a.\(name)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        var file = try bytes(ofFile: folder.path("a.\(name)"))
        // Frames that could occur in a video: layer 2, 384 bytes each.
        for frame in 0..<8 { file.replaceSubrange(2000 + 384 * frame..<2004 + 384 * frame, with: [0xFF, 0xFD, 0x84, 0x00]) }
        let path = try folder.write(file, to: "b.\(name)")
        for path in [folder.path("a.\(name)"), path] { #expect(throws: AudioFileError.self) { try PCMFileReader(path: path) } }
    }

    @Test("MP3 after junk is read completely, and the junk is reported", arguments: [5000, 100_000, 200_000, 900_000])
    func junk(count: Int) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(
            "sox -R -n -r 44100 -c 2 a.wav synth 1 sine 440 vol 0.5 && lame --quiet -b 128 a.wav a.mp3", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let audio = try bytes(ofFile: folder.path("a.mp3"))
        let wanted = try readAll(folder.path("a.mp3")).channels
        var random = SeededRandom(seed: UInt64(count))
        let junk = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let path = try folder.write(junk + audio, to: "b.mp3")
        for read in [try readAll(path), try readThroughPipe(junk + audio)] {
            #expect(read.channels == wanted && read.reader.warnings.count == 1)
            guard case .skipped(_, count)? = read.reader.warnings.first else {
                Issue.record("\(read.reader.warnings)")
                continue
            }
        }
        // Zeros are padding.
        let padded = try readAll(try folder.write([UInt8](repeating: 0, count: count) + audio, to: "c.mp3"))
        #expect(padded.channels == wanted && padded.reader.warnings.isEmpty)
        #expect(throws: AudioFileError.self) { try PCMFileReader(path: try folder.write(junk, to: "d.mp3")) }
    }

    @Test("MPEG audio in WAV is read without the following chunks", arguments: ["libmp3lame", "mp2"])
    func inWAV(codec: String) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(
            "ffmpeg -v error -f lavfi -i sine=d=1:sample_rate=44100 -c:a \(codec) -metadata title=T a.wav", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let read = try readAll(folder.path("a.wav"))
        #expect(read.channels[0].count >= 44_100 && read.reader.warnings.isEmpty, "\(read.reader.warnings)")
        #expect(read.reader.properties.containerName == "MPEG audio")
    }
}
