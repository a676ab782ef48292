// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import OpusCodec
import TestSupport

/// Encoded test audio that counts seconds: second `n` has a tone of ``frequency(ofSecond:)``.
struct CountedAudio: Sendable {
    var accessUnits: [AccessUnit] = []
    let format: RecordingFormat
    /// The priming and padding.
    let gapless: GaplessInfo

    /// Returns a second's frequency, in hertz.
    static func frequency(ofSecond second: Int) -> Int { 500 + 250 * second }

    /// Encodes AAC on a dedicated thread, in parallel with other tests.
    static func make(
        seconds: Int, sampleRate: Int, channelCount: Int, bitRate: Int, profile: AACProfile = .lowComplexity
    ) async throws -> CountedAudio {
        try await onThread {
            try CountedAudio(seconds: seconds, sampleRate: sampleRate, channelCount: channelCount, bitRate: bitRate, profile: profile)
        }
    }

    /// Encodes Opus on a dedicated thread.
    static func makeOpus(seconds: Int, channelCount: Int, bitRate: Int) async throws -> CountedAudio {
        try await onThread { try CountedAudio(opusOfSeconds: seconds, channelCount: channelCount, bitRate: bitRate) }
    }

    private init(opusOfSeconds seconds: Int, channelCount: Int, bitRate: Int) throws {
        let configuration = OpusEncoderConfiguration(channelCount: channelCount, bitRate: bitRate)
        let encoder = try OpusEncoder(configuration)
        format = RecordingFormat(
            sampleRate: configuration.sampleRate, channelCount: channelCount, configuration: .opus(encoder.opusConfiguration),
            framesPerUnit: encoder.framesPerPacket, primingFrames: encoder.delay, bitRate: bitRate)
        var accessUnits: [AccessUnit] = []
        let samples = Self.samples(seconds: seconds, sampleRate: configuration.sampleRate, channelCount: channelCount)
        try encoder.encode(samples) { accessUnits.append($0) }
        gapless = try encoder.finish { accessUnits.append($0) }
        self.accessUnits = accessUnits
    }

    private init(seconds: Int, sampleRate: Int, channelCount: Int, bitRate: Int, profile: AACProfile) throws {
        var configuration = AACEncoderConfiguration(
            sampleRate: sampleRate, channelCount: channelCount, rateControl: .average(bitRate: bitRate), effort: .fast)
        configuration.profile = profile
        let encoder = try AACEncoder(configuration)
        format = RecordingFormat(
            sampleRate: sampleRate, channelCount: channelCount, configuration: .aac(encoder.audioSpecificConfig),
            framesPerUnit: encoder.framesPerPacket, primingFrames: encoder.delay, bitRate: bitRate)
        var accessUnits: [AccessUnit] = []
        try encoder.encode(Self.samples(seconds: seconds, sampleRate: sampleRate, channelCount: channelCount)) { accessUnits.append($0) }
        gapless = encoder.finish { accessUnits.append($0) }
        self.accessUnits = accessUnits
    }

    static func samples(seconds: Int, sampleRate: Int, channelCount: Int) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: seconds * sampleRate)
        for frame in 0..<buffer.frameCount {
            let phase = Double(frequency(ofSecond: frame / sampleRate)) * Double(frame) / Double(sampleRate)
            for channel in 0..<channelCount { buffer.samples[channel * buffer.frameCapacity + frame] = Float(0.4 * sin(2 * .pi * phase)) }
        }
        return buffer
    }

    /// The total duration of the access units, in seconds.
    var duration: Double { accessUnits.reduce(0) { $0 + Double($1.duration) } / Double(format.sampleRate) }

    /// Sends the access units through a sink in real time or faster, and ends it.
    ///
    /// Runs on a dedicated thread, because other tests may occupy the task threads.
    func send(through sink: StreamingSink, speed: Double = 1) async throws {
        try await onThread {
            sink.begin(format)
            let start = ContinuousClock.now
            for accessUnit in accessUnits {
                try sink.append(accessUnit)
                let end = Double(accessUnit.presentationTime.value) + Double(accessUnit.duration)
                let pause = ContinuousClock.now.duration(to: start + .seconds(end / Double(format.sampleRate) / speed)) / .seconds(1)
                if pause > 0 { Thread.sleep(forTimeInterval: pause) }
            }
            try sink.finish(nil)
        }
    }
}
