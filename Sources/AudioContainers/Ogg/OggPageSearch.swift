// SPDX-License-Identifier: Apache-2.0

/// Searches for pages anywhere in a file.
struct OggPageSearch<Source: ByteSource> {
    /// A page with its range in the file.
    typealias FoundPage = (page: OggPage, byteRange: Range<Int>)

    let source: Source

    /// The read size, which exceeds the maximum page size.
    private static var chunkByteCount: Int { 1 << 17 }

    /// Calls a closure with each page in a range until it returns `false`.
    ///
    /// - Parameters:
    ///   - range: The bytes to search. Pages that end outside are not found.
    ///   - body: Returns whether to continue.
    func forEachPage(in range: Range<Int>, _ body: (FoundPage) -> Bool) throws(ContainerError) {
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

    /// The read size if only headers are needed, less than the size of most pages.
    private static var headerPieceByteCount: Int { 1 << 12 }

    /// Calls a closure for each page of the file without reading or verifying its body.
    ///
    /// If no page follows the previous page (after damage), continues with the next capture pattern, even inside that page.
    ///
    /// - Parameter body: Receives the page without its segments, and its offset.
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

    /// Returns the first page in a range that satisfies `isWanted`, if any.
    func firstPage(in range: Range<Int>, where isWanted: (OggPage) -> Bool) throws(ContainerError) -> FoundPage? {
        var result: FoundPage?
        try forEachPage(in: range) { found in
            guard isWanted(found.page) else { return true }
            result = found
            return false
        }
        return result
    }

    /// Returns the last page in a range that satisfies `isWanted`, if any.
    func lastPage(in range: Range<Int>, where isWanted: (OggPage) -> Bool) throws(ContainerError) -> FoundPage? {
        var size = Self.chunkByteCount
        while true {
            let start = max(range.lowerBound, range.upperBound - size)
            var result: FoundPage?
            try forEachPage(in: start..<range.upperBound) { found in
                if isWanted(found.page) { result = found }
                return true
            }
            if result != nil || start == range.lowerBound { return result }
            size *= 4
        }
    }

    /// Returns the offset of the last page of a logical stream with a granule position up to `limit`, or the start of the range.
    ///
    /// - Parameter range: The audio pages of the logical stream.
    func lastPage(upTo limit: Int64, in range: Range<Int>, serialNumber: UInt32) throws(ContainerError) -> Int {
        /// Whether a page belongs to the stream and has a granule position.
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
        // The page that ended the search can start before the upper bound and end after it.
        try forEachPage(in: lower..<range.upperBound) { found in
            guard isWanted(found.page) else { return true }
            guard found.page.granulePosition <= limit else { return false }
            lower = found.byteRange.lowerBound
            return true
        }
        return lower
    }
}
