// SPDX-License-Identifier: Apache-2.0

/// The first stream of MPEG audio in a transport stream without AAC and Opus, as the bytes of a file of MPEG audio.
package struct TransportStreamMPEGAudio {
    /// The bytes of the stream in the transport stream, in their order.
    package let byteRanges: [Range<Int>]

    /// Reads the whole transport stream.
    package init(_ source: some ByteSource) throws(ContainerError) {
        var parser = TransportStreamParser(isForMPEGAudio: true)
        try parser.read(source, 0..<source.byteCount) { _, _ in true }
        byteRanges = parser.dataRanges
    }

    /// Returns whether the program map tables in the first bytes list MPEG audio, and neither AAC nor Opus; nil if they have no audio yet.
    package static func leads(_ front: [UInt8]) -> Bool? {
        var parser = TransportStreamParser()
        parser.append(front)
        while parser.nextEvent() != nil {}
        return parser.hasStream ? false : parser.listsMPEGAudio ? true : nil
    }
}
