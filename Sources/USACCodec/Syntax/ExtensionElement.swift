// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// An extension payload in one frame (`UsacExtElement`, ISO/IEC 23003-3, 5.3).
package struct ExtensionElement {
    /// The range of the payload in the reader's bits; empty without a payload.
    var payload = 0..<0

    /// Reads the header of an extension element and skips its payload.
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

/// The audio pre-roll of a frame: access units to decode before it when decoding starts (ISO/IEC 23003-3, 7.18).
struct AudioPreRoll {
    /// The range of the configuration in the reader's bits; empty if the active configuration applies.
    var configuration = 0..<0
    /// Whether to crossfade at a change of configuration.
    var isCrossfaded = false
    var accessUnitCount = 0
    /// The position of the first access unit's length field.
    var firstUnit = 0
    /// The end of the payload.
    let end: Int

    /// Reads the header of a payload; `nil` if it is damaged.
    init?(reading reader: inout BitReader, _ payload: Range<Int>) {
        end = payload.upperBound
        reader.skip(payload.lowerBound - reader.bitPosition)
        let length = reader.readEscapedValue(4, 4, 8)
        guard 8 * length <= end - reader.bitPosition else { return nil }
        configuration = reader.bitPosition..<reader.bitPosition + 8 * length
        reader.skip(8 * length)
        isCrossfaded = reader.readFlag()
        reader.skip(1)
        accessUnitCount = reader.readEscapedValue(2, 4, 0)
        firstUnit = reader.bitPosition
        guard firstUnit <= end else { return nil }
    }

    /// Reads the length of the access unit at a position and returns the unit's range in the reader's bits; `nil` if it is damaged.
    func accessUnit(at position: Int, from reader: inout BitReader) -> Range<Int>? {
        reader.skip(position - reader.bitPosition)
        let length = reader.readEscapedValue(16, 16, 0)
        let first = reader.bitPosition
        guard length > 0, 8 * length <= end - first else { return nil }
        return first..<first + 8 * length
    }
}

extension ExtensionElement {
    /// Writes the header of an extension element without default length and fragments.
    ///
    /// - Parameter byteCount: The size of the payload that follows, below 65 789; 0 for none.
    static func write(_ byteCount: Int, to sink: inout some BitSink) {
        sink.write(byteCount > 0)
        guard byteCount > 0 else { return }
        // No default length.
        sink.write(false)
        sink.write(UInt32(min(byteCount, 255)), count: 8)
        if byteCount >= 255 { sink.write(UInt32(byteCount - 253), count: 16) }
    }
}

extension AudioPreRoll {
    /// Writes a payload with access units, and the configuration that older decoders need.
    static func write(_ configuration: USACConfig, _ accessUnits: [[UInt8]], to sink: inout some BitSink) {
        sink.writeEscapedValue(configuration.bytes.count, 4, 4, 8)
        for byte in configuration.bytes { sink.write(UInt32(byte), count: 8) }
        // No crossfade, and a reserved bit.
        sink.write(0, count: 2)
        sink.writeEscapedValue(accessUnits.count, 2, 4, 0)
        for accessUnit in accessUnits {
            sink.writeEscapedValue(accessUnit.count, 16, 16, 0)
            for byte in accessUnit { sink.write(UInt32(byte), count: 8) }
        }
    }

    /// Returns the size of the payload.
    static func byteCount(_ configuration: USACConfig, _ accessUnits: [[UInt8]]) -> Int {
        var counter = BitCounter()
        write(configuration, accessUnits, to: &counter)
        return (counter.bitCount + 7) / 8
    }
}
