// SPDX-License-Identifier: Apache-2.0

import Foundation
import Linnet
import Synchronization
import TestSupport
import Testing

/// Runs the programs that the documentation quotes, if they need no device.
@Suite struct SnippetTests {
    private let folder: TemporaryFolder
    private let input: String

    /// Writes one second of a tone to a WAV file.
    init() throws {
        folder = try TemporaryFolder()
        input = try folder.write(Self.waveFile(), to: "input.wav")
    }

    /// Returns a WAV file with one second of a stereo tone at 48 kHz.
    private static func waveFile() -> [UInt8] {
        let samples = (0..<48_000).flatMap { frame in
            let value = Int16(truncatingIfNeeded: (frame % 109) * 300 - 16_000)
            return [value, value]
        }
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) } }
        let format =
            bytes(UInt16(1)) + bytes(UInt16(2)) + bytes(UInt32(48_000)) + bytes(UInt32(192_000)) + bytes(UInt16(4)) + bytes(UInt16(16))
        let byteCount = UInt32(samples.count * 2)
        return [UInt8]("RIFF".utf8) + bytes(36 + byteCount) + [UInt8]("WAVEfmt ".utf8) + bytes(UInt32(16)) + format
            + [UInt8]("data".utf8) + bytes(byteCount) + samples.flatMap { bytes($0) }
    }

    @Test func `Encodes, probes, decodes, trims and remuxes a file`() async throws {
        let output = folder.path("output.m4a")
        try await encodeFile(input, output)
        #expect(try decodeFile(output) == 48_000)
        #expect(try decodeRange(output) == 24_000)
        #expect(try probeFile(output) == 49)
        let stream = folder.path("output.aac")
        try await encodeFileWithSettings(input, stream)
        try await remuxFile(stream, folder.path("remuxed.m4a"))
        #expect(try decodeFile(folder.path("remuxed.m4a")) > 48_000)
        let picture = folder.path("front.png")
        try Data([0x89, 0x50, 0x4E, 0x47]).write(to: URL(fileURLWithPath: picture))
        try await changeTags(output, folder.path("tagged.m4a"), picture: picture)
        #expect(try AudioTags(contentsOf: folder.path("tagged.m4a"))[.artist].count == 2)
        #expect(try await convertFile(output, folder.path("output.flac")) == 44_100)
    }

    @Test func `Reads, encodes and decodes samples in memory`() throws {
        let again = try encodeSamples(input)
        #expect(again.frameCount == 48_000)
        #expect(try readSpeech(input).count == 16_000)
        #expect(makeBuffer() == 0.25)
        #expect(try encodeAndDecodeUnits(again) == 48_000)
    }

    @Test func `Creates a report and encodes at podcast loudness`() async throws {
        let output = folder.path("loud.m4a")
        let loudness = try #require(try await encodeWithLoudness(input, output))
        #expect(abs(loudness - -16) < 0.1)
        #expect(abs(try #require(try await measureLoudness(output)) - -16) < 0.2)
        #expect(try await makeReport(output, reference: input).contains("Noise to mask"))
    }

    @Test func `Encodes an archive; the second run finds it complete`() async throws {
        #expect(try await encodeArchive(folder.url.path, folder.path("archive")).doneCount == 1)
        #expect(try decodeFile(folder.path("archive/input.wav.m4a")) == 48_000)
    }

    @Test func `Records a custom source`() async throws {
        let output = folder.path("recorded.m4a")
        try await recordSquareWave(output)
        #expect(try decodeFile(output) == 48_000)
    }

    @Test func `Passes speech to a closure beside the recorded file`() async throws {
        let output = folder.path("talk.m4a")
        var (samples, times) = ([Float](), [Double]())
        try await recordWithTranscript(.program(SquareWave()), output) {
            samples += $0
            times.append($1)
        }
        #expect(try decodeFile(output) == 48_000 && samples.count == 32 * 512 && times.last == 31 * 0.032)
    }

    @Test func `Writes buffers as HTTP Live Streaming, as fast as they arrive`() async throws {
        let count = Mutex(0)
        try await streamToFolder(folder.path("live")) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number <= 240 ? PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 24_000, frameCount: 24_000) : nil
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("live"))
        #expect(Set(names).isSuperset(of: ["master.m3u8", "audio.m3u8", "audio-19.m4s"]), "\(names)")
        let playlist = try String(contentsOfFile: folder.path("live/audio.m3u8"), encoding: .utf8)
        #expect(!playlist.contains("DISCONTINUITY\n"), "\(playlist)")
    }

    @Test func `Sends access units to a custom destination`() async throws {
        let path = folder.path("payloads")
        try Data().write(to: URL(filePath: path))
        let sink = StreamingSink(PayloadDestination(try FileHandle(forWritingTo: URL(filePath: path))))
        let recorder = Recorder(source: .program(SquareWave()), sinks: [.accessUnits(to: sink)])
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(try Data(contentsOf: URL(filePath: path)).count == summary.byteCount && sink.status == .finished)
    }

    @Test func `Encodes buffers to an ADTS stream and decodes it`() throws {
        let buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 10_000, frameCount: 10_000)
        let stream = try encodeBuffers([buffer, buffer])
        #expect(try decodeStream(stream) >= 20_000)
        var frameCount = 0
        let pieces = stride(from: 0, to: stream.count, by: 77).map { Array(stream[$0..<min(stream.count, $0 + 77)]) }
        try decodeChunks(pieces) { frameCount += $0.frameCount }
        #expect(frameCount >= 19_000)
    }

    @Test func `Converts audio, pulls packets and decodes them`() throws {
        let samples = [UInt8](repeating: 0, count: 4 * 44_100)
        #expect(try convertSamples([UInt8](repeating: 0, count: 6 * 96_000)).count == 2 * 44_100)
        var source = SampleSource(samples)
        let packets = try pullPackets(from: &source)
        #expect(packets.count == 49)
        let configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2)
        let encoder = try AudioEncoderConfiguration.aac(configuration).makeEncoder()
        let gapless = GaplessInfo(primingFrames: encoder.primingFrames, validFrames: 48_000, remainderFrames: 0)
        #expect(try decodePackets(packets, encoder.codecConfiguration, gapless).count == 2 * 16_000)
    }

    @Test func `Chooses an encoder`() throws {
        let choice = try chooseEncoder()
        #expect(choice.maker == .linnet && choice.bitRate == 48_000)
    }
}
