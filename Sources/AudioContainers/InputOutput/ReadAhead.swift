// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Reads small pieces of a source by way of larger ones.
struct ReadAhead<Source: ByteSource> {
    private static var pieceByteCount: Int { 65_536 }

    let source: Source
    private var piece: [UInt8] = []
    private var pieceStart = 0

    /// Creates a reader of a source.
    init(_ source: Source) { self.source = source }

    /// The bytes in `range` as far as the source has them.
    mutating func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        let wanted = range.clamped(to: 0..<source.byteCount)
        if wanted.count >= Self.pieceByteCount { return try source.bytes(in: wanted) }
        if wanted.lowerBound < pieceStart || wanted.upperBound > pieceStart + piece.count {
            pieceStart = wanted.lowerBound
            piece = try source.bytes(in: pieceStart..<min(source.byteCount, pieceStart + Self.pieceByteCount))
        }
        // The source may have shrunk meanwhile.
        let first = min(wanted.lowerBound - pieceStart, piece.count)
        return Array(piece[first..<min(piece.count, first + wanted.count)])
    }
}
