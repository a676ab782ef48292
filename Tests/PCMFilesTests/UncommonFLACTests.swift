// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// FLAC that starts late or changes its format, built from the frames of ordinary files.
@Suite struct UncommonFLACTests {
    /// Returns a file of a 16-bit stereo signal at 44.1 kHz, and the frames of a one-second signal that `sox` generates with `options`.
    private func files(_ options: String) throws -> (metadata: [UInt8], frames: [UInt8], others: [UInt8], folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(
            """
            sox -R -D -n -r 44100 -c 2 -b 16 a.wav synth 1 sine 440 sine 660 vol 0.4 && sox -D a.wav \(options) && flac --totally-silent --channel-map=none a.wav b.wav
            """, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let (first, second) = (try bytes(ofFile: folder.path("a.flac")), try bytes(ofFile: folder.path("b.flac")))
        let start = Self.frameStart(first)
        return (Array(first[..<start]), Array(first[start...]), Array(second[Self.frameStart(second)...]), folder)
    }

    private static func frameStart(_ file: [UInt8]) -> Int {
        var offset = 4
        while true {
            let isLast = file[offset] & 0x80 != 0
            offset += 4 + (Int(file[offset + 1]) << 16 | Int(file[offset + 2]) << 8 | Int(file[offset + 3]))
            if isLast { return offset }
        }
    }

    /// Returns metadata without the length of the stream.
    private static func withoutLength(_ metadata: [UInt8]) -> [UInt8] {
        var result = metadata
        result[21] &= 0xF0
        for index in 22..<26 { result[index] = 0 }
        return result
    }

    @Test(
        "Reads FLAC that starts after junk, at a frame, or both", arguments: [(5000, true), (0, false), (5000, false), (900_000, true)])
    func late(junk: Int, hasMetadata: Bool) throws {
        let (metadata, frames, _, folder) = try files("-b 16 b.wav")
        let wanted = try readAll(folder.path("a.wav")).channels
        var random = SeededRandom(seed: 5)
        let file = (0..<junk).map { _ in UInt8.random(in: 0...255, using: &random) } + (hasMetadata ? metadata : []) + frames
        let path = try folder.write(file, to: "c.flac")
        for read in [try readAll(path), try readThroughPipe(file)] {
            #expect(read.channels == wanted && read.reader.properties.containerName == "FLAC")
            #expect(read.reader.warnings.count == (junk > 0 ? 1 : 0) && !read.reader.warnings.contains { $0.isDamage })
        }
    }

    @Test("A change to fewer bits or to one channel keeps all samples")
    func readableChange() throws {
        for (options, bits) in [("-b 8 b.wav", 8), ("-c 1 b.wav", 16)] {
            let (metadata, frames, others, folder) = try files(options)
            let wanted = (try readAll(folder.path("a.wav")).channels, try readAll(folder.path("b.wav")).channels)
            let read = try readAll(try folder.write(Self.withoutLength(metadata) + frames + others, to: "c.flac"))
            #expect(
                read.channels[0] == wanted.0[0] + wanted.1[0] && read.channels[1] == wanted.0[1] + (wanted.1.last ?? []), "\(bits) bits")
            #expect(read.reader.warnings.isEmpty)
        }
    }

    @Test("Two channels in a mono stream are mixed")
    func mixed() throws {
        let (_, frames, others, folder) = try files("-c 1 b.wav")
        let mono = try bytes(ofFile: folder.path("b.flac"))
        let metadata = Self.withoutLength(Array(mono[..<Self.frameStart(mono)]))
        let wanted = (try readAll(folder.path("b.wav")).channels[0], try readAll(folder.path("a.wav")).channels)
        let read = try readAll(try folder.write(metadata + others + frames, to: "c.flac"))
        let mix = zip(wanted.1[0], wanted.1[1]).map { ($0 + $1) / 2 }
        #expect(read.channels[0].count == 88_200 && read.channels[0][..<44_100].elementsEqual(wanted.0))
        #expect(zip(read.channels[0][44_100...], mix).allSatisfy { abs($0 - $1) < 1.0 / 32_768 })
    }

    @Test("An unsupported format change is silent and reported as damage", arguments: ["-b 24 b.wav", "-r 22050 b.wav", "-c 3 b.wav"])
    func otherChange(options: String) throws {
        let (metadata, frames, others, folder) = try files(options)
        let wanted = try readAll(folder.path("a.wav")).channels
        let count = try readAll(folder.path("b.wav")).channels[0].count
        let path = try folder.write(Self.withoutLength(metadata) + frames + others + frames, to: "c.flac")
        let read = try readAll(path)
        let silence = [Float](repeating: 0, count: count)
        #expect((0..<2).allSatisfy { read.channels[$0] == wanted[$0] + silence + wanted[$0] })
        guard case .silenced(path, let loss, 44_100)? = read.reader.warnings.first else {
            Issue.record("\(read.reader.warnings)")
            return
        }
        #expect(loss.frameCount == count && loss.firstFrame == 44_100)
    }
}
