// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives

/// The number of access units that are lost where a container is damaged.
///
/// Units that have times tell it. Of ADTS and LOAS, which have none, the mean size of a unit and the number of damaged bytes do. Damaged bytes
/// need not have been audio: of a run of lost units only the first ones are concealed.
struct UnitLoss {
    /// Access units that are lost before another one.
    struct Run {
        /// The number of units that are concealed.
        var concealed = 0
        /// The duration of those after them, which are left out.
        var gap = Duration.zero
    }

    /// The longest run of lost units that is concealed, in seconds.
    static let longestConcealment = 10

    /// Damaged bytes since the most recent unit.
    private var lostByteCount = 0
    /// The end of all damaged ranges so far: those of MPEG-TS and of the stream in it overlap.
    private var lostEnd = 0
    /// The bytes and the number of all units so far.
    private var (byteCount, unitCount) = (0, 0)
    /// The end of the most recent unit, in its timescale.
    private var end: Int64?

    /// Counts the bytes of a part without a unit, if it is damage inside the file.
    mutating func record(_ skipped: SkippedBytes) {
        guard skipped.isDamage, skipped.unitCountAfterEnd == 0 else { return }
        lostByteCount += max(0, skipped.byteRange.upperBound - max(skipped.byteRange.lowerBound, lostEnd))
        lostEnd = max(lostEnd, skipped.byteRange.upperBound)
    }

    /// Returns the units that are lost before a unit, and counts that.
    ///
    /// - Parameters:
    ///   - unit: The unit.
    ///   - estimates: Whether the number follows from the bytes, since the container has no times.
    mutating func run(before unit: CodedUnit, estimates: Bool) -> Run {
        let (duration, timescale) = (max(1, unit.accessUnit.duration), max(1, Int(unit.accessUnit.presentationTime.timescale)))
        let count = units(before: unit, estimates: estimates)
        let concealed = min(count, max(1, Self.longestConcealment * timescale / duration))
        return Run(concealed: concealed, gap: .seconds(Double(count - concealed) * Double(duration) / Double(timescale)))
    }

    /// Returns the number of units that are lost before a unit, and counts that.
    ///
    /// There are at most as many as damaged bytes, whatever the times say.
    ///
    /// - Parameters:
    ///   - unit: The unit.
    ///   - estimates: Whether the number follows from the bytes, since the container has no times.
    private mutating func units(before unit: CodedUnit, estimates: Bool) -> Int {
        let (start, duration) = (unit.accessUnit.presentationTime.value, Int64(max(1, unit.accessUnit.duration)))
        defer {
            lostByteCount = 0
            byteCount += unit.byteRange.count
            unitCount += 1
            end = start &+ duration
        }
        guard lostByteCount > 0, unitCount > 0, let end else { return 0 }
        if estimates {
            let mean = max(1, byteCount / unitCount)
            return (lostByteCount + mean / 2) / mean
        }
        let gap = start.subtractingReportingOverflow(end)
        guard !gap.overflow, gap.partialValue > 0 else { return 0 }
        return min(lostByteCount, Int(clamping: (gap.partialValue + duration / 2) / duration))
    }
}

extension AudioFileFormat {
    /// Whether units have neither numbers nor times in this format, so that those that are missing can only be estimated.
    var countsNoUnits: Bool { self == .adts || self == .loas || self == .transportStream }
}
