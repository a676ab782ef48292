// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec

/// The first pass over a short file: encodes all of it at one noise scale after the other until it has an average bit rate, and keeps the
/// result.
///
/// In AAC-LC a survey (``AACCodec/SizeSurvey``) comes first, which costs less than half as much as encoding and mostly gives the noise scale
/// within 2 %.
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
    /// - Returns: The segments of the file; nil if no level comes close to the rate.
    func encode(startingAt start: Float) throws -> (level: Float, segments: [EncodedSegment])? {
        var search = LevelSearch(level: start, tolerance: tolerance, attempts: Self.attempts)
        if source.configuration.profile == .lowComplexity, let expected = try survey(at: start).solution(bitsPerUnit: bitsPerUnit) {
            search.level = LevelSearch.limited(start + Float(expected.offset))
            search.slope = expected.slope
        }
        var best: (error: Double, segments: [EncodedSegment]) = (.infinity, [])
        let found = try search.run { level in
            let segments = try segments(at: level)
            let (bytes, units) = segments.reduce((0, 0)) { ($0.0 + $1.bytes.count, $0.1 + $1.unitCount) }
            let error = bytes > 0 && bitsPerUnit > 0 ? PortableMath.octaves(bitsPerUnit, Double(8 * bytes) / Double(max(units, 1))) : 0
            if abs(error) < abs(best.error) { best = (error, segments) }
            return error
        }
        return abs(found.error) < LevelSearch.largestError ? (found.level, best.segments) : nil
    }

    /// Estimates the sizes of all units.
    private func survey(at level: Float) throws -> SizeSurvey {
        var sum = SizeSurvey()
        for part in try map(at: level, { try $0.survey($1) }) { sum.add(part) }
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
