// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives

/// Encodes one file on several threads, segment by segment, with the bytes that one thread would produce.
struct ParallelFileEncoding {
    /// The input and the encoder's settings.
    let source: SegmentSource
    /// Sample frames to encode by the file's header; the file may turn out to be shorter or longer.
    let frameCount: Int
    /// The threads to use.
    let threads: EncodingThreads
    /// The segments.
    let division: SegmentDivision
    private let typicalLevel: Float
    private let unitLength: Int

    /// Divides the stream of an encoder, which encodes nothing itself, into segments.
    init(source: SegmentSource, encoder: AACEncoder, frameCount: Int, threads: EncodingThreads) {
        var source = source
        // The profile that an automatic one stands for, so that the first pass knows it too.
        source.configuration.profile = encoder.profile
        self.source = source
        self.frameCount = frameCount
        self.threads = threads
        typicalLevel = encoder.typicalLog2NoiseScale
        unitLength = encoder.framesPerPacket
        division = SegmentDivision(
            unitCount: (encoder.delay + frameCount + unitLength - 1) / unitLength, segmentLength: encoder.segments.length)
    }

    /// Whether there is work for several threads, and no frame depends on the bits of those before.
    ///
    /// - Parameter plan: That of ``firstPass(encoder:)``.
    func isWorthwhile(plan: SegmentQualityPlan?) -> Bool { threads.count > 1 && isDivisible(plan: plan) }

    /// Whether there are several segments, and no frame depends on the bits of those before.
    ///
    /// - Parameter plan: That of ``firstPass(encoder:)``.
    func isDivisible(plan: SegmentQualityPlan?) -> Bool {
        switch source.configuration.rateControl {
        case .constant: false
        case .average where plan == nil: false
        default: division.count > 1
        }
    }

    /// The result of a first pass.
    struct FirstPass {
        /// The noise scale of each segment.
        var plan: SegmentQualityPlan
        /// The noise scale of each access unit, if the first pass moves it within the only segment.
        var units: UnitQualityPlan?
        /// The whole file, if it is short enough to be encoded whole in the first pass; else empty.
        var segments: [EncodedSegment] = []
    }

    /// Whether ``firstPass(encoder:)`` reads the file.
    var hasFirstPass: Bool {
        if case .average = source.configuration.rateControl { frameCount > 0 } else { false }
    }

    /// Finds the noise scale of each segment for an average bit rate, by a first pass.
    ///
    /// - Parameter encoder: The encoder to use for a file of one segment.
    /// - Returns: Nil for other rate controls, and if no single noise scale gives the rate.
    func firstPass(encoder: SegmentEncoder?) throws -> FirstPass? {
        guard case .average(let bitRate) = source.configuration.rateControl, frameCount > 0 else { return nil }
        let bitsPerUnit = Double(bitRate) * Double(unitLength) / Double(source.configuration.sampleRate)
        guard division.unitCount > WholeFileSearch.largestUnitCount else {
            let search = WholeFileSearch(
                source: source, division: division, threads: threads, bitsPerUnit: bitsPerUnit, encoder: encoder)
            return try search.encode(startingAt: typicalLevel).map {
                FirstPass(plan: SegmentQualityPlan(level: $0.level), units: $0.units, segments: $0.segments)
            }
        }
        let search = QualitySearch(
            source: source, division: division, hasLongUnits: source.configuration.profile.hasReplication, threads: threads,
            bitsPerUnit: bitsPerUnit)
        return try search.plan(startingAt: typicalLevel).map { FirstPass(plan: $0) }
    }

    /// Starts encoding all segments, the last of which continues to the end of the signal.
    func segments(plan: SegmentQualityPlan?) -> OrderedParallelMap<EncodedSegment> {
        OrderedParallelMap(partCount: division.count, threads: threads) { [self] in
            let encoder = try SegmentEncoder(source)
            return { segment in
                var bitCount = 0
                // Other segments wait for it, even if it fails.
                defer { plan?.finish(segment: segment, bitCount: bitCount) }
                if let plan { encoder.setFixedNoiseScale(log2: plan.level(ofSegment: segment)) }
                let result = try encoder.encode(division.units(ofSegment: segment))
                bitCount = 8 * result.bytes.count
                return result
            }
        }
    }
}

/// Sets the noise scale of each segment, or of each access unit, where one thread encodes a file from start to end.
struct SequentialQuality {
    private let plan: SegmentQualityPlan
    private var units: UnitQualityPlan?
    private let encoder: AACEncoder
    private let segmentLength: Int
    private var unitCount = 0
    private var bitCount = 0

    /// Starts with the first segment.
    init(_ first: ParallelFileEncoding.FirstPass, encoder: AACEncoder, segmentLength: Int) {
        (plan, units) = (first.plan, first.units)
        self.encoder = encoder
        self.segmentLength = segmentLength
        encoder.setFixedNoiseScale(log2: units?.nextLevel ?? plan.level(ofSegment: 0))
        encoder.reset()
    }

    /// Records an encoded access unit.
    mutating func append(byteCount: Int) {
        units?.append(bitCount: 8 * byteCount)
        if let units { return encoder.setFixedNoiseScale(log2: units.nextLevel) }
        bitCount += 8 * byteCount
        unitCount += 1
        guard unitCount % segmentLength == 0 else { return }
        plan.finish(segment: unitCount / segmentLength - 1, bitCount: bitCount)
        bitCount = 0
        encoder.setFixedNoiseScale(log2: plan.level(ofSegment: unitCount / segmentLength))
    }
}
