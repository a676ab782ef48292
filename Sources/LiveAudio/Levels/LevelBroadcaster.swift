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

    /// Measures the channels of all sources for all subscribers, and sends the levels of completed intervals.
    ///
    /// - Parameters:
    ///   - buffers: One buffer per source, with the same frame count.
    ///   - clippedSampleCounts: The number of clipped samples in each channel.
    func send(_ buffers: [PCMBuffer], clippedSampleCounts: [Int]) {
        broadcaster.send { measurement in
            var meter = measurement.meter ?? LevelMeter(channelCount: buffers.reduce(0) { $0 + $1.channelCount })
            meter.accept(buffers, clippedSampleCounts: clippedSampleCounts)
            let isComplete = Double(meter.frameCount) >= measurement.interval.inSeconds * Double(buffers[0].sampleRate)
            let levels = isComplete ? meter.dequeue() : nil
            measurement.meter = meter
            return levels
        }
    }

    func finish() { broadcaster.finish() }
}
