// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import TestSupport
import Testing

@testable import ILBCCodec

@Suite struct StorageTests {
    /// Returns the bytes of a file with these frames.
    private func file(_ frames: [[UInt8]?], mode: ILBCMode) throws -> [UInt8] {
        var writer = ILBCFileWriter(mode: mode)
        var bytes = writer.header
        for frame in frames { bytes += try writer.append(frame) }
        #expect(writer.frameCount == frames.count)
        return bytes
    }

    /// Returns the frames of a file whose bytes come in parts of one size.
    private func frames(of file: [UInt8], part: Int) throws -> (ILBCFileReader, [[UInt8]]) {
        var reader = ILBCFileReader()
        var frames: [[UInt8]] = []
        for start in stride(from: 0, to: file.count, by: part) {
            reader.append(file[start..<min(file.count, start + part)])
            while let frame = try reader.nextFrame() { frames.append(frame) }
        }
        return (reader, frames)
    }

    @Test("Files begin with the magic number of RFC 3952")
    func magicNumber() {
        #expect(ILBCFileWriter(mode: .milliseconds20).header == [0x23, 0x21, 0x69, 0x4C, 0x42, 0x43, 0x32, 0x30, 0x0A])
        #expect(ILBCFileWriter(mode: .milliseconds30).header == [0x23, 0x21, 0x69, 0x4C, 0x42, 0x43, 0x33, 0x30, 0x0A])
    }

    @Test("Frames are found again, however the bytes are cut", arguments: ILBCMode.allCases, [1, 2, 9, 10, 37, 38, 50, 1000])
    func roundTrip(mode: ILBCMode, part: Int) throws {
        var random = SeededRandom(seed: UInt64(part))
        let written: [[UInt8]?] = (0..<30).map { $0 % 7 == 3 ? nil : RandomFrames.bytes(mode: mode, random: &random) }
        var (reader, found) = try frames(of: file(written, mode: mode), part: part)
        try reader.finish()
        #expect(reader.mode == mode && reader.frameCount == 30)
        #expect(found == written.map { $0 ?? mode.emptyFrame })
    }

    @Test("A file may have no frame")
    func empty() throws {
        var (reader, found) = try frames(of: ILBCMode.milliseconds20.magicNumber, part: 100)
        try reader.finish()
        #expect(found.isEmpty && reader.mode == nil || reader.mode == .milliseconds20)
    }

    @Test("A file that ends inside a frame gives the frames before, then an error", arguments: ILBCMode.allCases)
    func truncated(mode: ILBCMode) throws {
        var random = SeededRandom(seed: 1)
        let whole = try file((0..<3).map { _ in RandomFrames.bytes(mode: mode, random: &random) }, mode: mode)
        for length in whole.indices {
            var (reader, found) = try frames(of: Array(whole.prefix(length)), part: 16)
            let rest = length - ILBCMode.magicNumberLength
            #expect(found.count == max(0, rest) / mode.bytesPerFrame)
            if rest < 0 {
                #expect(throws: ILBCError.missingMagicNumber) { try reader.finish() }
            } else if rest % mode.bytesPerFrame == 0 {
                try reader.finish()
            } else {
                #expect(throws: ILBCError.truncatedFrame(byteCount: rest % mode.bytesPerFrame, mode: mode)) { try reader.finish() }
            }
        }
    }

    @Test(
        "Other beginnings are refused as soon as they differ",
        arguments: ["", "#!iLBC20", "#!iLBC21\n", "#!iLBC30\r", "RIFF", "#!AMR\n", "x"])
    func otherFiles(text: String) {
        var reader = ILBCFileReader()
        reader.append(text.utf8)
        #expect(throws: ILBCError.missingMagicNumber) {
            _ = try reader.nextFrame()
            try reader.finish()
        }
        #expect(ILBCError.missingMagicNumber.description.contains("#!iLBC30"))
    }

    @Test("Damaged files give frames or an error, never more bytes than they have", arguments: 0..<50 as Range<UInt64>)
    func damaged(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bytes = try file((0..<5).map { _ in RandomFrames.bytes(mode: .milliseconds20, random: &random) }, mode: .milliseconds20)
        for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
        guard let (_, found) = try? frames(of: bytes, part: 1 + Int(seed)) else { return }
        #expect(found.count * 38 <= bytes.count, "seed \(seed)")
    }

    @Test("Frames of another mode can't be stored", arguments: ILBCMode.allCases)
    func wrongFrame(mode: ILBCMode) {
        var writer = ILBCFileWriter(mode: mode)
        let count = 88 - mode.bytesPerFrame
        #expect(throws: ILBCError.wrongFrameLength(byteCount: count, mode: mode)) { try writer.append([UInt8](repeating: 0, count: count)) }
        #expect(writer.frameCount == 0)
        #expect(ILBCError.truncatedFrame(byteCount: 3, mode: mode).description.contains("3 of the \(mode.bytesPerFrame) bytes"))
    }

    @Test("The modes know the length of their frames")
    func modes() {
        #expect(ILBCMode(bytesPerFrame: 38) == .milliseconds20 && ILBCMode(bytesPerFrame: 50) == .milliseconds30)
        #expect(ILBCMode(bytesPerFrame: 40) == nil)
        for mode in ILBCMode.allCases { #expect(mode.samplesPerFrame == mode.milliseconds * ILBCMode.sampleRate / 1000) }
    }
}
