// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import TestSupport
import Testing

/// HE-AAC as xHE-AAC, with the same quantized spectra and envelopes.
extension RecodingTests {
    @Test("A recoded HE-AAC file has the same length and sound, also in parts", arguments: [1, 2], [44_100, 48_000])
    func highEfficiency(channelCount: Int, sampleRate: Int) throws {
        let folder = try TemporaryFolder()
        let input = try encode("in.m4a", in: folder, sampleRate: sampleRate, channelCount: channelCount, frameCount: 60_000) {
            ($0.settings.profile, $0.settings.rateControl) = (.highEfficiency, .average(bitRate: 32_000 * channelCount))
        }
        let output = folder.path("out.m4a")
        let summary = try recode(input, to: output)
        let (old, new) = (try decodedChannels(input), try decodedChannels(output))
        #expect(summary.gapless?.validFrames == 60_000 && new.map(\.count) == old.map(\.count) && new.count == channelCount)
        for channel in old.indices {
            #expect(signalToNoise(old[channel], new[channel]) > Self.noiseBound, "channel \(channel)")
        }
        // Starts in an access unit without a header.
        let range = Duration.seconds(Double(41_000) / Double(sampleRate))..<Duration.seconds(Double(51_000) / Double(sampleRate))
        try recode(input, to: folder.path("part.m4a"), range: range)
        let part = try decodedChannels(folder.path("part.m4a"))
        #expect(part.map(\.count) == old.map { _ in 10_000 })
        for channel in old.indices {
            #expect(signalToNoise(old[channel][41_000..<51_000], part[channel][...]) > Self.noiseBound, "channel \(channel)")
        }
        let copied = try decodedChannels(output, range: range)
        for channel in old.indices {
            #expect(signalToNoise(old[channel][41_000..<51_000], copied[channel][...]) > Self.noiseBound, "channel \(channel)")
        }
    }

    /// The ratio of signal to difference, in decibels, when only the phases of the noise differ.
    private static let noiseBound = 15.0

    @Test("HE-AAC with tools or frames without an equivalent is refused by name")
    func refusedSBR() throws {
        let folder = try TemporaryFolder()
        var stream = try RandomAACStream(sampleRate: 22_050, channelCount: 1, seed: 1, hasSBR: true)
        stream.hasParametricStereo = true
        #expect(problem(try folder.write(try stream.loas(3), to: "in.loas"), in: folder) == .tool(.parametricStereo, accessUnit: 0))
        stream = try RandomAACStream(sampleRate: 22_050, channelCount: 1, seed: 1, hasSBR: true)
        stream.unitWithoutSBR = 2
        #expect(problem(try folder.write(try stream.loas(3), to: "in.loas"), in: folder) == .tool(.missingSBR, accessUnit: 2))
    }
}
