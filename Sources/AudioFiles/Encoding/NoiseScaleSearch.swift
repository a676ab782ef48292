// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
import TransformCoding
internal import TransformEncoding

/// A first pass over a file that finds the single noise scale for an average bit rate.
///
/// A survey (``/TransformEncoding/SizeEstimator``) of runs of access units, spread evenly over the file, estimates their sizes at any noise
/// scale. ``WholeFileSearch`` handles short files.
struct NoiseScaleSearch {
    /// The input and the encoder's settings; the search sets the level.
    let source: SegmentSource
    let division: SegmentDivision
    let threads: EncodingThreads
    let bitsPerUnit: Double

    /// The access units of a job and the estimate of their sizes.
    private struct Survey {
        var accessUnits: [Int] = []
        var estimator: SizeEstimator
    }

    /// The number of runs, a trade-off between accuracy and time.
    ///
    /// ``SegmentNoiseScalePlan`` compensates for the error. Measured in RateControl.md#two-passes-for-an-average-rate.
    private var runCount: Int {
        source.configuration.settings.effort == .fast ? max(100, 2 * division.count) : max(150, 3 * division.count)
    }

    /// The number of access units in a run.
    ///
    /// One is encoded, in xHE-AAC only in every second run.
    private static let runLength = SizeEstimator.stride

    /// The number of additional runs in the last segments, where no later segment can compensate for an error.
    private static let lateRunCount = 12

    /// The number of runs that a thread surveys at a time.
    private static let runsPerJob = 8

    /// Finds the level (log2 of the noise scale) and the expected bits of each segment.
    ///
    /// Returns `nil` if the signal is almost silent, or the level too far from `start`.
    func plan(startingAt start: Float) throws -> SegmentNoiseScalePlan? {
        var level = LevelSearch.limited(start)
        for _ in 0..<WholeFileSearch.surveys {
            let survey = try survey(at: level)
            guard let found = survey.estimator.solution() else { return nil }
            let bits = segmentBits(zip(survey.accessUnits, found.sizes))
            let target = bitsPerUnit * Double(division.accessUnitCount)
            let total = max(bits.reduce(0, +), 1)
            // Unlike the estimate, the total does not depend on the number of runs in a segment.
            level = LevelSearch.limited(level + Float(found.offset - PortableMath.octaves(target, total) / found.slope))
            if abs(found.offset) <= SizeEstimator.reliableOffset {
                return SegmentNoiseScalePlan(level: level, slope: found.slope, expected: bits.map { $0 * target / total })
            }
        }
        return nil
    }

    /// The weight of the file's mean in a segment's estimate, in surveyed access units.
    ///
    /// With 3 instead of 1, a file of ten minutes misses its rate by 0.4 instead of 0.2 % at 192 kbit/s.
    private static let meanWeight = 1.0

    /// Estimates the bits of each segment from the sizes of surveyed access units.
    private func segmentBits(_ sizes: Zip2Sequence<[Int], [Double]>) -> [Double] {
        let mean = sizes.reduce(0) { $0 + $1.1 } / Double(sizes.underestimatedCount)
        var sums = [Double](repeating: Self.meanWeight * mean, count: division.count)
        var counts = [Double](repeating: Self.meanWeight, count: division.count)
        for (accessUnit, size) in sizes {
            sums[accessUnit / division.segmentLength] += size
            counts[accessUnit / division.segmentLength] += 1
        }
        return sums.indices.map { index in
            sums[index] / counts[index] * Double(min(division.segmentLength, division.accessUnitCount - index * division.segmentLength))
        }
    }

    /// Returns the first access unit of each run.
    private func runs() -> [Int] {
        let late = SegmentNoiseScalePlan.lag(segmentCount: division.count) + 1
        let firstLate = max(0, division.count - late) * division.segmentLength
        let end = division.accessUnitCount - Self.runLength
        return Self.starts(runCount, in: 0..<end) + Self.starts(Self.lateRunCount, in: min(firstLate, end)..<end)
    }

    /// Returns one access unit in each of `count` equal ranges, at offsets without a period that the signal could share.
    private static func starts(_ count: Int, in accessUnits: Range<Int>) -> [Int] {
        (0..<count).map { index in
            let range = accessUnits.count * index / count..<accessUnits.count * (index + 1) / count
            // Multiples of the golden ratio are spread evenly over the range.
            let share = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            return accessUnits.lowerBound + range.lowerBound + Int(share * Double(max(1, range.count)))
        }
    }

    /// Surveys runs of access units at a level.
    private func survey(at level: Float) throws -> Survey {
        var source = source
        source.level = level
        let (runs, empty) = (runs(), Survey(estimator: SizeEstimator(bitsPerUnit: bitsPerUnit)))
        // The division does not depend on the number of threads.
        let jobCount = (runs.count + Self.runsPerJob - 1) / Self.runsPerJob
        let work = OrderedParallelMap<Survey>(partCount: jobCount, threads: threads) { [source] in
            let encoder = try SegmentEncoder(source)
            return { job in
                var survey = empty
                for first in runs[runs.count * job / jobCount..<runs.count * (job + 1) / jobCount] {
                    let before = survey.estimator.accessUnitCount
                    survey.estimator = try encoder.estimateSizes(first..<first + Self.runLength, estimator: survey.estimator)
                    survey.accessUnits += first..<first + survey.estimator.accessUnitCount - before
                }
                return survey
            }
        }
        defer { work.stop() }
        var whole = empty
        while let part = try work.next() {
            whole.estimator.add(part.estimator)
            whole.accessUnits += part.accessUnits
        }
        return whole
    }
}
