// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioLoudness
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
internal import TransformEncoding

/// The input and the settings with which a thread encodes segments of a file.
struct SegmentSource: Sendable {
    /// The file, which allows shared reading.
    var path: String
    /// The format of a file without a header.
    var raw: AudioFormat?
    /// The part of the file that is encoded, in sample frames.
    var frames: Range<Int>
    /// The number of channels that the channels are mixed to; nil for all of them.
    var mixedChannelCount: Int?
    /// The gain and the limit of true peaks; nil for the samples of the file.
    var gain: TruePeakLimiter.Setting?
    /// The encoder's configuration.
    var configuration: AACEncoderConfiguration
    /// log2 of the noise scale that is used throughout; nil for that of the configuration's rate control.
    var level: Float?
    /// Whether the bit ranges of elements are kept, for checksums.
    var keepsElements = false

    /// Returns the problems of the whole part of the file, which is read once more for them.
    ///
    /// The readers of several threads each know of those that they met, and of some of them twice.
    func inputWarnings() throws -> [PCMFileWarning] {
        let reader = try PCMFileReader.opening(path, raw: raw)
        var samples = try EncoderInputReader(reader, frames: frames, mixedTo: nil)
        while try samples.next() != nil {}
        return reader.warnings
    }
}

/// Encodes segments of a file, with a reader and an encoder of its own.
final class SegmentEncoder {
    private let source: SegmentSource
    private let reader: PCMFileReader
    private let encoder: AACEncoder
    private var samples: EncoderInputReader

    /// Opens the file.
    init(_ source: SegmentSource) throws {
        self.source = source
        reader = try PCMFileReader.opening(source.path, raw: source.raw)
        encoder = try AACEncoder(source.configuration)
        samples = try EncoderInputReader(
            reader, frames: source.frames, mixedTo: source.mixedChannelCount, gain: source.gain, framesPerRead: encoder.framesPerPacket)
        if let level = source.level { encoder.setFixedNoiseScale(log2: level) }
    }

    /// Shares a reader and an encoder.
    init(_ source: SegmentSource, reader: PCMFileReader, samples: EncoderInputReader, encoder: AACEncoder) {
        self.source = source
        self.reader = reader
        self.samples = samples
        self.encoder = encoder
    }

    /// Uses another noise scale from the next segment on, of which this is log2.
    func setFixedNoiseScale(log2 value: Float) { encoder.setFixedNoiseScale(log2: value) }

    /// Encodes a range of access units, up to the last ones if the signal ends before the range does.
    ///
    /// They are those of the whole file if they begin a segment, and nearly the same elsewhere.
    ///
    /// - Parameters:
    ///   - units: The indices of the access units.
    ///   - keepsLoudness: Whether the loudness of the units encoded before stands in for that of the preceding signal.
    ///   - added: Called after each unit, with its size in bytes.
    func encode(_ units: Range<Int>, keepsLoudness: Bool = false, added: (Int) -> Void = { _ in }) throws -> EncodedSegment {
        var segment = EncodedSegment()
        /// Adds a unit of the encoder to the segment.
        func add(_ unit: AccessUnit) {
            segment.add(unit.payload, elements: source.keepsElements ? unit.elementSpans : nil)
            added(unit.payload.count)
        }
        try samples.seek(toFrame: encoder.start(atUnit: units.lowerBound, keepsLoudness: keepsLoudness))
        while segment.unitCount < units.count {
            guard let buffer = try samples.next() else {
                let gapless = encoder.finish(add)
                segment.end = EncodedSegment.End(gapless: gapless, warnings: reader.warnings)
                break
            }
            try encoder.encode(buffer, add)
        }
        segment.framesRead = samples.framesRead
        segment.isInputDamaged = reader.warnings.contains(where: \.isDamage)
        return segment
    }

    /// Encodes all access units, each at the noise scale of a plan.
    ///
    /// - Parameter plan: The plan at its first unit; it learns the sizes.
    func encode(following plan: inout UnitQualityPlan) throws -> EncodedSegment {
        encoder.setFixedNoiseScale(log2: plan.nextLevel)
        return try encode(0 ..< .max) { byteCount in
            plan.append(bitCount: 8 * byteCount)
            encoder.setFixedNoiseScale(log2: plan.nextLevel)
        }
    }

    /// Estimates the sizes of a range of access units, up to the last ones if the signal ends before the range does.
    ///
    /// - Parameters:
    ///   - units: The indices of the access units, the first of which begins a segment.
    ///   - bitsPerUnit: The mean size wanted, in bits.
    func survey(_ units: Range<Int>, bitsPerUnit: Double) throws -> SizeSurvey {
        try samples.seek(toFrame: encoder.start(atUnit: units.lowerBound))
        encoder.beginSurvey(bitsPerUnit: bitsPerUnit)
        while !encoder.surveyed(units.count) {
            guard let buffer = try samples.next() else {
                _ = encoder.finish { _ in }
                break
            }
            try encoder.encode(buffer) { _ in }
        }
        return encoder.endSurvey() ?? SizeSurvey(bitsPerUnit: bitsPerUnit)
    }
}
