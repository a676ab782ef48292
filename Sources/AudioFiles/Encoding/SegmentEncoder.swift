// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioLoudness
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
internal import TransformEncoding

/// The input and settings for encoding segments of a file.
struct SegmentSource: Sendable {
    /// The file, which allows shared reading.
    var input: SharedInput
    /// The part of the file to encode, in sample frames.
    var frames: Range<Int>
    /// The channel count to mix to, or `nil` to keep all channels.
    var mixedChannelCount: Int?
    /// The gain and true peak limit, or `nil` for none.
    var gain: TruePeakLimiter.Setting?
    var configuration: AACEncoderConfiguration
    /// log2 of the fixed noise scale, or `nil` for the configuration's rate control.
    var level: Float?
    /// Whether to keep the bit ranges of elements, for checksums.
    var keepsElements = false

    /// Rereads the part of the file and returns its problems.
    ///
    /// The readers of individual threads each see only some problems, and several readers may see the same one.
    func inputWarnings() throws -> [PCMFileWarning] {
        let reader = try input.open()
        var samples = try EncoderInputReader(reader, frames: frames, mixedTo: nil)
        while try samples.next() != nil {}
        return reader.warnings
    }
}

/// Encodes segments of a file with its own reader and encoder.
final class SegmentEncoder {
    private let source: SegmentSource
    private let reader: PCMFileReader
    private let encoder: AACEncoder
    private var samples: EncoderInputReader

    init(_ source: SegmentSource) throws {
        self.source = source
        reader = try source.input.open()
        encoder = try AACEncoder(source.configuration)
        samples = try EncoderInputReader(
            reader, frames: source.frames, mixedTo: source.mixedChannelCount, gain: source.gain, framesPerRead: encoder.framesPerPacket,
            invalidSamples: source.configuration.settings.invalidSamples)
        if let level = source.level { encoder.setFixedNoiseScale(log2: level) }
    }

    /// Uses an existing reader and encoder.
    init(_ source: SegmentSource, reader: PCMFileReader, samples: EncoderInputReader, encoder: AACEncoder) {
        self.source = source
        self.reader = reader
        self.samples = samples
        self.encoder = encoder
    }

    /// Sets log2 of the noise scale for the next segments.
    func setFixedNoiseScale(log2 value: Float) { encoder.setFixedNoiseScale(log2: value) }

    /// Keeps the parts of the first pass that are the same in further passes over the whole input.
    func keepPasses() { encoder.keepPasses() }

    /// Encodes a range of access units, or fewer if the signal ends first.
    ///
    /// They are the same as when encoding the whole file.
    ///
    /// - Parameters:
    ///   - accessUnits: The indices of the access units, starting at a segment boundary.
    ///   - added: Called with the size of each access unit, in bytes.
    func encode(_ accessUnits: Range<Int>, added: (Int) -> Void = { _ in }) throws -> EncodedSegment {
        var segment = EncodedSegment()
        func add(_ accessUnit: AccessUnit) {
            segment.add(accessUnit.payload, elements: source.keepsElements ? accessUnit.elementSpans : nil)
            added(accessUnit.payload.count)
        }
        try samples.seek(toFrame: encoder.start(atUnit: accessUnits.lowerBound))
        while segment.accessUnitCount < accessUnits.count {
            guard let buffer = try samples.next() else {
                let gapless = encoder.finish(add)
                segment.end = EncodedSegment.End(gapless: gapless, warnings: reader.warnings)
                break
            }
            try encoder.encode(buffer, add)
        }
        segment.framesRead = samples.framesRead
        segment.peak = samples.peak
        segment.isInputDamaged = reader.warnings.contains(where: \.isDamage)
        return segment
    }

    /// Encodes all access units, each at the noise scale of a plan.
    ///
    /// - Parameter plan: The plan, before its first access unit. It is updated with the sizes.
    func encode(following plan: inout FrameNoiseScalePlan) throws -> EncodedSegment {
        encoder.setFixedNoiseScale(log2: plan.nextLevel)
        return try encode(0 ..< .max) { byteCount in
            plan.append(bitCount: 8 * byteCount)
            encoder.setFixedNoiseScale(log2: plan.nextLevel)
        }
    }

    /// Adds a range of access units to an estimate of their sizes, or fewer if the signal ends first.
    ///
    /// - Parameters:
    ///   - accessUnits: The indices of the access units.
    ///   - estimator: The estimate to continue.
    func estimateSizes(_ accessUnits: Range<Int>, estimator: SizeEstimator) throws -> SizeEstimator {
        // The signal between two ranges is usually about as loud as the first one.
        let keepsLoudness = estimator.accessUnitCount > 0
        try samples.seek(toFrame: encoder.start(atUnit: accessUnits.lowerBound, keepsLoudness: keepsLoudness))
        encoder.startSizeEstimate(estimator)
        while encoder.estimatedSizeCount - estimator.accessUnitCount < accessUnits.count {
            guard let buffer = try samples.next() else {
                _ = encoder.finish { _ in }
                break
            }
            try encoder.encode(buffer) { _ in }
        }
        return encoder.finishSizeEstimate() ?? estimator
    }
}
