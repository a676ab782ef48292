// SPDX-License-Identifier: Apache-2.0

package import SystemFiles

/// A part of a ``JoinJournal`` that is written in one step.
///
/// A record has the byte of its kind, the size of its contents in 4 bytes, a checksum in 8, and its contents; numbers have the least significant
/// byte first. The checksum covers the checksum of the record before, so that records of two journals don't mix.
package struct JournalRecord {
    /// The kinds of contents.
    package enum Kind: UInt8 {
        /// The length of each input in 8 bytes, then what identifies inputs and settings: the first record.
        case key = 0x6B
        /// Access units, each with its size in 4 bytes before it.
        case units = 0x75
        /// A ``JoinCheckpoint`` after the units so far.
        case checkpoint = 0x63
    }

    /// The kind of the contents.
    let kind: Kind
    /// The contents.
    package let contents: [UInt8]

    /// Creates a value from its parts.
    package init(kind: Kind, contents: [UInt8]) {
        self.kind = kind
        self.contents = contents
    }

    /// The bytes before the contents.
    static let headerLength = 13

    /// The most bytes of contents.
    static let largest = 1 << 24

    /// Returns the record as bytes.
    ///
    /// - Parameter checksum: The checksum of the record before; replaced by that of this one.
    package func bytes(_ checksum: inout UInt64) -> [UInt8] {
        checksum = Self.checksum(kind, contents, after: checksum)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerLength + contents.count)
        bytes.append(kind.rawValue)
        bytes.append(littleEndian: UInt64(contents.count), byteCount: 4)
        bytes.append(littleEndian: checksum, byteCount: 8)
        bytes += contents
        return bytes
    }

    /// Returns the checksum of a record: FNV-1a with words of 8 bytes, in which the change of any one word changes the sum.
    ///
    /// - Parameters:
    ///   - kind: What the record holds.
    ///   - contents: The contents.
    ///   - before: The checksum of the record before.
    static func checksum(_ kind: Kind, _ contents: [UInt8], after before: UInt64) -> UInt64 {
        let prime: UInt64 = 0x100_0000_01B3
        var sum = (before ^ UInt64(kind.rawValue) << 32 ^ UInt64(contents.count)) &* prime
        contents.withUnsafeBytes { bytes in
            let whole = bytes.count & ~7
            for offset in stride(from: 0, to: whole, by: 8) {
                sum = (sum ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))) &* prime
                // What is multiplied alone moves upwards only.
                sum ^= sum >> 29
            }
            for byte in bytes[whole...] { sum = (sum ^ UInt64(byte)) &* prime }
        }
        return sum
    }
}

/// Reads the records of a journal up to the first that is not whole.
package struct JournalReader {
    private let bytes: RangeReader
    private let size: Int
    /// The offset after the last record.
    private(set) var offset: Int
    /// The checksum of the last record.
    private(set) var checksum: UInt64 = 0

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first record.
    ///   - size: The size of the file.
    ///   - bytes: Returns the bytes in a range, fewer if the file is shorter.
    package init(at offset: Int, size: Int, _ bytes: @escaping RangeReader) {
        self.offset = offset
        self.size = size
        self.bytes = bytes
    }

    /// Returns the next record; nil at the end, and where the rest is cut off, damaged or can't be read.
    package mutating func next() -> JournalRecord? {
        let start = offset + JournalRecord.headerLength
        guard start <= size, let header = try? bytes(offset..<start), header.count == JournalRecord.headerLength,
            let kind = JournalRecord.Kind(rawValue: header[0])
        else { return nil }
        let length = Int(truncatingIfNeeded: header.littleEndian(at: 1, byteCount: 4))
        guard (0...JournalRecord.largest).contains(length), length <= size - start, let contents = try? bytes(start..<start + length),
            contents.count == length,
            header.littleEndian(at: 5, byteCount: 8) == JournalRecord.checksum(kind, contents, after: checksum)
        else { return nil }
        offset = start + length
        checksum = header.littleEndian(at: 5, byteCount: 8)
        return JournalRecord(kind: kind, contents: contents)
    }
}

extension [UInt8] {
    /// Appends the low bytes of a number, the least significant first.
    mutating func append(littleEndian value: UInt64, byteCount: Int) {
        for place in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
    }

    /// Returns the number in some bytes, the least significant first.
    func littleEndian(at offset: Int, byteCount: Int) -> UInt64 {
        self[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
