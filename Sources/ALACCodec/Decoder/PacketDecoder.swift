// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

struct PacketDecoder {
    private let configuration: ALACConfiguration
    /// The output channel of each stream channel.
    private let order: [Int]
    private var reader = BitReader()

    /// Creates a decoder.
    ///
    /// - Parameter order: The output channel of each stream channel.
    init(_ configuration: ALACConfiguration, order: [Int]) {
        self.configuration = configuration
        self.order = order
    }

    /// Decodes a packet and returns its number of sample frames.
    ///
    /// - Parameter samples: Receives the samples, with space for the frame length per channel.
    mutating func decode(_ packet: Span<UInt8>, into samples: inout ContiguousArray<Int32>) throws(CodecError) -> Int {
        reader.load(packet)
        var channel = 0
        var frameCount: Int?
        while reader.bitsRemaining >= 3, let kind = ElementKind(rawValue: Int(reader.read(3))), kind != .end {
            switch kind {
            case .single, .lowFrequency, .pair:
                let count = kind == .pair ? 2 : 1
                guard channel + count <= configuration.channelCount else {
                    throw .tooManyChannels(channel + count, maximum: configuration.channelCount)
                }
                let element = try decodeElement(channel, channelCount: count, &samples)
                if let frameCount, element != frameCount { throw .invalidFrameLength(element, allowed: frameCount...frameCount) }
                frameCount = element
                channel += count
            case .data: skipData()
            case .fill: skipFill()
            case .coupling, .programConfig: throw .reservedElement(kind: kind.rawValue)
            case .end: break
            }
            if reader.hasOverrun { throw .truncated(byteCount: packet.count) }
        }
        guard let frameCount, channel == configuration.channelCount else { throw .truncated(byteCount: packet.count) }
        return frameCount
    }

    /// Decodes an element with one or two channels and returns its number of sample frames.
    private mutating func decodeElement(
        _ channel: Int, channelCount: Int, _ samples: inout ContiguousArray<Int32>
    ) throws(CodecError) -> Int {
        let header = try ElementHeader(reading: &reader, channelCount: channelCount, configuration)
        var span = samples.mutableSpan
        let ranges = order[channel..<channel + channelCount].map { index in
            index * configuration.frameLength..<index * configuration.frameLength + header.frameCount
        }
        if header.isUncompressed {
            readSamples(&span, ranges)
        } else {
            try decodeCompressed(header, &span, ranges)
        }
        return header.frameCount
    }

    /// Reads uncompressed, interleaved samples into one range per channel.
    private mutating func readSamples(_ samples: inout MutableSpan<Int32>, _ ranges: [Range<Int>]) {
        let unusedBits = Int32(32 - configuration.bitDepth)
        for frame in 0..<ranges[0].count {
            for range in ranges {
                let bits = Int32(bitPattern: reader.read(configuration.bitDepth))
                samples[range.lowerBound + frame] = (bits &<< unusedBits) &>> unusedBits
            }
        }
    }

    private mutating func decodeCompressed(
        _ header: ElementHeader, _ samples: inout MutableSpan<Int32>, _ ranges: [Range<Int>]
    ) throws(CodecError) {
        let matrix = StereoMatrix(reading: &reader)
        let channels = ranges.map { ($0, PredictorParameters(reading: &reader)) }
        let lowBytesPosition = reader.bitPosition
        reader.skip(header.lowByteCount * 8 * header.frameCount * ranges.count)
        for (range, parameters) in channels {
            var residuals = ResidualReader(configuration, parameters, residualBits: header.sampleBits)
            try residuals.read(&reader, into: &samples, range)
            let predictor = AdaptivePredictor(parameters, sampleBits: header.sampleBits)
            predictor.restore(&samples, range)
        }
        if ranges.count == 2 { matrix.unmix(&samples, ranges[0], ranges[1], bitCount: header.sampleBits - 1) }
        if header.lowByteCount > 0 { appendLowBytes(header.lowByteCount, at: lowBytesPosition, &samples, ranges) }
    }

    /// Appends the low bytes, which are interleaved and precede the residuals.
    private func appendLowBytes(_ count: Int, at position: Int, _ samples: inout MutableSpan<Int32>, _ ranges: [Range<Int>]) {
        let bitCount = count * 8
        var position = position
        for frame in 0..<ranges[0].count {
            for range in ranges {
                let bits = Int32(truncatingIfNeeded: reader.peekWindow(at: position) &>> UInt64(64 - bitCount))
                samples[range.lowerBound + frame] = samples[range.lowerBound + frame] &<< Int32(bitCount) | bits
                position += bitCount
            }
        }
    }

    private mutating func skipData() {
        reader.skip(4)
        let isAligned = reader.readFlag()
        var count = Int(reader.read(8))
        if count == 255 { count += Int(reader.read(8)) }
        if isAligned { reader.alignToByte() }
        reader.skip(count * 8)
    }

    private mutating func skipFill() {
        var count = Int(reader.read(4))
        if count == 15 { count += Int(reader.read(8)) - 1 }
        reader.skip(count * 8)
    }
}
