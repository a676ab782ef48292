// SPDX-License-Identifier: Apache-2.0

/// Finds pages anywhere in a file.
struct OggPageSearch<Source: ByteSource> {
    /// A page with its bytes in the file.
    typealias Found = (page: OggPage, byteRange: Range<Int>)

    let source: Source

    /// Bytes read at a time: more than the largest page.
    private static var chunkByteCount: Int { 1 << 17 }

    /// Calls a closure with the pages that begin at an offset or after it, until it returns false.
    ///
    /// - Parameters:
    ///   - range: The bytes to search; pages that end outside are not found.
    ///   - body: Returns whether to continue.
    func forEachPage(in range: Range<Int>, _ body: (Found) -> Bool) throws(ContainerError) {
        var parser = OggPageParser(offset: range.lowerBound)
        var offset = range.lowerBound
        while true {
            while let event = parser.nextEvent() {
                if case .page(let page, let byteRange) = event, !body((page, byteRange)) { return }
            }
            guard offset < range.upperBound else { return }
            let bytes = try source.bytes(in: offset..<min(range.upperBound, offset + Self.chunkByteCount))
            offset = bytes.isEmpty ? range.upperBound : offset + bytes.count
            parser.append(bytes)
            if offset >= range.upperBound { parser.finish() }
        }
    }

    /// Bytes read at a time where only headers are wanted, fewer than most pages have.
    private static var headerPieceByteCount: Int { 1 << 12 }

    /// Calls a closure for each page of the file, without reading or verifying its body.
    ///
    /// After a page that no other one follows, that is at damage, the next capture pattern counts, even one inside of it.
    ///
    /// - Parameter body: Gets the page, without its segments, and its offset.
    func forEachHeader(_ body: (OggPage, Int) -> Void) throws(ContainerError) {
        var input = ReadAhead(source, pieceByteCount: Self.headerPieceByteCount)
        var offset = 0
        var latest: Int?
        while offset < source.byteCount {
            let bytes = try input.bytes(in: offset..<offset + OggPage.headerByteCount + OggPage.maximumSegmentCount)
            if let header = OggPage(header: bytes[...]) {
                body(header, offset)
                latest = offset
                offset += header.byteCount
            } else if let start = latest {
                latest = nil
                offset = start + 1
            } else {
                offset += bytes.dropFirst().firstIndex(of: OggPage.capturePattern[0]) ?? max(1, bytes.count)
            }
        }
    }

    /// Returns the first page that begins in a range and is wanted; nil if there is none.
    func firstPage(in range: Range<Int>, where isWanted: (OggPage) -> Bool) throws(ContainerError) -> Found? {
        var result: Found?
        try forEachPage(in: range) { found in
            guard isWanted(found.page) else { return true }
            result = found
            return false
        }
        return result
    }

    /// Returns the last page in a range that is wanted; nil if there is none.
    func lastPage(in range: Range<Int>, where isWanted: (OggPage) -> Bool) throws(ContainerError) -> Found? {
        var size = Self.chunkByteCount
        while true {
            let start = max(range.lowerBound, range.upperBound - size)
            var result: Found?
            try forEachPage(in: start..<range.upperBound) { found in
                if isWanted(found.page) { result = found }
                return true
            }
            if result != nil || start == range.lowerBound { return result }
            size *= 4
        }
    }

    /// Returns the offset of the last page of a logical stream with a position up to a limit; the start of the range if there is none.
    ///
    /// - Parameters:
    ///   - limit: The granule position.
    ///   - range: The bytes of the logical stream's audio.
    ///   - serialNumber: The logical stream.
    func lastPage(upTo limit: Int64, in range: Range<Int>, serialNumber: UInt32) throws(ContainerError) -> Int {
        /// Whether a page belongs to the stream and has a position.
        func isWanted(_ page: OggPage) -> Bool {
            page.serialNumber == serialNumber && page.granulePosition >= 0 && page.endingPacketCount > 0
        }
        var lower = range.lowerBound
        var upper = range.upperBound
        while upper - lower > Self.chunkByteCount {
            let middle = lower + (upper - lower) / 2
            if let found = try firstPage(in: middle..<upper, where: isWanted), found.page.granulePosition <= limit {
                lower = found.byteRange.lowerBound
            } else {
                upper = middle
            }
        }
        // The page that ends the search may begin before the upper bound and end after it.
        try forEachPage(in: lower..<range.upperBound) { found in
            guard isWanted(found.page) else { return true }
            guard found.page.granulePosition <= limit else { return false }
            lower = found.byteRange.lowerBound
            return true
        }
        return lower
    }
}
