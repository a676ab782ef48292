// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioFiles
import AudioPrimitives
import Foundation
import TestSupport
import Testing

@Suite struct AudioPresetTests {
    @Test("The four levels have LFLiveKit's values")
    func levels() {
        #expect(AudioPreset.low.sampleRate == 16_000)
        #expect(AudioPreset.low.bitRate(sampleRate: 16_000, channelCount: 1) == 32_000)
        #expect(AudioPreset.low.bitRate(sampleRate: 16_000, channelCount: 2) == 64_000)
        #expect(AudioPreset.medium.sampleRate == 44_100)
        #expect(AudioPreset.medium.bitRate(sampleRate: 44_100, channelCount: 2) == 96_000)
        #expect(AudioPreset.high.sampleRate == 44_100)
        #expect(AudioPreset.high.bitRate(sampleRate: 44_100, channelCount: 2) == 128_000)
        #expect(AudioPreset.veryHigh.sampleRate == 48_000)
        #expect(AudioPreset.veryHigh.bitRate(sampleRate: 48_000, channelCount: 2) == 128_000)
    }

    @Test("The bit rate tables match the examples")
    func tables() {
        #expect(AudioPreset.voice.bitRate(sampleRate: 44_100, channelCount: 2) == 64_000)
        #expect(AudioPreset.voice.bitRate(sampleRate: 16_000, channelCount: 1) == 32_000)
        #expect(AudioPreset.live.bitRate(sampleRate: 32_000, channelCount: 2) == 96_000)
    }

    @Test("The encoder accepts every preset at its own sample rate", arguments: AudioPreset.all)
    func accepted(preset: AudioPreset) throws {
        for channelCount in [1, 2, 6] {
            let rate = preset.sampleRate ?? 48_000
            let bitRate = preset.bitRate(sampleRate: rate, channelCount: channelCount)
            var configuration = AACEncoderConfiguration(
                sampleRate: rate, channelCount: channelCount, rateControl: bitRate.map { .average(bitRate: $0) })
            configuration.profile = preset.profile
            let encoder = try AACEncoder(configuration)
            #expect(bitRate == nil || encoder.bitRate == bitRate)
        }
    }

    /// The maximum channel count of presets that have one.
    private static let channelLimits = ["speech": 1, "music": 2, "low-latency": 2]

    @Test("A preset encodes with the sample rate and channels that its name promises", arguments: AudioPreset.all, [1, 2, 6])
    func asNamed(preset: AudioPreset, channelCount: Int) throws {
        let folder = try TemporaryFolder()
        let signal = ChordFile(sampleRate: 32_000, channelCount: channelCount, frameCount: 8000)
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: signal.sampleRate, channelCount: channelCount)
        configuration.settings.effort = .fast
        configuration.preset = preset
        let summary = try FileEncoder(
            input: try folder.write(signal.bytes, to: "a.raw"), output: folder.path("a.m4a"), configuration: configuration
        ).run()
        let limit = Self.channelLimits[preset.name] ?? channelCount
        #expect(summary.channelCount == min(channelCount, limit))
        #expect(summary.sampleRate == preset.sampleRate ?? 32_000)
        let bitRate = preset.bitRate(sampleRate: summary.sampleRate, channelCount: summary.channelCount)
        #expect(bitRate == nil || summary.targetBitRate == bitRate)
        #expect((preset.channelCount == 1) == (preset.summary.hasSuffix("mono") && !preset.summary.contains("stereo")))
        // Explicit settings override the preset.
        (configuration.channelCount, configuration.addsChannels) = (2, false)
        configuration.overwrites = true
        let stereo = try FileEncoder(input: folder.path("a.raw"), output: folder.path("a.m4a"), configuration: configuration).run()
        #expect(stereo.channelCount == min(channelCount, 2))
    }
}
