// SPDX-License-Identifier: Apache-2.0

/// The first stream of MPEG audio in a transport stream without AAC and Opus, as the bytes of a file of MPEG audio.
package struct TransportStreamMPEGAudio {
    /// The bytes of the stream in the transport stream, in their order.
    package let byteRanges: [Range<Int>]

    /// Bytes read at a time.
    private static let chunkByteCount = 1 << 20

    /// Reads the whole transport stream.
    package init(_ source: some ByteSource) throws(ContainerError) {
        var parser = TransportStreamParser(isForMPEGAudio: true)
        var byteRanges: [Range<Int>] = []
        for offset in stride(from: 0, to: source.byteCount, by: Self.chunkByteCount) {
            parser.append(try source.bytes(in: offset..<min(source.byteCount, offset + Self.chunkByteCount)))
            while parser.nextEvent() != nil {}
            byteRanges += parser.takeDataRanges()
        }
        parser.finish()
        while parser.nextEvent() != nil {}
        self.byteRanges = byteRanges + parser.takeDataRanges()
    }

    /// Returns whether the program map tables in the first bytes list MPEG audio, and neither AAC nor Opus; nil if they have no audio yet.
    package static func leads(_ front: [UInt8]) -> Bool? {
        var parser = TransportStreamParser()
        parser.append(front)
        while parser.nextEvent() != nil {}
        return parser.hasStream ? false : parser.listsMPEGAudio ? true : nil
    }
}
