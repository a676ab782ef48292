// SPDX-License-Identifier: Apache-2.0

/// The programme-associated data of an access unit (ETSI TS 102 563, 5.4; ETSI EN 300 401, 7.4).
///
/// It is the content of a data stream element that is the first one of the unit: an extension (X-PAD), whose bytes are in reverse order, and two fixed
/// bytes (F-PAD).
package struct ProgrammeAssociatedData: Hashable, Sendable {
    /// All bytes, as they are in the unit.
    package var bytes: [UInt8]

    /// The bytes of the fixed part.
    static let fixedByteCount = 2

    /// Creates programme-associated data of its bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the programme-associated data of an access unit; nil if it has none.
    package init?(inUnit payload: [UInt8]) {
        // The identifier 4 in three bits, a tag in four, a flag for alignment, which has no effect here, and the number of bytes.
        guard payload.count >= 2, payload[0] >> 5 == 4 else { return nil }
        var (start, count) = (2, Int(payload[1]))
        if count == 255 {
            guard payload.count > 2 else { return nil }
            count += Int(payload[2])
            start = 3
        }
        guard count >= Self.fixedByteCount, payload.count >= start + count else { return nil }
        bytes = Array(payload[start..<start + count])
    }

    /// Returns a unit with these data as its first element.
    package func prepended(to payload: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x80, UInt8(min(bytes.count, 255))]
        if bytes.count >= 255 { result.append(UInt8(bytes.count - 255)) }
        return result + bytes + payload
    }

    /// The kinds of extension (`X-PAD Ind`).
    enum ExtensionKind: Int {
        /// None.
        case none = 0
        /// Four bytes.
        case short = 1
        /// Subfields of any number and length.
        case variable = 2
    }

    /// The kind of extension; nil for a reserved one, or a fixed part of another kind.
    var extensionKind: ExtensionKind? {
        let first = bytes[bytes.count - 2]
        return first >> 6 == 0 ? ExtensionKind(rawValue: Int(first >> 4 & 3)) : nil
    }

    /// Whether the extension begins with a list of its contents (`CI flag`).
    var hasContentsList: Bool { bytes[bytes.count - 1] & 2 != 0 }

    /// The bytes of the extension in their logical order.
    var extensionBytes: [UInt8] { bytes.dropLast(Self.fixedByteCount).reversed() }
}

/// The types of application in an extension of programme-associated data (ETSI TS 101 756, Table 11).
enum PADApplication {
    /// The length of the data group that follows.
    static let dataGroupLength: UInt8 = 1
    /// A segment of a dynamic label, from its start.
    static let labelStart: UInt8 = 2
    /// A segment of a dynamic label, continued.
    static let labelContinuation: UInt8 = 3
    /// A data group of multimedia objects, from its start.
    static let objectStart: UInt8 = 12
    /// A data group of multimedia objects, continued.
    static let objectContinuation: UInt8 = 13

    /// The lengths of subfields, by the number in the list of contents.
    static let lengths = [4, 6, 8, 12, 16, 24, 32, 48]
}
