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
    private static func output(
        _ room: RoomSimulation, references: [[Float]]? = nil, options: EchoCancellationOptions = EchoCancellationOptions()
    ) throws -> [Float] {
        let references = references ?? [room.far]
        let canceller = try KnownReferenceCanceller(
            options, sampleRate: room.sampleRate, channelCount: 1, referenceChannelCount: references.count)
        var output: [Float] = []
        let step = room.sampleRate / 50
        for start in stride(from: 0, to: room.microphone.count, by: step) {
            let range = start..<min(start + step, room.microphone.count)
            output +=
                canceller.process(
                    PCMBuffer(channels: [Array(room.microphone[range])], sampleRate: room.sampleRate),
                    reference: PCMBuffer(channels: references.map { Array($0[range]) }, sampleRate: room.sampleRate)
                ).channels[0]
        }
        output += canceller.flush().channels[0]
        #expect(output.count == room.microphone.count + canceller.delay && canceller.failureCount == 0)
        return Array(output[canceller.delay...])
    }

    @Test("Attenuates the echo of a room and keeps the near end", arguments: [(100, 20), (250, 20), (100, 120)] as [(Int, Int)])
    func rooms(tail: Int, delay: Int) throws {
        let room = RoomSimulation(seed: 1, tail: tail, delay: delay)
        let figures = Figures(room, try Self.output(room))
        print("tail \(tail) ms, delay \(delay) ms: \(figures)")
        #expect(figures.reach([6, 18, 36, 42]), "\(figures)")
        #expect(figures.near.level > -3 && figures.near.correlation > 0.85, "\(figures)")
    }

    @Test("Attenuates an echo at 48 kHz")
    func highRate() throws {
        let room = RoomSimulation(seed: 1, sampleRate: 48_000, seconds: 22)
        let figures = Figures(room, try Self.output(room))
        print("48 kHz: \(figures)")
        #expect(figures.reach([12, 18, 36, 40]), "\(figures)")
        #expect(figures.near.level > -3.5 && figures.near.correlation > 0.82, "\(figures)")
    }

    @Test("Attenuates an echo that is longer than the filter")
    func longRoom() throws {
        let room = RoomSimulation(seed: 1, tail: 250, delay: 120)
        let figures = Figures(room, try Self.output(room))
        print("tail 250 ms, delay 120 ms: \(figures)")
        #expect(figures.reach([5, 18, 18, 18]), "\(figures)")
    }

    @Test(
        "Tolerates a residual drift and a reference that is early or late",
        arguments: [(0, 5), (0, -5), (1, 0), (-1, 0)] as [(Double, Double)])
    func inaccurate(milliseconds: Double, drift: Double) throws {
        let room = RoomSimulation(seed: 2)
        let reference = room.shifted(room.far, milliseconds: milliseconds, partsPerMillion: drift)
        let figures = Figures(room, try Self.output(room, references: [reference]))
        print("\(milliseconds) ms late, \(drift) ppm: \(figures)")
        #expect(figures.reach([12, 18, 38, 42]), "\(figures)")
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
        #expect(stereo.reach([6, 16, 20, 25]) && stereo.enhancements[3] > mono.enhancements[3] + 6)
        // Four channels are two loudspeakers with two signals each.
        let quiet = [Float](repeating: 0, count: other.count)
        let four = try Self.output(room, references: [room.far, other, quiet, quiet])
        #expect(Figures(room, four).enhancements[3] > mono.enhancements[3] + 6)
    }

    @Test("Equal channels are cancelled like one, until they differ")
    func equalChannels() throws {
        let room = RoomSimulation(seed: 3, seconds: 12)
        let mono = try Self.output(room)
        #expect(try Self.output(room, references: [room.far, room.far]) == mono)
        // One loudspeaker is silent from 8 s on; the reflections of the other are known by then.
        var second = room.far
        for index in 8 * room.sampleRate..<second.count { second[index] = 0 }
        let output = try Self.output(room, references: [room.far, second])
        #expect(output[..<(8 * room.sampleRate - 160)] == mono[..<(8 * room.sampleRate - 160)])
        let enhancement = room.enhancement(output, 8..<12)
        print("one of two equal channels ends: \(enhancement) dB")
        #expect(enhancement > 10)
    }

    @Test("Passes noise of any rate and block length, late by its constant delay", arguments: [8_000, 16_000, 44_100, 48_000])
    func timing(rate: Int) throws {
        var random = SeededRandom(seed: UInt64(rate))
        for options in [EchoCancellationOptions(), EchoCancellationOptions(noiseSuppression: .low, controlsGain: true)] {
            let canceller = try KnownReferenceCanceller(options, sampleRate: rate, channelCount: 2, referenceChannelCount: 1)
            #expect((rate / 100...rate * 3 / 100).contains(canceller.delay))
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
            let end = canceller.flush().channels[0]
            #expect(end.count == canceller.delay)
            output += end
            #expect(Self.lag(of: output, to: input, from: rate / 2, upTo: rate / 20) == canceller.delay)
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

    @Test("Unsupported formats throw")
    func formats() {
        for (rate, channels) in [(7_000, 1), (22_050, 1), (96_000, 1), (48_000, 3)] {
            #expect(throws: DeviceError.unsupportedEchoFormat(sampleRate: rate, channelCount: channels)) {
                try KnownReferenceCanceller(
                    EchoCancellationOptions(), sampleRate: rate, channelCount: channels, referenceChannelCount: 2)
            }
        }
    }
}
