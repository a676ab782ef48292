// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How several threads encode one file: segment by segment, with the bytes that one thread would make.
struct ParallelFileEncoding {
    /// The sound.
    let source: SegmentSource
    /// Sample frames of the file by its header; the sound may turn out to be shorter or longer.
    let frameCount: Int
    /// Threads that may be used.
    let threadCount: Int
    private let typicalLevel: Float
    private let segments: StreamSegments
    private let unitCount: Int
    private let unitLength: Int

    /// Makes a plan for a stream of this encoder, which encodes nothing itself.
    init(source: SegmentSource, encoder: AACEncoder, frameCount: Int, threadCount: Int) {
        self.source = source
        self.frameCount = frameCount
        self.threadCount = threadCount
        typicalLevel = encoder.typicalLog2NoiseScale
        segments = encoder.segments
        unitLength = encoder.unitLength
        unitCount = (encoder.delay + frameCount + unitLength - 1) / unitLength
    }

    /// Processors of this machine that are in use.
    static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    private var segmentCount: Int { (unitCount + segments.length - 1) / segments.length }

    /// Access units of a segment.
    var segmentLength: Int { segments.length }

    /// Whether more than one thread has something to do, and no frame depends on the bits of those before; `plan` is that of
    /// ``plan()``.
    func isWorthwhile(plan: SegmentQualityPlan?) -> Bool {
        switch source.configuration.rateControl {
        case .constant: return false
        case .average where plan == nil: return false
        default: return threadCount > 1 && segmentCount > 1
        }
    }

    /// The quality of each segment for an average bit rate, which takes a first pass; nil for other rate controls, and if no one
    /// quality gives the rate.
    func plan() throws -> SegmentQualityPlan? {
        guard case .average(let bitRate) = source.configuration.rateControl, frameCount > 0 else { return nil }
        let bitsPerUnit = Double(bitRate) * Double(unitLength) / Double(source.configuration.sampleRate)
        let search = QualitySearch(
            source: source, unitCount: unitCount, segmentLength: segments.length,
            hasLongUnits: unitLength > AACEncoder.frameLength, threadCount: threadCount, bitsPerUnit: bitsPerUnit)
        return try search.plan(startingAt: typicalLevel)
    }

    /// Starts to encode all segments, the last of which goes on to the end of the sound.
    func segments(plan: SegmentQualityPlan?) -> OrderedParallelMap<EncodedSegment> {
        let last = segmentCount - 1
        return OrderedParallelMap(partCount: segmentCount, threadCount: threadCount) { [source, length = segments.length] in
            let encoder = try SegmentEncoder(source)
            return { segment in
                let first = segment * length
                var bitCount = 0
                // Others wait for it, whatever becomes of it.
                defer { plan?.finish(segment: segment, bitCount: bitCount) }
                if let plan { encoder.setFixedNoiseScale(log2: plan.level(ofSegment: segment)) }
                let part = try encoder.encode(first..<(segment == last ? .max : first + length))
                bitCount = 8 * part.bytes.count
                return part
            }
        }
    }
}

/// Sets the level of each segment where one thread encodes a file from its start to its end.
struct SequentialSegmentQuality {
    private let plan: SegmentQualityPlan
    private let encoder: AACEncoder
    private let segmentLength: Int
    private var unitCount = 0
    private var bitCount = 0

    /// Starts with the first segment's.
    init(_ plan: SegmentQualityPlan, encoder: AACEncoder, segmentLength: Int) {
        self.plan = plan
        self.encoder = encoder
        self.segmentLength = segmentLength
        encoder.setFixedNoiseScale(log2: plan.level(ofSegment: 0))
        encoder.reset()
    }

    /// Takes note of a unit.
    mutating func append(byteCount: Int) {
        bitCount += 8 * byteCount
        unitCount += 1
        guard unitCount % segmentLength == 0 else { return }
        plan.finish(segment: unitCount / segmentLength - 1, bitCount: bitCount)
        bitCount = 0
        encoder.setFixedNoiseScale(log2: plan.level(ofSegment: unitCount / segmentLength))
    }
}
