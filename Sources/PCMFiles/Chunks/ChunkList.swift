// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// The chunks of an AIFF, CAF or 8SVX file.
struct ChunkList {
    struct Chunk {
        /// The four-character type.
        let id: String
        /// The positions of the contents, limited to the file size.
        let contents: Range<Int>
        /// The declared length of the contents, or `nil` if samples extend to the end of the file.
        let declaredByteCount: Int?
    }

    /// `caff` or the form type: `AIFF`, `AIFC`, `8SVX`.
    let kind: String
    /// The chunks in file order.
    private(set) var chunks: [Chunk] = []

    private static let forms = ["AIFF", "AIFC", "8SVX"]
    private static let chunkLimit = 4096

    var isCAF: Bool { kind == "caff" }
    var headByteCount: Int { isCAF ? 12 : 8 }

    /// Finds the chunks of a file or of memory, from its current position, or returns `nil` for other formats.
    init?(_ input: FileInput) throws(SystemFileError) {
        guard let end = input.byteCount else { return nil }
        let head = Array(try input.peek(12))
        let form = String(decoding: head.dropFirst(8), as: UTF8.self)
        if head.starts(with: "caff".utf8) {
            kind = "caff"
        } else if head.starts(with: "FORM".utf8), Self.forms.contains(form) {
            kind = form
        } else {
            return nil
        }
        var offset = input.position + (isCAF ? 8 : 12)
        for _ in 0..<Self.chunkLimit where end - offset > headByteCount {
            var cursor = TagCursor(try input.bytes(at: offset..<offset + headByteCount)[...])
            guard let id = cursor.read(4), let number = cursor.readBigEndian(isCAF ? 8 : 4) else { break }
            offset += headByteCount
            // An open CAF chunk has a length with all bits set.
            let declared = isCAF && number == .max ? nil : number
            let length = min(declared ?? .max, end - offset)
            chunks.append(Chunk(id: String(decoding: id, as: UTF8.self), contents: offset..<offset + length, declaredByteCount: declared))
            offset += length + (isCAF ? 0 : length & 1)
        }
    }

    /// Returns the contents of the first chunk of a type, at most 4096 bytes, or `nil` if absent.
    func contents(_ id: String, of input: FileInput) throws(SystemFileError) -> [UInt8]? {
        guard let range = chunks.first(where: { $0.id == id })?.contents else { return nil }
        return try input.bytes(at: range.lowerBound..<min(range.upperBound, range.lowerBound + 4096))
    }

    func layout(of input: FileInput) throws(SystemFileError) -> ChannelLayout? {
        try contents(isCAF ? CAFChannelLayout.chunkID : CAFChannelLayout.chunkID.uppercased(), of: input).flatMap(CAFChannelLayout.layout)
    }
}
