// SPDX-License-Identifier: Apache-2.0

/// An MPEG audio stream of a transport stream, in the form of an MPEG audio file.
package struct TransportStreamMPEGAudio {
    package let byteRanges: [Range<Int>]

    package init(_ source: some ByteSource, _ choice: TransportStreamChoice) throws(ContainerError) {
        var parser = TransportStreamParser(choice: choice, isForMPEGAudio: true)
        try parser.read(source, 0..<source.byteCount) { _, _ in true }
        byteRanges = parser.dataRanges
    }
}
