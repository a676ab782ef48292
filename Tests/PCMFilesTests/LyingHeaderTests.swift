// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct LyingHeaderTests {
    typealias Reader = PCMFileReaderTests
    static let frames = 3000
    static let samples = Reader.bytes16(frames * 2)

    @Test(
        "Placeholders and lengths that are too long end with the samples, in files and pipes",
        arguments: [0, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFDB, samples.count + 4000])
    func tooLong(declared: Int) throws {
        let bytes = WAVEBytes(declaredByteCount: declared, samples: Self.samples).bytes
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.wav")
        let fromFile = try readAll(path)
        #expect(Reader.isRight(fromFile.channels, frames: Self.frames))
        #expect(fromFile.reader.properties.frameCount == Self.frames)
        let fromPipe = try readThroughPipe(bytes)
        #expect(Reader.isRight(fromPipe.channels, frames: Self.frames))
        #expect(fromPipe.reader.properties.containerName == "WAV")
        let isPlaceholder = declared == 0 || declared >= 0x7FFF_F000
        #expect(fromPipe.reader.properties.frameCount == (isPlaceholder ? nil : declared / 4))
        let warning = PCMFileWarning.endsEarly(path: path, declaredFrames: declared / 4, foundFrames: Self.frames)
        #expect(fromFile.reader.warnings == (isPlaceholder ? [] : [warning]))
    }

    @Test("A length that is too short does not truncate the audio, and is reported")
    func tooShort() throws {
        let bytes = WAVEBytes(declaredByteCount: 4 * 100, samples: Self.samples).bytes
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.wav")
        for read in [try readAll(path), try readThroughPipe(bytes)] {
            #expect(Reader.isRight(read.channels, frames: Self.frames))
            guard case .continues(_, 100, Self.frames)? = read.reader.warnings.first else {
                Issue.record("no warning: \(read.reader.warnings)")
                continue
            }
        }
    }

    @Test("An ID3v1 tag at the end is not audio")
    func oldTag() throws {
        let folder = try TemporaryFolder()
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x78, count: 125)
        let bytes = WAVEBytes(samples: Self.samples).bytes
        for read in [try readAll(try folder.write(bytes + tag, to: "a.wav")), try readThroughPipe(bytes + tag)] {
            #expect(Reader.isRight(read.channels, frames: Self.frames))
            #expect(read.reader.warnings.isEmpty && read.channels[0].count == Self.frames)
        }
        // One byte more, and the length may be wrong.
        let longer = try readAll(try folder.write(bytes + tag + [0], to: "b.wav"))
        #expect(longer.channels[0].count > Self.frames)
    }

    @Test("Chunks around the samples are not audio", arguments: [0, 1, 2000, 3000])
    func otherChunks(frames: Int) throws {
        let list = [UInt8](repeating: 0x41, count: 31)
        // An odd number of bytes a frame, so that the padding byte comes in.
        let samples = (0..<frames * 3).map { UInt8(truncatingIfNeeded: $0 * 11) }
        let wave = WAVEBytes(
            channelCount: 1, bitsPerSample: 24, chunksBefore: [("bext", [1, 2, 3]), ("JUNK", list)],
            chunksAfter: [("LIST", list), ("id3 ", list)], samples: samples)
        let folder = try TemporaryFolder()
        for read in [try readAll(try folder.write(wave.bytes, to: "a.wav")), try readThroughPipe(wave.bytes)] {
            #expect(read.channels[0].count == frames)
            #expect(read.reader.warnings.isEmpty)
        }
    }

    @Test("No frames at all is no error")
    func empty() throws {
        let folder = try TemporaryFolder()
        let read = try readAll(try folder.write(WAVEBytes().bytes, to: "a.wav"))
        #expect(read.channels == [[], []])
        #expect(read.reader.warnings.isEmpty)
    }

    @Test("A header that breaks off anywhere is an error or an empty file, never a trap")
    func truncatedHeaders() throws {
        let bytes = WAVEBytes(channelMask: 3, chunksBefore: [("JUNK", [1, 2, 3])], samples: Self.bytes(4)).bytes
        let folder = try TemporaryFolder()
        for count in 0..<bytes.count {
            let path = try folder.write(Array(bytes[..<count]), to: "a.wav")
            if count < bytes.count - 4 {
                #expect(throws: PCMFileError.self, "\(count) bytes") { try readAll(path) }
            } else {
                #expect(try readAll(path).channels[0].isEmpty)
            }
        }
    }

    static func bytes(_ count: Int) -> [UInt8] { Array(samples.prefix(count)) }

    @Test("Impossible formats are named with their value")
    func impossibleFormats() throws {
        let folder = try TemporaryFolder()
        let expectations: [(WAVEBytes, String)] = [
            (WAVEBytes(channelCount: 0, samples: Self.samples), "channel count is 0"),
            (WAVEBytes(sampleRate: 0, samples: Self.samples), "sample rate is 0"),
            (WAVEBytes(bitsPerSample: 72, samples: Self.samples), "bytes per frame is 18"),
        ]
        for (wave, text) in expectations {
            let path = try folder.write(wave.bytes, to: "a.wav")
            let error = #expect(throws: PCMFileError.self) { try readAll(path) }
            #expect(error?.description.hasSuffix(text) == true, "\(String(describing: error))")
        }
    }

    @Test("Random damage to a header never traps", arguments: [1, 2, 3] as [UInt64])
    func randomDamage(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let good = WAVEBytes(channelMask: 3, chunksBefore: [("JUNK", [1, 2, 3])], samples: Self.bytes(400)).bytes
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<100, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try folder.write(bytes, to: "a.wav")
            _ = try? readAll(path, chunk: 64)
        }
    }
}
