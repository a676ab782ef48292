// SPDX-License-Identifier: Apache-2.0

/// Measures the average and peak bit rate of a stream of access units, with the peak over one second.
package struct BitRateMeter: Sendable {
    package private(set) var accessUnitCount = 0
    package private(set) var byteCount = 0
    package private(set) var maximumAccessUnitByteCount = 0
    package private(set) var frameCount = 0
    /// The duration of all access units, in seconds.
    package private(set) var seconds = 0.0

    /// The access units of the current window, starting at ``recentStart``.
    private var recent: [(byteCount: Int, seconds: Double)] = []
    private var recentStart = 0
    private var recentBytes = 0
    private var recentSeconds = 0.0
    private var peak = 0.0

    /// The window duration in seconds, which is less than a sample below one second.
    private static let windowDuration = 0.999_999

    package init() {}

    /// Adds an access unit.
    ///
    /// - Parameters:
    ///   - byteCount: The size, in bytes.
    ///   - duration: The number of decoded sample frames.
    ///   - sampleRate: The sample rate, in hertz.
    package mutating func add(byteCount: Int, duration: Int, sampleRate: Int) {
        let length = Double(duration) / Double(max(1, sampleRate))
        accessUnitCount += 1
        self.byteCount += byteCount
        maximumAccessUnitByteCount = max(maximumAccessUnitByteCount, byteCount)
        frameCount += duration
        seconds += length
        recent.append((byteCount, length))
        recentBytes += byteCount
        recentSeconds += length
        while recentStart < recent.count - 1, recentSeconds - recent[recentStart].seconds >= Self.windowDuration {
            recentBytes -= recent[recentStart].byteCount
            recentSeconds -= recent[recentStart].seconds
            recentStart += 1
        }
        if recentStart > 512 {
            recent.removeFirst(recentStart)
            recentStart = 0
        }
        if recentSeconds >= Self.windowDuration { peak = max(peak, Double(recentBytes) * 8 / recentSeconds) }
    }

    /// The average bit rate in bit/s, or 0 without access units.
    package var averageBitRate: Double { seconds > 0 ? Double(byteCount) * 8 / seconds : 0 }

    /// The peak bit rate in bit/s, at least the average.
    ///
    /// It is the maximum over all sequences of access units that just reach one second.
    package var peakBitRate: Double { max(averageBitRate, peak) }
}
