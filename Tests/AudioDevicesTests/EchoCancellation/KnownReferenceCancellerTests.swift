// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

@Suite struct KnownReferenceCancellerTests {
    /// The figures of an output: echo return loss enhancement over time, and near-end speech, in decibels.
    private struct Figures: CustomStringConvertible {
        static let intervals = [0..<1, 1..<3, 5..<10, 20..<30]
        var enhancements: [Double]
        var near: (level: Double, correlation: Double)

        init(_ room: RoomSimulation, _ output: [Float]) {
            enhancements = Self.intervals.map { room.enhancement(output, $0) }
            near = room.nearEnd(output)
        }

        var description: String {
            let values = enhancements.map { String(format: "%.1f", $0) }.joined(separator: ", ")
            return "0-1, 1-3, 5-10, 20-30 s: \(values) dB; near end \(String(format: "%.1f dB, %.3f", near.level, near.correlation))"
        }

        /// Whether all intervals have at least these values.
        func reach(_ minimum: [Double]) -> Bool { zip(enhancements, minimum).allSatisfy { $0 >= $1 } }
    }

    /// Returns the output of a room, aligned with the microphone.
    private static func output(_ room: RoomSimulation, references: [[Float]]? = nil) throws -> [Float] {
        try output(room.microphone, references: references ?? [room.far], sampleRate: room.sampleRate)
    }

    /// Returns the output of a microphone, aligned with it.
    private static func output(_ microphone: [Float], references: [[Float]], sampleRate: Int) throws -> [Float] {
        let canceller = try KnownReferenceCanceller(
            EchoCancellationOptions(), sampleRate: sampleRate, channelCount: 1, referenceChannelCount: references.count)
        var output: [Float] = []
        let step = sampleRate / 50
        for start in stride(from: 0, to: microphone.count, by: step) {
            let range = start..<min(start + step, microphone.count)
            output +=
                canceller.process(
                    PCMBuffer(channels: [Array(microphone[range])], sampleRate: sampleRate),
                    reference: PCMBuffer(channels: references.map { Array($0[range]) }, sampleRate: sampleRate)
                ).channels[0]
        }
        output += canceller.rest(sampleRate: sampleRate, referenceChannelCount: references.count).channels[0]
        #expect(output.count == microphone.count + canceller.delay && canceller.latestError == nil)
        return Array(output[canceller.delay...])
    }

    @Test("Attenuates the echo of a room and keeps the near end", arguments: [(100, 20), (250, 20), (100, 120)] as [(Int, Int)])
    func rooms(tail: Int, delay: Int) throws {
        let room = RoomSimulation(seed: 1, tail: tail, delay: delay)
        let figures = Figures(room, try Self.output(room))
        print("tail \(tail) ms, delay \(delay) ms: \(figures)")
        #expect(figures.reach([20, 32, 36, 36]), "\(figures)")
        #expect(figures.near.level > -1.5 && figures.near.correlation > 0.96, "\(figures)")
    }

    @Test("Attenuates an echo at 48 kHz")
    func highRate() throws {
        let room = RoomSimulation(seed: 1, sampleRate: 48_000, seconds: 22)
        let figures = Figures(room, try Self.output(room))
        print("48 kHz: \(figures)")
        #expect(figures.reach([20, 32, 40, 40]), "\(figures)")
        #expect(figures.near.level > -1.5 && figures.near.correlation > 0.96, "\(figures)")
    }

    @Test("Attenuates an echo that is longer than the filter")
    func longRoom() throws {
        let room = RoomSimulation(seed: 1, tail: 300, delay: 160)
        let figures = Figures(room, try Self.output(room))
        print("tail 300 ms, delay 160 ms: \(figures)")
        #expect(figures.reach([15, 25, 25, 25]), "\(figures)")
    }

    @Test(
        "Tolerates a residual drift and a reference that is early or late",
        arguments: [(0, 5), (0, -50), (1, 0), (-1, 0)] as [(Double, Double)])
    func inaccurate(milliseconds: Double, drift: Double) throws {
        let room = RoomSimulation(seed: 2)
        let reference = room.shifted(room.far, milliseconds: milliseconds, partsPerMillion: drift)
        let figures = Figures(room, try Self.output(room, references: [reference]))
        print("\(milliseconds) ms late, \(drift) ppm: \(figures)")
        #expect(figures.reach(abs(drift) > 10 ? [20, 24, 22, 22] : [20, 26, 36, 36]), "\(figures)")
    }

    @Test("Cancels two loudspeakers with different signals better than with their mean")
    func stereo() throws {
        let other = RoomSimulation.voice(sampleRate: 16_000, seconds: 30, pitch: 150, seed: 9)
        let room = RoomSimulation(seed: 3, other: other)
        let mean = zip(room.far, other).map { ($0 + $1) / 2 }
        let (stereo, mono) = try (
            Figures(room, Self.output(room, references: [room.far, other])), Figures(room, Self.output(room, references: [mean]))
        )
        print("two channels: \(stereo)\ntheir mean: \(mono)")
        #expect(stereo.reach([25, 30, 40, 40]) && stereo.enhancements[3] > mono.enhancements[3] + 6)
        // Four channels are two loudspeakers with two signals each.
        let quiet = [Float](repeating: 0, count: other.count)
        let four = try Self.output(room, references: [room.far, other, quiet, quiet])
        #expect(Figures(room, four).enhancements[3] > mono.enhancements[3] + 6)
    }

    @Test("Equal channels are cancelled, also when one of them ends")
    func equalChannels() throws {
        let room = RoomSimulation(seed: 3, seconds: 12)
        // One loudspeaker is silent from 8 s on; the reflections of the other are known by then.
        var second = room.far
        for index in 8 * room.sampleRate..<second.count { second[index] = 0 }
        let output = try Self.output(room, references: [room.far, second])
        let figures = [1..<3, 5..<8, 8..<12].map { room.enhancement(output, $0) }
        print("one of two equal channels ends after 8 s: \(figures) dB")
        #expect(figures[0] > 25 && figures[1] > 30 && figures[2] > 25)
    }

    @Test("Keeps the near end if the loudspeaker cannot be heard")
    func headphones() throws {
        let near = RoomSimulation.voice(sampleRate: 16_000, seconds: 12, pitch: 210, seed: 4)
        let far = RoomSimulation.voice(sampleRate: 16_000, seconds: 12, pitch: 120, seed: 5)
        let output = try Self.output(near, references: [far], sampleRate: 16_000)
        for (seconds, minimum) in [(0..<3, 0.85), (6..<12, 0.95)] {
            var (cross, before, after) = (0.0, 0.0, 0.0)
            for index in seconds.lowerBound * 16_000..<seconds.upperBound * 16_000 {
                cross += Double(near[index]) * Double(output[index])
                before += Double(near[index]) * Double(near[index])
                after += Double(output[index]) * Double(output[index])
            }
            let (level, correlation) = (10 * log10(after / before), cross / (before * after).squareRoot())
            print("\(seconds) s: \(level) dB, correlation \(correlation)")
            #expect(correlation > minimum && level > (seconds.lowerBound == 0 ? -4 : -1.5))
        }
    }

    @Test("Attenuates a far end that starts late and then another room, and never adds to the echo")
    func changes() throws {
        let (first, second) = (RoomSimulation(seed: 6, seconds: 12), RoomSimulation(seed: 6, seconds: 12, delay: 40))
        let silence = [Float](repeating: 0, count: 8 * 16_000)
        let change = 6 * 16_000
        let microphone = silence + first.microphone[..<change] + second.microphone[change...]
        let output = Array(try Self.output(microphone, references: [silence + first.far], sampleRate: 16_000)[silence.count...])
        let figures = [first.enhancement(output, 1..<6), second.enhancement(output, 6..<7), second.enhancement(output, 9..<12)]
        print("starts late: \(figures[0]) dB; another room: \(figures[1]) dB, after three seconds \(figures[2]) dB")
        #expect(figures[0] > 25 && figures[1] > -1 && figures[2] > 6)
    }

    @Test("Invalid samples count as silence and change nothing after them")
    func invalidSamples() throws {
        let room = RoomSimulation(seed: 1, seconds: 4)
        var (invalid, silent) = (room.microphone, room.microphone)
        var (invalidFar, silentFar) = (room.far, room.far)
        for (index, value) in [(5000, .nan), (12_345, .infinity), (20_000, -.infinity)] as [(Int, Float)] {
            (invalid[index], silent[index]) = (value, 0)
            (invalidFar[index + 7], silentFar[index + 7]) = (value, 0)
        }
        let output = try Self.output(invalid, references: [invalidFar], sampleRate: room.sampleRate)
        #expect(try output == Self.output(silent, references: [silentFar], sampleRate: room.sampleRate))
        #expect(output.allSatisfy { $0.isFinite })
    }

    @Test("Passes noise of any rate and block length, late by its constant delay", arguments: [8_000, 16_000, 44_100, 48_000])
    func timing(rate: Int) throws {
        var random = SeededRandom(seed: UInt64(rate))
        for options in [EchoCancellationOptions(), EchoCancellationOptions(noiseSuppression: .low, controlsGain: true)] {
            let canceller = try KnownReferenceCanceller(options, sampleRate: rate, channelCount: 2, referenceChannelCount: 1)
            #expect((rate / 32...rate / 10).contains(canceller.delay))
            let input = (0..<rate).map { _ in Float.random(in: -0.05...0.05, using: &random) }
            var output: [Float] = []
            var start = 0
            while start < input.count {
                let part = Array(input[start..<min(start + Int.random(in: 0...1500, using: &random), input.count)])
                let silence = PCMBuffer(sampleRate: rate, channelCount: 1, frameCapacity: part.count)
                let result = canceller.process(PCMBuffer(channels: [part, part.map { -$0 }], sampleRate: rate), reference: silence)
                #expect(result.frameCount == part.count && result.channelCount == 2)
                output += result.channels[0]
                start += part.count
            }
            let end = canceller.rest(sampleRate: rate, channelCount: 2).channels[0]
            #expect(end.count == canceller.delay)
            output += end
            #expect(Self.lag(of: output, to: input, from: rate / 2, upTo: rate / 10) == canceller.delay)
            // The end has arrived as well.
            let last = rate / 100
            let cross = zip(output.suffix(last), input.suffix(last)).reduce(0) { $0 + Double($1.0 * $1.1) }
            #expect(cross > 0)
        }
    }

    /// Returns the delay of a quarter of the signal with the maximum correlation, in frames.
    private static func lag(of output: [Float], to input: [Float], from start: Int, upTo limit: Int) -> Int {
        let range = start..<start + input.count / 4
        let correlations = (0...limit).map { lag in
            range.reduce(0.0) { $0 + Double(input[$1]) * Double(output[$1 + lag]) }
        }
        return correlations.indices.max { correlations[$0] < correlations[$1] } ?? 0
    }

    @Test("Formats that noise suppression does not support throw")
    func formats() throws {
        let options = EchoCancellationOptions(noiseSuppression: .low)
        for (rate, channels) in [(7_000, 1), (22_050, 1), (96_000, 1), (48_000, 3)] {
            #expect(throws: DeviceError.unsupportedEchoFormat(sampleRate: rate, channelCount: channels)) {
                try KnownReferenceCanceller(options, sampleRate: rate, channelCount: channels, referenceChannelCount: 2)
            }
            _ = try KnownReferenceCanceller(
                EchoCancellationOptions(), sampleRate: rate, channelCount: channels, referenceChannelCount: 2)
        }
    }
}

extension KnownReferenceCanceller {
    /// Returns the audio that is late.
    func rest(sampleRate: Int, channelCount: Int = 1, referenceChannelCount: Int = 1) -> PCMBuffer {
        process(
            PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: delay),
            reference: PCMBuffer(sampleRate: sampleRate, channelCount: referenceChannelCount, frameCapacity: delay))
    }
}
