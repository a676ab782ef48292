// SPDX-License-Identifier: Apache-2.0

/// The header of a PES packet (ISO/IEC 13818-1:2019, 2.4.3.6).
struct PESHeader {
    /// The timestamp clock rate, in hertz.
    static let clockRate: Int64 = 90_000
    /// The timestamp modulus (2³³).
    static let timeStampModulus: Int64 = 1 << 33
    /// The size of the fields in every packet, in bytes.
    static let fixedByteCount = 9
    /// `stream_id` of the first audio stream.
    static let audioStreamID: UInt8 = 0xC0
    /// `stream_id` of streams whose type only the program map table signals (`private_stream_1`).
    static let privateStreamID: UInt8 = 0xBD

    var byteCount: Int
    /// The size of the data after the header, or `nil` if it ends where the next packet starts.
    var dataByteCount: Int?

    /// Returns the size of the header at the start of `bytes`, which has at least ``fixedByteCount`` bytes, or `nil` without one.
    static func byteCount(_ bytes: [UInt8]) -> Int? {
        guard bytes[0] == 0, bytes[1] == 0, bytes[2] == 1, bytes[6] & 0xC0 == 0x80 else { return nil }
        return fixedByteCount + Int(bytes[8])
    }

    /// Parses a complete header, or `nil` if it is invalid.
    init?(_ bytes: [UInt8]) {
        guard let byteCount = Self.byteCount(bytes), bytes.count >= byteCount else { return nil }
        self.byteCount = byteCount
        let length = Int(bytes[4]) << 8 | Int(bytes[5])
        guard length == 0 || length + 6 >= byteCount else { return nil }
        dataByteCount = length == 0 ? nil : length + 6 - byteCount
    }

    /// Returns a header with a presentation timestamp.
    ///
    /// - Parameters:
    ///   - timeStamp: In units of 1/90 000 s, modulo 2^33.
    ///   - dataByteCount: The number of bytes after the header, at most 65 527.
    static func bytes(streamID: UInt8 = audioStreamID, timeStamp: Int64, dataByteCount: Int) -> [UInt8] {
        let length = 3 + 5 + dataByteCount
        var bytes: [UInt8] = [0, 0, 1, streamID, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), 0x84, 0x80, 5]
        let time = timeStamp & (timeStampModulus - 1)
        bytes.append(0x21 | UInt8(truncatingIfNeeded: time >> 29) & 0x0E)
        bytes.append(UInt8(truncatingIfNeeded: time >> 22))
        bytes.append(1 | UInt8(truncatingIfNeeded: time >> 14) & 0xFE)
        bytes.append(UInt8(truncatingIfNeeded: time >> 7))
        bytes.append(1 | UInt8(truncatingIfNeeded: time << 1) & 0xFE)
        return bytes
    }
}
