// SPDX-License-Identifier: Apache-2.0

/// The programme-associated data of an access unit (ETSI TS 102 563, 5.4; ETSI EN 300 401, 7.4).
///
/// They are the content of a data stream element, which is the first element of the access unit: an extension (X-PAD) in reverse byte order
/// and two fixed bytes (F-PAD).
package struct ProgrammeAssociatedData: Hashable, Sendable {
    /// All bytes, in access unit order.
    package var bytes: [UInt8]

    static let fixedByteCount = 2

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the programme-associated data of an access unit, if any.
    package init?(inUnit payload: [UInt8]) {
        // Element ID 4 (three bits), instance tag (four bits), alignment flag (no effect here), and byte count.
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

    /// Returns an access unit with these data as its first element.
    package func prepended(to payload: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x80, UInt8(min(bytes.count, 255))]
        if bytes.count >= 255 { result.append(UInt8(bytes.count - 255)) }
        return result + bytes + payload
    }

    /// The kinds of extension (`X-PAD Ind`).
    enum ExtensionKind: Int {
        case none = 0
        /// Four bytes.
        case short = 1
        /// Any number of subfields of any length.
        case variable = 2
    }

    /// The kind of extension, or `nil` if it is reserved or the fixed part has another type.
    var extensionKind: ExtensionKind? {
        let first = bytes[bytes.count - 2]
        return first >> 6 == 0 ? ExtensionKind(rawValue: Int(first >> 4 & 3)) : nil
    }

    /// Whether the extension starts with a contents list (`CI flag`).
    var hasContentsList: Bool { bytes[bytes.count - 1] & 2 != 0 }

    /// The bytes of the extension in logical order.
    var extensionBytes: [UInt8] { bytes.dropLast(Self.fixedByteCount).reversed() }
}

/// X-PAD application types (ETSI TS 101 756, Table 11).
enum PADApplication {
    static let dataGroupLength: UInt8 = 1
    /// The start of a dynamic label segment.
    static let labelStart: UInt8 = 2
    /// The continuation of a dynamic label segment.
    static let labelContinuation: UInt8 = 3
    /// The start of a multimedia data group.
    static let objectStart: UInt8 = 12
    /// The continuation of a multimedia data group.
    static let objectContinuation: UInt8 = 13

    /// The command to remove the label.
    static let removalCommand: UInt8 = 1
    /// The command that describes the parts of a label (DL Plus).
    static let labelPartsCommand: UInt8 = 2

    /// Subfield lengths, indexed by the code in the contents list.
    static let lengths = [4, 6, 8, 12, 16, 24, 32, 48]
}
