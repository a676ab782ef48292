// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
import TransformCoding

/// A first pass over a file that finds the single noise scale for an average bit rate.
///
/// It encodes sample access units spread evenly over the file. First an eighth of them (scouts) is encoded at several levels (log2 of the
/// noise scale) until the rate is nearly reached. Then all are encoded at that level, and the slope corrects the remaining error.
/// ``WholeFileSearch`` handles short files.
struct NoiseScaleSearch {
    /// The input and the encoder's settings; the search sets the level.
    let source: SegmentSource
    let division: SegmentDivision
    /// Whether access units have 2048 samples.
    ///
    /// There are then half as many, and each needs a longer preroll.
    let hasLongUnits: Bool
    let threads: EncodingThreads
    let bitsPerUnit: Double

    /// The number of sample access units, a trade-off between accuracy and time.
    ///
    /// ``SegmentNoiseScalePlan`` compensates for the error.
    private var probeCount: Int {
        source.configuration.settings.effort == .fast ? (hasLongUnits ? 64 : 150) : hasLongUnits ? 200 : 300
    }

    /// One sample access unit in this many is a scout.
    private static let coarseProbeStride = 8

    /// The error at which the scout search ends, as log2 of the relative size.
    private static let coarseTolerance = 0.05

    /// The number of access units that a thread encodes at a time.
    private static let unitsPerJob = 16

    /// Finds the level and the expected bits of each segment.
    ///
    /// Returns `nil` if no level comes close to the rate.
    func plan(startingAt start: Float) throws -> SegmentNoiseScalePlan? {
        let (probes, coarseProbes) = (probes(), coarseProbes)
        let search = LevelSearch(level: start, tolerance: Self.coarseTolerance, attempts: 5)
        let coarse = try search.run { try excess(at: $0, coarseProbes) }
        guard abs(coarse.error) < 2 * LevelSearch.maximumError else { return nil }
        let samples = probes + lateProbes()
        let bits = segmentBits(zip(samples, try byteCounts(at: coarse.level, samples)).map { ($0.lowerBound, $1) })
        let total = bits.reduce(0, +)
        let error = excess(total / Double(division.accessUnitCount))
        let level = LevelSearch.limited(coarse.level - Float(error / coarse.slope))
        // The scouts measure the actual effect of this step on the rate.
        let change = try excess(at: level, coarseProbes) - coarse.error
        return SegmentNoiseScalePlan(
            level: LevelSearch.limited(level - Float((error + change) / coarse.slope)), slope: coarse.slope,
            expected: bits.map { $0 * bitsPerUnit * Double(division.accessUnitCount) / max(total, 1) })
    }

    private var coarseProbes: [Range<Int>] {
        let probes = probes()
        return probes.indices.filter { $0 % Self.coarseProbeStride == 0 }.map { probes[$0] }
    }

    /// The weight of the file's mean in a segment's estimate, in sample access units.
    ///
    /// A segment contains only a few.
    private static let meanWeight = 3.0

    /// Estimates the bits of each segment from the sizes of sample access units.
    private func segmentBits(_ samples: [(accessUnit: Int, byteCount: Int)]) -> [Double] {
        let mean = Double(samples.reduce(0) { $0 + $1.byteCount }) / Double(samples.count)
        var sums = [Double](repeating: Self.meanWeight * mean, count: division.count)
        var counts = [Double](repeating: Self.meanWeight, count: division.count)
        for sample in samples {
            sums[sample.accessUnit / division.segmentLength] += Double(sample.byteCount)
            counts[sample.accessUnit / division.segmentLength] += 1
        }
        return sums.indices.map { index in
            8 * sums[index] / counts[index] * Double(min(division.segmentLength, division.accessUnitCount - index * division.segmentLength))
        }
    }

    /// Returns additional sample access units in the last segments, where no later segment can compensate for an error.
    private func lateProbes() -> [Range<Int>] {
        let late = SegmentNoiseScalePlan.lag(segmentCount: division.count) + 1
        let first = max(0, division.count - late) * division.segmentLength
        return Self.sampleUnits(Self.lateCount, in: first..<division.accessUnitCount)
    }

    private static let lateCount = 24

    private func probes() -> [Range<Int>] { Self.sampleUnits(probeCount, in: 0..<division.accessUnitCount) }

    /// Returns one access unit in each of `count` equal ranges, at offsets without a period that the signal could share.
    private static func sampleUnits(_ count: Int, in accessUnits: Range<Int>) -> [Range<Int>] {
        (0..<count).map { index in
            let range = accessUnits.count * index / count..<accessUnits.count * (index + 1) / count
            // Multiples of the golden ratio are spread evenly over the range.
            let share = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let first = accessUnits.lowerBound + range.lowerBound + Int(share * Double(max(1, range.count)))
            return first..<first + 1
        }
    }

    /// Returns log2 of the bits of these access units relative to the target.
    private func excess(at level: Float, _ parts: [Range<Int>]) throws -> Double {
        let bytes = try byteCounts(at: level, parts).reduce(0, +)
        return excess(Double(8 * bytes) / Double(parts.reduce(0) { $0 + $1.count }))
    }

    /// Returns log2 of a number of bits per access unit relative to the target.
    private func excess(_ bits: Double) -> Double {
        bits > 0 && bitsPerUnit > 0 ? PortableMath.octaves(bitsPerUnit, bits) : 0
    }

    /// Groups ranges into jobs.
    ///
    /// The job size does not depend on the number of threads. The job count is even and their work nearly equal, because threads that
    /// finish first must wait.
    private func jobs(_ parts: [Range<Int>]) -> [[Range<Int>]] {
        let largest = max(1, Self.unitsPerJob / (parts.first?.count ?? 1))
        let count = min(parts.count, ((parts.count + largest - 1) / largest + 1) & ~1)
        return (0..<count).map { Array(parts[parts.count * $0 / count..<parts.count * ($0 + 1) / count]) }
    }

    /// Returns the size of each range of access units, in bytes.
    private func byteCounts(at level: Float, _ parts: [Range<Int>]) throws -> [Int] {
        var source = source
        source.level = level
        let jobs = jobs(parts)
        let work = OrderedParallelMap<[Int]>(partCount: jobs.count, threads: threads) { [source] in
            let encoder = try SegmentEncoder(source)
            return { job in
                try jobs[job].map { accessUnits in
                    // The skipped signal is usually about as loud as the samples.
                    try encoder.encode(accessUnits, keepsLoudness: accessUnits != jobs[job].first).bytes.count
                }
            }
        }
        defer { work.stop() }
        var counts: [Int] = []
        while let some = try work.next() { counts += some }
        return counts
    }
}
