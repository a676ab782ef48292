// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The content of a fill element (`extension_type`, ISO/IEC 14496-3:2009, Table 4.121).
package enum ExtensionType: UInt8 {
    /// Nothing (`EXT_FILL`).
    case fill = 0
    /// Bytes to be ignored (`EXT_FILL_DATA`).
    case fillData = 1
    /// Data (`EXT_DATA_ELEMENT`).
    case dataElement = 2
    /// Dynamic range control (`EXT_DYNAMIC_RANGE`).
    case dynamicRange = 11
    /// Spectral band replication (`EXT_SBR_DATA`).
    case spectralBandReplication = 13
    /// The same with a check sum (`EXT_SBR_DATA_CRC`).
    case checkedSpectralBandReplication = 14
}

/// Padding, or an extension of the element before (`fill_element`, ISO/IEC 14496-3:2009, 4.4.2.7).
package struct FillElement {
    /// The bits of the payload, a whole number of bytes, counted from the first bit of the reader; they begin with the extension type.
    package var payload: Range<Int>

    /// The extension; nil for an empty payload and types that are not defined.
    package var type: ExtensionType?

    /// The largest payload of one element in bytes.
    package static let maximumByteCount = 269

    /// Reads the element after its identifier and skips the payload.
    package init(reading reader: inout BitReader) throws(CodecError) {
        var byteCount = Int(reader.read(4))
        if byteCount == 15 { byteCount += Int(reader.read(8)) - 1 }
        guard byteCount * 8 <= reader.bitsRemaining else { throw .elementTooLong(byteCount: byteCount) }
        payload = reader.bitPosition..<reader.bitPosition + 8 * byteCount
        type = byteCount == 0 ? nil : ExtensionType(rawValue: UInt8(reader.peek(4)))
        reader.skip(8 * byteCount)
    }

    /// Writes an element, identifier included, with `byteCount` bytes of padding (0 to 269).
    package static func writePadding(byteCount: Int, to sink: inout some BitSink) {
        writeHeader(byteCount: byteCount, to: &sink)
        guard byteCount > 0 else { return }
        sink.write(UInt32(ExtensionType.fillData.rawValue) << 4, count: 8)
        for _ in 1..<byteCount {
            sink.write(0xA5, count: 8)
        }
    }

    /// Writes the identifier and the length of a payload of `byteCount` bytes (0 to 269), which has to follow.
    package static func writeHeader(byteCount: Int, to sink: inout some BitSink) {
        sink.write(UInt32(SyntacticElementID.fill.rawValue), count: SyntacticElementID.bitCount)
        sink.write(UInt32(min(byteCount, 15)), count: 4)
        if byteCount >= 15 { sink.write(UInt32(byteCount - 14), count: 8) }
    }

    /// Writes padding elements for up to `bitCount` bits, and returns the number of bits that remain, below 7.
    @discardableResult
    package static func writePadding(bitCount: Int, to sink: inout some BitSink) -> Int {
        var rest = bitCount
        while rest >= 7 {
            // Identifier and length take 7 bits, from 15 bytes on 15.
            var byteCount = (rest - 7) / 8
            if byteCount >= 15 { byteCount = min((rest - 15) / 8, maximumByteCount) }
            byteCount = max(byteCount, min((rest - 7) / 8, 14))
            writePadding(byteCount: byteCount, to: &sink)
            rest -= 7 + 8 * byteCount + (byteCount >= 15 ? 8 : 0)
        }
        return rest
    }
}
