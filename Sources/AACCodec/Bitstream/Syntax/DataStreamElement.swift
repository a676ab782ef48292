// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// Application data (`data_stream_element`, ISO/IEC 14496-3:2009, 4.4.2.7).
package struct DataStreamElement {
    /// `element_instance_tag`, 0 to 15.
    package var instanceTag: Int

    /// The bit range of the data in the reader; whole bytes.
    package var payload: Range<Int>

    /// Reads the element after its identifier, and skips the data.
    package init(reading reader: inout BitReader) throws(CodecError) {
        instanceTag = Int(reader.read(4))
        let isAligned = reader.readFlag()
        let byteCount = reader.readEscapedValue(8, 8, 0)
        if isAligned { reader.alignToByte() }
        payload = reader.bitPosition..<reader.bitPosition + 8 * byteCount
        reader.skip(8 * byteCount)
        guard !reader.hasOverrun else { throw .truncated(byteCount: reader.bitCount / 8) }
    }
}
