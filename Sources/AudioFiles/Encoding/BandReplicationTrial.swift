// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioMeasures
internal import AudioPrimitives
internal import PCMFiles

/// Encodes excerpts of a file to choose whether SBR replaces lines, and from which frequency.
///
/// No choice is best for all signals. Measured in SBR.md#sbr-by-trial and SBR.md#crossover-by-file.
struct BandReplicationTrial {
    /// The input and the encoder's settings.
    let source: SegmentSource
    /// The number of sample frames according to the file's header.
    let frameCount: Int

    /// The noise-to-mask ratio without SBR, in decibels, below which SBR must reduce the noise by the difference.
    private static let inaudibleRatio = -6.0

    /// The number of excerpts, and their length in seconds.
    private static let (excerptCount, excerptSeconds) = (6, 1)

    /// Returns whether SBR reduces errors.
    ///
    /// - Parameter limit: The noise-to-mask ratio with SBR relative to that without SBR, in decibels, up to which it does. It is positive
    ///   where SBR is usual.
    func prefersSBR(limit: Double) throws -> Bool {
        // Silent excerpts have no ratio.
        guard let without = try noiseToMaskRatio(usesSBR: false), let with = try noiseToMaskRatio(usesSBR: true) else { return limit > 0 }
        return with - without <= limit + min(0, without - Self.inaudibleRatio)
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

    /// Returns the mean noise-to-mask ratio of all excerpts, in decibels, or `nil` if they are silent.
    ///
    /// They are encoded at a constant bit rate, so that both ratios belong to the same rate.
    private func noiseToMaskRatio(usesSBR: Bool) throws -> Double? {
        var configuration = source.configuration
        configuration.usesBandReplication = usesSBR
        if configuration.settings.effort == .best { configuration.settings.effort = .balanced }
        if case .average(let bitRate) = configuration.rateControl { configuration.rateControl = .constant(bitRate: bitRate) }
        let encoder = try AACEncoder(configuration)
        let decoder = try encoder.codecConfiguration.makeDecoder()
        var buffer = PCMBuffer(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount, frameCapacity: encoder.framesPerPacket)
        var comparison = ExcerptComparison(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount, primingFrames: encoder.primingFrames)
        func decode(_ accessUnit: AccessUnit) {
            _ = accessUnit.payload.withSpan { decoder.decode($0, into: &buffer) }
            comparison.addDecoded(buffer)
        }
        try forEachExcerpt(framesPerRead: encoder.framesPerPacket) { excerpt in
            comparison.addOriginal(excerpt)
            try encoder.encode(excerpt, decode)
            comparison.compare(isComplete: false)
        }
        _ = encoder.finish(decode)
        comparison.compare(isComplete: true)
        return NoiseToMaskRatio.summary(of: comparison.ratios)?.mean
    }

    /// Reads excerpts that are evenly spread over the file, or a short file as a whole.
    private func forEachExcerpt(framesPerRead: Int, _ body: (PCMBuffer) throws -> Void) throws {
        let reader = try PCMFileReader.opening(source.path, raw: source.raw, audioTrack: source.audioTrack)
        let length = Self.excerptSeconds * reader.properties.sampleRate
        let count = min(Self.excerptCount, (frameCount + length - 1) / length)
        for index in 0..<count {
            let first = max(0, frameCount - length) * index / max(1, count - 1)
            var samples = try EncoderInputReader(
                reader, frames: source.frames.dropFirst(first).prefix(length), mixedTo: source.mixedChannelCount,
                sampleRate: source.configuration.sampleRate, gain: source.gain, framesPerRead: framesPerRead)
            while let part = try samples.next() { try body(part) }
        }
    }
}

/// Compares decoded samples with the original, part by part, in bounded memory.
private struct ExcerptComparison {
    /// The ratios of all parts so far.
    private(set) var ratios: [NoiseToMaskRatio] = []
    private let sampleRate: Int
    /// The number of priming frames that are still to be decoded.
    private var primingFrames: Int
    /// The samples that are not compared yet, by channel.
    private var original: [[Float]]
    private var decoded: [[Float]]

    init(sampleRate: Int, channelCount: Int, primingFrames: Int) {
        self.sampleRate = sampleRate
        self.primingFrames = primingFrames
        original = Array(repeating: [], count: channelCount)
        decoded = original
    }

    mutating func addOriginal(_ buffer: PCMBuffer) {
        for channel in original.indices { original[channel] += buffer.channel(channel) }
    }

    mutating func addDecoded(_ buffer: PCMBuffer) {
        let skipped = min(primingFrames, buffer.frameCount)
        primingFrames -= skipped
        for channel in decoded.indices { decoded[channel] += buffer.channel(channel).dropFirst(skipped) }
    }

    /// Compares half a second of samples if both signals have them, and at the end the rest.
    mutating func compare(isComplete: Bool) {
        let available = min(original[0].count, decoded[0].count)
        guard available >= sampleRate / 2 || isComplete && available > 0 else { return }
        let parts = [original, decoded].map { AudioSignal(sampleRate: sampleRate, channels: $0.map { Array($0.prefix(available)) }) }
        ratios.append(NoiseToMaskRatio(reference: parts[0], test: parts[1]))
        for channel in original.indices {
            original[channel].removeFirst(available)
            decoded[channel].removeFirst(available)
        }
    }
}
