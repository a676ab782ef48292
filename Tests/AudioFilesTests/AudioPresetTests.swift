// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioFiles
import Testing

@Suite struct AudioPresetTests {
    @Test("The four levels have LFLiveKit's numbers")
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

    @Test("The tables by rate are those of the examples")
    func tables() {
        #expect(AudioPreset.voice.bitRate(sampleRate: 44_100, channelCount: 2) == 64_000)
        #expect(AudioPreset.voice.bitRate(sampleRate: 16_000, channelCount: 1) == 32_000)
        #expect(AudioPreset.live.bitRate(sampleRate: 32_000, channelCount: 2) == 96_000)
    }

    @Test("The encoder takes every preset at its own rate", arguments: AudioPreset.all)
    func accepted(preset: AudioPreset) throws {
        for channelCount in preset.profile == .enhancedLowDelay ? [1, 2] : [1, 2, 6] {
            let rate = preset.sampleRate ?? 48_000
            let bitRate = preset.bitRate(sampleRate: rate, channelCount: channelCount)
            var configuration = AACEncoderConfiguration(
                sampleRate: rate, channelCount: channelCount, rateControl: bitRate.map { .average(bitRate: $0) })
            configuration.profile = preset.profile
            let encoder = try AACEncoder(configuration)
            #expect(bitRate == nil || encoder.bitRate == bitRate)
        }
    }
}
