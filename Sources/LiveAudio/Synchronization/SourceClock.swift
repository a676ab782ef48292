// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices

/// Relates a source's timeline to the host clock.
///
/// The *lag* is host time minus timeline time. A line is fitted to the lags of the last minute: its offset aligns the source, its slope is
/// the drift of the source's clock.
///
/// Audio never arrives early, so that the minimum arrival lag of half a second is constant within 0.2 ms, even on a busy machine. Capture
/// times that a device reports jitter to both sides, so that their mean is used.
struct SourceClock {
    /// A part of the timeline whose lags are combined to one point.
    private struct Window {
        var count = 0
        var minimumLag = Double.infinity
        var sumOfLags = 0.0
        var start: Double
        var isArrival: Bool

        var lag: Double { isArrival ? minimumLag : sumOfLags / Double(count) }
    }

    /// The window length, in seconds.
    private static let windowLength = 0.5
    /// The maximum number of points: one minute, in which clocks of devices are constant to 1 ppm.
    private static let maximumPointCount = 120
    /// The noise of a point, in seconds, and the expected drift.
    ///
    /// Until the points determine the slope, these keep it near its previous value.
    private static let (noise, expectedDrift) = (0.0002, 0.0001)
    /// The minimum distance from the line, in seconds, at which a point counts as delayed.
    private static let minimumOutlier = 0.0005
    /// The maximum drift: ten times the drift of a cheap oscillator.
    private static let maximumDrift = 0.001
    private static let maximumFitCount = 12

    private var window: Window?
    private var points: [(time: Double, lag: Double)] = []
    /// Whether the points are minimum arrival lags.
    private var isArrival = false
    /// The drift known from points before the last restart.
    private var knownDrift = 0.0

    /// The fitted line: the lag at time `center`, and the change per second.
    private var line: (center: Double, lag: Double, slope: Double)?

    /// Whether the offset is known.
    var isReady: Bool { line != nil }

    /// The seconds of host time per second of the timeline, minus 1.
    var drift: Double { line?.slope ?? knownDrift }

    /// Adds a measurement.
    ///
    /// - Parameters:
    ///   - reading: The host time of a buffer.
    ///   - range: The buffer's position on the timeline, in seconds.
    mutating func accept(_ reading: ClockReading, for range: Range<Double>) {
        let (host, time, isArrival) =
            switch reading {
            case .arrival(let host): (host, range.upperBound, true)
            case .capture(let host): (host, range.lowerBound, false)
            }
        let lag = Double(host) / 1e9 - time
        if let window, time - window.start >= Self.windowLength || window.isArrival != isArrival {
            add(window, end: time)
            self.window = nil
        }
        var window = window ?? Window(start: time, isArrival: isArrival)
        window.count += 1
        window.minimumLag = min(window.minimumLag, lag)
        window.sumOfLags += lag
        self.window = window
    }

    /// Restarts the measurement at a gap, whose length is less accurate than the clock.
    ///
    /// Until new points exist, the timeline follows the host clock, as the silence in the gap does.
    ///
    /// - Parameter time: The start of the gap on the timeline, in seconds.
    mutating func restart(at time: Double) {
        guard !points.isEmpty || window != nil else { return }
        knownDrift = drift
        if let host = hostTime(at: time) { line = (time, host - time, 0) }
        points.removeAll()
        window = nil
    }

    /// Uses the incomplete last window if nothing else is known.
    mutating func finish() {
        guard let window, !isReady else { return }
        add(window, end: window.start)
        self.window = nil
    }

    /// Returns the host time of a position on the timeline, both in seconds; `nil` if it is not known yet.
    func hostTime(at time: Double) -> Double? {
        line.map { time + $0.lag + (time - $0.center) * $0.slope }
    }

    private mutating func add(_ window: Window, end: Double) {
        if points.count == Self.maximumPointCount { points.removeFirst() }
        isArrival = window.isArrival
        points.append(((window.start + end) / 2, window.lag))
        fit()
    }

    /// Fits the line by least squares, each time without the points that are delayed relative to the previous line.
    ///
    /// Arrivals are only ever late, so that they approach the line of those that were not, even if a busy machine delays most of them.
    private mutating func fit() {
        var used = points
        for _ in 0..<Self.maximumFitCount {
            fit(used)
            guard let line else { return }
            let distances = used.map { $0.lag - line.lag - ($0.time - line.center) * line.slope }
            let limit =
                isArrival ? Self.minimumOutlier : max(Self.minimumOutlier, 3 * distances.map(\.magnitude).sorted()[distances.count / 2])
            let kept = zip(used, distances).filter { (isArrival ? $1 : $1.magnitude) <= limit }.map(\.0)
            if kept.isEmpty || kept.count == used.count { return }
            used = kept
        }
    }

    private mutating func fit(_ points: [(time: Double, lag: Double)]) {
        let center = points.reduce(0) { $0 + $1.time } / Double(points.count)
        let mean = points.reduce(0) { $0 + $1.lag } / Double(points.count)
        var (products, squares) = (0.0, 0.0)
        for point in points {
            products += (point.time - center) * (point.lag - mean)
            squares += (point.time - center) * (point.time - center)
        }
        // The weight of the expected drift, as that of further points.
        let weight = Self.noise * Self.noise / (Self.expectedDrift * Self.expectedDrift)
        let slope = (products + weight * knownDrift) / (squares + weight)
        line = (center, mean, min(max(slope, -Self.maximumDrift), Self.maximumDrift))
    }
}
