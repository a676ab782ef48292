// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Encoded files that ``FileConverter`` decodes to PCM, as `decode` does.
@Suite struct DecodingConverterTests {
    /// Encodes half a second of six or two channels.
    ///
    /// Returns the path.
    private func coded(
        _ name: String, channelCount: Int, _ folder: TemporaryFolder, gain: AudioTags.ReplayGain? = nil
    ) throws -> String {
        let chord = ChordFile(sampleRate: 48_000, channelCount: channelCount, frameCount: 24_000)
        var configuration = chord.configuration
        configuration.tags.replayGain = gain
        let input = try folder.write(chord.bytes, to: "in.pcm")
        try FileConverter(input: input, output: folder.path(name), configuration: configuration).run()
        return folder.path(name)
    }

    @Test("Samples match the decoder's, including downmix, delay and range", arguments: ["in.m4a", "in.aac"])
    func samples(name: String) throws {
        let folder = try TemporaryFolder()
        let input = try coded(name, channelCount: 6, folder)
        var configuration = FileConverterConfiguration()
        configuration.encoding = .float32
        configuration.overwrites = true
        for change in 0..<4 {
            configuration.decoding = FileDecoderConfiguration()
            if change == 1 { configuration.decoding.decoder.downmix = .stereo }
            if change == 2 { configuration.decoding.keepsDelay = true }
            if change == 3 { configuration.decoding.range = .milliseconds(100)..<(.milliseconds(250)) }
            configuration.range = configuration.decoding.range
            let summary = try FileConverter(decoding: input, output: folder.path("out.wav"), configuration: configuration).run()
            let decoder = try FileDecoder(path: input, configuration: configuration.decoding)
            var expected: [[Float]] = []
            while let buffer = try decoder.next() {
                if expected.isEmpty { expected = [[Float]](repeating: [], count: buffer.channelCount) }
                for channel in expected.indices { expected[channel] += buffer.channel(channel) }
            }
            let found = try PCMBuffer(contentsOf: folder.path("out.wav"))
            #expect((0..<found.channelCount).map { found.channel($0) } == expected, "\(change)")
            #expect(summary.frameCount == found.frameCount && summary.decoding == decoder.statistics)
            #expect(change != 3 || found.frameCount == 7200)
        }
    }

    @Test("Normalizes by loudness metadata and drops its tags; a file without metadata throws")
    func loudness() throws {
        let folder = try TemporaryFolder()
        var configuration = FileConverterConfiguration()
        configuration.encoding = .float32
        let plain = try coded("plain.m4a", channelCount: 2, folder)
        configuration.decoding.loudness = -20
        let error = #expect(throws: AudioFileError.self) {
            try FileConverter(decoding: plain, output: folder.path("none.wav"), configuration: configuration).run()
        }
        #expect(error?.code == .noStatedLoudness && !FileManager.default.fileExists(atPath: folder.path("none.wav")))
        let stated = try coded("stated.m4a", channelCount: 2, folder, gain: AudioTags.ReplayGain(gain: -3, peak: nil))
        var levels: [Float] = []
        for (name, loudness) in [("out.wav", nil), ("out.flac", -20)] as [(String, Double?)] {
            configuration.encoding = name == "out.wav" ? .float32 : .int24
            configuration.decoding.loudness = loudness
            try FileConverter(decoding: stated, output: folder.path(name), configuration: configuration).run()
            levels.append(try PCMBuffer(contentsOf: folder.path(name)).channel(0).map(abs).max() ?? 0)
        }
        // -3 dB relative to -18 LUFS is -15 LUFS. -20 LUFS is 5 dB below that.
        #expect(abs(levels[1] / levels[0] - 0.562_34) < 0.001)
        #expect(try PCMFileReader(path: folder.path("out.flac")).properties.tags.replayGain == nil)
    }
}
