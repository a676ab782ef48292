// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Wraps access units in a transport.
struct Transport {
    /// Transport types, with the interface's raw values.
    enum Format: Int32 {
        /// Raw access units.
        case raw = 0
        /// Raw access units after a single header.
        case adif = 1
        /// Access units, each with a header.
        case adts = 2
        /// AudioMuxElements, some with the configuration.
        case latmInBand = 6
        /// AudioMuxElements without configuration.
        case latmOutOfBand = 7
        /// AudioMuxElements with syncwords.
        case loas = 10
    }

    /// The transports that the encoder can write.
    static let supported: [Int32] = [0, 1, 2, 6, 7, 10]

    private let format: Format
    private let multiplex: StreamMuxConfig
    private let framer: ADTSFramer?
    private let headerPeriod: Int
    private let configuration: AudioSpecificConfig
    private var accessUnitCount = 0

    /// Creates a transport.
    ///
    /// - Throws: ``ContainerError`` if the transport does not support the stream.
    init(_ parameters: EncoderParameters, _ configuration: AudioSpecificConfig) throws(ContainerError) {
        format = parameters.resolvedTransport
        self.configuration = configuration
        headerPeriod = parameters.resolvedHeaderPeriod
        var multiplex = StreamMuxConfig(configuration)
        // Only version 1 stores the length of the configuration, which backward compatible signaling needs.
        multiplex.audioMuxVersion =
            parameters.multiplexVersion > 0 || configuration.extensionConfig.signaling == .backwardCompatible ? 1 : 0
        self.multiplex = multiplex
        if format == .adif, configuration.objectType != .aacLC || ProgramConfigElement(configuration) == nil {
            throw .unsupportedChannelConfiguration(configuration.channelConfiguration?.rawValue ?? 0, allowed: 1...12)
        }
        let options = ADTSWriterOptions(isMPEG2: parameters.isMPEG2, hasCRC: parameters.protection != 0)
        framer = format == .adts ? try ADTSFramer(configuration, options: options) : nil
    }

    /// The configuration that a decoder needs before the first access unit: a StreamMuxConfig for LATM and LOAS, otherwise an
    /// AudioSpecificConfig.
    var decoderConfiguration: [UInt8] {
        switch format {
        case .latmInBand, .latmOutOfBand, .loas:
            var writer = BitWriter()
            multiplex.write(to: &writer)
            writer.alignToByte()
            return writer.bytes
        default: return configuration.serialized()
        }
    }

    /// The maximum number of bytes that a transport adds to an access unit.
    static let maximumOverhead = 256

    /// Returns the average and maximum number of bytes that a transport adds to an access unit.
    ///
    /// The actual number may be lower.
    static func overhead(_ parameters: EncoderParameters) -> (mean: Double, highest: Int) {
        // A version 1 StreamMuxConfig with the longest AudioSpecificConfig, and the length field of an access unit of up to 765 bytes.
        let (multiplex, length) = (15, 3)
        let shared = Double(multiplex) / Double(parameters.resolvedHeaderPeriod)
        switch parameters.resolvedTransport {
        case .raw, .adif: return (0, 0)
        case .adts:
            let byteCount = parameters.protection == 0 ? 7 : 9
            return (Double(byteCount), byteCount)
        case .latmOutOfBand: return (Double(length), length)
        case .latmInBand: return (shared + Double(length), multiplex + length)
        case .loas: return (shared + Double(length) + 3, multiplex + length + 3)
        }
    }

    /// Wraps an access unit.
    ///
    /// - Throws: ``ContainerError`` if the access unit is too long.
    mutating func wrap(_ accessUnit: AccessUnit) throws(ContainerError) -> [UInt8] {
        defer { accessUnitCount += 1 }
        switch format {
        case .raw: return accessUnit.payload
        case .adif:
            guard accessUnitCount == 0, let program = ProgramConfigElement(configuration) else { return accessUnit.payload }
            return ADIFHeader(programConfig: program).serialized() + accessUnit.payload
        case .adts:
            guard let framer else { return accessUnit.payload }
            return try framer.frame(accessUnit)
        case .latmInBand: return element(accessUnit)
        case .latmOutOfBand:
            // PayloadLengthInfo and PayloadMux of ISO/IEC 14496-3:2009, 1.7.3.
            return Array(repeating: 255, count: accessUnit.payload.count / 255) + [UInt8(accessUnit.payload.count % 255)]
                + accessUnit.payload
        case .loas:
            let bytes = element(accessUnit)
            guard bytes.count <= 0x1FFF else { throw .accessUnitTooLong(byteCount: accessUnit.payload.count, limit: 0x1FFF) }
            // AudioSyncStream (1.7.2): an 11-bit syncword and a 13-bit length.
            return [0x56, 0xE0 | UInt8(bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
    }

    /// Returns an AudioMuxElement that contains an access unit.
    private func element(_ accessUnit: AccessUnit) -> [UInt8] {
        let config = accessUnitCount % headerPeriod == 0 ? multiplex : nil
        var writer = BitWriter(byteCapacity: accessUnit.payload.count + 64)
        AudioMuxElement(streamMuxConfig: config, payloads: [accessUnit.payload]).write(to: &writer, config: multiplex)
        return writer.bytes
    }
}

extension ProgramConfigElement {
    /// Returns the layout of a configuration that has a number; `nil` for others and for those with height speakers.
    ///
    /// Elements of the same kind are numbered in stream order, as in the encoder.
    fileprivate init?(_ configuration: AudioSpecificConfig) {
        guard let channels = configuration.channelConfiguration, let index = SamplingFrequencyIndex(hertz: configuration.sampleRate)
        else { return nil }
        self.init(objectType: configuration.objectType, samplingFrequencyCode: index.rawValue)
        var tags = (single: 0, pair: 0)
        var channel = 0
        for kind in channels.elements {
            let speaker = channels.layout.speakers[channel]
            channel += kind.channelCount
            guard kind != .lowFrequency else {
                lowFrequencyTags.append(lowFrequencyTags.count)
                continue
            }
            let element = Element(isPair: kind == .pair, instanceTag: kind == .pair ? tags.pair : tags.single)
            if kind == .pair { tags.pair += 1 } else { tags.single += 1 }
            switch speaker {
            case .topLeft: return nil
            case .sideLeft, .backLeft, .backCenter: back.append(element)
            default: front.append(element)
            }
        }
    }
}
