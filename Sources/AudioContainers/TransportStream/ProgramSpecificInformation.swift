// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Assembles table sections from packet payloads (ISO/IEC 13818-1:2019, 2.4.4).
struct SectionAssembler: Sendable {
    private var bytes: [UInt8] = []
    private var isInside = false

    /// Adds the payload of a packet and returns the sections that it completes.
    ///
    /// Only sections with a valid checksum are returned.
    ///
    /// - Parameter startsUnit: Whether a section starts in the payload, at the distance in its first byte.
    mutating func append(_ payload: ArraySlice<UInt8>, startsUnit: Bool) -> [ProgramSection] {
        guard startsUnit else {
            if isInside { bytes += payload }
            return readSections()
        }
        guard let pointer = payload.first, payload.count > Int(pointer) else {
            isInside = false
            return []
        }
        var sections: [ProgramSection] = []
        if isInside {
            bytes += payload.dropFirst().prefix(Int(pointer))
            sections = readSections()
        }
        bytes = Array(payload.dropFirst(1 + Int(pointer)))
        isInside = true
        return sections + readSections()
    }

    /// Removes and returns the complete sections.
    private mutating func readSections() -> [ProgramSection] {
        var sections: [ProgramSection] = []
        // A table_id of 0xFF is stuffing.
        while isInside, bytes.count >= 3, bytes[0] != 0xFF {
            let length = 3 + (Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]))
            guard bytes.count >= length else { return sections }
            if let section = ProgramSection(bytes[..<length]) { sections.append(section) }
            bytes.removeFirst(length)
        }
        if bytes.first == 0xFF { isInside = false }
        return sections
    }
}

/// A section of a program association or program map table (ISO/IEC 13818-1:2019, 2.4.4.4 and 2.4.4.9).
struct ProgramSection {
    /// `table_id` of the program association table.
    static let associationTable: UInt8 = 0
    /// `table_id` of a program map table.
    static let mapTable: UInt8 = 2

    /// `table_id`.
    let tableID: UInt8
    /// `transport_stream_id` or `program_number`.
    let identifier: UInt16
    /// The bytes between `last_section_number` and the checksum.
    let body: [UInt8]

    /// Parses a section, or `nil` unless it is current and its checksum is valid.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 12, bytes[1] & 0x80 != 0, bytes[5] & 1 == 1, Self.checksum(bytes) == 0 else { return nil }
        tableID = bytes[0]
        identifier = UInt16(bytes[3]) << 8 | UInt16(bytes[4])
        body = Array(bytes[8..<bytes.count - 4])
    }

    static func bytes(tableID: UInt8, identifier: UInt16, body: [UInt8]) -> [UInt8] {
        let length = body.count + 9
        var bytes: [UInt8] = [
            tableID, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF), UInt8(identifier >> 8), UInt8(identifier & 0xFF), 0xC1, 0, 0,
        ]
        bytes += body
        let checksum = checksum(bytes)
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: checksum >> shift)) }
        return bytes
    }

    /// The programs of an association table, with the PIDs of their map tables.
    var programs: [(number: UInt16, mapPID: Int)] {
        stride(from: 0, to: body.count - 3, by: 4).compactMap { offset in
            let program = UInt16(body[offset]) << 8 | UInt16(body[offset + 1])
            return program == 0 ? nil : (program, Int(body[offset + 2] & 0x1F) << 8 | Int(body[offset + 3]))
        }
    }

    /// The elementary streams of a program map table, empty if the table is malformed.
    var elementaryStreams: [ElementaryStreamDescription] {
        guard body.count >= 4 else { return [] }
        var streams: [ElementaryStreamDescription] = []
        var offset = 4 + (Int(body[2] & 0x0F) << 8 | Int(body[3]))
        let program = StreamDescriptors(body[4..<max(4, min(offset, body.count))])
        while offset + 5 <= body.count {
            let end = offset + 5 + (Int(body[offset + 3] & 0x0F) << 8 | Int(body[offset + 4]))
            let descriptors = StreamDescriptors(body[offset + 5..<max(offset + 5, min(end, body.count))])
            streams.append(
                ElementaryStreamDescription(
                    type: body[offset], pid: Int(body[offset + 1] & 0x1F) << 8 | Int(body[offset + 2]), descriptors, program: program))
            offset = end
        }
        return streams
    }

    /// Returns the checksum (CRC-32 of ISO/IEC 13818-1:2019, annex A), which is 0 over a whole section.
    ///
    /// The polynomial is the same as in Ogg; the initial value is all ones.
    static func checksum(_ bytes: [UInt8]) -> UInt32 { OggChecksum.value(bytes.span, continuing: 0xFFFF_FFFF) }
}
