// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
import TransformCoding

/// The first pass over a file: finds the one noise scale at which it has an average bit rate.
///
/// Sample access units, spread evenly over the file, are encoded. First an eighth of them (scouts) is encoded at several levels (log2 of the
/// noise scale) until the rate is nearly met; then all are encoded at that level, and the remaining error is corrected by the slope. For
/// short files there is ``WholeFileSearch``.
struct QualitySearch {
    /// The input and the encoder's settings; the level is set here.
    let source: SegmentSource
    /// The segments of the file.
    let division: SegmentDivision
    /// Whether units have 2048 samples: there are half as many then, and each needs a longer start.
    let hasLongUnits: Bool
    /// The threads to use.
    let threads: EncodingThreads
    /// The target number of bits per access unit.
    let bitsPerUnit: Double

    /// The number of sample units, by effort: a trade-off between accuracy and time.
    ///
    /// ``SegmentQualityPlan`` compensates for the error.
    private var probeCount: Int {
        source.configuration.settings.effort == .fast ? (hasLongUnits ? 64 : 150) : hasLongUnits ? 200 : 300
    }

    /// One in so many sample units is a scout.
    private static let scoutShare = 8

    /// log2 of the relative error at which the search with the scouts ends.
    private static let scoutTolerance = 0.05

    /// The number of units that a thread encodes at a time, where ranges are smaller.
    private static let unitsPerJob = 16

    /// Finds the level, and the expected bits of each segment; returns nil if no level comes close to the rate.
    func plan(startingAt start: Float) throws -> SegmentQualityPlan? {
        let probes = probes()
        let scouts = probes.indices.filter { $0 % Self.scoutShare == 0 }.map { probes[$0] }
        let search = LevelSearch(level: start, tolerance: Self.scoutTolerance, attempts: 5)
        let scouted = try search.run { try excess(at: $0, scouts) }
        guard abs(scouted.error) < 2 * LevelSearch.largestError else { return nil }
        let samples = probes + lateProbes()
        let bits = segmentBits(zip(samples, try byteCounts(at: scouted.level, samples)).map { ($0.lowerBound, $1) })
        let total = bits.reduce(0, +)
        let error = excess(total / Double(division.unitCount))
        let level = LevelSearch.limited(scouted.level - Float(error / scouted.slope))
        // The scouts show the true effect of this step on the rate.
        let change = try excess(at: level, scouts) - scouted.error
        return SegmentQualityPlan(
            level: LevelSearch.limited(level - Float((error + change) / scouted.slope)), slope: scouted.slope,
            expected: bits.map { $0 * bitsPerUnit * Double(division.unitCount) / max(total, 1) })
    }

    /// The weight of the file's mean in a segment's estimate, in sample units: a segment has few of its own.
    private static let meanWeight = 3.0

    /// Estimates the bits of each segment from the sizes of sample units.
    private func segmentBits(_ samples: [(unit: Int, byteCount: Int)]) -> [Double] {
        let mean = Double(samples.reduce(0) { $0 + $1.byteCount }) / Double(samples.count)
        var sums = [Double](repeating: Self.meanWeight * mean, count: division.count)
        var counts = [Double](repeating: Self.meanWeight, count: division.count)
        for sample in samples {
            sums[sample.unit / division.segmentLength] += Double(sample.byteCount)
            counts[sample.unit / division.segmentLength] += 1
        }
        return sums.indices.map { index in
            8 * sums[index] / counts[index] * Double(min(division.segmentLength, division.unitCount - index * division.segmentLength))
        }
    }

    /// Returns more sample units in the last segments: no later segment can compensate for an error there.
    private func lateProbes() -> [Range<Int>] {
        let late = SegmentQualityPlan.lag(segmentCount: division.count) + 1
        let first = max(0, division.count - late) * division.segmentLength
        return Self.sampleUnits(Self.lateCount, in: first..<division.unitCount)
    }

    /// The number of additional sample units.
    private static let lateCount = 24

    /// Returns the sample units of the whole file.
    private func probes() -> [Range<Int>] { Self.sampleUnits(probeCount, in: 0..<division.unitCount) }

    /// Returns one unit in each of `count` ranges of the same length, at offsets without a period that the signal could share.
    private static func sampleUnits(_ count: Int, in units: Range<Int>) -> [Range<Int>] {
        (0..<count).map { index in
            let range = units.count * index / count..<units.count * (index + 1) / count
            // Multiples of the golden section are spread evenly over the range.
            let share = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let first = units.lowerBound + range.lowerBound + Int(share * Double(max(1, range.count)))
            return first..<first + 1
        }
    }

    /// Returns log2 of the bits of these units relative to the target.
    private func excess(at level: Float, _ parts: [Range<Int>]) throws -> Double {
        let bytes = try byteCounts(at: level, parts).reduce(0, +)
        return excess(Double(8 * bytes) / Double(parts.reduce(0) { $0 + $1.count }))
    }

    /// Returns log2 of a number of bits per unit relative to the target.
    private func excess(_ bits: Double) -> Double {
        bits > 0 && bitsPerUnit > 0 ? PortableMath.octaves(bitsPerUnit, bits) : 0
    }

    /// Groups ranges for the threads: of the same size for any number of threads, and an even number of groups with nearly the same work,
    /// because threads that finish first have to wait.
    private func jobs(_ parts: [Range<Int>]) -> [[Range<Int>]] {
        let largest = max(1, Self.unitsPerJob / (parts.first?.count ?? 1))
        let count = min(parts.count, ((parts.count + largest - 1) / largest + 1) & ~1)
        return (0..<count).map { Array(parts[parts.count * $0 / count..<parts.count * ($0 + 1) / count]) }
    }

    /// Returns the size of each of these ranges of units, in bytes.
    private func byteCounts(at level: Float, _ parts: [Range<Int>]) throws -> [Int] {
        var source = source
        source.level = level
        let jobs = jobs(parts)
        let work = OrderedParallelMap<[Int]>(partCount: jobs.count, threads: threads) { [source] in
            let encoder = try SegmentEncoder(source)
            return { job in
                try jobs[job].map { units in
                    // The signal between two sample units is mostly about as loud as they are.
                    try encoder.encode(units, keepsLoudness: units != jobs[job].first).bytes.count
                }
            }
        }
        defer { work.stop() }
        var counts: [Int] = []
        while let some = try work.next() { counts += some }
        return counts
    }
}
