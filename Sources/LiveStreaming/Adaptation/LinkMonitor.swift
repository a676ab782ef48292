// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The latest samples of one destination.
struct LinkMonitor {
    /// The window over which throughput and queue are compared, in seconds.
    ///
    /// Access units of up to 85 ms (2048 frames at 24 kHz) cause a throughput error of 4 %; with 1 s it is 8 %. Simulated queues reach
    /// 7.4 s; with 4 s they reach 10 s (``AdaptiveBitRate``).
    static let window = 2.0

    private var samples: [(time: Double, link: StreamingStatistics)] = []

    /// Adds a sample.
    ///
    /// `nil` clears the history of a link that is not streaming.
    mutating func add(_ link: StreamingStatistics?, at time: Double) {
        guard let link else { return samples.removeAll() }
        samples.append((time, link))
        // Keeps one sample before the window, so that the samples span it.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// Discards all samples but the latest, after a bit rate change.
    mutating func restart() { samples.removeFirst(max(0, samples.count - 1)) }

    /// The duration of the queued access units in seconds; `nil` while the link is not streaming.
    var queuedSeconds: Double? { samples.last?.link.queuedDuration.inSeconds }

    /// Whether the samples span the window, so that ``throughput`` and ``queueGrowth`` are reliable.
    var isReliable: Bool { span >= Self.window * 0.9 }

    /// The rate of sent bytes, in bits per second.
    ///
    /// Equals the link's capacity while access units are queued.
    var throughput: Double { rate(of: { $0.sentByteCount }) }

    /// The growth rate of the queue, in bits per second; negative while it shrinks.
    var queueGrowth: Double { rate(of: { $0.queuedByteCount }) }

    /// The time between the first and the last sample, in seconds.
    private var span: Double { (samples.last?.time ?? 0) - (samples.first?.time ?? 0) }

    /// Returns the rate of change of a byte count, in bits per second.
    private func rate(of value: (StreamingStatistics) -> Int) -> Double {
        guard let first = samples.first, let last = samples.last, span > 0 else { return 0 }
        return Double(value(last.link) - value(first.link)) * 8 / span
    }
}
