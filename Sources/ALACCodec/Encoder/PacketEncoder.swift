// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Encodes packets, which are independent of each other.
struct PacketEncoder {
    private let configuration: ALACConfiguration
    private let kinds: [ElementKind]
    private var element: ElementEncoder
    private var writer: BitWriter

    /// Creates an encoder for 1 to 8 channels.
    init(_ configuration: ALACConfiguration) {
        self.configuration = configuration
        kinds = Self.kinds[configuration.channelCount - 1]
        element = ElementEncoder(configuration)
        writer = BitWriter(byteCapacity: Self.maximumByteCount(configuration))
    }

    /// The maximum packet size in bytes: all samples uncompressed or, if everything is compressed, all residuals uncoded.
    static func maximumByteCount(_ configuration: ALACConfiguration) -> Int {
        var (sampleBits, parameterBits) = (configuration.bitDepth, 0)
        if ElementEncoder.compressesAll(configuration) {
            // A residual of a pair has one more bit.
            sampleBits += ResidualCode.escapeLength + 1
            parameterBits = 16 * (2 + SignalCorrelation.maximumLag)
        }
        let bitCount = configuration.channelCount * (configuration.frameLength * sampleBits + 58 + parameterBits) + 3
        return (bitCount + 7) / 8
    }

    /// Encodes a packet.
    ///
    /// - Parameters:
    ///   - samples: The samples; each channel starts at a multiple of the frame length.
    ///   - frameCount: The number of sample frames, less than the frame length only in the last packet.
    mutating func encode(_ samples: Span<Int32>, frameCount: Int) -> [UInt8] {
        writer.reset()
        var channel = 0
        // The tag counts the elements of each type.
        var tags = SIMD4<Int>(repeating: 0)
        for kind in kinds {
            let last = kind == .pair ? channel + 1 : channel
            let starts = (channel * configuration.frameLength, last * configuration.frameLength)
            element.write(
                kind, instanceTag: tags[kind.rawValue], samples.extracting(starts.0..<starts.0 + frameCount),
                samples.extracting(starts.1..<starts.1 + frameCount), to: &writer)
            tags[kind.rawValue] += 1
            channel = last + 1
        }
        writer.write(UInt32(ElementKind.end.rawValue), count: 3)
        return writer.bytes
    }

    /// The elements for each channel count.
    private static let kinds: [[ElementKind]] = [
        [.single],
        [.pair],
        [.single, .pair],
        [.single, .pair, .single],
        [.single, .pair, .pair],
        [.single, .pair, .pair, .lowFrequency],
        [.single, .pair, .pair, .single, .lowFrequency],
        [.single, .pair, .pair, .pair, .lowFrequency],
    ]
}
