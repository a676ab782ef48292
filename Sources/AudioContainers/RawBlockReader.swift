// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// Reads consecutive raw data blocks whose ends only a decoder can find.
///
/// The caller decodes the block at the start of ``window()`` and passes its size to ``advance(by:)``.
package struct RawBlockReader<Source: ByteSource> {
    /// Exceeds the maximum size of a raw data block, with 48 channels of 6144 bits and data elements.
    package static var windowByteCount: Int { 65_536 }

    private let source: Source
    private let end: Int
    private var buffer: [UInt8] = []
    private var bufferStart: Int

    /// The configuration of the stream, or of the first ADIF program.
    package let configuration: AudioSpecificConfig
    /// The file offset of the next raw data block.
    package private(set) var offset: Int

    package init(adif source: Source) throws(ContainerError) {
        // Sixteen programs with maximum comments take 4.9 KiB.
        let header = try ADIFHeader(parsing: try source.bytes(in: 0..<min(source.byteCount, 8192)))
        self.init(source, try header.audioSpecificConfig, from: header.byteCount, to: source.byteCount)
    }

    /// Opens an AAC CAF file without packet table, for example a truncated one, or `nil` for other files.
    package init?(caf source: Source) throws(ContainerError) {
        let index = try CAFIndex(source)
        guard index.packetTable == nil, index.description?.bytesPerPacket == 0, let audioData = index.audioData,
            case .aac(let configuration) = try index.configuration()
        else { return nil }
        self.init(source, configuration, from: audioData.lowerBound, to: audioData.upperBound)
    }

    private init(_ source: Source, _ configuration: AudioSpecificConfig, from start: Int, to end: Int) {
        self.source = source
        self.configuration = configuration
        self.end = end
        offset = start
        bufferStart = start
    }

    /// Returns up to ``windowByteCount`` bytes from the next raw data block onward, empty at the end.
    package mutating func window() throws(ContainerError) -> ArraySlice<UInt8> {
        let last = min(end, offset + Self.windowByteCount)
        if offset < bufferStart || last > bufferStart + buffer.count {
            bufferStart = offset
            buffer = try source.bytes(in: offset..<min(end, offset + 2 * Self.windowByteCount))
        }
        let first = min(offset - bufferStart, buffer.count)
        return buffer[first..<min(buffer.count, first + Self.windowByteCount)]
    }

    /// Advances to the next raw data block.
    ///
    /// - Parameter byteCount: The size of the current block, as found by the decoder, at least 1.
    package mutating func advance(by byteCount: Int) { offset = min(end, offset + max(1, byteCount)) }
}
