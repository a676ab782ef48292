// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// Reads an ADIF file together with a decoder: its raw data blocks follow each other, and only decoding finds where one ends.
///
/// The caller decodes the block at the front of ``window()`` and says with ``advance(by:)`` how long it was.
package struct ADIFReader<Source: ByteSource> {
    /// More bytes than a raw data block can have: 48 channels of 6144 bits, and data elements.
    package static var windowByteCount: Int { 65_536 }

    private let source: Source
    private var buffer: [UInt8] = []
    private var bufferStart: Int

    /// The header.
    package let header: ADIFHeader
    /// The configuration of the first program.
    package let configuration: AudioSpecificConfig
    /// The offset of the next raw data block in the file.
    package private(set) var offset: Int

    /// Opens a file.
    package init(_ source: Source) throws(ContainerError) {
        self.source = source
        // Sixteen programs with the longest comments take 4.9 KiB.
        let front = try source.bytes(in: 0..<min(source.byteCount, 8192))
        header = try ADIFHeader(parsing: front)
        configuration = try header.audioSpecificConfig
        offset = header.byteCount
        bufferStart = offset
    }

    /// The bytes from the next raw data block on, up to ``windowByteCount``; empty at the end.
    package mutating func window() throws(ContainerError) -> ArraySlice<UInt8> {
        let end = min(source.byteCount, offset + Self.windowByteCount)
        if offset < bufferStart || end > bufferStart + buffer.count {
            bufferStart = offset
            buffer = try source.bytes(in: offset..<min(source.byteCount, offset + 2 * Self.windowByteCount))
        }
        let first = min(offset - bufferStart, buffer.count)
        return buffer[first..<min(buffer.count, first + Self.windowByteCount)]
    }

    /// Advances by a raw data block.
    ///
    /// - Parameter byteCount: The size of the block as the decoder found it, at least 1.
    package mutating func advance(by byteCount: Int) { offset = min(source.byteCount, offset + max(1, byteCount)) }
}
