// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioPrimitives
internal import PCMFiles

/// Encodes excerpts of a file to choose what suits it: whether SBR replaces lines, and from which frequency, and how tools are used.
///
/// No choice is best for all signals. Measured in SBR.md#sbr-by-trial, SBR.md#crossover-by-file and Search.md#tools-by-trial.
struct ExcerptTrial {
    /// The input and the encoder's settings.
    let source: SegmentSource
    /// The number of sample frames according to the file's header.
    let frameCount: Int

    /// The weight of noise in the choice of SBR.
    ///
    /// Level errors ignore phases, which matter where the ear resolves single partials.
    private static let noiseWeight = 0.5

    /// The decibels by which a change must reduce level errors.
    private static let leastReduction = 0.1

    /// The number of excerpts.
    ///
    /// Measured in SBR.md#excerpts-of-long-files.
    private static let excerptCounts = 6...24

    /// The length of an excerpt, and the usual distance of two, in seconds.
    private static let (excerptSeconds, excerptDistance) = (1, 20)

    /// The number of sample frames in an access unit with SBR.
    private static let framesPerRead = 2048

    /// Returns whether SBR reduces errors.
    ///
    /// - Parameters:
    ///   - limit: The error with SBR relative to that without SBR, in decibels, up to which it does. It is positive where SBR is usual.
    ///   - effort: The effort of both encoders.
    func prefersSBR(limit: Double, effort: AACEncoderConfiguration.Effort) throws -> Bool {
        let errors = try errors([false, true], effort: effort, noiseWeight: Self.noiseWeight) { $0.usesBandReplication = $1 }
        // Silent excerpts have no errors.
        guard let errors else { return limit > 0 }
        return errors[1] - errors[0] <= limit
    }

    /// Returns the changes that reduce level errors on their own.
    func adaptations(among possible: SignalAdaptations) throws -> SignalAdaptations {
        let changes = possible.members
        var result: SignalAdaptations = []
        guard let errors = try errors([[]] + changes, effort: .balanced, noiseWeight: 0, { $0.adaptations = $1 }) else { return result }
        for (change, error) in zip(changes, errors.dropFirst()) where error <= errors[0] - Self.leastReduction { result.insert(change) }
        return result
    }

    /// Encodes the excerpts with variants of the configuration, and returns their errors in decibels, or `nil` if the excerpts are silent.
    private func errors<Variant>(
        _ variants: [Variant], effort: AACEncoderConfiguration.Effort, noiseWeight: Double,
        _ change: (inout AACEncoderConfiguration, Variant) -> Void
    ) throws -> [Double]? {
        var configuration = source.configuration
        configuration.settings.effort = effort
        // All errors belong to the same rate.
        if case .average(let bitRate) = configuration.rateControl { configuration.rateControl = .constant(bitRate: bitRate) }
        var codecs = ExcerptCodecs(channelCount: configuration.channelCount)
        for variant in variants {
            change(&configuration, variant)
            try codecs.add(configuration)
        }
        var comparison = AuditoryComparison(sampleRate: configuration.sampleRate, signalCount: variants.count)
        try forEachExcerpt(framesPerRead: Self.framesPerRead) {
            try codecs.encode($0)
            codecs.compare(&comparison, atLeast: $0.sampleRate / 2)
        }
        codecs.finish()
        codecs.compare(&comparison, atLeast: 1)
        return comparison.errors(noiseWeight: noiseWeight)
    }

    /// Returns whether the excerpts need less than the bit rate at a noise scale.
    ///
    /// - Parameter level: log2 of the noise scale.
    func needsFewerBits(at level: Float) throws -> Bool {
        let encoder = try AACEncoder(source.configuration)
        guard let bitRate = encoder.bitRate else { return false }
        encoder.setFixedNoiseScale(log2: level)
        var (accessUnitCount, byteCount) = (0, 0)
        func add(_ accessUnit: AccessUnit) {
            accessUnitCount += 1
            byteCount += accessUnit.payload.count
        }
        try forEachExcerpt(framesPerRead: encoder.framesPerPacket) { try encoder.encode($0, add) }
        _ = encoder.finish(add)
        return 8 * byteCount * source.configuration.sampleRate < bitRate * accessUnitCount * encoder.framesPerPacket
    }

    /// Reads excerpts that are evenly spread over the file, or a short file as a whole.
    private func forEachExcerpt(framesPerRead: Int, _ body: (PCMBuffer) throws -> Void) throws {
        let reader = try source.input.open()
        let length = Self.excerptSeconds * reader.properties.sampleRate
        let usual = frameCount / (Self.excerptDistance * reader.properties.sampleRate)
        let count = min(max(usual, Self.excerptCounts.lowerBound), Self.excerptCounts.upperBound, (frameCount + length - 1) / length)
        for index in 0..<count {
            let first = max(0, frameCount - length) * index / max(1, count - 1)
            var samples = try EncoderInputReader(
                reader, frames: source.frames.dropFirst(first).prefix(length), mixedTo: source.mixedChannelCount,
                sampleRate: source.configuration.sampleRate, gain: source.gain, framesPerRead: framesPerRead)
            while let part = try samples.next() { try body(part) }
        }
    }
}

/// Encoders of several configurations with their decoders.
private struct ExcerptCodecs {
    /// An encoder with its decoder.
    private struct Codec {
        let encoder: AACEncoder
        let decoder: any AudioPacketDecoder
        var buffer: PCMBuffer
        /// The number of priming frames that are still to be decoded.
        var primingFrames: Int
        /// The decoded samples that are not compared yet, by channel.
        var decoded: [[Float]]

        mutating func decode(_ accessUnit: AccessUnit) {
            _ = accessUnit.payload.withSpan { decoder.decode($0, into: &buffer) }
            let skipped = min(primingFrames, buffer.frameCount)
            primingFrames -= skipped
            for channel in decoded.indices { decoded[channel] += buffer.channel(channel).dropFirst(skipped) }
        }
    }

    private var codecs: [Codec] = []
    /// The samples that are not compared yet, by channel.
    private var original: [[Float]]

    init(channelCount: Int) { original = Array(repeating: [], count: channelCount) }

    /// Adds a configuration before the first samples.
    mutating func add(_ configuration: AACEncoderConfiguration) throws {
        let encoder = try AACEncoder(configuration)
        let buffer = PCMBuffer(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount, frameCapacity: encoder.framesPerPacket)
        codecs.append(
            Codec(
                encoder: encoder, decoder: try encoder.codecConfiguration.makeDecoder(), buffer: buffer,
                primingFrames: encoder.primingFrames, decoded: original))
    }

    mutating func encode(_ samples: PCMBuffer) throws {
        for channel in original.indices { original[channel] += samples.channel(channel) }
        for index in codecs.indices { try codecs[index].encoder.encode(samples) { codecs[index].decode($0) } }
    }

    mutating func finish() {
        for index in codecs.indices { _ = codecs[index].encoder.finish { codecs[index].decode($0) } }
    }

    /// Compares and removes the samples that all signals have, unless they are too few.
    mutating func compare(_ comparison: inout AuditoryComparison, atLeast least: Int) {
        let available = codecs.reduce(original[0].count) { min($0, $1.decoded[0].count) }
        guard available >= least else { return }
        func take(_ samples: inout [Float]) -> [Float] {
            defer { samples.removeFirst(available) }
            return Array(samples.prefix(available))
        }
        for channel in original.indices {
            comparison.add(take(&original[channel]), codecs.indices.map { take(&codecs[$0].decoded[channel]) })
        }
    }
}
