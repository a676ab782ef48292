// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// Puts ADTS headers before access units.
///
/// ADTS carries plain AAC-LC cores only: SBR and PS travel in the access units and are found there by the decoder.
public struct ADTSWriter: Sendable {
    /// What a stream can say of itself beyond its configuration.
    public struct Options: Hashable, Sendable {
        /// Whether headers say MPEG-2 and not MPEG-4.
        public var isMPEG2: Bool
        /// Whether frames carry a checksum; each access unit then needs its elements' places.
        public var hasCRC: Bool

        /// Makes options; by default MPEG-4 without checksums.
        public init(isMPEG2: Bool = false, hasCRC: Bool = false) {
            self.isMPEG2 = isMPEG2
            self.hasCRC = hasCRC
        }
    }

    private var header: ADTSHeader

    /// The largest access unit in bytes: 8184, or 8182 with a checksum.
    public var maximumPayloadByteCount: Int { ADTSHeader.maximumFrameLength - header.byteCount }

    /// Makes a writer.
    ///
    /// Throws ``ContainerError`` for object types other than AAC-LC, rates without an index, 960 samples a frame, and channel
    /// configurations other than 1 to 7.
    public init(_ configuration: AudioSpecificConfig, options: Options = Options()) throws(ContainerError) {
        guard configuration.objectType == .aacLC else {
            throw .unsupportedObjectType(configuration.objectType, allowed: [.aacLC])
        }
        guard let index = SamplingFrequencyIndex(hertz: configuration.sampleRate) else {
            throw .unsupportedSampleRate(configuration.sampleRate, allowed: SamplingFrequencyIndex.standardRates)
        }
        guard configuration.frameLength == 1024 else {
            throw .unsupportedFrameLength(configuration.frameLength ?? 0, allowed: [1024])
        }
        let channels = configuration.channelConfiguration?.rawValue ?? 0
        guard (1...7).contains(channels) else {
            throw .unsupportedChannelConfiguration(channels, allowed: 1...7)
        }
        header = ADTSHeader(samplingFrequencyIndex: index, channelConfiguration: channels, frameLength: 0)
        header.isMPEG2 = options.isMPEG2
        header.hasCRC = options.hasCRC
    }

    /// Appends a frame with one access unit to `bytes`; on an error nothing.
    ///
    /// - Parameters:
    ///   - payload: The raw data block, 1 to ``maximumPayloadByteCount`` bytes.
    ///   - elements: The places of its elements, for the checksum; unused without.
    ///   - bufferFullness: The bit reservoir in 32-bit words a channel, or ``ADTSHeader/variableRate``.
    public func append(
        _ payload: [UInt8], elements: [ElementSpan] = [], bufferFullness: Int = ADTSHeader.variableRate,
        to bytes: inout [UInt8]
    ) throws(ContainerError) {
        guard !payload.isEmpty else { throw .emptyAccessUnit }
        guard payload.count <= maximumPayloadByteCount else {
            throw .accessUnitTooLong(byteCount: payload.count, limit: maximumPayloadByteCount)
        }
        var header = header
        header.frameLength = header.byteCount + payload.count
        header.bufferFullness = min(max(0, bufferFullness), ADTSHeader.variableRate)
        header.serialize(into: &bytes)
        if header.hasCRC {
            let value = ADTSChecksum.value(header: header, payload: payload, elements: elements)
            bytes.append(UInt8(value >> 8))
            bytes.append(UInt8(truncatingIfNeeded: value))
        }
        bytes.append(contentsOf: payload)
    }
}

extension ADTSWriter: AudioWriter {
    /// Writes a frame with one access unit; throws ``ContainerError/missingElementSpans`` in a stream with checksums.
    public func append(_ unit: AccessUnit, to sink: inout some ByteSink) throws(ContainerError) {
        guard !header.hasCRC else { throw .missingElementSpans }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(unit.payload.count + header.byteCount)
        try append(unit.payload, to: &bytes)
        try sink.append(bytes)
    }

    /// Does nothing: ADTS has no end, and no place for `gaplessInfo`.
    public func finish(_ gaplessInfo: GaplessInfo?, to sink: inout some ByteSink) throws(ContainerError) {}
}
