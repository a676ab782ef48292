// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import SystemFiles

/// Corrects Ogg FLAC whose last metadata block is not marked as the last (RFC 9639, 8.1 and 10.1).
///
/// Otherwise libFLAC would parse all frames as metadata.
enum OggFLACHeader {
    private static let pageHeaderByteCount = 27
    private static let checksumOffset = 22
    /// The maximum size of metadata to search, in bytes; enough for a picture.
    private static let searchLimit = 1 << 25

    /// Returns a FLAC stream with its last metadata block marked.
    ///
    /// - Parameter input: A single logical Ogg stream.
    static func corrected(_ input: FileInput) throws(SystemFileError) -> FileInput {
        var position = 0
        /// The offset of the latest metadata block's type, and its page.
        var latest: (offset: Int, page: Range<Int>)?
        var isInPacket = false
        while position < searchLimit {
            let head = try input.bytes(at: position..<position + pageHeaderByteCount + 255)
            guard head.starts(with: "OggS".utf8), head.count > pageHeaderByteCount else { return input }
            let lacing = head.dropFirst(pageHeaderByteCount).prefix(Int(head[26]))
            let page = position..<position + lacing.reduce(pageHeaderByteCount + lacing.count) { $0 + Int($1) }
            var offset = position + pageHeaderByteCount + lacing.count
            for segment in lacing {
                if !isInPacket {
                    let front = try input.bytes(at: offset..<offset + 2)
                    guard front.count == 2 else { return input }
                    if front[0] == 0xFF, front[1] & 0xFC == 0xF8 {
                        guard let latest else { return input }
                        return try marking(latest.offset, in: latest.page, of: input)
                    }
                    // In the first packet, a signature and the block count precede the block.
                    let isFirst = position == 0 && front[0] == 0x7F
                    if !isFirst, front[0] & 0x80 != 0 { return input }
                    latest = isFirst ? nil : (offset, page)
                }
                isInPacket = segment == 255
                offset += Int(segment)
            }
            position = page.upperBound
        }
        return input
    }

    /// Returns the stream with a metadata block marked as the last.
    private static func marking(_ offset: Int, in page: Range<Int>, of input: FileInput) throws(SystemFileError) -> FileInput {
        var front = try input.bytes(at: 0..<page.upperBound)
        guard front.count == page.upperBound, let byteCount = input.byteCount else { return input }
        front[offset] |= 0x80
        let checksum = page.lowerBound + checksumOffset
        for index in checksum..<checksum + 4 { front[index] = 0 }
        let value = OggChecksum.value(front[page].span)
        for index in 0..<4 { front[checksum + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        let start = input.startOffset
        return try input.joining([page.upperBound + start..<byteCount + start], prefix: front)
    }
}
