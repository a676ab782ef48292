// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A part of an MP4 file with a four-character name (ISO/IEC 14496-12, 4.2).
package protocol Box {
    /// Its name.
    static var type: FourCharCode { get }

    /// Parses the body, without the header.
    init(parsing cursor: inout ByteCursor) throws(ContainerError)

    /// Writes the body, without the header.
    func write(to writer: inout BoxWriter)
}

/// The front of a box: its name and its length.
struct BoxHeader {
    /// The name.
    let type: FourCharCode
    /// Bytes of the header: 8, 16 with a 64-bit length.
    let byteCount: Int
    /// Bytes of the body; nil: all up to the end of what is around it.
    let bodyByteCount: Int?

    /// Reads a header; throws if the box is shorter than that.
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
    /// Goes to the next box in this one: its name and its body; nil at the end.
    ///
    /// A box that claims more than is left gets what is left: what it lacks is found out by whoever reads it.
    package mutating func nextBox() throws(ContainerError) -> (type: FourCharCode, body: ByteCursor)? {
        // Some writers end a list with four zero bytes.
        guard remaining >= 8 else { return nil }
        let header = try BoxHeader(parsing: &self)
        return (header.type, try split(min(header.bodyByteCount ?? remaining, remaining)))
    }

    /// Goes to the end; returns the body of the last box with a name, nil if there is none.
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
