// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Counts the clipped samples of consecutive buffers per channel.
///
/// A sample is clipped if its magnitude exceeds 1, or if it is one of at least two consecutive samples of the same sign at ``fullScale``. A
/// single sample at full scale can be the undamaged peak of a normalized signal, so it does not count. One such run is one place, also
/// across buffers.
package struct ClipCounter {
    /// The largest 16-bit sample.
    ///
    /// Integers of more bits and floating-point samples at full scale exceed it.
    package static let fullScale: Float = 32_767 / 32_768

    /// The samples at full scale up to the end of the latest buffer.
    private struct Run {
        var length = 0
        var isNegative = false
        var isClipped = false
    }

    package private(set) var sampleCounts: [Int]
    /// The runs of clipped samples in all channels.
    package private(set) var placeCount = 0
    private var runs: [Run]

    package init(channelCount: Int) {
        sampleCounts = [Int](repeating: 0, count: channelCount)
        runs = [Run](repeating: Run(), count: channelCount)
    }

    package mutating func accept(_ buffer: PCMBuffer) {
        for channel in runs.indices where channel < buffer.channelCount { accept(buffer[channel: channel], channel) }
    }

    private mutating func accept(_ samples: Span<Float>, _ channel: Int) {
        var loudCount = 0
        for index in samples.indices { loudCount &+= samples[index].magnitude >= Self.fullScale ? 1 : 0 }
        guard loudCount > 0 else {
            if !samples.isEmpty { runs[channel] = Run() }
            return
        }
        for index in samples.indices { accept(samples[index], channel) }
    }

    private mutating func accept(_ sample: Float, _ channel: Int) {
        guard sample.magnitude >= Self.fullScale else {
            runs[channel] = Run()
            return
        }
        var run = runs[channel]
        if run.length == 0 || run.isNegative != (sample < 0) { run = Run(isNegative: sample < 0) }
        run.length += 1
        if run.isClipped {
            sampleCounts[channel] += 1
        } else if run.length >= 2 || sample.magnitude > 1 {
            run.isClipped = true
            placeCount += 1
            sampleCounts[channel] += run.length
        }
        runs[channel] = run
    }
}
