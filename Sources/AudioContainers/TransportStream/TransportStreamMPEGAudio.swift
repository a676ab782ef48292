// SPDX-License-Identifier: Apache-2.0

/// An MPEG audio stream of a transport stream, in the form of an MPEG audio file.
package struct TransportStreamMPEGAudio {
    package let byteRanges: [Range<Int>]
    /// The number of bytes that damage of the transport stream has removed.
    package let lostByteCount: Int

    package init(_ source: some ByteSource, _ choice: TransportStreamChoice) throws(ContainerError) {
        var parser = TransportStreamParser(choice: choice, isForMPEGAudio: true)
        var lost = 0
        try parser.read(source, 0..<source.byteCount) { _, event in
            if case .skipped(let part) = event, part.isDamage { lost += part.byteRange.count }
            return true
        }
        (byteRanges, lostByteCount) = (parser.dataRanges, lost)
    }
}
