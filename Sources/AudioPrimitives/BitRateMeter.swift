// SPDX-License-Identifier: Apache-2.0

/// Measures the bit rate of a stream of access units: the average, and the maximum over one second.
package struct BitRateMeter: Sendable {
    /// The number of access units.
    package private(set) var unitCount = 0
    /// The number of payload bytes.
    package private(set) var byteCount = 0
    /// The number of bytes of the largest access unit.
    package private(set) var largestUnitByteCount = 0
    /// The number of sample frames.
    package private(set) var frameCount = 0
    /// The duration of all access units in seconds.
    package private(set) var seconds = 0.0

    /// The units of the current window, from ``recentStart`` on.
    private var recent: [(byteCount: Int, seconds: Double)] = []
    private var recentStart = 0
    private var recentBytes = 0
    private var recentSeconds = 0.0
    private var peak = 0.0

    /// The duration of a window in seconds, less than one by far less than a sample.
    private static let windowDuration = 0.999_999

    /// Creates a meter at zero.
    package init() {}

    /// Adds an access unit.
    ///
    /// - Parameters:
    ///   - byteCount: The number of its bytes.
    ///   - duration: The number of sample frames that it decodes to.
    ///   - sampleRate: Their rate in hertz.
    package mutating func add(byteCount: Int, duration: Int, sampleRate: Int) {
        let length = Double(duration) / Double(max(1, sampleRate))
        unitCount += 1
        self.byteCount += byteCount
        largestUnitByteCount = max(largestUnitByteCount, byteCount)
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

    /// The average bit rate in bit/s; 0 without access units.
    package var averageBitRate: Double { seconds > 0 ? Double(byteCount) * 8 / seconds : 0 }

    /// The highest bit rate in bit/s of any run of access units that lasts a second, or by less than a unit longer; at least the average.
    package var peakBitRate: Double { max(averageBitRate, peak) }
}
