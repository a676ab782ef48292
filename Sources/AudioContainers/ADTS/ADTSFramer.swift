// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// Options of an ADTS stream beyond its configuration.
public struct ADTSWriterOptions: Hashable, Sendable {
    /// Whether headers name MPEG-2 and not MPEG-4 (`ID` 1).
    public var isMPEG2: Bool
    /// Whether frames have a checksum (`protection_absent` 0), which covers the elements of each access unit.
    public var hasCRC: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - isMPEG2: Whether headers name MPEG-2 and not MPEG-4.
    ///   - hasCRC: Whether frames have a checksum.
    public init(isMPEG2: Bool = false, hasCRC: Bool = false) {
        self.isMPEG2 = isMPEG2
        self.hasCRC = hasCRC
    }
}

/// Makes ADTS frames of access units (ISO/IEC 14496-3:2009, 1.A.2.2; ISO/IEC 13818-7, 6.2).
///
/// ADTS names only the AAC-LC core: SBR and PS are inside the access units, where a decoder detects them. To send frames over a
/// network, use a framer; to write a stream, a writer of ``/AudioPrimitives/AudioFileFormat/adts``.
public struct ADTSFramer: Hashable, Sendable {
    private var header: ADTSHeader

    /// The size of the largest access unit in bytes: 8184, or 8182 with a checksum.
    package var maximumPayloadByteCount: Int { ADTSHeader.maximumFrameLength - header.byteCount }

    /// Creates a framer.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the stream.
    ///   - options: MPEG-2 headers and checksums.
    /// - Throws: ``ContainerError`` for object types other than AAC-LC, sample rates without an index, frame lengths other than 1024,
    ///   and channel configurations other than 1 to 7.
    public init(_ configuration: AudioSpecificConfig, options: ADTSWriterOptions = ADTSWriterOptions()) throws(ContainerError) {
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
    ///   - unit: The access unit; a checksum needs its element spans.
    ///   - bufferFullness: The state of the bit reservoir in 32-bit words per channel, or ``ADTSHeader/variableRate``.
    ///   - bytes: The array to append to.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/missingElementSpans``.
    public func append(
        _ unit: AccessUnit, bufferFullness: Int = ADTSHeader.variableRate, to bytes: inout [UInt8]
    ) throws(ContainerError) {
        let payload = unit.payload
        try unit.checkLength(limit: maximumPayloadByteCount)
        guard !header.hasCRC || !unit.elementSpans.isEmpty else { throw .missingElementSpans }
        var header = header
        header.frameLength = header.byteCount + payload.count
        header.bufferFullness = min(max(0, bufferFullness), ADTSHeader.variableRate)
        header.serialize(into: &bytes)
        if header.hasCRC {
            let value = ADTSChecksum.value(header: header, payload: payload, elements: unit.elementSpans)
            bytes.append(UInt8(value >> 8))
            bytes.append(UInt8(truncatingIfNeeded: value))
        }
        bytes.append(contentsOf: payload)
    }

    /// Returns a frame with one access unit.
    ///
    /// - Parameter unit: The access unit; a checksum needs its element spans.
    /// - Returns: The header, the checksum if there is one, and the access unit.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/missingElementSpans``.
    public func frame(_ unit: AccessUnit) throws(ContainerError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(header.byteCount + unit.payload.count)
        try append(unit, to: &bytes)
        return bytes
    }
}
