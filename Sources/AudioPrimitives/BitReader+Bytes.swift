// SPDX-License-Identifier: Apache-2.0

extension BitReader {
    /// Reads bits into bytes, with zero padding in the last byte.
    package mutating func readBytes(bitCount count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
        let wordCount = count / 32
        for index in 0..<wordCount {
            let word = read(32)
            bytes[4 * index] = UInt8(truncatingIfNeeded: word >> 24)
            bytes[4 * index + 1] = UInt8(truncatingIfNeeded: word >> 16)
            bytes[4 * index + 2] = UInt8(truncatingIfNeeded: word >> 8)
            bytes[4 * index + 3] = UInt8(truncatingIfNeeded: word)
        }
        for index in 4 * wordCount..<bytes.count {
            let step = min(8, count - 8 * index)
            bytes[index] = UInt8(read(step) << UInt32(8 - step))
        }
        return bytes
    }
}

extension BitSink {
    /// Writes bytes, or only their first `bitCount` bits.
    package mutating func write(_ bytes: [UInt8], bitCount: Int? = nil) {
        let bitCount = bitCount ?? 8 * bytes.count
        for (index, byte) in bytes.enumerated() where index * 8 < bitCount {
            let count = min(8, bitCount - index * 8)
            write(UInt32(byte) >> UInt32(8 - count), count: count)
        }
    }
}
