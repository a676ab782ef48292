// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import TestSupport
import Testing

@Suite struct ContainerProbeTests {
    @Test("Identifies files by signature")
    func names() {
        func format(_ bytes: [UInt8]) -> AudioFileFormat? { ContainerProbe.format(of: bytes, isWhole: false) }
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        #expect(format(text("RIFF....WAVEfmt ")) == .wav)
        #expect(format(text("BW64....WAVEds64")) == .wav)
        #expect(format(text("RIFF....AVI LIST")) == nil)
        #expect(format(text("FORM....AIFC")) == .aiff)
        #expect(format(text("fLaC")) == .flac)
        #expect(format(text("OggS")) == .ogg)
        #expect(format(text("caff")) == .caf)
        #expect(format(text("ADIF")) == .adif)
        #expect(format([0, 0, 0, 32] + text("ftypM4A ")) == .m4a)
        #expect(format([0, 0, 0, 8] + text("wide")) == .mp4)
        #expect(format([0x1A, 0x45, 0xDF, 0xA3]) == .matroska)
        #expect(format([0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0]) == .mpegAudio)
        #expect(format([]) == nil)
        #expect(format(text("Just some words, long enough to hold something.")) == nil)
    }

    @Test("Identifies streams by syncwords, also after tags and garbage", arguments: 0..<10)
    func streams(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stream = try ADTSStream.random(frameCount: 4, seed: UInt64(seed)).bytes
        let tag = [UInt8]("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
        let garbage = (0..<500).map { _ in UInt8.random(in: 0...0x40, using: &random) }
        #expect(ContainerProbe.format(of: stream, isWhole: true) == .adts)
        #expect(ContainerProbe.format(of: tag + tag + stream, isWhole: true) == .adts)
        #expect(ContainerProbe.format(of: garbage + stream, isWhole: false) == .adts)
        #expect(try ContainerProbe.format(of: MemorySource(tag + stream)) == .adts)
        let long = [UInt8]("ID3".utf8) + [4, 0, 0, 0, 4, 0, 0] + [UInt8](repeating: 0xFF, count: 4 << 14)
        #expect(try ContainerProbe.format(of: MemorySource(long + stream)) == .adts)
        #expect(try ContainerProbe.format(of: MemorySource(long)) == nil)
        let loas = [0, 1, 2, 3].flatMap { _ in [0x56, 0xE0, 9] + [UInt8](repeating: 5, count: 9) }
        #expect(ContainerProbe.format(of: loas, isWhole: true) == .loas)
        #expect(ContainerProbe.format(of: garbage + loas, isWhole: true) == .loas)
        var packets = [UInt8](repeating: 0, count: 188 * 5)
        for index in 0..<5 { packets[index * 188] = 0x47 }
        #expect(ContainerProbe.format(of: packets, isWhole: true) == .transportStream)
    }

    @Test("Identifies a whole transport stream of two tables and one PES packet", arguments: [188, 192, 204])
    func shortTransportStream(stride: Int) {
        var packets = [UInt8](repeating: 0, count: stride * 3)
        for index in 0..<3 { packets[index * stride + (stride == 192 ? 4 : 0)] = 0x47 }
        #expect(ContainerProbe.format(of: packets, isWhole: true) == .transportStream)
        #expect(ContainerProbe.format(of: packets, isWhole: false) == nil)
    }
    @Test("Identifies a transport stream that starts inside a packet", arguments: [188, 192, 204], [1, 100, 187])
    func transportStreamInside(stride: Int, lost: Int) {
        var packets = [UInt8](repeating: 0, count: stride * 10)
        for index in 0..<10 { packets[index * stride + (stride == 192 ? 4 : 0)] = 0x47 }
        #expect(ContainerProbe.format(of: Array(packets.dropFirst(lost)), isWhole: false) == .transportStream)
        #expect(ContainerProbe.format(of: Array(packets.dropFirst(3 * stride + lost)), isWhole: true) == nil)
    }
}
