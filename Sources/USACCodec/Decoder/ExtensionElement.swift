// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// The payload of an extension in one frame (`UsacExtElement`, ISO/IEC 23003-3, 5.3).
package struct ExtensionElement {
    /// The bits of the payload, counted as the reader does; empty without one.
    var payload = 0..<0

    /// Reads the header of an element, and skips its payload.
    ///
    /// - Throws: `CodecError.elementTooLong`.
    package init(reading reader: inout BitReader, _ configuration: USACElementConfig) throws(CodecError) {
        guard reader.readFlag() else { return }
        var length = configuration.defaultLength
        if !reader.readFlag() {
            length = Int(reader.read(8))
            if length == 255 { length += Int(reader.read(16)) - 2 }
        }
        guard length > 0 else { return }
        if configuration.isFragmented { reader.skip(2) }
        guard 8 * length <= reader.bitsRemaining else { throw .elementTooLong(byteCount: length) }
        payload = reader.bitPosition..<reader.bitPosition + 8 * length
        reader.skip(8 * length)
    }
}

/// The audio pre-roll of a frame: units to decode before it, at the start of decoding (ISO/IEC 23003-3, 7.18).
struct AudioPreRoll {
    /// The configuration, in bits as the reader counts them; empty if it is the one in force.
    var configuration = 0..<0
    /// Whether a change of configuration is crossfaded.
    var isCrossfaded = false
    /// The number of units.
    var unitCount = 0
    /// The position of the length of the first unit.
    var firstUnit = 0
    /// The end of the payload.
    let end: Int

    /// Reads the header of a payload; nil if it is damaged.
    init?(reading reader: inout BitReader, _ payload: Range<Int>) {
        end = payload.upperBound
        reader.skip(payload.lowerBound - reader.bitPosition)
        let length = reader.readEscapedValue(4, 4, 8)
        guard 8 * length <= end - reader.bitPosition else { return nil }
        configuration = reader.bitPosition..<reader.bitPosition + 8 * length
        reader.skip(8 * length)
        isCrossfaded = reader.readFlag()
        reader.skip(1)
        unitCount = reader.readEscapedValue(2, 4, 0)
        firstUnit = reader.bitPosition
        guard firstUnit <= end else { return nil }
    }

    /// Reads the length of a unit at a position; returns the bits of the unit, nil if it is damaged.
    func unit(at position: Int, from reader: inout BitReader) -> Range<Int>? {
        reader.skip(position - reader.bitPosition)
        let length = reader.readEscapedValue(16, 16, 0)
        let first = reader.bitPosition
        guard length > 0, 8 * length <= end - first else { return nil }
        return first..<first + 8 * length
    }
}
