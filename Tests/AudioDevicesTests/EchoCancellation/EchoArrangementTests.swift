// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// A known reference compared with one that a backend matches by host time.
@Suite struct EchoArrangementTests {
    /// The times that a server reports for the reference.
    private struct Times: CustomStringConvertible {
        /// How much faster the reference's clock is than the microphone's, in millionths.
        var drift = 0.0
        /// The amplitude of an error with a period of seven seconds, in milliseconds.
        var wander = 0.0

        var description: String { "jitter of 3 ms, \(drift) ppm, wander of \(wander) ms" }
    }

    private static let room = RoomSimulation(seed: 4)

    @Test("A known reference cancels at least as deeply as one that is matched by host time")
    func comparison() async throws {
        let room = Self.room
        let known = Self.enhancements(try Self.known())
        print("known reference: \(known)")
        for times in [Times(), Times(drift: 50), Times(wander: 40)] {
            let matched = Self.enhancements(try await Self.matched(times))
            print("matched by host time, \(times): \(matched)")
            #expect(known[3] > matched[3] - 3)
        }
        #expect(known[3] > 40 && room.enhancement(room.echo, 20..<30) < 1)
    }

    private static func enhancements(_ output: [Float]) -> [Double] {
        [0..<1, 1..<3, 5..<10, 20..<30].map { (room.enhancement(output, $0) * 10).rounded() / 10 }
    }

    private static func known() throws -> [Float] {
        let canceller = try KnownReferenceCanceller(
            EchoCancellationOptions(), sampleRate: room.sampleRate, channelCount: 1, referenceChannelCount: 1)
        let microphone = PCMBuffer(channels: [room.microphone], sampleRate: room.sampleRate)
        let output = canceller.process(microphone, reference: PCMBuffer(channels: [room.far], sampleRate: room.sampleRate))
        return Array((output.channels[0] + canceller.rest(sampleRate: room.sampleRate).channels[0])[canceller.delay...])
    }

    /// Returns the output of the backend for two devices, faster than in real time.
    private static func matched(_ times: Times) async throws -> [Float] {
        let rate = room.sampleRate
        let played = room.shifted(room.far, partsPerMillion: times.drift)
        let opening = ScriptedBackend.Opening(sampleRate: rate)
        let (microphone, monitor) = (ScriptedBackend([opening]), ScriptedBackend([opening]))
        let backend = EchoCancellingBackend(
            microphone: microphone, monitor: monitor, options: EchoCancellationOptions(reference: "monitor"))
        var configuration = CaptureConfiguration(sampleRate: rate, channelCount: 1)
        // A busy machine must not look like a silent device.
        configuration.stallTimeout = .seconds(60)
        let capture = AudioCapture(configuration, source: .backend(backend))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        let (near, far) = (try #require(microphone.input), try #require(monitor.input))
        var random = SeededRandom(seed: 7)
        let start = HostClock.now
        let chunk = rate / 50
        for first in stride(from: 0, to: room.microphone.count, by: chunk) {
            let seconds = Double(first) / Double(rate)
            let wander = times.wander * cos(2 * .pi * seconds / 7)
            for (input, samples, time) in [
                (far, played, seconds * (1 + times.drift * 1e-6) + wander / 1000), (near, room.microphone, seconds),
            ] {
                let jitter = Double.random(in: -0.003...0.003, using: &random)
                let part = Array(samples[first..<first + chunk])
                input.write(part.span.bytes, hostTime: start + Int64((time + jitter) * 1e9))
            }
            // The queues hold two seconds.
            if first % rate == 0 { #expect(await Wait.until { record.frames >= first - rate / 2 }) }
        }
        await capture.stop()
        #expect(record.frames == room.microphone.count && record.breaks == 0 && capture.statistics.lostFrames == 0)
        return record.floats
    }
}
