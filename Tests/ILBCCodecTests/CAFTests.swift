// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

@testable import ILBCCodec

@Suite struct CAFTests {
    /// Returns the frames of a file.
    private func frames(of file: [UInt8]) throws -> (ILBCCAFReader, [[UInt8]]) {
        let reader = try ILBCCAFReader(file)
        return (reader, (0..<reader.frameCount).map { Array(file[reader.bytes(ofFrame: $0)]) })
    }

    /// Returns random frames.
    private func randomFrames(_ count: Int, mode: ILBCMode) -> [[UInt8]] {
        var random = SeededRandom(seed: UInt64(count))
        return (0..<count).map { _ in RandomFrames.bytes(mode: mode, random: &random) }
    }

    @Test("Frames, priming and remainder are read as they were written", arguments: ILBCMode.allCases, [0, 1, 20])
    func roundTrip(mode: ILBCMode, count: Int) throws {
        let written = randomFrames(count, mode: mode)
        let header = ILBCCAFWriter.header(mode: mode, frameCount: count, primingSamples: 40, remainderSamples: 7)
        let (reader, found) = try frames(of: header + written.joined())
        #expect(reader.mode == mode && found == written)
        #expect(reader.primingSamples == 40 && reader.remainderSamples == 7)
        // Without a number of frames, the data reach to the end.
        let (open, others) = try frames(of: ILBCCAFWriter.header(mode: mode, frameCount: nil) + written.joined())
        #expect(others == written && open.primingSamples == 0)
    }

    @Test("FFmpeg decodes a file to the samples of the same frames in the storage format", arguments: ILBCMode.allCases)
    func ffmpegReads(mode: ILBCMode) throws {
        let ffmpeg = try FFmpegDecoder()
        let encoded = try mode.encode(SpeechLikeSignal.mixed(16_000, seed: 2))
        let folder = try TemporaryFolder()
        for count in [encoded.count, nil] {
            let path = try folder.write(ILBCCAFWriter.header(mode: mode, frameCount: count) + encoded.joined(), to: "stream.caf")
            let run = try ProgramRun(ffmpeg.program, ["-v", "error", "-i", path, "-f", "s16le", "-"])
            let samples = stride(from: 0, to: run.output.count - 1, by: 2).map {
                Float(Int16(bitPattern: UInt16(run.output[$0]) | UInt16(run.output[$0 + 1]) << 8))
            }
            let wanted = try ffmpeg.decode(encoded, mode: mode)
            #expect(run.errorText.isEmpty && samples == wanted)
        }
    }

    @Test("A file that FFmpeg writes has the same frames", arguments: ILBCMode.allCases)
    func ffmpegWrites(mode: ILBCMode) throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let encoded = try mode.encode(SpeechLikeSignal.mixed(16_000, seed: 3))
        let folder = try TemporaryFolder()
        let source = try folder.write(mode.magicNumber + encoded.joined(), to: "stream.lbc")
        let run = try ProgramRun(ffmpeg, ["-v", "error", "-f", "ilbc", "-i", source, "-c", "copy", folder.path("copy.caf")])
        #expect(run.exitCode == 0, "\(run.errorText)")
        let (reader, found) = try frames(of: bytes(ofFile: folder.path("copy.caf")))
        #expect(reader.mode == mode && found == encoded)
    }

    @Test("A file cut anywhere gives the frames that are complete, or an error", arguments: ILBCMode.allCases)
    func truncated(mode: ILBCMode) {
        let written = randomFrames(3, mode: mode)
        let header = ILBCCAFWriter.header(mode: mode, frameCount: 3)
        let whole = header + written.joined()
        for length in 0...whole.count {
            guard let (_, found) = try? frames(of: Array(whole.prefix(length))) else {
                #expect(length < header.count)
                continue
            }
            #expect(found == Array(written.prefix((length - header.count) / mode.bytesPerFrame)))
        }
    }

    @Test("Damaged files give frames inside the file, or an error", arguments: 0..<100 as Range<UInt64>)
    func damaged(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var file = ILBCCAFWriter.header(mode: .milliseconds20, frameCount: 4) + randomFrames(4, mode: .milliseconds20).joined()
        for _ in 0..<3 { file[Int.random(in: 0..<100, using: &random)] = UInt8.random(in: 0...255, using: &random) }
        guard let reader = try? ILBCCAFReader(file) else { return }
        #expect(reader.frameBytes.upperBound <= file.count && reader.frameCount <= 4, "seed \(seed)")
        #expect(reader.primingSamples >= 0 && reader.remainderSamples >= 0, "seed \(seed)")
    }

    @Test("Each fault of a file has its error")
    func faults() {
        let header = ILBCCAFWriter.header(mode: .milliseconds20, frameCount: nil)
        var other = header
        other[28] = UInt8(ascii: "a")
        var packets = header
        packets[39] = 51
        var long = header
        long[13] = 1
        let cases: [([UInt8], ILBCCAFFault)] = [
            ([], .notCAF), (Array("RIFFxxxx".utf8), .notCAF), (long, .truncatedChunk), (Array(header.prefix(8)), .missingDescription),
            (other, .otherCodec), (packets, .otherPackets), (Array(header.prefix(52)), .missingData),
        ]
        for (file, fault) in cases { #expect(throws: ILBCError.invalidCoreAudioFile(fault)) { try ILBCCAFReader(file) } }
        #expect(ILBCError.invalidCoreAudioFile(.otherCodec).description.contains("not ilbc"))
    }
}
