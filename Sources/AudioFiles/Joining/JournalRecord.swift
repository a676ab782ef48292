// SPDX-License-Identifier: Apache-2.0

package import SystemFiles

/// A part of a ``JoinJournal`` that is written in one step.
///
/// A record consists of a kind byte, a 4-byte size, an 8-byte checksum and the contents; numbers are little-endian. The checksum covers the
/// previous record's checksum, so records of two journals do not mix.
package struct JournalRecord {
    package enum Kind: UInt8 {
        /// The first record: the length of each input in 8 bytes, then the identity of inputs and settings.
        case key = 0x6B
        /// Access units, each preceded by its size in 4 bytes.
        case accessUnits = 0x75
        /// A ``JoinCheckpoint`` after the access units so far.
        case checkpoint = 0x63
    }

    let kind: Kind
    package let contents: [UInt8]

    package init(kind: Kind, contents: [UInt8]) {
        self.kind = kind
        self.contents = contents
    }

    /// The number of bytes before the contents.
    static let headerLength = 13

    /// The maximum size of the contents, in bytes.
    static let largest = 1 << 24

    /// Serializes the record.
    ///
    /// - Parameter checksum: The checksum of the previous record; replaced by this record's.
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

    /// Returns the checksum of a record: FNV-1a on 8-byte words.
    ///
    /// Changing any one word changes the checksum.
    ///
    /// - Parameter before: The checksum of the previous record.
    static func checksum(_ kind: Kind, _ contents: [UInt8], after before: UInt64) -> UInt64 {
        let prime: UInt64 = 0x100_0000_01B3
        var sum = (before ^ UInt64(kind.rawValue) << 32 ^ UInt64(contents.count)) &* prime
        contents.withUnsafeBytes { bytes in
            let whole = bytes.count & ~7
            for offset in stride(from: 0, to: whole, by: 8) {
                sum = (sum ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))) &* prime
                // Multiplication alone propagates only to higher bits.
                sum ^= sum >> 29
            }
            for byte in bytes[whole...] { sum = (sum ^ UInt64(byte)) &* prime }
        }
        return sum
    }
}

/// Reads the records of a journal up to the first incomplete one.
package struct JournalReader {
    private let bytes: RangeReader
    private let size: Int
    /// The offset after the last record.
    private(set) var offset: Int
    /// The checksum of the last record.
    private(set) var checksum: UInt64 = 0

    /// Creates a reader.
    ///
    /// - Parameter bytes: Returns a byte range, shorter if the file ends first.
    package init(at offset: Int, size: Int, _ bytes: @escaping RangeReader) {
        self.offset = offset
        self.size = size
        self.bytes = bytes
    }

    /// Returns the next record, or `nil` at the end and if it is truncated, damaged or unreadable.
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
    /// Appends the low bytes of a number in little-endian order.
    mutating func append(littleEndian value: UInt64, byteCount: Int) {
        for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    func littleEndian(at offset: Int, byteCount: Int) -> UInt64 {
        self[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
