// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import AudioPrimitives

/// A received access unit with its time.
package struct RTPUnit: Hashable, Sendable {
    package var payload: [UInt8]
    package var configuration: CodecConfiguration
    /// The time of the first sample frame in clock ticks, without wraparound.
    package var time: Int64
    /// The duration, in clock ticks.
    package var duration: Int
}

/// Extracts access units from packet payloads, in packet order.
package struct RTPDepacketizer: Sendable {
    /// The maximum size of a reassembled access unit, in bytes: the limit of a LATM `AudioMuxElement`.
    private static let maximumAccessUnitLength = 8191

    private let clockRate: Int
    private let format: RTPPayloadFormat
    /// The `StreamMuxConfig` in force.
    private var latmConfig: StreamMuxConfig?
    /// The fragments of an incomplete access unit, and the sequence number and time of the last fragment.
    private var parts: [UInt8] = []
    private var partsEnd: (number: Int64, time: Int64)?

    /// The number of malformed payloads and of access units with missing fragments.
    package private(set) var malformedCount = 0

    package init(_ description: SessionDescription) {
        clockRate = description.clockRate
        format = description.format
        if case .latm(let config, _) = format { latmConfig = config }
    }

    /// Returns the access units that a packet completes.
    ///
    /// - Parameters:
    ///   - marker: The RTP marker: whether the packet ends an access unit.
    ///   - number: The sequence number, without wraparound.
    ///   - time: The RTP timestamp, without wraparound.
    package mutating func accessUnits(of payload: [UInt8], marker: Bool, number: Int64, time: Int64) -> [RTPUnit] {
        if let end = partsEnd, end.number + 1 != number || end.time != time { discardParts() }
        switch format {
        case .headers(_, let layout): return headerUnits(payload, layout, number, time)
        case .latm: return latmUnits(payload, marker, number, time)
        case .opus: return made([payload], at: time)
        }
    }

    private mutating func headerUnits(
        _ payload: [UInt8], _ layout: AUHeaderSection.Layout, _ number: Int64, _ time: Int64
    ) -> [RTPUnit] {
        guard let section = AUHeaderSection(parsing: payload, layout) else { return malformed() }
        var rest = payload[section.byteCount...]
        if section.headers.count == 1, section.headers[0].size > rest.count || partsEnd != nil {
            parts += rest
            partsEnd = (number, time)
            guard parts.count >= section.headers[0].size else { return [] }
            let accessUnit = parts
            (parts, partsEnd) = ([], nil)
            return accessUnit.count == section.headers[0].size ? made([accessUnit], at: time) : malformed()
        }
        discardParts()
        var accessUnits: [RTPUnit] = []
        for (position, header) in section.headers.enumerated() {
            // Only interleaved streams, which are not supported, skip indices.
            guard header.size > 0, header.size <= rest.count, header.index == position else { return accessUnits + malformed() }
            accessUnits += made([Array(rest.prefix(header.size))], at: time, from: header.index)
            rest = rest.dropFirst(header.size)
        }
        return accessUnits
    }

    /// Returns the access units of an `AudioMuxElement` once its last fragment has arrived.
    private mutating func latmUnits(_ payload: [UInt8], _ marker: Bool, _ number: Int64, _ time: Int64) -> [RTPUnit] {
        guard parts.count + payload.count <= Self.maximumAccessUnitLength else {
            (parts, partsEnd) = ([], nil)
            return malformed()
        }
        parts += payload
        partsEnd = (number, time)
        guard marker else { return [] }
        let element = parts
        (parts, partsEnd) = ([], nil)
        var reader = BitReader(element)
        if case .latm(_, isConfigInStream: true) = format {
            guard let read = try? AudioMuxElement(reading: &reader, previous: latmConfig) else { return malformed() }
            latmConfig = read.streamMuxConfig ?? latmConfig
            return made(read.payloads, at: time)
        }
        // A fragmented element whose beginning is lost parses to other lengths.
        guard let latmConfig, let read = try? AudioMuxElement(reading: &reader, config: latmConfig),
            reader.bitsRemaining == 0 || latmConfig.otherDataBitCount > 0
        else { return malformed() }
        return made(read.payloads, at: time)
    }

    /// Returns consecutive access units.
    ///
    /// Counts empty access units and unknown durations as malformed.
    private mutating func made(_ payloads: [[UInt8]], at time: Int64, from index: Int = 0) -> [RTPUnit] {
        let configuration = latmConfig.map { CodecConfiguration.aac($0.configuration) } ?? format.configuration
        var accessUnits: [RTPUnit] = []
        for (offset, payload) in payloads.enumerated() {
            guard !payload.isEmpty, let configuration,
                let duration = RTPPayloadFormat.duration(configuration, payload, clockRate: clockRate)
            else {
                malformedCount += 1
                continue
            }
            let start = time + Int64((index + offset) * duration)
            accessUnits.append(RTPUnit(payload: payload, configuration: configuration, time: start, duration: duration))
        }
        return accessUnits
    }

    /// Discards an incomplete access unit.
    private mutating func discardParts() {
        if partsEnd != nil { malformedCount += 1 }
        (parts, partsEnd) = ([], nil)
    }

    /// Counts a malformed payload and returns no access units.
    private mutating func malformed() -> [RTPUnit] {
        malformedCount += 1
        return []
    }
}
