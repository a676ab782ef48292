// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives

/// Writes boxes into memory and fills in their sizes.
package struct BoxWriter {
    /// The output so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes the low `byteCount` bytes of a number.
    package mutating func write(_ value: Int, _ byteCount: Int) { bytes.appendBigEndian(value, byteCount: byteCount) }

    package mutating func write(_ run: some Sequence<UInt8>) { bytes.append(contentsOf: run) }

    package mutating func write(_ code: FourCharCode) { write(Int(truncatingIfNeeded: code.rawValue), 4) }

    /// Writes version and flags (`FullBox`).
    package mutating func writeFullBox(version: Int = 0, flags: Int = 0) {
        write(version, 1)
        write(flags, 3)
    }

    package mutating func box(_ type: FourCharCode, _ body: (inout BoxWriter) -> Void) {
        let start = bytes.count
        write(0, 4)
        write(type)
        body(&self)
        patch(bytes.count - start, 4, at: start)
    }

    /// Writes a table in a full box: the entry count, then each entry with the closure.
    mutating func table<Entry>(_ type: FourCharCode, _ entries: [Entry], _ body: (inout BoxWriter, Entry) -> Void) {
        box(type) {
            $0.writeFullBox()
            $0.write(entries.count, 4)
            for entry in entries { body(&$0, entry) }
        }
    }

    /// Writes the major brand, which is the first, and the compatible brands (`ftyp`, ISO/IEC 14496-12, 4.3).
    mutating func fileType(_ brands: [FourCharCode], as type: FourCharCode = "ftyp") {
        box(type) {
            $0.write(brands[0])
            $0.write(0, 4)
            for brand in brands { $0.write(brand) }
        }
    }

    /// Writes the handler of a track or tag list (`hdlr`, ISO/IEC 14496-12, 8.4.3) with a human-readable name.
    mutating func handler(_ kind: FourCharCode, manufacturer: FourCharCode = FourCharCode(rawValue: 0), name: String) {
        box("hdlr") {
            $0.writeFullBox()
            $0.write(0, 4)
            $0.write(kind)
            $0.write(manufacturer)
            $0.write(repeatElement(0, count: 8))
            $0.write(name.utf8)
            $0.write(0, 1)
        }
    }

    package mutating func write<Content: Box>(_ content: Content) { box(Content.type) { content.write(to: &$0) } }

    mutating func patch(_ value: Int, _ byteCount: Int, at offset: Int) {
        for index in 0..<byteCount {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - index)))
        }
    }
}
