// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import TestSupport
import Testing

/// Clipped samples and places, alone and in a recording.
@Suite struct ClipCounterTests {
    private static let full = ClipCounter.fullScale

    private static func buffer(_ channels: [[Float]]) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: channels.count, frameCapacity: channels[0].count)
        for (channel, samples) in channels.enumerated() {
            for (index, sample) in samples.enumerated() { buffer.samples[channel * buffer.frameCapacity + index] = sample }
        }
        return buffer
    }

    private static func counts(_ samples: [Float]) -> [Int] {
        var counter = ClipCounter(channelCount: 1)
        counter.accept(buffer([samples]))
        return counter.sampleCounts + [counter.placeCount]
    }

    @Test("A run at full scale is clipped; a single sample is not, unless it exceeds full scale")
    func runs() {
        let full = Self.full
        #expect(Self.counts([0, full, 0, -1, 0, 0.999]) == [0, 0])
        #expect(Self.counts([0, full, full, 0]) == [2, 1])
        #expect(Self.counts([-1, -1, -1]) == [3, 1])
        #expect(Self.counts([0, 1.5, 0, -1.01]) == [2, 2])
        #expect(Self.counts([full, 1.5, 1, 0]) == [3, 1])
        // A change of sign separates places.
        #expect(Self.counts([1, 1, -1, -1, 1, -1]) == [4, 2])
        #expect(Self.counts([.infinity, .nan, 1]) == [1, 1])
    }

    @Test("A run continues across buffers of any size")
    func buffers() {
        var random = SeededRandom(seed: 11)
        let values: [Float] = [0, Self.full, -1, 1.2]
        var samples = (0..<5000).map { _ in values[Int.random(in: 0..<4, using: &random)] }
        // Silence, which is skipped quickly, in several buffers.
        samples.replaceSubrange(1000..<2000, with: repeatElement(0, count: 1000))
        var whole = ClipCounter(channelCount: 2)
        whole.accept(Self.buffer([samples, samples.reversed()]))
        var parts = ClipCounter(channelCount: 2)
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + Int.random(in: 1...40, using: &random))
            parts.accept(Self.buffer([Array(samples[start..<end]), Array(samples.reversed()[start..<end])]))
            start = end
        }
        #expect(whole.sampleCounts[0] > 500 && whole.sampleCounts[0] == whole.sampleCounts[1])
        #expect(parts.sampleCounts == whole.sampleCounts && parts.placeCount == whole.placeCount)
        parts.accept(Self.buffer([[], []]))
        #expect(parts.sampleCounts == whole.sampleCounts)
    }

    @Test("A recording counts clipped samples per channel, in its summary and in the levels of their interval")
    func recording() async throws {
        // Ten clipped samples in the left channel, across two buffers; one full-scale sample in the right one.
        var samples = [Int16](repeating: 0, count: 2 * 96_000)
        for frame in 47_995..<48_005 { samples[2 * frame] = 32_767 }
        samples[2 * 60_000 + 1] = -32_768
        let runs = [Array(samples[..<96_000]), Array(samples[96_000...])]
        let recorder = Recorder(
            RecorderConfiguration(capture: CaptureConfiguration(sampleFormat: .int16)),
            source: .backend(RunBackend([.init(channelCount: 2, runs: runs)])), sinks: [.samples { _ in }])
        let levels = recorder.levels(every: .seconds(2))
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(summary.clippedSampleCounts == [10, 0] && summary.clippedPlaceCount == 1)
        var found: [AudioLevels] = []
        for await value in levels { found.append(value) }
        #expect(found.map(\.clippedSampleCounts) == [[10, 0]])
    }
}
