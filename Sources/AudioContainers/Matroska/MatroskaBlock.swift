// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioPrimitives

/// A block: one or more frames of a track (RFC 9559, 10).
struct MatroskaBlock {
    let trackNumber: Int
    /// The timestamp relative to the cluster, in ticks.
    let relativeTime: Int
    /// The file ranges of the frames.
    let frames: [Range<Int>]

    /// The number of bytes that are enough for the header of a block without lacing.
    static let headByteCount = 12
    /// The number of bytes that are enough for the frame sizes of a block up to 16 MB.
    private static let laceByteCount = 1 << 16

    private enum Lacing: Int {
        case none, xiph, fixed, ebml
    }

    /// Parses a block.
    ///
    /// Reads the frame sizes only if the block belongs to a track.
    init<Source: ByteSource>(_ input: inout ReadAhead<Source>, _ range: Range<Int>, wanted: Int?) throws(ContainerError) {
        var cursor = ByteCursor(try input.bytes(in: range.prefix(Self.headByteCount)), fileOffset: range.lowerBound)
        trackNumber = Int(clamping: try EBMLInteger(parsing: &cursor).value)
        relativeTime = try cursor.readSigned(2)
        let flags = try cursor.readInteger(1)
        guard trackNumber == wanted, let lacing = Lacing(rawValue: flags >> 1 & 3) else {
            frames = []
            return
        }
        guard lacing != .none else {
            frames = [range.lowerBound + cursor.position..<range.upperBound]
            return
        }
        let head = cursor.position
        cursor = ByteCursor(try input.bytes(in: range.prefix(Self.laceByteCount)), fileOffset: range.lowerBound)
        try cursor.skip(head)
        let count = try cursor.readInteger(1) + 1
        var sizes = try Self.sizes(lacing, count, &cursor)
        var start = range.lowerBound + cursor.position
        let left = range.upperBound - start
        if lacing == .fixed { sizes = Array(repeating: left / count, count: count) }
        let total = sizes.reduce(0) { min(Int.max / 2, $0 + min($1, Int.max / 4)) }
        if lacing != .fixed { sizes.append(left - total) }
        guard total <= left, lacing != .fixed || total == left else {
            throw .truncated(offset: start, neededBytes: total, availableBytes: left)
        }
        var frames: [Range<Int>] = []
        for size in sizes {
            frames.append(start..<start + size)
            start += size
        }
        self.frames = frames
    }

    /// Parses the sizes of all frames but the last one, or of none if they are equal.
    private static func sizes(_ lacing: Lacing, _ count: Int, _ cursor: inout ByteCursor) throws(ContainerError) -> [Int] {
        var sizes: [Int] = []
        switch lacing {
        case .none, .fixed: break
        case .xiph:
            while sizes.count < count - 1 {
                var size = 0
                var byte: Int
                repeat {
                    byte = try cursor.readInteger(1)
                    size += byte
                } while byte == 255
                sizes.append(size)
            }
        case .ebml:
            while sizes.count < count - 1 {
                let value = try EBMLInteger(parsing: &cursor)
                // Both are below 2^56.
                let size = sizes.last.map { $0 + value.signed } ?? Int(clamping: value.value)
                guard 0..<1 << 56 ~= size else { throw .invalidBox("lace", offset: cursor.offset) }
                sizes.append(size)
            }
        }
        return sizes
    }
}
#endif
