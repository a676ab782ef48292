// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// Options of an ADTS stream.
public struct ADTSWriterOptions: Hashable, Sendable {
    /// Whether headers signal MPEG-2 instead of MPEG-4 (`ID` 1).
    public var isMPEG2: Bool
    /// Whether frames have a checksum (`protection_absent` 0).
    public var hasCRC: Bool

    /// Creates options.
    public init(isMPEG2: Bool = false, hasCRC: Bool = false) {
        self.isMPEG2 = isMPEG2
        self.hasCRC = hasCRC
    }
}

/// Wraps access units in ADTS frames (ISO/IEC 14496-3:2009, 1.A.2.2; ISO/IEC 13818-7, 6.2).
///
/// ADTS signals only the AAC-LC core. Decoders detect SBR and PS inside the access units. Use a framer to send frames over a network, and a
/// writer of ``/AudioPrimitives/AudioFileFormat/adts`` to write a stream.
public struct ADTSFramer: Hashable, Sendable {
    private var header: ADTSHeader

    /// The maximum access unit size in bytes: 8184, or 8182 with a checksum.
    package var maximumPayloadByteCount: Int { ADTSHeader.maximumFrameLength - header.byteCount }

    /// Creates a framer.
    ///
    /// - Throws: ``ContainerError`` unless the stream is AAC-LC with a standard sample rate, a frame length of 1024 and channel
    ///   configuration 1 to 7.
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

    /// Appends a frame with one access unit to `bytes`, or nothing on error.
    ///
    /// - Parameters:
    ///   - accessUnit: The access unit. A checksum requires its element spans.
    ///   - bufferFullness: The bit reservoir state in 32-bit words per channel, or ``ADTSHeader/variableRate``.
    ///   - bytes: Receives the frame.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/missingElementSpans``.
    public func append(
        _ accessUnit: AccessUnit, bufferFullness: Int = ADTSHeader.variableRate, to bytes: inout [UInt8]
    ) throws(ContainerError) {
        let payload = accessUnit.payload
        try accessUnit.checkLength(limit: maximumPayloadByteCount)
        guard !header.hasCRC || !accessUnit.elementSpans.isEmpty else { throw .missingElementSpans }
        var header = header
        header.frameLength = header.byteCount + payload.count
        header.bufferFullness = min(max(0, bufferFullness), ADTSHeader.variableRate)
        header.serialize(into: &bytes)
        if header.hasCRC {
            let value = ADTSChecksum.value(header: header, payload: payload, elements: accessUnit.elementSpans)
            bytes.append(UInt8(value >> 8))
            bytes.append(UInt8(truncatingIfNeeded: value))
        }
        bytes.append(contentsOf: payload)
    }

    /// Returns an ADTS frame with one access unit.
    ///
    /// - Parameter accessUnit: The access unit. A checksum requires its element spans.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/missingElementSpans``.
    public func frame(_ accessUnit: AccessUnit) throws(ContainerError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(header.byteCount + accessUnit.payload.count)
        try append(accessUnit, to: &bytes)
        return bytes
    }
}
