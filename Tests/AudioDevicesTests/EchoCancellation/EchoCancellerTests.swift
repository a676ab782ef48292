// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import Testing

@Suite struct EchoCancellerTests {
    @Test("The echo is 30 dB weaker after two seconds, and the near voice keeps its level to 3.5 dB", arguments: [1, 2] as [UInt64])
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
        // The level of what resembles the near voice; correlation tells how much else there is.
        #expect(near.level > -3.5 && near.correlation > 0.85)
    }

    @Test("Formats that the engine doesn't take are refused")
    func formats() {
        let options = EchoCancellationOptions()
        for (rate, channels) in [(7_000, 1), (44_110, 1), (96_000, 1), (48_000, 3), (48_000, 0)] {
            #expect(throws: EchoCanceller.Failure.unsupportedFormat(sampleRate: rate, channelCount: channels)) {
                try EchoCanceller(options, sampleRate: rate, channelCount: channels, referenceChannelCount: 1)
            }
        }
    }
}
