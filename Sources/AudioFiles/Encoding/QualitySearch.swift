// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec

/// The first pass over a file: finds the one quality at which it comes to an average bit rate.
///
/// Access units at places spread evenly over the file are encoded for real. First a few of them show where the quality must lie, then
/// all are encoded there, and what is missing is made up by the slope. Short files are encoded as a whole, until the rate is met.
struct QualitySearch {
    /// The sound; its level is set here.
    let source: SegmentSource
    /// Access units of the file.
    let unitCount: Int
    /// Access units of a segment, which a thread encodes at a time of a short file.
    let segmentLength: Int
    /// Whether units have 2048 samples: there are half as many then, and each starts up longer.
    let hasLongUnits: Bool
    /// Threads that may be used.
    let threadCount: Int
    /// Bits a unit that are aimed at.
    let bitsPerUnit: Double

    /// Places looked at, by effort: accuracy against the time it takes.
    ///
    /// What they miss, ``SegmentQualityPlan`` makes up for.
    private var probeCount: Int {
        source.configuration.effort == .fast ? (hasLongUnits ? 64 : 150) : hasLongUnits ? 200 : 300
    }

    /// Files of up to so many units are encoded as a whole.
    private static let wholeLimit = 1_000

    /// The part of the places that shows where the quality lies.
    private static let scoutShare = 8

    /// log2 of the relative error at which a search ends: of the scouts, and in a short file.
    private static let scoutTolerance = 0.05
    private static let tolerance = 0.002

    /// Octaves of bits for an octave of noise, to begin with.
    private static let typicalSlope = -0.45

    /// Units a thread encodes at a time, where parts are smaller.
    private static let unitsPerJob = 16

    /// The levels allowed.
    private static let levels: ClosedRange<Float> = -20...20

    /// log2 of the relative error from which there is no one quality for the rate: some sound takes twice the bits a hair's breadth on.
    private static let largestError = 0.06

    /// Finds the quality, and what each segment should take with it; nil if none comes near the rate.
    func plan(startingAt start: Float) throws -> SegmentQualityPlan? {
        guard unitCount > Self.wholeLimit else {
            let segments = stride(from: 0, to: unitCount, by: segmentLength).map { first in
                first..<min(first + segmentLength, unitCount)
            }
            let found = try solve(segments, startingAt: start, tolerance: Self.tolerance, attempts: 9)
            return abs(found.error) < Self.largestError ? SegmentQualityPlan(level: found.level) : nil
        }
        let probes = probes()
        let scouts = probes.indices.filter { $0 % Self.scoutShare == 0 }.map { probes[$0] }
        let scouted = try solve(scouts, startingAt: start, tolerance: Self.scoutTolerance, attempts: 5)
        guard abs(scouted.error) < 2 * Self.largestError else { return nil }
        let places = probes + lateProbes()
        let bits = segmentBits(zip(places, try byteCounts(at: scouted.level, places)).map { ($0.lowerBound, $1) })
        let total = bits.reduce(0, +)
        let error = excess(total / Double(unitCount))
        let level = Self.limited(scouted.level - Float(error / scouted.slope))
        // How far this step really moves the rate, the scouts know best.
        let change = try excess(at: level, scouts) - scouted.error
        return SegmentQualityPlan(
            level: Self.limited(level - Float((error + change) / scouted.slope)), slope: scouted.slope,
            expected: bits.map { $0 * bitsPerUnit * Double(unitCount) / max(total, 1) })
    }

    /// Places that a segment is taken to have beside its own, as large as all are on average: with few, its own say little.
    private static let commonPlaces = 3.0

    private var segmentCount: Int { (unitCount + segmentLength - 1) / segmentLength }

    /// What segments take, by the sizes of units at places.
    private func segmentBits(_ places: [(unit: Int, byteCount: Int)]) -> [Double] {
        let mean = Double(places.reduce(0) { $0 + $1.byteCount }) / Double(places.count)
        var sums = [Double](repeating: Self.commonPlaces * mean, count: segmentCount)
        var counts = [Double](repeating: Self.commonPlaces, count: segmentCount)
        for place in places {
            sums[place.unit / segmentLength] += Double(place.byteCount)
            counts[place.unit / segmentLength] += 1
        }
        return sums.indices.map { index in
            8 * sums[index] / counts[index] * Double(min(segmentLength, unitCount - index * segmentLength))
        }
    }

    /// More places in the last segments: what is wrong there, none that follows can make up for.
    private func lateProbes() -> [Range<Int>] {
        let late = SegmentQualityPlan.lag(segmentCount: segmentCount) + 1
        let first = max(0, segmentCount - late) * segmentLength
        return Self.places(Self.lateCount, in: first..<unitCount)
    }

    /// The number of these places.
    private static let lateCount = 24

    private func probes() -> [Range<Int>] { Self.places(probeCount, in: 0..<unitCount) }

    /// One place in each of as many stretches of the same length, in steps that keep no time with anything in the sound.
    private static func places(_ count: Int, in units: Range<Int>) -> [Range<Int>] {
        (0..<count).map { index in
            let stretch = units.count * index / count..<units.count * (index + 1) / count
            // The golden section spreads places over the stretch.
            let share = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let first = units.lowerBound + stretch.lowerBound + Int(share * Double(max(1, stretch.count)))
            return first..<first + 1
        }
    }

    /// Looks for the level at which these units come to the rate, by secants.
    private func solve(
        _ parts: [Range<Int>], startingAt start: Float, tolerance: Double, attempts: Int
    ) throws -> (level: Float, error: Double, slope: Double) {
        var level = start
        var slope = Self.typicalSlope
        var best = (level: start, error: Double.infinity)
        var last: (level: Float, error: Double)?
        for _ in 0..<attempts {
            let error = try excess(at: level, parts)
            if abs(error) < abs(best.error) { best = (level, error) }
            if abs(error) < tolerance { break }
            if let last, last.level != level {
                slope = min(max((error - last.error) / Double(level - last.level), -1.5), -0.1)
            }
            last = (level, error)
            level = Self.limited(level - Float(min(max(error / slope, -6), 6)))
            if level == last?.level { break }
        }
        return (best.level, best.error, slope)
    }

    private static func limited(_ level: Float) -> Float { min(max(level, levels.lowerBound), levels.upperBound) }

    /// log2 of the bits these units take over those they should.
    private func excess(at level: Float, _ parts: [Range<Int>]) throws -> Double {
        let bytes = try byteCounts(at: level, parts).reduce(0, +)
        return excess(Double(8 * bytes) / Double(parts.reduce(0) { $0 + $1.count }))
    }

    private func excess(_ bits: Double) -> Double {
        bits > 0 && bitsPerUnit > 0 ? PortableMath.octaves(bitsPerUnit, bits) : 0
    }

    /// Parts that a thread encodes one after the other: as long for any number of threads, and for an even number of them nearly
    /// the same work, since those who are done first have to wait.
    private func jobs(_ parts: [Range<Int>]) -> [[Range<Int>]] {
        let largest = max(1, Self.unitsPerJob / (parts.first?.count ?? 1))
        let count = min(parts.count, ((parts.count + largest - 1) / largest + 1) & ~1)
        return (0..<count).map { Array(parts[parts.count * $0 / count..<parts.count * ($0 + 1) / count]) }
    }

    /// The bytes that each of these parts takes.
    private func byteCounts(at level: Float, _ parts: [Range<Int>]) throws -> [Int] {
        var source = source
        source.level = level
        let jobs = jobs(parts)
        let work = OrderedParallelMap<[Int]>(partCount: jobs.count, threadCount: threadCount) { [source] in
            let encoder = try SegmentEncoder(source)
            return { job in
                try jobs[job].map { units in
                    // What lies between two places is mostly about as loud as they are.
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
