// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Estimates the number of access units lost in damaged parts of a container.
///
/// Timestamps determine the number where available. ADTS and LOAS have no timestamps, so it follows from the mean access unit size and the
/// number of damaged bytes. Damaged bytes may not have been audio, so only the start of a run is concealed.
package struct UnitLoss {
    /// A run of access units lost before another one.
    package struct Run {
        /// The number of access units to conceal.
        package var concealed = 0
        /// The remaining duration, which is omitted.
        package var gap = Duration.zero
    }

    /// The maximum duration to conceal, in seconds.
    private static let maximumConcealment = 10

    /// The number of damaged bytes since the previous access unit.
    private var lostByteCount = 0
    /// The number of access units missing since the previous one, if the container states it.
    private var missingCount = 0
    /// The end of all damaged ranges so far.
    ///
    /// Ranges of MPEG-TS and of its stream overlap.
    private var lostEnd = 0
    /// The total size and number of access units so far.
    private var (byteCount, accessUnitCount) = (0, 0)
    /// The end of the previous access unit, in its timescale.
    private var end: Int64?

    package init() {}

    /// Counts bytes without an access unit if they are damage inside the file.
    package mutating func record(_ skipped: SkippedBytes) {
        guard skipped.isDamage, skipped.unitCountAfterEnd == 0 else { return }
        missingCount += skipped.missingUnitCount
        lostByteCount += max(0, skipped.byteRange.upperBound - max(skipped.byteRange.lowerBound, lostEnd))
        lostEnd = max(lostEnd, skipped.byteRange.upperBound)
    }

    /// Returns the access units lost before `demuxed`, and counts `demuxed`.
    ///
    /// - Parameter estimates: Whether to estimate the number from sizes, because the container has no timestamps.
    package mutating func run(before demuxed: DemuxedAccessUnit, estimates: Bool) -> Run {
        let (duration, timescale) = (max(1, demuxed.accessUnit.duration), max(1, Int(demuxed.accessUnit.presentationTime.timescale)))
        let count = accessUnits(before: demuxed, estimates: estimates)
        let concealed = min(count, max(1, Self.maximumConcealment * timescale / duration))
        return Run(concealed: concealed, gap: .seconds(Double(count - concealed) * Double(duration) / Double(timescale)))
    }

    /// Returns the number of access units lost before `demuxed`, and counts `demuxed`.
    ///
    /// Without the container's statement, the number never exceeds the number of damaged bytes, whatever the timestamps state.
    private mutating func accessUnits(before demuxed: DemuxedAccessUnit, estimates: Bool) -> Int {
        let (start, duration) = (demuxed.accessUnit.presentationTime.value, Int64(max(1, demuxed.accessUnit.duration)))
        defer {
            lostByteCount = 0
            missingCount = 0
            byteCount += demuxed.byteRange.count
            accessUnitCount += 1
            end = start &+ duration
        }
        if missingCount > 0 { return missingCount }
        guard lostByteCount > 0, accessUnitCount > 0, let end else { return 0 }
        if estimates {
            let mean = max(1, byteCount / accessUnitCount)
            return (lostByteCount + mean / 2) / mean
        }
        let gap = start.subtractingReportingOverflow(end)
        guard !gap.overflow, gap.partialValue > 0 else { return 0 }
        return min(lostByteCount, Int(clamping: (gap.partialValue + duration / 2) / duration))
    }
}

extension AudioFileFormat {
    /// Whether access units have neither numbers nor timestamps in this format, so that losses can only be estimated.
    package var lacksUnitIndex: Bool { self == .adts || self == .loas || self == .transportStream }
}
