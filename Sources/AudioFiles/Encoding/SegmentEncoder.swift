// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles

/// What a thread has to know to encode parts of a file.
struct SegmentSource: Sendable {
    /// The file, which has to allow shared reading.
    var path: String
    /// How to read a file without a header.
    var raw: RawPCMInput?
    /// Whether all channels are mixed to one.
    var mixesToMono: Bool
    /// What the encoder is asked for.
    var configuration: AACEncoderConfiguration
    /// log2 of the quality that is held throughout; nil for the configuration's own.
    var level: Float?
    /// Whether the places of elements are kept, for checksums.
    var keepsElements = false
}

/// Encodes parts of a file, with a reader and an encoder of its own.
final class SegmentEncoder {
    private let source: SegmentSource
    private let reader: PCMFileReader
    private let encoder: AACEncoder
    private var feed: EncoderInputReader

    /// Opens the file.
    init(_ source: SegmentSource) throws {
        self.source = source
        reader = try PCMFileReader(path: source.path, raw: source.raw)
        feed = try EncoderInputReader(reader, mixesToMono: source.mixesToMono, sampleRate: nil, framesPerRead: AACEncoder.frameLength)
        encoder = try AACEncoder(source.configuration)
        if let level = source.level { encoder.setFixedNoiseScale(log2: level) }
    }

    /// Sets the base-2 logarithm of the noise scale of the segments from the next one on.
    func setFixedNoiseScale(log2 value: Float) { encoder.setFixedNoiseScale(log2: value) }

    /// Encodes these access units, or what there is of them; the last ones too if the sound ends before.
    ///
    /// They are those of the whole file if they begin a segment, and about the same elsewhere, where `keepsLoudness` lets the part before
    /// stand in for the sound before them.
    func encode(_ units: Range<Int>, keepsLoudness: Bool = false) throws -> EncodedSegment {
        var part = EncodedSegment()
        try feed.seek(toFrame: encoder.start(atUnit: units.lowerBound, keepsLoudness: keepsLoudness))
        while part.unitCount < units.count {
            guard let samples = try feed.next() else {
                let gapless = try encoder.finish { add($0, to: &part) }
                part.end = EncodedSegment.End(gapless: gapless, warnings: reader.warnings)
                break
            }
            try encoder.encode(samples) { add($0, to: &part) }
        }
        part.framesRead = feed.framesRead
        return part
    }

    private func add(_ unit: AccessUnit, to part: inout EncodedSegment) {
        part.add(unit.payload, elements: source.keepsElements ? unit.elementSpans : nil)
    }
}

/// Access units one after the other.
struct EncodedSegment: Sendable {
    /// What is known at the end of the sound.
    struct End: Sendable {
        var gapless: GaplessInfo
        var warnings: [PCMFileWarning]
    }

    /// All payloads.
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var elements: [[ElementSpan]] = []

    /// The sample frame of the file behind the last one read.
    var framesRead = 0
    /// Set if the sound ends here.
    var end: End?

    /// Access units so far.
    var unitCount: Int { ends.count }

    /// Adds a unit, with the places of its elements if they are kept.
    mutating func add(_ payload: [UInt8], elements spans: [ElementSpan]?) {
        bytes += payload
        ends.append(bytes.count)
        if let spans { elements.append(spans) }
    }

    /// Calls `body` with each payload and the places of its elements.
    func forEach(_ body: (ArraySlice<UInt8>, [ElementSpan]) throws -> Void) rethrows {
        var start = 0
        for (index, end) in ends.enumerated() {
            try body(bytes[start..<end], elements.isEmpty ? [] : elements[index])
            start = end
        }
    }
}
