// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import SystemFiles
import TestSupport
import Testing

@Suite struct MPEGAudioFramesTests {
    /// Returns a LAME file with a variable bit rate.
    private static func file() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let make =
            "ffmpeg -v error -f lavfi -i anoisesrc=d=20:r=44100:seed=3,volume=volume=sin(t):eval=frame -bitexact a.wav && lame --quiet -V 4 a.wav a.mp3"
        let run = try ProgramRun.shell(make.replacingOccurrences(of: "sin(t)", with: "'sin(t)'"), folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return try bytes(ofFile: folder.path("a.mp3"))
    }

    private func ranges(_ bytes: [UInt8]) throws -> [Range<Int>] {
        let input = FileInput(bytes: bytes)
        var frames = MPEGAudioFrames(input, try #require(try MPEGAudioStart(leading: input)))
        var found: [Range<Int>] = []
        while let next = try frames.frame(found.count)?.bytes {
            #expect(try Array(frames.bytes(next)) == Array(bytes[next]))
            found.append(next)
        }
        return found
    }

    @Test("Frames of a variable bit rate are contiguous from the first byte to the last")
    func whole() throws {
        let bytes = try Self.file()
        let found = try ranges(bytes)
        #expect(found.first?.lowerBound == 0 && found.last?.upperBound == bytes.count)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(Set(found.map(\.count)).count > 5 && found.count > 700)
    }

    @Test("Skips damaged bytes, a trailing tag and a truncated frame")
    func damaged() throws {
        let bytes = try Self.file()
        let found = try ranges(bytes)
        var damaged = bytes
        // The header of a frame, and the remainder of the frame.
        for index in found[300] { damaged[index] = 0x55 }
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x78, count: 125)
        #expect(try ranges(damaged + tag) == found.indices.filter { $0 != 300 }.map { found[$0] })
        #expect(try ranges(Array(bytes.dropLast(1))) == Array(found.dropLast()))
        // Random access to frames yields the same ranges.
        let input = FileInput(bytes: bytes)
        var frames = MPEGAudioFrames(input, try #require(try MPEGAudioStart(leading: input)))
        for index in [700, 3, 500, 0] { #expect(try frames.frame(index)?.bytes == found[index]) }
        #expect(try frames.frame(found.count) == nil)
    }

    @Test("Frames of parts with another format follow each other, and single frames with another format are skipped")
    func parts() throws {
        func frames(_ count: Int, _ rates: UInt8, _ mode: UInt8) -> [UInt8] {
            (0..<count).flatMap { _ in [0xFF, 0xFB, rates, mode] + [UInt8](repeating: 0, count: (rates == 0x94 ? 384 : 417) - 4) }
        }
        let (stereo, mono, other) = (frames(5, 0x90, 0x04), frames(4, 0x90, 0xC4), frames(3, 0x94, 0x04))
        let found = try ranges(stereo + other + mono + frames(1, 0x94, 0x04))
        #expect(found.map(\.count) == [417, 417, 417, 417, 417, 384, 384, 384, 417, 417, 417, 417, 384])
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(try ranges(stereo + frames(1, 0x94, 0x04) + stereo).count == 10)
        #expect(try ranges(stereo + frames(2, 0x94, 0x04) + Array("TAG".utf8) + [UInt8](repeating: 0x78, count: 125)).count == 7)
        #expect(try ranges(stereo + [0x55, 0x55] + other + Array("ID3".utf8) + stereo).count == 13)
    }
}
