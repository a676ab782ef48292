// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import AudioPrimitives

/// An access unit that was received, with its time.
package struct RTPUnit: Hashable, Sendable {
    /// The coded bytes.
    package var payload: [UInt8]
    /// The configuration of the unit.
    package var configuration: CodecConfiguration
    /// The time of its first sample frame in ticks of the stream's clock, counted without wrapping.
    package var time: Int64
    /// The ticks that it lasts.
    package var duration: Int
}

/// Makes access units of the payloads of packets in their order.
package struct RTPDepacketizer: Sendable {
    /// The largest length of a unit that is assembled of several packets, in bytes: an `AudioMuxElement` of LATM is at most so long.
    private static let longestUnit = 8191

    private let clockRate: Int
    private let format: RTPPayloadFormat
    /// The configuration of LATM in force.
    private var latmConfig: StreamMuxConfig?
    /// The parts of a unit that has begun, and the sequence number and time of its last part.
    private var parts: [UInt8] = []
    private var partsEnd: (number: Int64, time: Int64)?

    /// The payloads that were malformed, and the units of which a part is missing.
    package private(set) var malformedCount = 0

    /// Creates a depacketizer.
    package init(_ description: SessionDescription) {
        clockRate = description.clockRate
        format = description.format
        if case .latm(let config, _) = format { latmConfig = config }
    }

    /// Returns the units that a packet completes.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - marker: Whether it ends a unit.
    ///   - number: The number of the packet, counted without wrapping.
    ///   - time: The time of the packet, counted without wrapping.
    package mutating func units(of payload: [UInt8], marker: Bool, number: Int64, time: Int64) -> [RTPUnit] {
        if let end = partsEnd, end.number + 1 != number || end.time != time { discardParts() }
        switch format {
        case .headers(_, let layout): return headerUnits(payload, layout, number, time)
        case .latm: return latmUnits(payload, marker, number, time)
        case .opus: return made([payload], at: time)
        }
    }

    /// Returns the units of a payload with a header section.
    private mutating func headerUnits(
        _ payload: [UInt8], _ layout: AUHeaderSection.Layout, _ number: Int64, _ time: Int64
    ) -> [RTPUnit] {
        guard let section = AUHeaderSection(parsing: payload, layout) else { return malformed() }
        var rest = payload[section.byteCount...]
        if section.headers.count == 1, section.headers[0].size > rest.count || partsEnd != nil {
            parts += rest
            partsEnd = (number, time)
            guard parts.count >= section.headers[0].size else { return [] }
            let unit = parts
            (parts, partsEnd) = ([], nil)
            return unit.count == section.headers[0].size ? made([unit], at: time) : malformed()
        }
        discardParts()
        var units: [RTPUnit] = []
        for header in section.headers {
            guard header.size > 0, header.size <= rest.count else { return units + malformed() }
            units += made([Array(rest.prefix(header.size))], at: time, from: header.index)
            rest = rest.dropFirst(header.size)
        }
        return units
    }

    /// Returns the units of an element of LATM when its last part is there.
    private mutating func latmUnits(_ payload: [UInt8], _ marker: Bool, _ number: Int64, _ time: Int64) -> [RTPUnit] {
        guard parts.count + payload.count <= Self.longestUnit else {
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
        // The end of a divided element whose beginning is lost has other lengths.
        guard let latmConfig, let read = try? AudioMuxElement(reading: &reader, config: latmConfig),
            reader.bitsRemaining == 0 || latmConfig.otherDataBitCount > 0
        else { return malformed() }
        return made(read.payloads, at: time)
    }

    /// Returns units that follow each other; those that are empty or of unknown length are malformed.
    private mutating func made(_ payloads: [[UInt8]], at time: Int64, from index: Int = 0) -> [RTPUnit] {
        let configuration = latmConfig.map { CodecConfiguration.aac($0.configuration) } ?? format.configuration
        var units: [RTPUnit] = []
        for (offset, payload) in payloads.enumerated() {
            guard !payload.isEmpty, let configuration,
                let duration = RTPPayloadFormat.duration(configuration, payload, clockRate: clockRate)
            else {
                malformedCount += 1
                continue
            }
            let start = time + Int64((index + offset) * duration)
            units.append(RTPUnit(payload: payload, configuration: configuration, time: start, duration: duration))
        }
        return units
    }

    /// Forgets a unit of which a part is missing.
    private mutating func discardParts() {
        if partsEnd != nil { malformedCount += 1 }
        (parts, partsEnd) = ([], nil)
    }

    /// Counts a malformed payload; returns no unit.
    private mutating func malformed() -> [RTPUnit] {
        malformedCount += 1
        return []
    }
}
