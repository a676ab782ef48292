// SPDX-License-Identifier: Apache-2.0

/// Parts of a file, concatenated after a prefix.
struct FileParts {
    /// Bytes before the first part.
    let prefix: [UInt8]
    /// The total size, including the prefix.
    let byteCount: Int

    private let file: OpenFile
    private let ranges: [Range<Int>]
    private let positions: [Int]

    init(_ file: OpenFile, _ ranges: [Range<Int>], prefix: [UInt8]) {
        self.file = file
        self.ranges = ranges
        self.prefix = prefix
        var end = prefix.count
        positions = ranges.map { range in
            defer { end += range.count }
            return end
        }
        byteCount = end
    }

    /// Returns a byte range of the concatenation, shorter if the end comes first.
    func bytes(in wanted: Range<Int>) throws(SystemFileError) -> [UInt8] {
        let wanted = wanted.clamped(to: 0..<byteCount)
        var bytes = Array(prefix[wanted.clamped(to: 0..<prefix.count)])
        var part = firstPart(endingAfter: wanted.lowerBound)
        while part < ranges.count, positions[part] < wanted.upperBound {
            let whole = positions[part]..<positions[part] + ranges[part].count
            let taken = wanted.clamped(to: whole)
            let offset = ranges[part].lowerBound - positions[part]
            let read = try file.bytes(in: taken.lowerBound + offset..<taken.upperBound + offset)
            bytes += read
            // The file has been truncated.
            if read.count < taken.count { break }
            part += 1
        }
        return bytes
    }

    /// Returns the index of the first part that ends after `position`.
    private func firstPart(endingAfter position: Int) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] + ranges[middle].count <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Returns a byte range of a file, shorter if the file ends first.
package typealias RangeReader = (Range<Int>) throws(SystemFileError) -> [UInt8]
