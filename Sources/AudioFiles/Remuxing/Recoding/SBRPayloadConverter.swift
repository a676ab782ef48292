// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding
internal import USACCodec

/// Converts the SBR payloads of AAC access units to enhanced SBR data with the same grids, levels and sinusoids.
struct SBRPayloadConverter: ~Copyable {
    /// The configuration with the default header.
    let configuration: USACSBRConfig
    /// A silent frame with the default header.
    let silence: EnhancedSBRData
    /// The output sample rate, in hertz.
    private let rate: Int
    private var header: SBRHeader
    /// The frequency band tables for ``header``.
    private var tables: FrequencyBandTables
    /// The last payload, coded independently of the previous frame.
    private var independent: SBRPayload
    /// The delta coding of the independent payload.
    private var planners: FixedArray<DeltaCodingPlanner>
    private var levels = EnvelopeLevels()

    /// Starts a stream.
    ///
    /// - Parameters:
    ///   - header: The first header, or `nil` if the stream starts without one.
    ///   - rate: The output sample rate, in hertz.
    ///   - channelCount: 1 or 2.
    /// - Throws: ``RecodingProblem/Tool/bandTables``.
    init(_ header: SBRHeader?, rate: Int, channelCount: Int) throws(RecodingProblem.Tool) {
        guard let (header, tables) = Self.tables(header, rate: rate) else { throw .bandTables }
        (self.header, self.tables, self.rate) = (header, tables, rate)
        configuration = USACSBRConfig(defaultHeader: USACSBRHeaderFields(header))
        silence = EnhancedSBRData(header, tables: tables, channelCount: channelCount)
        independent = SBRPayload(channelCount: channelCount, slotCount: EnhancedSBRData.slotCount)
        independent.syntax.variant = .enhanced
        independent.syntax.isIndependent = true
        planners = FixedArray(count: channelCount) { _ in DeltaCodingPlanner() }
    }

    /// Returns a header, by default one that is valid at the rate, with its tables; `nil` if they differ from those of AAC.
    private static func tables(_ header: SBRHeader?, rate: Int) -> (SBRHeader, FrequencyBandTables)? {
        guard let header else {
            for start in 0..<16 {
                var header = SBRHeader()
                header.bands.startFrequency = start
                if let tables = FrequencyBandTables(header: header, rate: rate, variant: .enhanced) { return (header, tables) }
            }
            return nil
        }
        guard let tables = FrequencyBandTables(header: header, rate: rate, variant: .enhanced),
            tables == FrequencyBandTables(header: header, rate: rate)
        else { return nil }
        return (header, tables)
    }

    /// Converts the payload of an access unit.
    ///
    /// Before the first header, the data is silent.
    ///
    /// - Throws: ``RecodingProblem/Tool``.
    mutating func convert(_ element: SBRElementDecoder?) throws(RecodingProblem.Tool) -> EnhancedSBRData {
        var data = silence
        try element?.withReader { (reader) throws(RecodingProblem.Tool) in data = try convert(reader) }
        return data
    }

    private mutating func convert(_ reader: borrowing SBRReader) throws(RecodingProblem.Tool) -> EnhancedSBRData {
        guard reader.payload.stereoBits == nil else { throw .parametricStereo }
        if let found = reader.header, found != header {
            guard let (header, tables) = Self.tables(found, rate: rate) else { throw .bandTables }
            (self.header, self.tables) = (header, tables)
        }
        independent.isCoupled = reader.payload.isCoupled
        for channel in 0..<reader.channelCount {
            let isCoarse = reader.payload.channels[channel].usesCoarseAmplitudes(header)
            levels.copy(reader.levels[channel])
            independent.channels[channel].copySideData(of: reader.payload.channels[channel])
            planners[channel].code(
                &levels, into: &independent.channels[channel], tables: tables, isCoarse: isCoarse,
                isBalance: reader.payload.isCoupled && channel == 1, isIndependent: true)
            guard levels.isEqual(to: reader.levels[channel]) else { throw .envelopeRange }
        }
        var data = silence
        data.header = header
        data.set(reader.payload, tables: tables)
        data.set(independent, tables: tables)
        return data
    }
}
