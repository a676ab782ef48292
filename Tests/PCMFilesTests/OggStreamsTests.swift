// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Ogg files with several logical streams, and with a header that libFLAC cannot read.
@Suite struct OggStreamsTests {
    /// Returns a folder with the output of a shell command on three tones: `a.wav` and `b.wav` in stereo, `c.wav` in mono at 48 kHz.
    private func folder(_ command: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let tones = ["-r 44100 -c 2 -b 16 a.wav synth 1.5", "-r 44100 -c 2 -b 16 b.wav synth 1", "-r 48000 -c 1 -b 16 c.wav synth 1"]
        let sources = tones.enumerated().map { "sox -R -D -n \($1) sine \(300 + 200 * $0) vol 0.3" }.joined(separator: " && ")
        let run = try ProgramRun.shell("\(sources) && \(command)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return folder
    }

    @Test(
        "Reads and counts all links of a chain, from files and pipes",
        arguments: ["oggenc -Q -q 4", "flac --totally-silent --ogg", "oggenc -Q -s 7"])
    func chain(command: String) throws {
        let coder = "coder() { \(command) $1.wav -o $1.ogg; }"
        let folder = try folder("\(coder); coder a; coder b; cat a.ogg b.ogg a.ogg >d.ogg")
        let (first, second) = (try readAll(folder.path("a.ogg")).channels, try readAll(folder.path("b.ogg")).channels)
        let wanted = (0..<2).map { first[$0] + second[$0] + first[$0] }
        for read in [try readAll(folder.path("d.ogg")), try readThroughPipe(try bytes(ofFile: folder.path("d.ogg")))] {
            #expect(read.channels == wanted && read.reader.warnings.isEmpty, "\(read.reader.warnings)")
            #expect(read.reader.properties.frameCount == 4 * 44_100)
        }
        let reader = try PCMFileReader(path: folder.path("d.ogg"))
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 100)
        for start in [70_000, 0, 130_000, 66_150] {
            try reader.seek(toFrame: start)
            try reader.read(into: &buffer)
            #expect(signalToNoise(wanted[0][start..<start + 100], buffer.channel(0)[...]) > 60, "from \(start) on")
        }
    }

    @Test("Files without their last page are reported, and those cut inside a page are damaged", arguments: ["vorbis", "flac -f ogg"])
    func cutOff(codec: String) throws {
        let folder = try folder("ffmpeg -v error -i a.wav -strict -2 -c:a \(codec) d.ogg")
        let bytes = try bytes(ofFile: folder.path("d.ogg"))
        let last = try #require(bytes.indices.last { bytes[$0...].starts(with: "OggS".utf8) })
        #expect(try readAll(folder.path("d.ogg")).reader.warnings.isEmpty)
        for (end, isCutOff) in [(last, false), (last + 2, true), (last + 40, true)] {
            let path = try folder.write(Array(bytes[..<end]), to: "e.ogg")
            let read = try readAll(path)
            #expect(read.reader.warnings == [.unfinished(path: path, isCutOff: isCutOff)] && !read.channels[0].isEmpty)
        }
    }

    @Test("Vorbis with a damaged page is not reported as cut off")
    func damagedPage() throws {
        let folder = try folder("sox -R -D -n -r 44100 -c 2 -b 16 n.wav synth 5 whitenoise vol 0.1 && oggenc -Q n.wav -o d.ogg")
        var bytes = try bytes(ofFile: folder.path("d.ogg"))
        for index in bytes.count / 2..<bytes.count / 2 + 100 { bytes[index] = 0 }
        let path = try folder.write(bytes, to: "d.ogg")
        let read = try readAll(path)
        #expect(read.reader.warnings == [.missing(path: path, frameCount: 220_500 - read.channels[0].count)])
        #expect((100_000..<220_500).contains(read.channels[0].count))
    }

    @Test("Damage of a link is reported once, also after seeks to other links")
    func chainWarnings() throws {
        let noise = "sox -R -D -n -r 44100 -c 2 -b 16 n.wav synth 5 whitenoise vol 0.1 && oggenc -Q n.wav"
        let folder = try folder("oggenc -Q a.wav && \(noise)")
        let (first, damaged) = (try bytes(ofFile: folder.path("a.ogg")), try bytes(ofFile: folder.path("n.ogg")))
        var file = first + damaged + first
        for index in first.count + damaged.count / 2..<first.count + damaged.count / 2 + 100 { file[index] = 0 }
        let path = try folder.write(file, to: "d.ogg")
        let reader = try PCMFileReader(path: path)
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 4096)
        func readRest() throws {
            repeat { try reader.read(into: &buffer) } while buffer.frameCount > 0
        }
        try readRest()
        let warnings = reader.warnings
        #expect(warnings.count == 1 && warnings.allSatisfy(\.isDamage), "\(warnings)")
        try reader.seek(toFrame: 0)
        try readRest()
        #expect(reader.warnings == warnings)
        // The start of the damaged link.
        try reader.seek(toFrame: 66_150)
        try reader.read(into: &buffer)
        try reader.seek(toFrame: 0)
        #expect(reader.warnings == warnings)
    }

    @Test("Vorbis after a damaged or missing page is reported as early", arguments: [false, true])
    func partAfterLoss(isMissing: Bool) throws {
        let folder = try folder("sox -R -D -n -r 44100 -c 2 -b 16 n.wav synth 20 whitenoise vol 0.1 && oggenc -Q n.wav -o d.ogg")
        var bytes = try bytes(ofFile: folder.path("d.ogg"))
        let pages = bytes.indices.filter { bytes[$0...].starts(with: "OggS\0".utf8) }
        let middle = pages[pages.count / 2]..<pages[pages.count / 2 + 1]
        if isMissing { bytes.removeSubrange(middle) } else { bytes[middle.lowerBound + 400] ^= 1 }
        let path = try folder.write(bytes, to: "e.ogg")
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 1000)
        for (name, start, isEarly) in [("d.ogg", 800_000, false), ("e.ogg", 0, false), ("e.ogg", 800_000, true)] {
            let reader = try PCMFileReader(path: folder.path(name))
            try reader.seek(toFrame: start)
            try reader.read(into: &buffer)
            #expect(buffer.frameCount == 1000)
            guard isEarly else {
                #expect(reader.warnings.isEmpty, "\(name) from \(start)")
                continue
            }
            let counts = reader.warnings.compactMap { if case .missing(path, let count) = $0 { count } else { nil } }
            #expect(reader.warnings.count == 1 && counts.allSatisfy { (1000..<100_000).contains($0) } && !counts.isEmpty, "\(counts)")
        }
    }

    @Test("A link with another format is skipped and reported as damage", arguments: ["oggenc -Q", "flac --totally-silent --ogg"])
    func otherFormat(command: String) throws {
        let coder = "coder() { \(command) $1.wav -o $1.ogg; }"
        let folder = try folder("\(coder); coder a; coder b; coder c; cat a.ogg c.ogg b.ogg >d.ogg")
        let read = try readAll(folder.path("d.ogg"))
        #expect(read.channels[0].count == 2 * 55_125 && read.reader.properties.frameCount == 2 * 55_125)
        let warning = PCMFileWarning.formatChange(path: folder.path("d.ogg"), partCount: 1, sampleRate: 48_000, channelCount: 1)
        #expect(read.reader.warnings == [warning] && warning.isDamage)
    }

    @Test("Audio next to video matches a file without video", arguments: ["libvorbis", "flac"])
    func beside(codec: String) throws {
        let folder = try folder(
            """
            ffmpeg -v error -f lavfi -i testsrc=d=1.5:s=64x64 -i a.wav -c:v libtheora -c:a \(codec) d.ogg
            ffmpeg -v error -i d.ogg -vn -c copy e.ogg
            """)
        let (read, wanted) = (try readAll(folder.path("d.ogg")), try readAll(folder.path("e.ogg")))
        #expect(read.channels == wanted.channels && read.channels[0].count >= 66_000)
        #expect(read.reader.warnings.isEmpty && read.reader.properties.frameCount == wanted.reader.properties.frameCount)
    }

    @Test("Reads Ogg FLAC without a metadata block marked as the last")
    func unmarked() throws {
        let folder = try folder("flac --totally-silent --ogg a.wav -o a.ogg")
        var file = try bytes(ofFile: folder.path("a.ogg"))
        let wanted = try readAll(folder.path("a.ogg"))
        // The comments are in the second page, and are the last block.
        var pages: [Int] = []
        var position = 0
        while position + 27 < file.count {
            pages.append(position)
            let lacing = file[(position + 27)..<(position + 27 + Int(file[position + 26]))]
            position += 27 + lacing.count + lacing.reduce(0) { $0 + Int($1) }
        }
        for (page, end) in zip(pages, pages.dropFirst()) {
            let start = page + 27 + Int(file[page + 26])
            guard file[start] & 0x80 != 0, file[start] != 0xFF else { continue }
            file[start] &= 0x7F
            for index in page + 22..<page + 26 { file[index] = 0 }
            var sum: UInt32 = 0
            for byte in file[page..<end] {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
            }
            for index in 0..<4 { file[page + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
        }
        let marked = try bytes(ofFile: folder.path("a.ogg"))
        try #require(file != marked)
        for read in [try readAll(try folder.write(file, to: "b.ogg")), try readThroughPipe(file)] {
            #expect(read.channels == wanted.channels && read.reader.warnings.isEmpty, "\(read.reader.warnings)")
        }
    }

    @Test("A file without a decodable frame is damaged; one without samples is not")
    func empty() throws {
        let folder = try folder(
            "flac --totally-silent a.wav && sox a.wav e.wav trim 0 0")
        // Only STREAMINFO, as the last block, without a length.
        var file = Array(try bytes(ofFile: folder.path("a.flac")).prefix(42))
        file[4] |= 0x80
        for index in 22..<26 { file[index] = 0 }
        let path = try folder.write(file + [UInt8](repeating: 0, count: 5000), to: "b.flac")
        let read = try readAll(path)
        #expect(read.channels[0].isEmpty && read.reader.warnings == [.empty(path: path)], "\(read.reader.warnings)")
        for (name, format) in [("e.flac", AudioFileFormat.flac), ("e.oga", .oggFLAC)] {
            let output = PCMOutputFormat(format, encoding: .int16, sampleRate: 44_100, channelCount: 2)
            try PCMFileWriter(path: folder.path(name), format: output).finish()
        }
        for name in ["e.wav", "e.flac", "e.oga"] {
            let read = try readAll(folder.path(name))
            #expect(read.channels[0].isEmpty && read.reader.warnings.isEmpty, "\(name): \(read.reader.warnings)")
        }
    }

    @Test("Skips many signatures without pages, and many short pages, in one pass", .timeLimit(.minutes(1)))
    func manySignatures() throws {
        let folder = try folder("oggenc -Q a.wav")
        let file = try bytes(ofFile: folder.path("a.ogg"))
        let signatures = (0..<100_000).flatMap { _ in Array("OggS".utf8) }
        let read = try readAll(try folder.write(file + signatures, to: "b.ogg"))
        #expect(read.channels == (try readAll(folder.path("a.ogg")).channels))
        // Pages without a segment, each the first of a stream.
        let page = Array("OggS\0\u{2}".utf8) + [UInt8](repeating: 0, count: 21)
        #expect(throws: AudioFileError.self) { try PCMFileReader(bytes: (0..<10_000).flatMap { _ in page }) }
    }
}
