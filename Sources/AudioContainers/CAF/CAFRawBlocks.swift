// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// The raw data blocks of AAC in a CAF file whose packet table is missing, as in one that is cut off before it.
///
/// As in ADIF, they follow each other, and only a decoder finds where one ends.
package struct CAFRawBlocks<Source: ByteSource> {
    /// The configuration of the stream.
    package let configuration: AudioSpecificConfig
    /// The offset of the next block in the file.
    package private(set) var offset: Int

    private let source: Source
    private let end: Int
    private var buffer: [UInt8] = []
    private var bufferStart: Int

    /// The bytes of ``window()``, which hold any block.
    private static var windowByteCount: Int { 65_536 }

    /// Opens a file; nil if it is not one of AAC without a table.
    package init?(_ source: Source) throws(ContainerError) {
        let index = try CAFIndex(source)
        guard index.packetTable == nil, index.description?.bytesPerPacket == 0, let audioData = index.audioData,
            case .aac(let configuration) = try index.configuration()
        else { return nil }
        self.source = source
        self.configuration = configuration
        (offset, end) = (audioData.lowerBound, audioData.upperBound)
        bufferStart = offset
    }

    /// Returns the bytes from the next block on; none at the end.
    package mutating func window() throws(ContainerError) -> ArraySlice<UInt8> {
        let last = min(end, offset + Self.windowByteCount)
        if offset < bufferStart || last > bufferStart + buffer.count {
            bufferStart = offset
            buffer = try source.bytes(in: offset..<min(end, offset + 2 * Self.windowByteCount))
        }
        let first = min(offset - bufferStart, buffer.count)
        return buffer[first..<min(buffer.count, first + Self.windowByteCount)]
    }

    /// Advances by a block of so many bytes, at least 1.
    package mutating func advance(by byteCount: Int) { offset = min(end, offset + max(1, byteCount)) }
}
