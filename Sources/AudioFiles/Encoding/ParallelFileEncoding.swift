// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives

/// Encodes one file on several threads by segments.
///
/// The output is the same as with one thread.
struct ParallelFileEncoding {
    /// The input and the encoder's settings.
    let source: SegmentSource
    /// The number of sample frames according to the file's header.
    ///
    /// The actual length can differ.
    let frameCount: Int
    let threads: EncodingThreads
    let division: SegmentDivision
    private let typicalLevel: Float
    private let framesPerAccessUnit: Int

    /// Divides the encoder's stream into segments.
    ///
    /// `encoder` itself encodes nothing.
    init(source: SegmentSource, encoder: AACEncoder, frameCount: Int, threads: EncodingThreads) {
        var source = source
        // Resolve the automatic profile, so that the first pass uses the same one.
        source.configuration.profile = encoder.profile
        self.source = source
        self.frameCount = frameCount
        self.threads = threads
        typicalLevel = encoder.typicalLog2NoiseScale
        framesPerAccessUnit = encoder.framesPerPacket
        division = SegmentDivision(
            accessUnitCount: (encoder.delay + frameCount + framesPerAccessUnit - 1) / framesPerAccessUnit,
            segmentLength: encoder.segments.length)
    }

    /// Whether several threads can share the work because no frame depends on the size of previous ones.
    ///
    /// - Parameter plan: The plan from ``firstPass(encoder:)``.
    func isWorthwhile(plan: SegmentNoiseScalePlan?) -> Bool { threads.count > 1 && isDivisible(plan: plan) }

    /// Whether there are several segments and no frame depends on the size of previous ones.
    ///
    /// - Parameter plan: The plan from ``firstPass(encoder:)``.
    func isDivisible(plan: SegmentNoiseScalePlan?) -> Bool {
        switch source.configuration.rateControl {
        case .constant: false
        case .average where plan == nil: false
        default: division.count > 1
        }
    }

    struct FirstPass {
        var plan: SegmentNoiseScalePlan
        /// The noise scale of each access unit, if the first pass varies it within a single segment.
        var framePlan: FrameNoiseScalePlan?
        /// The encoded file, if it is short enough for the first pass to encode completely; otherwise empty.
        var segments: [EncodedSegment] = []
    }

    /// Whether ``firstPass(encoder:)`` reads the file.
    var hasFirstPass: Bool {
        if case .average = source.configuration.rateControl { frameCount > 0 } else { false }
    }

    /// Runs a first pass that finds each segment's noise scale for an average bit rate.
    ///
    /// - Parameter encoder: The encoder for a file of one segment.
    /// - Returns: `nil` for other rate controls, and if no single noise scale yields the rate.
    func firstPass(encoder: SegmentEncoder?) throws -> FirstPass? {
        guard case .average(let bitRate) = source.configuration.rateControl, frameCount > 0 else { return nil }
        let bitsPerUnit = Double(bitRate) * Double(framesPerAccessUnit) / Double(source.configuration.sampleRate)
        guard division.accessUnitCount > WholeFileSearch.maximumAccessUnitCount else {
            let search = WholeFileSearch(
                source: source, division: division, threads: threads, bitsPerUnit: bitsPerUnit, encoder: encoder)
            return try search.encode(startingAt: typicalLevel).map {
                FirstPass(plan: SegmentNoiseScalePlan(exactLevels: $0.levels), framePlan: $0.framePlan, segments: $0.segments)
            }
        }
        let search = NoiseScaleSearch(source: source, division: division, threads: threads, bitsPerUnit: bitsPerUnit)
        return try search.plan(startingAt: typicalLevel).map { FirstPass(plan: $0) }
    }

    /// Starts encoding all segments.
    ///
    /// The last segment continues to the end of the signal.
    func segments(plan: SegmentNoiseScalePlan?) -> OrderedParallelMap<EncodedSegment> {
        OrderedParallelMap(partCount: division.count, threads: threads) { [self] in
            var created: SegmentEncoder?
            return { segment in
                var bitCount = 0
                // Later segments wait for this one, even if it fails.
                defer { plan?.finish(segment: segment, bitCount: bitCount) }
                let encoder = try created ?? SegmentEncoder(source)
                created = encoder
                if let plan { encoder.setFixedNoiseScale(log2: plan.level(ofSegment: segment)) }
                let result = try encoder.encode(division.accessUnits(ofSegment: segment))
                bitCount = 8 * result.bytes.count
                return result
            }
        }
    }
}

/// Sets the noise scale of each segment or access unit when one thread encodes the whole file.
struct SequentialQuality {
    private let plan: SegmentNoiseScalePlan
    private var framePlan: FrameNoiseScalePlan?
    private let encoder: AACEncoder
    private let segmentLength: Int
    private var accessUnitCount = 0
    private var bitCount = 0

    init(_ first: ParallelFileEncoding.FirstPass, encoder: AACEncoder, segmentLength: Int) {
        (plan, framePlan) = (first.plan, first.framePlan)
        self.encoder = encoder
        self.segmentLength = segmentLength
        encoder.setFixedNoiseScale(log2: framePlan?.nextLevel ?? plan.level(ofSegment: 0))
        encoder.reset()
    }

    /// Records the size of an encoded access unit.
    mutating func append(byteCount: Int) {
        framePlan?.append(bitCount: 8 * byteCount)
        if let framePlan { return encoder.setFixedNoiseScale(log2: framePlan.nextLevel) }
        bitCount += 8 * byteCount
        accessUnitCount += 1
        guard accessUnitCount % segmentLength == 0 else { return }
        plan.finish(segment: accessUnitCount / segmentLength - 1, bitCount: bitCount)
        bitCount = 0
        encoder.setFixedNoiseScale(log2: plan.level(ofSegment: accessUnitCount / segmentLength))
    }
}
