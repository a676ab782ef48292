// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Splits PES packets and tables into transport stream packets (ISO/IEC 13818-1:2019, 2.4.3).
struct TransportPacketizer: Sendable {
    /// The maximum data size of a PES packet, whose length field has 16 bits.
    static let maximumDataByteCount = 65_535 - 8

    enum Content {
        case adts
        case loas
        case opus(channelCount: Int)
    }

    private let content: Content

    init(_ content: Content) { self.content = content }

    private static let mapPID = 0x1000
    private static let audioPID = 0x100
    private static let program: UInt16 = 1

    /// The continuity counters of both tables and the stream.
    private var counters: (association: UInt8, map: UInt8, audio: UInt8) = (0, 0, 0)

    /// Appends the program association table and the program map table.
    mutating func appendTables(to bytes: inout [UInt8]) {
        let association = ProgramSection.bytes(
            tableID: ProgramSection.associationTable, identifier: 1,
            body: [0, UInt8(Self.program), 0xE0 | UInt8(Self.mapPID >> 8), UInt8(Self.mapPID & 0xFF)])
        let (high, low) = (0xE0 | UInt8(Self.audioPID >> 8), UInt8(Self.audioPID & 0xFF))
        let map = ProgramSection.bytes(
            tableID: ProgramSection.mapTable, identifier: Self.program,
            body: [high, low, 0xF0, 0, streamType, high, low, 0xF0, UInt8(descriptors.count)] + descriptors)
        // Pointer 0: the section follows immediately.
        Self.append([0] + association, fillsWithStuffing: true, pid: 0, &counters.association, to: &bytes)
        Self.append([0] + map, fillsWithStuffing: true, pid: Self.mapPID, &counters.map, to: &bytes)
    }

    /// `stream_type` of the audio stream.
    private var streamType: UInt8 {
        switch content {
        case .adts: TransportStreamParser.typeADTS
        case .loas: TransportStreamParser.typeLOAS
        case .opus: TransportStreamParser.typePrivate
        }
    }

    /// The audio stream's descriptors: for Opus, registration and channel count.
    private var descriptors: [UInt8] {
        guard case .opus(let channelCount) = content else { return [] }
        return [StreamDescriptors.registrationTag, 4] + FourCharCode("Opus").bytes
            + [StreamDescriptors.extensionTag, 2, StreamDescriptors.opusExtension, UInt8(channelCount)]
    }

    /// Appends a PES packet of the audio stream.
    ///
    /// - Parameters:
    ///   - data: At most ``maximumDataByteCount`` bytes.
    ///   - timeStamp: The presentation timestamp, in units of 1/90 000 s.
    ///   - clock: The clock reference at the packet, in the same unit.
    ///   - duration: The transmission time of the packet, in the same unit, below ``PESHeader/timeStampModulus``.
    mutating func append(_ data: [UInt8], timeStamp: Int64, clock: Int64, duration: Int64, to bytes: inout [UInt8]) {
        var streamID = PESHeader.audioStreamID
        if case .opus = content { streamID = PESHeader.privateStreamID }
        let packet = PESHeader.bytes(streamID: streamID, timeStamp: timeStamp, dataByteCount: data.count) + data
        Self.append(packet, clock: clock, duration: duration, pid: Self.audioPID, &counters.audio, to: &bytes)
    }

    /// Appends the packets of a PES packet or section.
    ///
    /// - Parameters:
    ///   - unit: A PES packet, or a section with its pointer.
    ///   - clock: The clock reference of the first packet, if any.
    ///   - duration: The transmission time of the unit. Within it, clock references repeat every 0.1 s.
    ///   - fillsWithStuffing: Whether stuffing follows the data in the last packet (sections), instead of being in its adaptation field.
    private static func append(
        _ unit: [UInt8], clock: Int64? = nil, duration: Int64 = 0, fillsWithStuffing: Bool = false, pid: Int,
        _ counter: inout UInt8, to bytes: inout [UInt8]
    ) {
        var start = 0
        var referenceTime: Int64 = 0
        while start < unit.count {
            var fields: [UInt8] = []
            // The time of the packet after this one decides.
            let next = duration * Int64(min(unit.count, start + payloadSize)) / Int64(unit.count)
            if let clock, start == 0 || next - referenceTime > clockInterval {
                referenceTime = duration * Int64(start) / Int64(unit.count)
                fields = adaptationFields(clock &+ referenceTime, isEntry: start == 0)
            }
            let fieldSize = fields.isEmpty ? 0 : fields.count + 1
            let count = min(payloadSize - fieldSize, unit.count - start)
            let spare = payloadSize - fieldSize - count
            let field = adaptationField(fields, byteCount: fillsWithStuffing ? fieldSize : fieldSize + spare)
            bytes += [TransportPacket.syncByte, (start == 0 ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF)]
            bytes.append((field.isEmpty ? 0x10 : 0x30) | counter)
            bytes += field
            bytes += unit[start..<start + count]
            if fillsWithStuffing { bytes += [UInt8](repeating: 0xFF, count: spare) }
            counter = (counter + 1) & 0x0F
            start += count
        }
    }

    /// The maximum time between clock references, in units of 1/90 000 s.
    private static let clockInterval = PESHeader.clockRate / 10

    private static let payloadSize = TransportPacket.byteCount - 4

    /// Returns an adaptation field of the given size, which can be 0, with stuffing.
    private static func adaptationField(_ fields: [UInt8], byteCount: Int) -> [UInt8] {
        guard byteCount > 0 else { return [] }
        var field = [UInt8(byteCount - 1)] + fields
        // A one-byte field has no flags.
        if fields.isEmpty, byteCount > 1 { field.append(0) }
        return field + [UInt8](repeating: 0xFF, count: byteCount - field.count)
    }

    /// Returns the flags and fields of an adaptation field with a clock reference.
    ///
    /// - Parameter isEntry: Whether decoding can start at the packet (`random_access_indicator`).
    private static func adaptationFields(_ clock: Int64, isEntry: Bool) -> [UInt8] {
        let base = clock & (PESHeader.timeStampModulus - 1)
        return [
            isEntry ? 0x50 : 0x10, UInt8(truncatingIfNeeded: base >> 25), UInt8(truncatingIfNeeded: base >> 17),
            UInt8(truncatingIfNeeded: base >> 9), UInt8(truncatingIfNeeded: base >> 1), UInt8(truncatingIfNeeded: base << 7) | 0x7E, 0,
        ]
    }
}
