// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Foundation
import TestSupport
import Testing

@Suite struct EchoCancellerTests {
    @Test(
        "Attenuates the echo by 30 dB after two seconds and keeps the near-end level within 3 dB", arguments: 1...4 as ClosedRange<UInt64>)
    func simulation(seed: UInt64) throws {
        let room = EchoSimulation(seed: seed)
        let canceller = try EchoCanceller(
            EchoCancellationOptions(), sampleRate: EchoSimulation.rate, channelCount: 1, referenceChannelCount: 1)
        var output: [Float] = []
        for start in stride(from: 0, to: room.far.count - canceller.blockFrames + 1, by: canceller.blockFrames) {
            let range = start..<start + canceller.blockFrames
            var block = range.map { room.echo[$0] + room.near[$0] }
            try canceller.process(&block, reference: Array(room.far[range]))
            output += block
        }
        let early = room.enhancement(output, from: 2, to: 5)
        let settled = room.enhancement(output, from: 5, to: 13)
        let after = room.enhancement(output, from: 20, to: 22)
        let near = room.nearEnd(output)
        print("echo return loss enhancement: 2-5 s \(early), 5-13 s \(settled), 20-22 s \(after) dB; near end \(near)")
        #expect(early >= 30 && settled >= 30 && after >= 30)
        // The level of the output's part that correlates with the near-end voice. The correlation shows how much else remains.
        #expect(near.level > -3 && near.correlation > 0.85)
    }

    @Test("Passes a signal without echo at every rate, louder with gain control", arguments: [8_000, 16_000, 44_100, 48_000])
    func noEcho(rate: Int) throws {
        // Tones in the range of a voice, with a syllabic rhythm.
        let signal = (0..<4 * rate).map { frame in
            let time = 2 * Double.pi * Double(frame) / Double(rate)
            let syllable = pow(0.5 - 0.5 * cos(4 * time), 2)
            return Float(0.1 * syllable * (sin(400 * time) + sin(1000 * time) + sin(2500 * time)))
        }
        for (noise, controlsGain) in [(.off, false), (.low, true)] as [(EchoCancellationOptions.NoiseSuppression, Bool)] {
            let canceller = try EchoCanceller(
                EchoCancellationOptions(noiseSuppression: noise, controlsGain: controlsGain), sampleRate: rate, channelCount: 2,
                referenceChannelCount: 1)
            var output: [Float] = []
            for start in stride(from: 0, to: signal.count, by: canceller.blockFrames) {
                var block = signal[start..<start + canceller.blockFrames].flatMap { [$0, -$0] }
                try canceller.process(&block, reference: [])
                output += stride(from: 0, to: block.count, by: 2).map { (block[$0] - block[$0 + 1]) / 2 }
            }
            let level = 10 * log10(power(output[(2 * rate)...]) / power(signal[(2 * rate)...]))
            #expect(controlsGain ? level > 3 && level < 12 : level.magnitude < 0.5, "\(level) dB")
        }
    }

    @Test("Invalid samples do not change the audio after them")
    func invalidSamples() throws {
        let rate = 16_000
        var random = SeededRandom(seed: 5)
        let signal = (0..<2 * rate).map { _ in Float.random(in: -0.1...0.1, using: &random) }
        let canceller = try EchoCanceller(EchoCancellationOptions(), sampleRate: rate, channelCount: 1, referenceChannelCount: 1)
        var output: [Float] = []
        for start in stride(from: 0, to: signal.count, by: canceller.blockFrames) {
            var block = Array(signal[start..<start + canceller.blockFrames])
            var played = [Float](repeating: 0, count: block.count)
            if start == rate / 2 { (block[0], block[1], played[0]) = (.nan, .infinity, .nan) }
            try canceller.process(&block, reference: played)
            output += block
        }
        #expect(output.allSatisfy { $0.isFinite })
        let level = 10 * log10(power(output[rate...]) / power(signal[rate...]))
        #expect(level.magnitude < 0.5, "\(level) dB")
    }

    private func power(_ samples: ArraySlice<Float>) -> Double { samples.reduce(1e-12) { $0 + Double($1) * Double($1) } }

    @Test("Unsupported formats throw")
    func formats() {
        let options = EchoCancellationOptions()
        for (rate, channels) in [(7_000, 1), (44_110, 1), (96_000, 1), (48_000, 3), (48_000, 0)] {
            #expect(throws: DeviceError.unsupportedEchoFormat(sampleRate: rate, channelCount: channels)) {
                try EchoCanceller(options, sampleRate: rate, channelCount: channels, referenceChannelCount: 1)
            }
        }
    }
}
