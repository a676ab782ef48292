// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Damaged and truncated FLAC files, native and in Ogg.
@Suite struct DamagedFLACTests {
    /// The number of sample frames per FLAC frame in these files.
    private static let blockSize = 4096

    /// Returns a folder with three seconds of noise as `a.flac`, and `a.oga` with the same frames.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(
            """
            ffmpeg -v error -f lavfi -i anoisesrc=d=3:r=44100:seed=5:a=0.3,aformat=channel_layouts=stereo -bitexact a.wav
            flac -s --blocksize=4096 a.wav -o a.flac && ffmpeg -v error -i a.flac -c copy -page_duration 1 a.oga
            """, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return folder
    }

    /// Checks that a file matches another one except for silence in whole blocks.
    ///
    /// Returns the number of silent sample frames.
    private func silentCount(_ found: [Float], like wanted: [Float]) -> Int {
        #expect(found.count == wanted.count)
        let different = zip(wanted, found).count { $0 != $1 }
        #expect(zip(wanted, found).allSatisfy { $0 == $1 || $1 == 0 })
        return different
    }

    @Test("One wrong byte silences one frame; all others keep their timing, wherever reading starts")
    func wrongByte() throws {
        let folder = try folder()
        let wanted = try readAll(folder.path("a.wav")).channels
        var file = try bytes(ofFile: folder.path("a.flac"))
        file[file.count / 2] ^= 0x5A
        let path = try folder.write(file, to: "b.flac")
        let read = try readAll(path)
        let silent = silentCount(read.channels[0], like: wanted[0])
        #expect(silent > 0 && silent <= Self.blockSize)
        guard case .silenced(path, let loss, 44_100)? = read.reader.warnings.first else {
            Issue.record("\(read.reader.warnings)")
            return
        }
        #expect(read.reader.warnings.count == 1 && loss.partCount == 1 && loss.frameCount == Self.blockSize)
        #expect(loss.firstFrame % Self.blockSize == 0)
        let reader = try PCMFileReader(path: path)
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 1000)
        for start in [loss.firstFrame - 10, loss.firstFrame, loss.firstFrame + 100, loss.firstFrame + loss.frameCount, 0, 100_000] {
            try reader.seek(toFrame: start)
            try reader.read(into: &buffer)
            #expect(buffer.channel(0) == Array(read.channels[0][start..<start + 1000]), "from \(start) on")
        }
    }

    @Test("One wrong byte in Ogg silences one page; all other frames keep their timing")
    func wrongPage() throws {
        let folder = try folder()
        let wanted = try readAll(folder.path("a.wav")).channels
        var file = try bytes(ofFile: folder.path("a.oga"))
        file[file.count / 2] ^= 0x5A
        let read = try readAll(try folder.write(file, to: "b.oga"))
        let silent = silentCount(read.channels[0], like: wanted[0])
        #expect(silent > 0 && silent <= 16 * Self.blockSize)
        #expect(read.reader.warnings.count == 1 && read.reader.warnings.first?.isDamage == true)
    }

    @Test("Thousands of wrong bytes silence only the frames that contain them", arguments: [1, 2, 3] as [UInt64])
    func wrongBytes(seed: UInt64) throws {
        let folder = try folder()
        let wanted = try readAll(folder.path("a.wav")).channels
        var random = SeededRandom(seed: seed)
        var file = try bytes(ofFile: folder.path("a.flac"))
        let count = 30_000
        let start = Int.random(in: 10_000..<file.count - count - 20_000, using: &random)
        for index in start..<start + count { file[index] = UInt8.random(in: 0...255, using: &random) }
        let read = try readAll(try folder.write(file, to: "b.flac"))
        let mean = file.count * Self.blockSize / wanted[0].count
        #expect(silentCount(read.channels[0], like: wanted[0]) <= (count / mean + 2) * Self.blockSize, "seed \(seed)")
    }

    @Test("A truncated file has the length of its available frames", arguments: [0.1, 0.4, 0.401, 0.95])
    func cut(share: Double) throws {
        let folder = try folder()
        let wanted = try readAll(folder.path("a.wav")).channels
        let file = try bytes(ofFile: folder.path("a.flac"))
        let path = try folder.write(file.prefix(Int(Double(file.count) * share)).map { $0 }, to: "b.flac")
        let read = try readAll(path)
        let count = read.channels[0].count
        #expect(count > 0 && count % Self.blockSize == 0 && read.channels[0].elementsEqual(wanted[0].prefix(count)))
        #expect(read.reader.properties.frameCount == count)
        #expect(read.reader.warnings == [.endsEarly(path: path, declaredFrames: 132_300, foundFrames: count)])
        #expect(read.reader.warnings.first?.isDamage == true)
    }

    @Test("Bytes after the last frame, such as an old tag, are not damage")
    func trailingTag() throws {
        let folder = try folder()
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let read = try readAll(try folder.write(try bytes(ofFile: folder.path("a.flac")) + tag, to: "b.flac"))
        #expect(read.channels[0].count == 132_300 && read.reader.warnings.isEmpty)
    }

    @Test("Ogg FLAC matches native FLAC; 8, 12, 20 and 24 bits are kept")
    func exact() throws {
        let folder = try folder()
        let wanted = try readAll(folder.path("a.wav")).channels
        let ogg = try readAll(folder.path("a.oga"))
        #expect(ogg.channels == wanted && ogg.reader.properties.containerName == "Ogg FLAC")
        for (bits, encoding) in [(8, SampleEncoding.signed8), (24, .int24)] {
            let run = try ProgramRun.shell("sox a.wav -b \(bits) -D c.wav && flac -sf c.wav -o c.flac", folder: folder.url)
            try #require(run.exitCode == 0, "\(run.errorText)")
            let read = try readAll(folder.path("c.flac"))
            #expect(read.reader.encoding == encoding)
            #expect(try read.channels == readAll(folder.path("c.wav")).channels)
        }
    }

    @Test("Positions frames by their numbers and ignores impossible numbers")
    func timeline() {
        var timeline = FLACTimeline(declaredCount: 100_000)
        #expect(timeline.place(start: 0, count: 4096, isDamaged: false, byteCount: 8000) == 0)
        // A damaged frame and a missing one.
        #expect(timeline.place(start: 4096, count: 4096, isDamaged: true, byteCount: 16_000) == nil)
        #expect(timeline.place(start: 12_288, count: 4096, isDamaged: false, byteCount: 24_000) == 8192)
        // A frame after the end, then a stream that was appended and restarts.
        #expect(timeline.place(start: 99_000, count: 4096, isDamaged: false, byteCount: 32_000) == nil)
        #expect(timeline.place(start: 0, count: 4096, isDamaged: false, byteCount: 40_000) == 0)
        #expect(timeline.position == 20_480)
        #expect(timeline.loss.parts == [4096..<12_288])
        #expect(timeline.loss.frameCount == 8192 && timeline.loss.partCount == 1 && timeline.loss.firstFrame == 4096)
        // A damaged frame at the end has its length.
        #expect(timeline.place(start: 4096, count: 1000, isDamaged: true, byteCount: 48_000) == nil)
        #expect(timeline.finish() == 1000 && timeline.finish() == 0 && timeline.position == 21_480)
        // Without a length: a stream appended in the middle, and a number that is impossible with so few bytes.
        var live = FLACTimeline(declaredCount: nil)
        #expect(live.place(start: 1_000_000, count: 4096, isDamaged: false, byteCount: 8000) == 0)
        #expect(live.place(start: 1 << 35, count: 4096, isDamaged: false, byteCount: 16_000) == nil)
        #expect(live.place(start: 1_008_192, count: 4096, isDamaged: false, byteCount: 24_000) == 4096)
    }
}
