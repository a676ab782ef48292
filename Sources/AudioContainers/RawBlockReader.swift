// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// Reads raw data blocks that follow each other, together with a decoder: only decoding finds where one ends.
///
/// The caller decodes the block at the front of ``window()`` and says with ``advance(by:)`` how long it was.
package struct RawBlockReader<Source: ByteSource> {
    /// More bytes than a raw data block can have: 48 channels of 6144 bits, and data elements.
    package static var windowByteCount: Int { 65_536 }

    private let source: Source
    private let end: Int
    private var buffer: [UInt8] = []
    private var bufferStart: Int

    /// The configuration of the stream, in ADIF of the first program.
    package let configuration: AudioSpecificConfig
    /// The offset of the next raw data block in the file.
    package private(set) var offset: Int

    /// Opens an ADIF file.
    package init(adif source: Source) throws(ContainerError) {
        // Sixteen programs with the longest comments take 4.9 KiB.
        let header = try ADIFHeader(parsing: try source.bytes(in: 0..<min(source.byteCount, 8192)))
        self.init(source, try header.audioSpecificConfig, from: header.byteCount, to: source.byteCount)
    }

    /// Opens a CAF file whose packet table is missing, as in one that is cut off before it; nil if it is not one of AAC without a table.
    package init?(caf source: Source) throws(ContainerError) {
        let index = try CAFIndex(source)
        guard index.packetTable == nil, index.description?.bytesPerPacket == 0, let audioData = index.audioData,
            case .aac(let configuration) = try index.configuration()
        else { return nil }
        self.init(source, configuration, from: audioData.lowerBound, to: audioData.upperBound)
    }

    /// Reads the blocks between two offsets.
    private init(_ source: Source, _ configuration: AudioSpecificConfig, from start: Int, to end: Int) {
        self.source = source
        self.configuration = configuration
        self.end = end
        offset = start
        bufferStart = start
    }

    /// The bytes from the next raw data block on, up to ``windowByteCount``; empty at the end.
    package mutating func window() throws(ContainerError) -> ArraySlice<UInt8> {
        let last = min(end, offset + Self.windowByteCount)
        if offset < bufferStart || last > bufferStart + buffer.count {
            bufferStart = offset
            buffer = try source.bytes(in: offset..<min(end, offset + 2 * Self.windowByteCount))
        }
        let first = min(offset - bufferStart, buffer.count)
        return buffer[first..<min(buffer.count, first + Self.windowByteCount)]
    }

    /// Advances by a raw data block.
    ///
    /// - Parameter byteCount: The size of the block as the decoder found it, at least 1.
    package mutating func advance(by byteCount: Int) { offset = min(end, offset + max(1, byteCount)) }
}
