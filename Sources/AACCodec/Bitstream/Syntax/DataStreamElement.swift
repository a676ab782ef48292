// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// Bytes of another application (`data_stream_element`, ISO/IEC 14496-3:2009, 4.4.2.7).
package struct DataStreamElement {
    /// Distinguishes elements of a kind, 0 to 15 (`element_instance_tag`).
    package var instanceTag: Int

    /// The bits of the data, a whole number of bytes, counted from the first bit of the reader.
    package var payload: Range<Int>

    /// The most bytes that one element can hold.
    static let maximumByteCount = 510

    /// Reads the element after its identifier and skips the data.
    package init(reading reader: inout BitReader) throws(AACError) {
        instanceTag = Int(reader.read(4))
        let isAligned = reader.readFlag()
        var byteCount = Int(reader.read(8))
        if byteCount == 255 { byteCount += Int(reader.read(8)) }
        if isAligned { reader.alignToByte() }
        payload = reader.bitPosition..<reader.bitPosition + 8 * byteCount
        reader.skip(8 * byteCount)
        guard !reader.hasOverrun else { throw .truncated(bitCount: reader.bitCount) }
    }

    /// Writes an element, identifier included, with `bytes` (at most 510).
    package static func write(instanceTag: Int, isAligned: Bool, bytes: Span<UInt8>, to sink: inout some BitSink) {
        sink.write(UInt32(SyntacticElementID.dataStream.rawValue), count: SyntacticElementID.bitCount)
        sink.write(UInt32(instanceTag), count: 4)
        sink.write(isAligned)
        sink.write(UInt32(min(bytes.count, 255)), count: 8)
        if bytes.count >= 255 { sink.write(UInt32(bytes.count - 255), count: 8) }
        if isAligned { sink.alignToByte() }
        for index in bytes.indices {
            sink.write(UInt32(bytes[index]), count: 8)
        }
    }
}
