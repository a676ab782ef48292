// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Encodes the elements of packets, one after another.
struct ElementEncoder {
    private let configuration: ALACConfiguration
    private var first: ChannelEncoder
    private var second: ChannelEncoder

    /// The maximum number of significant bits of samples that are predicted as a whole.
    private static let maximumBits = 18

    init(_ configuration: ALACConfiguration) {
        self.configuration = configuration
        first = ChannelEncoder(configuration)
        second = first
    }

    /// Whether even noise is compressed: FFmpeg 9 refuses uncompressed pairs of 32 bits, and libsndfile 1.2.2 reads uncompressed samples of
    /// more than 16 bits incorrectly.
    static func compressesAll(_ configuration: ALACConfiguration) -> Bool { configuration.bitDepth > 16 }

    /// Writes an element.
    ///
    /// - Parameters:
    ///   - instanceTag: The number of previous elements of the type in the packet.
    ///   - left: The samples of the first channel, at least one.
    ///   - right: As many samples of the second channel; the first channel's if the element has only one.
    mutating func write(_ kind: ElementKind, instanceTag: Int, _ left: Span<Int32>, _ right: Span<Int32>, to writer: inout BitWriter) {
        let channelCount = kind == .pair ? 2 : 1
        let size = max(Self.significantBits(left), Self.significantBits(right))
        var header = ElementHeader(
            channelCount: channelCount, frameCount: left.count, lowByteCount: lowByteCount(size), isUncompressed: false,
            bitDepth: configuration.bitDepth)
        let lowBits = 8 * header.lowByteCount
        first.load(left, lowBits: lowBits)
        var matrix = StereoMatrix(weight: 0, shift: 0)
        var bitCount = 16 + lowBits * left.count * channelCount
        if kind == .pair {
            second.load(right, lowBits: lowBits)
            let choice = mix(left, right, header)
            matrix = choice.matrix
            bitCount += first.predict(choice.first, sampleBits: header.sampleBits)
            bitCount += second.predict(choice.second, sampleBits: header.sampleBits)
        } else {
            bitCount += first.predict(first.correlation, sampleBits: header.sampleBits)
        }
        writer.write(UInt32(kind.rawValue), count: 3)
        guard Self.compressesAll(configuration) || bitCount < configuration.bitDepth * left.count * channelCount else {
            header = ElementHeader(
                channelCount: channelCount, frameCount: left.count, lowByteCount: 0, isUncompressed: true, bitDepth: configuration.bitDepth)
            header.write(to: &writer, instanceTag: instanceTag, configuration)
            return write(configuration.bitDepth, of: left, right, channelCount: channelCount, to: &writer)
        }
        header.write(to: &writer, instanceTag: instanceTag, configuration)
        matrix.write(to: &writer)
        first.writeParameters(to: &writer)
        if kind == .pair { second.writeParameters(to: &writer) }
        if lowBits > 0 { write(lowBits, of: left, right, channelCount: channelCount, to: &writer) }
        first.writeResiduals(sampleBits: header.sampleBits, to: &writer)
        if kind == .pair { second.writeResiduals(sampleBits: header.sampleBits, to: &writer) }
    }

    /// Chooses the mixing weight and mixes the loaded channels.
    private mutating func mix(_ left: Span<Int32>, _ right: Span<Int32>, _ header: ElementHeader) -> StereoChoice {
        let correlations = (first.correlation, second.correlation, first.correlation(minus: second))
        for isBounded in [false, true] {
            let choice = StereoChoice(
                correlations.0, correlations.1, difference: correlations.2, frameCount: left.count, isBounded: isBounded)
            guard choice.weight != 0 else { return choice }
            // Bits of a mean that is too large for a predicted sample.
            if first.mix(&second, choice.matrix) >> Int32(header.sampleBits - 1) == 0 { return choice }
            first.load(left, lowBits: 8 * header.lowByteCount)
            second.load(right, lowBits: 8 * header.lowByteCount)
        }
        preconditionFailure("a mean between two samples fits")
    }

    /// Writes the low bits of all samples, interleaved.
    private func write(_ bitCount: Int, of left: Span<Int32>, _ right: Span<Int32>, channelCount: Int, to writer: inout BitWriter) {
        let mask = UInt32.max >> UInt32(32 - bitCount)
        for frame in left.indices {
            writer.write(UInt32(bitPattern: left[frame]) & mask, count: bitCount)
            if channelCount == 2 { writer.write(UInt32(bitPattern: right[frame]) & mask, count: bitCount) }
        }
    }

    /// Returns the number of low bytes to store uncompressed for samples of a size in bits.
    ///
    /// At most 16 bits of loud samples are predicted, so that the filter's products fit 32 bits in all decoders. Quiet samples are predicted
    /// as a whole.
    private func lowByteCount(_ size: Int) -> Int {
        let count = (configuration.bitDepth - 16) / 8
        // A difference of 32-bit samples would have 33 bits.
        let minimum = configuration.bitDepth == 32 ? 1 : 0
        return (minimum..<count).first { size - 8 * $0 <= Self.maximumBits } ?? count
    }

    /// Returns the number of bits that all samples fit in.
    private static func significantBits(_ samples: Span<Int32>) -> Int {
        var bits: Int32 = 0
        for index in samples.indices { bits |= samples[index] ^ samples[index] >> 31 }
        return 33 - bits.leadingZeroBitCount
    }
}
