// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Mean and peak bit rate of the units of a stream.
struct BitRateMeter: Sendable {
    /// Bytes of all units.
    private(set) var byteCount = 0
    /// Bytes of the largest unit.
    private(set) var largestUnit = 0
    /// The number of units.
    private(set) var unitCount = 0
    private var recent: [Int]
    private var recentByteCount = 0
    private var largestWindow = 0
    private let unitsPerSecond: Double

    /// Makes a meter for units of `frameLength` sample frames at `sampleRate` hertz.
    init(sampleRate: Int, frameLength: Int) {
        unitsPerSecond = Double(sampleRate) / Double(max(1, frameLength))
        recent = [Int](repeating: 0, count: max(1, Int(unitsPerSecond.rounded(.up))))
    }

    /// Counts a unit.
    mutating func add(_ unitByteCount: Int) {
        let place = unitCount % recent.count
        recentByteCount += unitByteCount - recent[place]
        recent[place] = unitByteCount
        byteCount += unitByteCount
        unitCount += 1
        largestUnit = max(largestUnit, unitByteCount)
        largestWindow = max(largestWindow, recentByteCount)
    }

    /// The mean rate in bit/s; 0 without units.
    var average: Int { unitCount == 0 ? 0 : rate(byteCount, unitCount) }

    /// The highest rate over about a second in bit/s, at least the mean.
    var peak: Int { max(average, unitCount == 0 ? 0 : rate(largestWindow, min(unitCount, recent.count))) }

    private func rate(_ bytes: Int, _ units: Int) -> Int { Int((Double(bytes) * 8 * unitsPerSecond / Double(units)).rounded()) }
}
