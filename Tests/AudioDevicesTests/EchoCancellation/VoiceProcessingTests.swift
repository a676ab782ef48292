// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import TestSupport
import Testing

/// Noise suppression and gain control without echo cancellation.
@Suite struct VoiceProcessingTests {
    private static let rate = 16_000
    /// Noise at -45 dB.
    private static let hiss: [Float] = {
        var random = SeededRandom(seed: 5)
        let peak = Float(3).squareRoot() * pow(10, -45.0 / 20)
        return (0..<14 * rate).map { _ in Float.random(in: -peak...peak, using: &random) }
    }()
    /// Speech at -20 dB for 1.2 s, a pause of 0.8 s, and so on.
    private static let speech: [Float] = {
        var voice = RoomSimulation.voice(sampleRate: rate, seconds: 14, pitch: 120, seed: 1)
        for index in voice.indices where index % (2 * rate) >= rate * 6 / 5 { voice[index] = 0 }
        return voice
    }()

    /// Returns the sum of speech and noise with gains.
    private static func sum(speech voiceGain: Float, noise noiseGain: Float) -> [Float] {
        speech.indices.map { voiceGain * speech[$0] + noiseGain * hiss[$0] }
    }

    /// Whether a part of an output is at the position of the same part of the input, to the frame.
    private static func isAligned(_ output: [Float], _ input: [Float], _ part: Range<Int>, offset: Int = 0) -> Bool {
        let lags = Array(-40...40)
        let correlations = lags.map { lag in
            part.reduce(0.0) { $0 + Double(input[$1]) * Double(output[$1 + offset + lag]) }
        }
        return correlations.indices.max { correlations[$0] < correlations[$1] } == 40
    }

    private static func power(_ samples: ArraySlice<Float>) -> Double {
        samples.reduce(1e-12) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
    }

    /// Returns the level in decibels over the pauses, or over the speech, from 6 s on.
    private static func level(_ samples: [Float], ofPauses: Bool) -> Double {
        let part = ofPauses ? rate * 3 / 2..<rate * 19 / 10 : 0..<rate * 11 / 10
        let powers = stride(from: 6 * rate, to: 14 * rate, by: 2 * rate).map { start in
            power(samples[(start + part.lowerBound)..<(start + part.upperBound)])
        }
        return 10 * log10(powers.reduce(0, +) / Double(powers.count))
    }

    /// Returns the audio of a program after its processing.
    private static func processed(
        _ samples: [Float], _ options: EchoCancellationOptions, sampleRate: Int = rate, channelCount: Int = 1, step: Int = 777
    ) async throws -> CaptureRecord {
        let position = Mutex(0)
        let source = CaptureSource.program(sampleRate: sampleRate, channelCount: channelCount) {
            let start = position.withLock { position in
                defer { position += step }
                return position
            }
            guard start < samples.count else { return nil }
            let part = Array(samples[start..<min(start + step, samples.count)])
            return PCMBuffer(channels: [[Float]](repeating: part, count: channelCount), sampleRate: sampleRate)
        }
        let capture = AudioCapture(source: .processingVoice(microphone: source, options: options))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        await capture.waitUntilFinished()
        #expect(capture.format?.pcm == PCMFormat(.float32, channelCount: channelCount) && capture.statistics.lostFrames == 0)
        return record
    }

    @Test(
        "Noise suppression attenuates pauses and keeps the voice",
        arguments: [(.off, 0), (.low, 5), (.moderate, 10), (.high, 14), (.veryHigh, 16)]
            as [(EchoCancellationOptions.NoiseSuppression, Double)])
    func suppression(level: EchoCancellationOptions.NoiseSuppression, reduction: Double) async throws {
        let input = Self.sum(speech: 1, noise: 1)
        let output = try await Self.processed(input, EchoCancellationOptions(noiseSuppression: level)).floats
        try #require(output.count == input.count)
        let measured = Self.level(input, ofPauses: true) - Self.level(output, ofPauses: true)
        let voice = Self.level(output, ofPauses: false) - Self.level(input, ofPauses: false)
        print("noise suppression \(level): pauses -\(measured) dB, speech \(voice) dB")
        #expect(measured >= reduction && abs(voice) < 0.5)
        // Without any processing the samples are the same.
        if level == .off { #expect(output == input) }
    }

    @Test("Gain control raises quiet speech and not its pauses above it", arguments: [(0, 0), (-10, 7), (-20, 8)] as [(Double, Double)])
    func gain(level: Double, minimum: Double) async throws {
        let input = Self.sum(speech: Float(pow(10, level / 20)), noise: 0.03)
        let output = try await Self.processed(input, EchoCancellationOptions(controlsGain: true)).floats
        let raised = Self.level(output, ofPauses: false) - Self.level(input, ofPauses: false)
        print("gain control, speech at \(level - 20) dB: \(raised) dB; pauses \(Self.level(output, ofPauses: true)) dB")
        #expect(raised >= minimum && raised < 15)
        #expect(Self.level(output, ofPauses: true) < Self.level(output, ofPauses: false) - 20)
    }

    @Test("Every frame keeps its position, at every rate", arguments: [8_000, 16_000, 44_100, 48_000])
    func timing(rate: Int) async throws {
        let input = Array(Self.hiss.prefix(rate * 3 / 2 + 77))
        let options = EchoCancellationOptions(noiseSuppression: .low, controlsGain: true)
        let record = try await Self.processed(input, options, sampleRate: rate, channelCount: 2, step: 1001)
        #expect(record.frames == input.count && record.breaks == 0 && record.filledFrames == 0)
        let output = stride(from: 0, to: record.floats.count, by: 2).map { record.floats[$0] }
        #expect(Self.isAligned(output, input, rate..<rate + rate / 4))
    }

    @Test("A file of another sample format is converted, and read to its last frame")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let samples = (0..<Int32(10_007)).map { Int16(truncatingIfNeeded: $0 &* 25_173 &+ 13_849) }
        try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        let configuration = CaptureConfiguration(sampleRate: 16_000, channelCount: 1, sampleFormat: .int16)
        let source = CaptureSource.processingVoice(
            microphone: .rawFile(path, pace: .unpaced), options: EchoCancellationOptions(noiseSuppression: .off))
        let capture = AudioCapture(configuration, source: source)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        await capture.waitUntilFinished()
        #expect(record.floats == samples.map { Float($0) / 32_768 })
    }

    @Test("A gap keeps its position")
    func gap() async throws {
        let microphone = ScriptedBackend([ScriptedBackend.Opening(sampleRate: Self.rate)])
        let backend = EchoCancellingBackend(
            microphone: microphone, monitor: nil, options: EchoCancellationOptions(noiseSuppression: .low))
        var configuration = CaptureConfiguration(sampleRate: Self.rate, channelCount: 1)
        configuration.stallTimeout = .seconds(60)
        let capture = AudioCapture(configuration, source: .backend(backend))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        let input = try #require(microphone.input)
        let part = Array(Self.hiss.prefix(8_050))
        input.write(part.span.bytes, hostTime: 0)
        input.writeGap(byteCount: 1_234 * 4, hostTime: 0)
        input.write(part.span.bytes, hostTime: 0)
        #expect(await Wait.until { record.frames > 16_000 })
        await capture.stop()
        #expect(record.fillings.first?.lowerBound == 8_050 && record.filledFrames == 1_234 && record.frames == 17_334, "\(record.fillings)")
        let output = record.floats
        #expect(Self.isAligned(output, Self.hiss, 4_000..<8_000))
        #expect(Self.isAligned(output, Self.hiss, 4_000..<8_000, offset: 9_284))
    }

    @Test("A format that the engines do not support throws")
    func format() async {
        await #expect(throws: DeviceError.unsupportedEchoFormat(sampleRate: 96_000, channelCount: 1)) {
            _ = try await Self.processed([0], EchoCancellationOptions(controlsGain: true), sampleRate: 96_000)
        }
    }
}
