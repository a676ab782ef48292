// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The content of a fill element (`extension_type`, ISO/IEC 14496-3:2009, Table 4.121).
package enum ExtensionType: UInt8 {
    /// Padding without content (`EXT_FILL`).
    case fill = 0
    /// Padding bytes to ignore (`EXT_FILL_DATA`).
    case fillData = 1
    /// Dynamic range control (`EXT_DYNAMIC_RANGE`).
    case dynamicRange = 11
    /// Spectral band replication (`EXT_SBR_DATA`).
    case spectralBandReplication = 13
    /// Spectral band replication with a checksum (`EXT_SBR_DATA_CRC`).
    case checkedSpectralBandReplication = 14
}

/// Padding, or an extension of the preceding element (`fill_element`, ISO/IEC 14496-3:2009, 4.4.2.7).
package struct FillElement {
    /// The bit range of the payload in the reader, starting with the extension type; whole bytes.
    package var payload: Range<Int>

    /// The extension type; `nil` for an empty payload and undefined types.
    package var type: ExtensionType?

    package static let maximumByteCount = 269

    /// Reads the element after its identifier, and skips the payload.
    package init(reading reader: inout BitReader) throws(CodecError) {
        var byteCount = Int(reader.read(4))
        if byteCount == 15 { byteCount += Int(reader.read(8)) - 1 }
        guard byteCount * 8 <= reader.bitsRemaining else { throw .elementTooLong(byteCount: byteCount) }
        payload = reader.bitPosition..<reader.bitPosition + 8 * byteCount
        type = byteCount == 0 ? nil : ExtensionType(rawValue: UInt8(reader.peek(4)))
        reader.skip(8 * byteCount)
    }

    /// Writes an element with `byteCount` bytes of padding (0 to 269), including its identifier.
    package static func writePadding(byteCount: Int, to sink: inout some BitSink) {
        writeHeader(byteCount: byteCount, to: &sink)
        guard byteCount > 0 else { return }
        sink.write(UInt32(ExtensionType.fillData.rawValue) << 4, count: 8)
        for _ in 1..<byteCount {
            sink.write(0xA5, count: 8)
        }
    }

    /// Writes the identifier and length of a payload of `byteCount` bytes (0 to 269), which the caller writes next.
    package static func writeHeader(byteCount: Int, to sink: inout some BitSink) {
        sink.write(UInt32(SyntacticElementID.fill.rawValue), count: SyntacticElementID.bitCount)
        sink.write(UInt32(min(byteCount, 15)), count: 4)
        if byteCount >= 15 { sink.write(UInt32(byteCount - 14), count: 8) }
    }

    /// Writes padding elements for up to `bitCount` bits, and returns the number of remaining bits, below 7.
    @discardableResult
    package static func writePadding(bitCount: Int, to sink: inout some BitSink) -> Int {
        var rest = bitCount
        while rest >= 7 {
            // Identifier and length need 7 bits, or 15 for 15 and more bytes.
            var byteCount = (rest - 7) / 8
            if byteCount >= 15 { byteCount = min((rest - 15) / 8, maximumByteCount) }
            byteCount = max(byteCount, min((rest - 7) / 8, 14))
            writePadding(byteCount: byteCount, to: &sink)
            rest -= 7 + 8 * byteCount + (byteCount >= 15 ? 8 : 0)
        }
        return rest
    }
}
