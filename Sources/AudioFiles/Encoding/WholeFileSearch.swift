// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
import TransformCoding
internal import TransformEncoding

/// The first pass over a short file: encodes all of it at one noise scale after the other until it has an average bit rate, and keeps the
/// result.
///
/// In AAC-LC a survey (``/TransformEncoding/SizeSurvey``) comes first, which costs less than half as much as encoding and mostly gives the noise scale
/// within 2 %. In a file of one segment the noise scale moves a little during a pass (``UnitQualityPlan``), so that few files need a second.
struct WholeFileSearch {
    /// The input and the encoder's settings; the level is set here.
    let source: SegmentSource
    /// The segments of the file.
    let division: SegmentDivision
    /// The threads to use.
    let threads: EncodingThreads
    /// The target number of bits per access unit.
    let bitsPerUnit: Double
    /// The encoder to use where there is only one segment.
    let encoder: SegmentEncoder?

    /// The encoded file.
    struct Result {
        /// log2 of the noise scale.
        var level: Float
        /// The noise scales of the units; nil if they have the same.
        var units: UnitQualityPlan?
        /// The segments of the file.
        var segments: [EncodedSegment]
    }

    /// Files of up to so many units are short.
    static let largestUnitCount = 1_000

    /// The number of attempts, the survey not counted.
    private static let attempts = 9

    /// log2 of the relative error at which the search ends, for files that are not very short.
    private static let smallestTolerance = 0.002

    /// log2 of the relative error at which the search ends: in a very short file seven tenths of one access unit more or less in total.
    private var tolerance: Double { max(Self.smallestTolerance, 1 / Double(division.unitCount)) }

    /// Finds the level (log2 of the noise scale) and encodes the file with it.
    ///
    /// - Parameter start: The level to start from.
    /// - Returns: The encoded file; nil if no level comes close to the rate.
    func encode(startingAt start: Float) throws -> Result? {
        var search = LevelSearch(level: start, tolerance: tolerance, attempts: Self.attempts)
        var expected: [Double] = []
        if source.configuration.profile == .lowComplexity, bitsPerUnit > 0,
            let found = try survey(at: start).solution()
        {
            search.level = LevelSearch.limited(start + Float(found.offset))
            (search.slope, expected) = (found.slope, found.sizes)
        }
        if division.count == 1, let encoder { return try encodeUnits(encoder, search, expected: expected) }
        var best: (error: Double, segments: [EncodedSegment]) = (.infinity, [])
        let found = try search.run { level in
            let segments = try segments(at: level)
            let (bytes, units) = segments.reduce((0, 0)) { ($0.0 + $1.bytes.count, $0.1 + $1.unitCount) }
            let error = bytes > 0 && bitsPerUnit > 0 ? PortableMath.octaves(bitsPerUnit, Double(8 * bytes) / Double(max(units, 1))) : 0
            if abs(error) < abs(best.error) { best = (error, segments) }
            return error
        }
        return abs(found.error) < LevelSearch.largestError ? Result(level: found.level, segments: best.segments) : nil
    }

    /// Encodes a file of one segment, until its units together have the size wanted.
    ///
    /// - Parameters:
    ///   - encoder: The encoder.
    ///   - search: The search, at the level to start from.
    ///   - expected: The bits of each unit expected at that level; empty if nothing is known.
    private func encodeUnits(_ encoder: SegmentEncoder, _ search: LevelSearch, expected: [Double]) throws -> Result? {
        var search = search
        var plan = UnitQualityPlan(level: search.level, slope: search.slope, expected: expected, bitsPerUnit: bitsPerUnit)
        var best: (error: Double, result: Result?) = (LevelSearch.largestError, nil)
        for _ in 0..<search.attempts {
            var followed = plan
            let segment = try encoder.encode(following: &followed)
            if abs(followed.error) < abs(best.error) {
                best = (followed.error, Result(level: plan.level, units: plan, segments: [segment]))
            }
            guard abs(followed.error) >= tolerance, search.advance(from: followed.errorAtLevel) else { break }
            plan = followed.refined(level: search.level, slope: search.slope)
        }
        return best.result
    }

    /// Estimates the sizes of all units.
    private func survey(at level: Float) throws -> SizeSurvey {
        var sum = SizeSurvey(bitsPerUnit: bitsPerUnit)
        for part in try map(at: level, { [bitsPerUnit] in try $0.survey($1, bitsPerUnit: bitsPerUnit) }) { sum.add(part) }
        return sum
    }

    /// Encodes all segments.
    private func segments(at level: Float) throws -> [EncodedSegment] { try map(at: level) { try $0.encode($1) } }

    /// Returns a result for each segment, the last of which continues to the end of the signal.
    private func map<Part: Sendable>(
        at level: Float, _ body: @escaping @Sendable (SegmentEncoder, Range<Int>) throws -> Part
    ) throws -> [Part] {
        if division.count == 1, let encoder {
            encoder.setFixedNoiseScale(log2: level)
            return [try body(encoder, 0 ..< .max)]
        }
        var source = source
        source.level = level
        let work = OrderedParallelMap<Part>(partCount: division.count, threads: threads) { [source, division] in
            let encoder = try SegmentEncoder(source)
            return { segment in try body(encoder, division.units(ofSegment: segment)) }
        }
        defer { work.stop() }
        var parts: [Part] = []
        while let part = try work.next() { parts.append(part) }
        return parts
    }
}
