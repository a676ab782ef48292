// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// The chunks of an AIFF, CAF or 8SVX file.
struct ChunkList {
    /// A chunk.
    struct Chunk {
        /// The four characters of its type.
        let id: String
        /// The positions of its contents, as far as the file has them.
        let contents: Range<Int>
        /// The length of the contents by its head; nil of samples that go on to the end of the file.
        let declaredByteCount: Int?
    }

    /// `caff`, or the type of a form: `AIFF`, `AIFC`, `8SVX`.
    let kind: String
    /// The chunks in the order of the file.
    private(set) var chunks: [Chunk] = []

    /// The types of forms.
    private static let forms = ["AIFF", "AIFC", "8SVX"]
    /// The maximum number of chunks that are searched.
    private static let chunkLimit = 4096

    /// Whether the file is CAF.
    var isCAF: Bool { kind == "caff" }
    /// The bytes before the contents of a chunk.
    var headByteCount: Int { isCAF ? 12 : 8 }

    /// Finds the chunks of a file, or of memory, from its current position on; nil if it has another format.
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
            guard let id = cursor.read(4), let high = isCAF ? cursor.readBigEndian(4) : 0, let low = cursor.readBigEndian(4) else { break }
            offset += headByteCount
            // The length of CAF that is open has all bits set.
            let declared = high < 1 << 31 ? high << 32 | low : nil
            let length = min(declared ?? .max, end - offset)
            chunks.append(Chunk(id: String(decoding: id, as: UTF8.self), contents: offset..<offset + length, declaredByteCount: declared))
            offset += length + (isCAF ? 0 : length & 1)
        }
    }

    /// Returns the first bytes of the contents of the first chunk of a type, at most `limit`; nil without one.
    func contents(_ id: String, of input: FileInput, limit: Int = 4096) throws(SystemFileError) -> [UInt8]? {
        guard let range = chunks.first(where: { $0.id == id })?.contents else { return nil }
        return try input.bytes(at: range.lowerBound..<min(range.upperBound, range.lowerBound + limit))
    }

    /// Returns the speakers that the chunk of the layout names; nil if there is none.
    func layout(of input: FileInput) throws(SystemFileError) -> ChannelLayout? {
        try contents(isCAF ? CAFChannelLayout.chunkID : CAFChannelLayout.chunkID.uppercased(), of: input).flatMap(CAFChannelLayout.layout)
    }
}
