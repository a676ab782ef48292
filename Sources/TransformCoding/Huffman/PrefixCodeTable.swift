// SPDX-License-Identifier: Apache-2.0

/// Look-up tables for prefix codes, in two levels: the first ten bits, then the remaining bits of longer codewords.
///
/// An entry has 32 bits:
///
///     bits  0...5   number of bits to skip; for a link, the number of index bits of the second level
///     bits  6...7   kind: 0 or 1 from the codeword, 2 for a link to the second level
///     bits  8...30  meaning of the codeword; for a link, the first entry of the second level, relative to the table
///     bit   31      1 for a link, so that links are negative
@usableFromInline package struct PrefixCodeTable {
    @usableFromInline package struct Codeword {
        /// The code, right-aligned.
        @usableFromInline package var code: UInt32
        /// The length of the code, 1 to 20 bits.
        @usableFromInline package var length: Int
        /// The kind of meaning, 0 or 1.
        @usableFromInline package var kind: UInt32 = 0
        /// The meaning, up to 23 bits.
        @usableFromInline package var meaning: UInt32

        @inlinable
        package init(code: UInt32, length: Int, kind: UInt32 = 0, meaning: UInt32) {
            self.code = code
            self.length = length
            self.kind = kind
            self.meaning = meaning
        }
    }

    /// The number of index bits of the first level.
    @usableFromInline package static let primaryBits = 10

    /// The kind of entries that link to the second level, with the sign of the entry.
    private static let link: UInt32 = 1 << 31 | 2 << 6

    /// Appends the table of a complete prefix code to `entries` and returns the index of its first entry.
    package static func append(_ codewords: [Codeword], to entries: inout ContiguousArray<UInt32>) -> Int {
        let start = entries.count
        entries.append(contentsOf: repeatElement(0, count: 1 << primaryBits))
        var longCodewordCount = 0
        do {
            var all = entries.mutableSpan
            var table = all._mutatingExtracting(start..<start + 1 << primaryBits)
            for codeword in codewords {
                if codeword.length <= primaryBits {
                    fill(codeword, skipping: 0, tableBits: primaryBits, in: &table)
                } else {
                    longCodewordCount += 1
                }
            }
        }
        if longCodewordCount > 0 { appendSecondLevel(codewords, start: start, to: &entries) }
        return start
    }

    /// Appends the second level of the table that starts at `start`.
    private static func appendSecondLevel(_ codewords: [Codeword], start: Int, to entries: inout ContiguousArray<UInt32>) {
        // The longest codeword in each second-level table.
        var longest = [Int](repeating: 0, count: 1 << primaryBits)
        for codeword in codewords where codeword.length > primaryBits {
            longest[prefix(codeword)] = max(longest[prefix(codeword)], codeword.length)
        }
        for codeword in codewords where codeword.length > primaryBits {
            let index = start + prefix(codeword)
            let tableBits = longest[prefix(codeword)] - primaryBits
            if entries[index] == 0 {
                entries[index] = UInt32(entries.count - start) << 8 | link | UInt32(tableBits)
                entries.append(contentsOf: repeatElement(0, count: 1 << tableBits))
            }
            let secondStart = start + Int((entries[index] & ~link) >> 8)
            var all = entries.mutableSpan
            var table = all._mutatingExtracting(secondStart..<secondStart + 1 << tableBits)
            fill(codeword, skipping: primaryBits, tableBits: tableBits, in: &table)
        }
    }

    /// Returns the first-level index of a longer codeword.
    private static func prefix(_ codeword: Codeword) -> Int { Int(codeword.code >> UInt32(codeword.length - primaryBits)) }

    /// Sets all entries of one level that start with a codeword's bits after the first `skipping` bits.
    @inline(__always)
    private static func fill(_ codeword: Codeword, skipping: Int, tableBits: Int, in table: inout MutableSpan<UInt32>) {
        let bits = codeword.length &- skipping
        let code = Int(codeword.code) & (1 &<< bits &- 1)
        let entry = codeword.meaning << 8 | codeword.kind << 6 | UInt32(codeword.length)
        let first = code &<< (tableBits &- bits)
        for index in first..<first &+ 1 &<< (tableBits &- bits) { table[index] = entry }
    }

    /// Looks up the codeword at the start of `window` in the table at the start of `entries`.
    @inlinable @inline(__always)
    package static func entry(for window: UInt64, in entries: Span<UInt32>) -> UInt32 {
        // A span of constant length needs no index check.
        let entry = entries.extracting(0..<1 << primaryBits)[Int(truncatingIfNeeded: window >> UInt64(64 &- primaryBits))]
        guard Int32(bitPattern: entry) < 0 else { return entry }
        let rest = (window << UInt64(primaryBits)) >> UInt64(truncatingIfNeeded: 64 &- Int(entry & 0x3F))
        return entries[Int(entry & 0x7FFF_FFFF) >> 8 &+ Int(truncatingIfNeeded: rest)]
    }
}
