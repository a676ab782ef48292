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
    let source: PartSource
    /// Access units of the file.
    let unitCount: Int
    /// Threads that may be used.
    let threadCount: Int
    /// Bits a unit that are aimed at.
    let bitsPerUnit: Double

    /// Places looked at, by effort: accuracy against the time it takes.
    private var probeCount: Int { source.configuration.effort == .fast ? 250 : 600 }

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

    /// Finds log2 of the quality, or nil if none comes near the rate.
    func level(startingAt start: Float) throws -> Float? {
        guard unitCount > Self.wholeLimit else {
            let segments = stride(from: 0, to: unitCount, by: StreamSegments.length).map { first in
                first..<min(first + StreamSegments.length, unitCount)
            }
            let found = try solve(segments, startingAt: start, tolerance: Self.tolerance, attempts: 9)
            return abs(found.error) < Self.largestError ? found.level : nil
        }
        let probes = probes()
        let scouts = probes.indices.filter { $0 % Self.scoutShare == 0 }.map { probes[$0] }
        let scouted = try solve(scouts, startingAt: start, tolerance: Self.scoutTolerance, attempts: 5)
        guard abs(scouted.error) < 2 * Self.largestError else { return nil }
        let error = try excess(at: scouted.level, probes)
        let level = Self.limited(scouted.level - Float(error / scouted.slope))
        // How far this step really moves the rate, the scouts know best.
        let change = try excess(at: level, scouts) - scouted.error
        return Self.limited(level - Float((error + change) / scouted.slope))
    }

    /// One place in each of as many stretches of the same length, in steps that keep no time with anything in the sound.
    private func probes() -> [Range<Int>] {
        let count = probeCount
        return (0..<count).map { index in
            let stretch = unitCount * index / count..<unitCount * (index + 1) / count
            // The golden section spreads places over the stretch.
            let share = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let first = stretch.lowerBound + Int(share * Double(max(1, stretch.count)))
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
        var source = source
        source.level = level
        let perJob = max(1, Self.unitsPerJob / (parts.first?.count ?? 1))
        let jobs = stride(from: 0, to: parts.count, by: perJob).map { Array(parts[$0..<min($0 + perJob, parts.count)]) }
        let work = OrderedWork<(bytes: Int, units: Int)>(partCount: jobs.count, threadCount: threadCount) { [source] in
            let encoder = try PartEncoder(source)
            return { job in
                try jobs[job].reduce(into: (bytes: 0, units: 0)) { sum, units in
                    let part = try encoder.encode(units)
                    sum = (sum.bytes + part.bytes.count, sum.units + part.unitCount)
                }
            }
        }
        defer { work.stop() }
        var (bytes, units) = (0, 0)
        while let sum = try work.next() { (bytes, units) = (bytes + sum.bytes, units + sum.units) }
        guard bytes > 0, bitsPerUnit > 0 else { return 0 }
        return PortableMath.ln(Double(8 * bytes) / (Double(units) * bitsPerUnit)) / PortableMath.ln(2)
    }
}
