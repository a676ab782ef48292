// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The media type of a track or a list of tags (`hdlr`, ISO/IEC 14496-12, 8.4.3).
package struct HandlerBox: Equatable {
    package static let type: FourCharCode = "hdlr"

    /// `soun` for audio, `mdir` for tags.
    var kind: FourCharCode
    /// The manufacturer of the tags, in files in iTunes' style.
    var manufacturer = FourCharCode(rawValue: 0)
    /// A name for people.
    var name: String

    /// Creates a value from its parts.
    package init(kind: FourCharCode, manufacturer: FourCharCode = FourCharCode(rawValue: 0), name: String) {
        self.kind = kind
        self.manufacturer = manufacturer
        self.name = name
    }
}

extension HandlerBox: Box {
    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        try cursor.skip(4)
        kind = FourCharCode(rawValue: UInt32(truncatingIfNeeded: try cursor.readBits(4)))
        name = ""
        guard cursor.remaining >= 12 else { return }
        manufacturer = FourCharCode(rawValue: UInt32(truncatingIfNeeded: try cursor.readBits(4)))
        try cursor.skip(8)
        name = String(decoding: try cursor.readBytes(cursor.remaining).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(0, 4)
        writer.write(kind)
        writer.write(manufacturer)
        writer.write(repeatElement(0, count: 8))
        writer.write(name.utf8)
        writer.write(0, 1)
    }
}
