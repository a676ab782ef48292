// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioDevices
import AudioFiles
import AudioPrimitives
import LiveAudio
import TestSupport

/// A source of stored samples, as fast as they are read.
struct StoredSource: PCMSource {
    let sampleRate: Int
    let channelCount = 1
    private let samples: [Float]
    private var position = 0

    init(_ samples: [Float], sampleRate: Int = 48_000) { (self.samples, self.sampleRate) = (samples, sampleRate) }

    mutating func next() -> PCMBuffer? {
        guard position < samples.count else { return nil }
        let part = samples[position..<min(position + 960, samples.count)]
        position = part.endIndex
        return PCMBuffer(channels: [Array(part)], sampleRate: sampleRate)
    }
}

/// Recordings into files of a folder.
enum SplitRecording {
    /// Returns noise of 16 bits, so that WAV stores it exactly.
    static func noise(_ frameCount: Int, seed: UInt64 = 1) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<frameCount).map { _ in Float(Int.random(in: -8000...8000, using: &random)) / 32768 }
    }

    /// Settings for which decoding gives the same samples wherever it starts.
    static var configuration: RecorderConfiguration {
        var configuration = RecorderConfiguration()
        configuration.settings.profile = .lowComplexity
        configuration.settings.usesNoiseSubstitution = false
        return configuration
    }

    static func record(
        _ samples: [Float], sampleRate: Int = 48_000, _ configuration: RecorderConfiguration, _ sinks: [RecorderSink]
    ) async throws -> (summary: RecordingSummary, events: [RecorderEvent]) {
        let recorder = Recorder(configuration, source: .program(StoredSource(samples, sampleRate: sampleRate)), sinks: sinks)
        let stream = recorder.events
        let reader = Task { await stream.reduce(into: [RecorderEvent]()) { $0.append($1) } }
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        return (summary, await reader.value)
    }

    /// Returns the decoded samples of a file.
    static func decoded(_ path: String) throws -> [Float] {
        let file = try AudioFile(path: path)
        var samples: [Float] = []
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: 4096)
        while try file.read(into: &buffer) { samples += buffer.channel(0) }
        return samples
    }

    /// Returns the path of a numbered file.
    static func path(_ folder: TemporaryFolder, _ name: String, _ number: Int, _ ending: String) -> String {
        folder.path(number == 1 ? "\(name).\(ending)" : "\(name)-\(number).\(ending)")
    }
}
