// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Wraps access units in a transport.
struct Transport {
    /// Transports, with their numbers in the interface.
    enum Format: Int32 {
        /// Access units as they are.
        case raw = 0
        /// Access units after one header.
        case adif = 1
        /// Access units with a header each.
        case adts = 2
        /// AudioMuxElements with the configuration in some of them.
        case latmInBand = 6
        /// AudioMuxElements without the configuration.
        case latmOutOfBand = 7
        /// AudioMuxElements with syncwords.
        case loas = 10
    }

    /// The numbers of the transports that the encoder writes.
    static let supported: [Int32] = [0, 1, 2, 6, 7, 10]

    private let format: Format
    private let multiplex: StreamMuxConfig
    private let framer: ADTSFramer?
    private let headerPeriod: Int
    private let configuration: AudioSpecificConfig
    private var unitCount = 0

    /// Makes a transport.
    ///
    /// - Throws: ``ContainerError`` if the transport can't hold the stream.
    init(_ parameters: EncoderParameters, _ configuration: AudioSpecificConfig) throws(ContainerError) {
        format = parameters.resolvedTransport
        self.configuration = configuration
        headerPeriod = parameters.resolvedHeaderPeriod
        var multiplex = StreamMuxConfig(configuration)
        // Only version 1 says how long the configuration is, which the backward compatible signalling needs.
        multiplex.audioMuxVersion =
            parameters.multiplexVersion > 0 || configuration.extensionConfig.signaling == .backwardCompatible ? 1 : 0
        self.multiplex = multiplex
        if format == .adif, configuration.objectType != .aacLC || ProgramConfigElement(configuration) == nil {
            throw .unsupportedChannelConfiguration(configuration.channelConfiguration?.rawValue ?? 0, allowed: 1...12)
        }
        let options = ADTSWriterOptions(isMPEG2: parameters.isMPEG2, hasCRC: parameters.protection != 0)
        framer = format == .adts ? try ADTSFramer(configuration, options: options) : nil
    }

    /// The configuration that a decoder needs before the first unit: a StreamMuxConfig for LATM and LOAS, else an AudioSpecificConfig.
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

    /// The most bytes that a transport adds to a unit.
    static let largestOverhead = 256

    /// Returns the bytes that a transport adds to a unit, on average and at most; some may stay unused.
    static func overhead(_ parameters: EncoderParameters) -> (mean: Double, highest: Int) {
        // A StreamMuxConfig of version 1 with the longest AudioSpecificConfig, and the length of a unit of up to 765 bytes.
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

    /// Returns a unit in the transport.
    ///
    /// - Throws: ``ContainerError`` if the unit is too long for it.
    mutating func wrap(_ unit: AccessUnit) throws(ContainerError) -> [UInt8] {
        defer { unitCount += 1 }
        switch format {
        case .raw: return unit.payload
        case .adif:
            guard unitCount == 0, let program = ProgramConfigElement(configuration) else { return unit.payload }
            return ADIFHeader(programConfig: program).serialized() + unit.payload
        case .adts:
            guard let framer else { return unit.payload }
            return try framer.frame(unit)
        case .latmInBand: return element(unit)
        case .latmOutOfBand:
            // PayloadLengthInfo and PayloadMux of ISO/IEC 14496-3:2009, 1.7.3.
            return Array(repeating: 255, count: unit.payload.count / 255) + [UInt8(unit.payload.count % 255)] + unit.payload
        case .loas:
            let bytes = element(unit)
            guard bytes.count <= 0x1FFF else { throw .accessUnitTooLong(byteCount: unit.payload.count, limit: 0x1FFF) }
            // AudioSyncStream of 1.7.2: a syncword of 11 bits and a length of 13.
            return [0x56, 0xE0 | UInt8(bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
    }

    /// Returns an AudioMuxElement with a unit.
    private func element(_ unit: AccessUnit) -> [UInt8] {
        let config = unitCount % headerPeriod == 0 ? multiplex : nil
        var writer = BitWriter(byteCapacity: unit.payload.count + 64)
        AudioMuxElement(streamMuxConfig: config, payloads: [unit.payload]).write(to: &writer, config: multiplex)
        return writer.bytes
    }
}

extension ProgramConfigElement {
    /// Makes the layout of a configuration with a number of its own; `nil` for others, and for those with speakers above the listener.
    ///
    /// Elements of one kind are numbered in the order of the stream, as the encoder does.
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
