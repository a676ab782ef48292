// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Sends the levels of a recording to any number of subscribers, each with its own interval.
///
/// All methods may be called from any thread.
final class LevelBroadcaster: Sendable {
    /// A subscriber's pending measurement.
    private struct Measurement {
        let interval: Duration
        var meter: LevelMeter?
    }

    private let broadcaster = Broadcaster<AudioLevels, Measurement>()

    /// Returns a stream with the levels of consecutive intervals.
    ///
    /// The stream buffers one value: a slow reader gets the latest one.
    func stream(every interval: Duration) -> AsyncStream<AudioLevels> {
        broadcaster.stream(of: Measurement(interval: interval), bufferingNewest: 1)
    }

    /// Measures a buffer with known numbers of clipped samples for all subscribers, and sends the levels of completed intervals.
    func send(_ buffer: PCMBuffer, clippedSampleCounts: [Int]) {
        broadcaster.send { measurement in
            var meter = measurement.meter ?? LevelMeter(channelCount: buffer.channelCount)
            meter.accept(buffer, clippedSampleCounts: clippedSampleCounts)
            let isComplete = Double(meter.frameCount) >= measurement.interval.inSeconds * Double(buffer.sampleRate)
            let levels = isComplete ? meter.dequeue() : nil
            measurement.meter = meter
            return levels
        }
    }

    func finish() { broadcaster.finish() }
}
