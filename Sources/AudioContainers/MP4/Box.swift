// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A box of an MP4 file (ISO/IEC 14496-12, 4.2).
package protocol Box {
    static var type: FourCharCode { get }

    /// Parses the body, without the header.
    init(parsing cursor: inout ByteCursor) throws(ContainerError)

    /// Writes the body, without the header.
    func write(to writer: inout BoxWriter)
}

/// The header of a box: its type and size.
struct BoxHeader {
    let type: FourCharCode
    /// The header size: 8 bytes, or 16 with a 64-bit length.
    let byteCount: Int
    /// The body size in bytes, or `nil` if the body extends to the end of the enclosing box.
    let bodyByteCount: Int?

    /// Parses a header.
    ///
    /// Throws if the box size is smaller than the header.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let size = try cursor.readInteger(4)
        type = try cursor.readCode()
        switch size {
        case 0:
            byteCount = 8
            bodyByteCount = nil
        case 1:
            byteCount = 16
            let long = try cursor.readInteger(8)
            guard long >= 16 else { throw .invalidBox(type, offset: cursor.offset - 16) }
            bodyByteCount = long - 16
        case 8...:
            byteCount = 8
            bodyByteCount = size - 8
        default:
            throw .invalidBox(type, offset: cursor.offset - 8)
        }
    }
}

extension ByteCursor {
    /// Returns the type and body of the next box, or `nil` at the end.
    ///
    /// Truncates a body that extends beyond this cursor. Its parser then detects missing bytes.
    package mutating func nextBox() throws(ContainerError) -> (type: FourCharCode, body: ByteCursor)? {
        // Some writers terminate a list with four zero bytes.
        guard remaining >= 8 else { return nil }
        let header = try BoxHeader(parsing: &self)
        return (header.type, try split(min(header.bodyByteCount ?? remaining, remaining)))
    }

    /// Reads all boxes up to the end and returns the body of the last box of the given type, if any.
    mutating func find(_ type: FourCharCode) throws(ContainerError) -> ByteCursor? {
        var found: ByteCursor?
        while let (name, body) = try nextBox() { if name == type { found = body } }
        return found
    }

    /// Reads version and flags (`FullBox`).
    mutating func readFullBox() throws(ContainerError) -> (version: Int, flags: Int) {
        (try readInteger(1), try readInteger(3))
    }
}
