// SPDX-License-Identifier: Apache-2.0

/// Relates the recording's frames to the host clock.
struct ReferenceClock {
    var source = SourceClock()
    /// The end of the reference source: the recording's frame and its host time.
    ///
    /// From there on the recording follows the host clock.
    private var end: (frame: Int, hostTime: Double)?
    private let sampleRate: Double

    init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

    /// Whether host times are known.
    var isReady: Bool { source.isReady }

    /// The seconds of host time per second of the recording, minus 1.
    var drift: Double { end == nil ? source.drift : 0 }

    /// Returns the host time of a frame, in seconds; `nil` if it is not known yet.
    func hostTime(ofFrame frame: Int) -> Double? {
        if let end { return end.hostTime + Double(frame - end.frame) / sampleRate }
        return source.hostTime(at: Double(frame) / sampleRate)
    }

    /// Follows the host clock from a frame on.
    mutating func endSource(at frame: Int) {
        source.finish()
        if let time = hostTime(ofFrame: frame) { end = (frame, time) }
    }
}
