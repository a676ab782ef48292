// SPDX-License-Identifier: Apache-2.0

/// The chunk syntax of W64 (Sony Wave64), with 16-byte identifiers, and 8-byte lengths that include the head.
package enum Wave64 {
    /// The last 12 bytes of the identifiers of files, and of lists except for the first byte.
    ///
    /// The first four are the RIFF identifier in lower case.
    private static let fileIdentifier: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
    /// The last 12 bytes of the identifiers of other chunks.
    private static let partIdentifier: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    /// The identifier of a list of texts (`SUMMARYLIST`).
    private static let summaryIdentifier: [UInt8] = [0xBC, 0x94, 0x5F, 0x92, 0x5A, 0x52, 0xD2, 0x11, 0x86, 0xDC] + partIdentifier.suffix(6)
    /// The name of a list of texts, which has no RIFF identifier.
    static let summaryList = "summary list"

    package static let fileHeadByteCount = 40
    /// The size of the head of a chunk, in bytes.
    package static let headByteCount = 24
    /// The alignment of chunks, in bytes.
    package static let alignment = 8

    /// Whether bytes are the head of a file.
    package static func isFile(_ head: [UInt8]) -> Bool {
        head.count == fileHeadByteCount && head[..<4].elementsEqual("riff".utf8) && head[4..<16].elementsEqual(fileIdentifier)
            && head[24..<28].elementsEqual("wave".utf8) && head[28...].elementsEqual(partIdentifier)
    }

    /// Whether bytes start with the identifier of a chunk.
    package static func startsPart(_ bytes: ArraySlice<UInt8>) -> Bool {
        // The identifiers of markers and summary lists have only this end in common with others.
        bytes.dropFirst(10).starts(with: partIdentifier.suffix(6)) || bytes.dropFirst(5).starts(with: fileIdentifier.dropFirst())
    }

    /// Returns the RIFF identifier of a chunk and the length of its body in bytes, which is `Int.max` if the head leaves it open.
    package static func parse(head: [UInt8]) -> (id: String, byteCount: Int) {
        let id = head.starts(with: summaryIdentifier) ? summaryList : TagText.latin1(head[..<4])
        let length = Int(clamping: head[16..<headByteCount].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        return (id == "list" ? "LIST" : id, length == .max ? .max : max(0, length - headByteCount))
    }
}
