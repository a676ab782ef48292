// SPDX-License-Identifier: Apache-2.0

/// The first MPEG audio stream of a transport stream without AAC or Opus, in the form of an MPEG audio file.
package struct TransportStreamMPEGAudio {
    package let byteRanges: [Range<Int>]

    package init(_ source: some ByteSource) throws(ContainerError) {
        var parser = TransportStreamParser(isForMPEGAudio: true)
        try parser.read(source, 0..<source.byteCount) { _, _ in true }
        byteRanges = parser.dataRanges
    }

    /// Whether the program map tables in the first bytes list MPEG audio but neither AAC nor Opus, or `nil` if they list no audio yet.
    package static func leads(_ front: [UInt8]) -> Bool? {
        var parser = TransportStreamParser()
        parser.append(front)
        while parser.nextEvent() != nil {}
        return parser.hasStream ? false : parser.listsMPEGAudio ? true : nil
    }
}
