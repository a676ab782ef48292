// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The bit rate of a stream of access units: on average, and in its largest second.
public struct BitRateMeter: Sendable {
    /// Access units so far.
    public private(set) var unitCount = 0
    /// Payload bytes so far.
    public private(set) var byteCount = 0
    /// Sample frames so far.
    public private(set) var frameCount = 0
    /// Seconds so far.
    public private(set) var seconds = 0.0

    /// The units of the last second, in a ring.
    private var recent: [(byteCount: Int, seconds: Double)] = []
    private var recentStart = 0
    private var recentBytes = 0
    private var recentSeconds = 0.0
    private var peakBytes = 0

    /// Makes a meter at zero.
    public init() {}

    /// Counts an access unit of so many bytes that decodes to `duration` frames at `sampleRate`.
    public mutating func add(byteCount: Int, duration: Int, sampleRate: Int) {
        let length = Double(duration) / Double(max(1, sampleRate))
        unitCount += 1
        self.byteCount += byteCount
        frameCount += duration
        seconds += length
        recent.append((byteCount, length))
        recentBytes += byteCount
        recentSeconds += length
        while recentSeconds > 1.000_001, recentStart < recent.count - 1 {
            recentBytes -= recent[recentStart].byteCount
            recentSeconds -= recent[recentStart].seconds
            recentStart += 1
        }
        if recentStart > 512 {
            recent.removeFirst(recentStart)
            recentStart = 0
        }
        peakBytes = max(peakBytes, recentBytes)
    }

    /// Bits a second on average; 0 for no units.
    public var averageBitRate: Double { seconds > 0 ? Double(byteCount) * 8 / seconds : 0 }

    /// Bits of the largest run of units no longer than a second; the average for streams shorter than that.
    public var peakBitRate: Double { seconds >= 1 ? Double(peakBytes) * 8 : averageBitRate }
}
