// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
import TransformCoding
internal import TransformEncoding

/// The first pass over a short file: encodes all of it at different noise scales until it reaches an average bit rate, and keeps the
/// result.
///
/// Except for a file of one segment with SBR, a size estimate (``/TransformEncoding/SizeEstimator``) comes first. It costs less than half as
/// much as encoding and usually finds the noise scale within 2 %. In a file of one segment, the noise scale varies slightly during a pass
/// (``FrameNoiseScalePlan``), and few files need a second one. In a longer file, the largest segments are encoded again to correct its size.
struct WholeFileSearch {
    /// The input and the encoder's settings; the search sets the level.
    let source: SegmentSource
    let division: SegmentDivision
    let threads: EncodingThreads
    let bitsPerUnit: Double
    /// The encoder to use if there is only one segment.
    let encoder: SegmentEncoder?

    struct Result {
        /// log2 of the noise scale of each segment.
        var levels: [Float]
        /// The noise scales of the access units, or `nil` if all are equal.
        var framePlan: FrameNoiseScalePlan?
        var segments: [EncodedSegment]
    }

    static let maximumAccessUnitCount = 1_000

    /// The maximum number of attempts, not counting the size estimate.
    private static let attempts = 9

    /// The initial ``LevelSearch/slope`` with SBR, whose data have the same size at all noise scales.
    ///
    /// Eleven clips of HE-AAC in one segment need 2.3 passes at 32 and 64 kbit/s. With the slope of other files they need 3.1.
    private static let slopeWithSBR = -0.28

    /// The usual distance of a file's level from the encoder's initial one: the mean of 50 stereo clips, which spread by 1.3 to 2 octaves.
    private var usualOffset: Float {
        let bitsPerChannel = Float(bitsPerUnit) / Float(source.configuration.channelCount)
        // At 32, 48, 64 and 96 kbit/s per channel.
        return PortableMath.interpolate(bitsPerChannel, at: [683, 1024, 1365, 2048], values: [-0.45, -1.08, -1.68, -2.47])
    }

    /// The maximum number of size estimates.
    ///
    /// One is not enough far from the typical noise scale: a signal of pulses missed its rate by 28 %, and needed up to four passes. Of
    /// 39 encodes (13 clips at 64, 96 and 128 kbit/s) one has a second.
    static let surveys = 2

    /// The minimum tolerance, as log2 of the relative size: 0.5 %.
    ///
    /// Measured in RateControl.md#two-passes-for-an-average-rate.
    private static let minimumTolerance = 0.007

    /// The error at which the search ends, as log2 of the relative size.
    ///
    /// In a file of fewer than 143 access units, this is 0.7 of them in total.
    private var tolerance: Double { max(Self.minimumTolerance, 1 / Double(division.accessUnitCount)) }

    /// Finds the level (log2 of the noise scale) and encodes the file with it.
    ///
    /// - Returns: The encoded file, or `nil` if no level comes close to the rate.
    func encode(startingAt start: Float) throws -> Result? {
        var search = LevelSearch(level: start)
        var expected: [Double] = []
        let codesWholeBand = source.configuration.framesPerPacket == source.configuration.settings.frameLength
        if !codesWholeBand { search.slope = Self.slopeWithSBR }
        if codesWholeBand || division.count > 1, bitsPerUnit > 0 {
            if codesWholeBand { search.level = LevelSearch.limited(start + usualOffset) }
            for _ in 0..<Self.surveys {
                guard let found = try estimateSizes(at: search.level).solution() else { break }
                search.level = LevelSearch.limited(search.level + Float(found.offset))
                (search.slope, expected) = (found.slope, found.sizes)
                if abs(found.offset) <= SizeEstimator.reliableOffset { break }
            }
        }
        if division.count == 1, let encoder { return try encodeUnits(encoder, search, expected: expected) }
        return try encodeSegments(search)
    }

    /// Encodes all segments at one level, and the fewest possible again at a level that corrects the size of the file.
    private func encodeSegments(_ search: LevelSearch) throws -> Result? {
        var search = search
        var best: (error: Double, result: Result?) = (LevelSearch.maximumError, nil)
        for _ in 0..<Self.attempts {
            let segments = try map(Array(0..<division.count), at: search.level) { try $0.encode($1) }
            var result = Result(levels: segments.map { _ in search.level }, segments: segments)
            let error = excess(segments)
            let corrected = try correct(&result, by: error, slope: search.slope)
            if abs(corrected) < abs(best.error) { best = (corrected, result) }
            guard abs(corrected) >= tolerance, search.advance(from: error) else { break }
        }
        return best.result
    }

    /// The maximum deviation of a segment's level from the file's, in octaves: 0.75 dB.
    ///
    /// Measured in RateControl.md#two-passes-for-an-average-rate.
    private static let maximumStep = 0.25

    /// The maximum number of times that segments are encoded to correct the size of a file.
    private static let corrections = 3

    /// Encodes the fewest segments that can correct the size of a file within ``maximumStep``, the largest first.
    ///
    /// - Parameters:
    ///   - error: log2 of the size relative to the target.
    ///   - slope: The change in bits with the noise scale, in octaves per octave.
    /// - Returns: The new error.
    private func correct(_ result: inout Result, by error: Double, slope: Double) throws -> Double {
        var (error, share, changed) = (error, 0.0, [Int]())
        let sizes = result.segments.map { Double($0.bytes.count) }
        let total = max(sizes.reduce(0, +), 1)
        for segment in sizes.indices.sorted(by: { sizes[$0] > sizes[$1] }) where abs(error) > Self.maximumStep * abs(slope) * share {
            changed.append(segment)
            share += sizes[segment] / total
        }
        guard changed.count < sizes.count else { return error }
        var search = LevelSearch(level: result.levels[0], slope: slope * share)
        for _ in 0..<Self.corrections where abs(error) >= tolerance && search.advance(from: error) {
            for (segment, part) in zip(changed, try map(changed, at: search.level) { try $0.encode($1) }) {
                (result.levels[segment], result.segments[segment]) = (search.level, part)
            }
            error = excess(result.segments)
        }
        return error
    }

    /// Returns log2 of the size of segments relative to the target.
    private func excess(_ segments: [EncodedSegment]) -> Double {
        let (bytes, accessUnits) = segments.reduce((0, 0)) { ($0.0 + $1.bytes.count, $0.1 + $1.accessUnitCount) }
        return bytes > 0 && bitsPerUnit > 0 ? PortableMath.octaves(bitsPerUnit, Double(8 * bytes) / Double(max(accessUnits, 1))) : 0
    }

    /// Encodes a file of one segment until its access units have the target size in total.
    ///
    /// - Parameters:
    ///   - search: The search, at its initial level.
    ///   - expected: The expected bits of each access unit at that level. Empty if unknown.
    private func encodeUnits(_ encoder: SegmentEncoder, _ search: LevelSearch, expected: [Double]) throws -> Result? {
        encoder.keepPasses()
        var search = search
        var plan = FrameNoiseScalePlan(level: search.level, slope: search.slope, expected: expected, bitsPerUnit: bitsPerUnit)
        var best: (error: Double, result: Result?) = (LevelSearch.maximumError, nil)
        for _ in 0..<Self.attempts {
            var followed = plan
            let segment = try encoder.encode(following: &followed)
            if abs(followed.error) < abs(best.error) {
                best = (followed.error, Result(levels: [plan.level], framePlan: plan, segments: [segment]))
            }
            guard abs(followed.error) >= tolerance, search.advance(from: followed.errorAtLevel) else { break }
            plan = followed.refined(level: search.level, slope: search.slope)
        }
        return best.result
    }

    private func estimateSizes(at level: Float) throws -> SizeEstimator {
        var sum = SizeEstimator(bitsPerUnit: bitsPerUnit)
        let empty = sum
        for part in try map(Array(0..<division.count), at: level, { try $0.estimateSizes($1, estimator: empty) }) { sum.add(part) }
        return sum
    }

    /// Returns a result for each of some segments.
    ///
    /// The last segment of the file continues to the end of the signal.
    private func map<Part: Sendable>(
        _ segments: [Int], at level: Float, _ body: @escaping @Sendable (SegmentEncoder, Range<Int>) throws -> Part
    ) throws -> [Part] {
        if division.count == 1, let encoder {
            encoder.setFixedNoiseScale(log2: level)
            return [try body(encoder, 0 ..< .max)]
        }
        var source = source
        source.level = level
        let work = OrderedParallelMap<Part>(partCount: segments.count, threads: threads) { [source, division] in
            let encoder = try SegmentEncoder(source)
            return { index in try body(encoder, division.accessUnits(ofSegment: segments[index])) }
        }
        defer { work.stop() }
        var parts: [Part] = []
        while let part = try work.next() { parts.append(part) }
        return parts
    }
}
