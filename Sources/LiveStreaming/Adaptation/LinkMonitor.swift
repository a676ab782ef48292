// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The latest samples of a destination.
struct LinkMonitor {
    /// The time over which throughput and queue are compared, in seconds: units of up to 85 ms (2048 frames at 24 kHz) make the throughput
    /// err by 4 %, with 1 s by 8 %.
    ///
    /// With 4 s simulated queues reach 10 s (``AdaptiveBitRate``), with 2 s 7.4 s.
    static let window = 2.0

    private var samples: [(time: Double, link: StreamingStatistics)] = []

    /// Adds a sample; nil for a link that is not streaming, which has no history.
    mutating func add(_ link: StreamingStatistics?, at time: Double) {
        guard let link else { return samples.removeAll() }
        samples.append((time, link))
        // One sample before the window is kept, so that the samples span it.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// Discards all samples but the latest, after a change of the bit rate.
    mutating func restart() { samples.removeFirst(max(0, samples.count - 1)) }

    /// The duration of the units that wait, in seconds; nil while the link is not streaming.
    var queuedSeconds: Double? { samples.last?.link.queuedDuration.inSeconds }

    /// Whether the samples span the window, so that ``throughput`` and ``queueGrowth`` can be relied on.
    var isReliable: Bool { span >= Self.window * 0.9 }

    /// The bit rate at which units were sent, in bits per second: that of the link while units wait.
    var throughput: Double { rate(of: { $0.sentByteCount }) }

    /// The bit rate at which the queue grows, in bits per second; negative while it shrinks.
    var queueGrowth: Double { rate(of: { $0.queuedByteCount }) }

    /// The time between the first and the last sample, in seconds.
    private var span: Double { (samples.last?.time ?? 0) - (samples.first?.time ?? 0) }

    /// Returns the change of a number of bytes, in bits per second.
    private func rate(of value: (StreamingStatistics) -> Int) -> Double {
        guard let first = samples.first, let last = samples.last, span > 0 else { return 0 }
        return Double(value(last.link) - value(first.link)) * 8 / span
    }
}
