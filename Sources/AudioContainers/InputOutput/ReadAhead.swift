// SPDX-License-Identifier: Apache-2.0

/// A buffered reader for many small reads from a source.
struct ReadAhead<Source: ByteSource> {
    let source: Source
    private let pieceByteCount: Int
    private var piece: [UInt8] = []
    private var pieceStart = 0

    init(_ source: Source, pieceByteCount: Int = 65_536) {
        self.source = source
        self.pieceByteCount = pieceByteCount
    }

    /// Returns the bytes in `range` that the source has.
    mutating func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        let wanted = range.clamped(to: 0..<source.byteCount)
        if wanted.count >= pieceByteCount { return try source.bytes(in: wanted) }
        if wanted.lowerBound < pieceStart || wanted.upperBound > pieceStart + piece.count {
            pieceStart = wanted.lowerBound
            piece = try source.bytes(in: pieceStart..<min(source.byteCount, pieceStart + pieceByteCount))
        }
        // The source may have shrunk.
        let first = min(wanted.lowerBound - pieceStart, piece.count)
        return Array(piece[first..<min(piece.count, first + wanted.count)])
    }
}
