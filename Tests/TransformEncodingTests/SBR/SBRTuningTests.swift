// SPDX-License-Identifier: Apache-2.0

import Testing
import TransformEncoding

/// Tests of SBR parameters that depend on the bit rate.
struct SBRTuningTests {
    @Test("The high band ends at half the sample rate up to 32 kHz, otherwise at most at 20 kHz", arguments: [1, 2])
    func highBandEnd(channelCount: Int) throws {
        for sampleRate in [16_000, 22_050, 24_000, 32_000] {
            let tuning = try #require(
                SBRTuning(bitRate: 32_000 * channelCount, sampleRate: sampleRate, channelCount: channelCount, coreFrameLength: 1024))
            #expect(tuning.top == sampleRate / 2)
        }
        for sampleRate in [44_100, 48_000] {
            let tuning = try #require(
                SBRTuning(bitRate: 48_000 * channelCount, sampleRate: sampleRate, channelCount: channelCount, coreFrameLength: 1024))
            #expect(17_500...20_250 ~= tuning.top)
        }
    }

    @Test("A raised crossover is higher at low rates and leaves the end of the high band", arguments: [44_100, 48_000])
    func raisedCrossover(sampleRate: Int) throws {
        for bitRate in stride(from: 20_000, through: 96_000, by: 4_000) {
            let (usual, raised) = try (
                #require(SBRTuning(bitRate: bitRate, sampleRate: sampleRate, channelCount: 2, coreFrameLength: 1024)),
                #require(SBRTuning(bitRate: bitRate, sampleRate: sampleRate, channelCount: 2, coreFrameLength: 1024, raisesCrossover: true))
            )
            #expect(bitRate <= 44_000 ? raised.crossover > usual.crossover : raised.crossover >= usual.crossover, "\(bitRate)")
            #expect(abs(raised.top - usual.top) < 2_000 && raised.crossover < 11_000, "\(bitRate)")
        }
    }

    @Test("Only couplable pairs in 960-sample frames have fewer bands in short envelopes")
    func resolutionOfShortEnvelopes() throws {
        for (bitRate, channelCount, frameLength, count) in [
            (24_000, 2, 960, 20), (24_000, 2, 1024, 12), (48_000, 2, 960, 12), (16_000, 1, 960, 12),
        ] {
            let tuning = try #require(
                SBRTuning(bitRate: bitRate, sampleRate: 48_000, channelCount: channelCount, coreFrameLength: frameLength))
            #expect(tuning.minimumHighResolutionWidth == count, "\(bitRate), \(channelCount), \(frameLength)")
        }
    }
}
