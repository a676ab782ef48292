// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata
internal import AudioPrimitives

/// The header of an EBML element (RFC 8794, 4 to 6).
struct EBMLElement {
    /// The identifier, including the bits that encode its length.
    let id: UInt32
    let headerByteCount: Int
    /// The size of the contents in bytes, or `nil` if it is unknown.
    let bodyByteCount: Int?

    /// The maximum header size in bytes: four for the identifier, eight for the size.
    static let maximumHeaderByteCount = 12

    /// Parses a header.
    ///
    /// Throws if the identifier or the size is invalid.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let start = cursor.position
        let name = try EBMLInteger(parsing: &cursor, maximumByteCount: 4)
        guard !name.isAllOnes else { throw .invalidBox("EBML", offset: cursor.offset) }
        id = UInt32(truncatingIfNeeded: name.value | 1 << UInt64(7 * name.byteCount))
        let size = try EBMLInteger(parsing: &cursor, maximumByteCount: 8)
        bodyByteCount = size.isAllOnes ? nil : Int(clamping: size.value)
        headerByteCount = cursor.position - start
    }
}

/// An integer of variable size (RFC 8794, 4).
struct EBMLInteger {
    /// The value without the bits that encode its size.
    let value: UInt64
    let byteCount: Int

    init(parsing cursor: inout ByteCursor, maximumByteCount: Int = 8) throws(ContainerError) {
        let first = UInt8(truncatingIfNeeded: try cursor.readBits(1))
        byteCount = first.leadingZeroBitCount + 1
        guard byteCount <= maximumByteCount else { throw .invalidBox("EBML", offset: cursor.offset - 1) }
        var bits = UInt64(first)
        if byteCount > 1 { bits = bits << UInt64(8 * (byteCount - 1)) | (try cursor.readBits(byteCount - 1)) }
        value = bits & ((1 << UInt64(7 * byteCount)) - 1)
    }

    /// Whether all bits are 1, which means an unknown size.
    var isAllOnes: Bool { value == (1 << UInt64(7 * byteCount)) - 1 }

    /// The value as a signed difference of two frame sizes (RFC 9559, 10.3.3).
    var signed: Int { Int(clamping: Int64(value) - ((1 << Int64(7 * byteCount - 1)) - 1)) }
}

extension ByteCursor {
    /// Returns the identifier and contents of the next element, or `nil` at the end or at invalid bytes.
    ///
    /// Contents that extend beyond this cursor are truncated.
    mutating func nextElement() -> (id: UInt32, body: ByteCursor)? {
        guard remaining > 0, let element = try? EBMLElement(parsing: &self),
            let body = try? split(min(element.bodyByteCount ?? remaining, remaining))
        else { return nil }
        return (element.id, body)
    }

    /// The contents as an unsigned integer, clamped to `Int`, or `nil` if they have more than eight bytes.
    var unsigned: Int? {
        var copy = self
        return remaining == 0 ? 0 : remaining <= 8 ? try? copy.readInteger(remaining) : nil
    }

    /// The contents as a signed integer, or `nil` if they have more than eight bytes.
    var signed: Int? {
        var copy = self
        return remaining == 0 ? 0 : remaining <= 8 ? try? copy.readSigned(remaining) : nil
    }

    /// The contents as a floating-point number, or `nil` unless they have zero, four or eight bytes.
    var number: Double? {
        var copy = self
        switch remaining {
        case 0: return 0
        case 4: return (try? copy.readBits(4)).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
        case 8: return (try? copy.readBits(8)).map { Double(bitPattern: $0) }
        default: return nil
        }
    }

    var contents: [UInt8] {
        var copy = self
        return (try? copy.readRest()) ?? []
    }

    /// The contents as text, which zeros can follow.
    var text: String { TagText.decode(contents.prefix { $0 != 0 }) }
}
#endif
