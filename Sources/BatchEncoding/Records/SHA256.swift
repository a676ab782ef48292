// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// An incremental SHA-256 computation (FIPS 180-4).
///
/// The result is formatted like `sha256sum`'s.
package struct SHA256 {
    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
    /// The block size, in bytes.
    private static let blockSize = 64
    /// The number of file bytes to read at a time.
    private static let readSize = 1 << 18

    /// The state.
    ///
    /// Initially the first 32 bits of the fractional parts of the square roots of the first eight primes.
    private var words: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The bytes of an incomplete block.
    private var pending: [UInt8] = []
    private var byteCount = 0

    package init() {}

    /// Returns the checksum of a file, as 64 hexadecimal digits.
    package static func hash(ofFile path: String) throws(BatchError) -> String {
        var computation = SHA256()
        try BatchError.reading(path) { () throws(SystemFileError) in
            let file = try OpenFile(reading: path)
            try withUnsafeTemporaryAllocation(byteCount: readSize, alignment: blockSize) { block throws(SystemFileError) in
                while true {
                    let count = try file.read(into: block)
                    if count == 0 { return }
                    computation.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
                }
            }
        }
        return computation.finish()
    }

    /// Returns the checksum of bytes, as 64 hexadecimal digits.
    package static func hash(of bytes: [UInt8]) -> String {
        var computation = SHA256()
        bytes.withUnsafeBytes { computation.update($0) }
        return computation.finish()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        var rest = bytes[...]
        if !pending.isEmpty {
            let part = rest.prefix(Self.blockSize - pending.count)
            pending += part
            rest = rest.dropFirst(part.count)
            guard pending.count == Self.blockSize else { return }
            pending.withUnsafeBytes { Self.add($0, to: &words) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = rest.count & ~(Self.blockSize - 1)
        Self.add(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), to: &words)
        pending += rest.dropFirst(whole)
    }

    /// Returns the checksum as hexadecimal digits.
    ///
    /// Must be the last call.
    package mutating func finish() -> String {
        let bitCount = UInt64(byteCount) * 8
        pending.append(0x80)
        // The last block ends with the bit count.
        pending += repeatElement(0, count: (2 * Self.blockSize - 8 - pending.count) % Self.blockSize)
        pending += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) }
        pending.withUnsafeBytes { Self.add($0, to: &words) }
        return words.indices.map { index in
            let digits = String(words[index], radix: 16)
            return String(repeating: "0", count: 8 - digits.utf8.count) + digits
        }.joined()
    }

    private static func add(_ blocks: UnsafeRawBufferPointer, to words: inout SIMD8<UInt32>) {
        constants.withUnsafeBufferPointer { constants in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: constants.count) { schedule in
                for first in stride(from: 0, to: blocks.count, by: blockSize) {
                    for index in 0..<16 {
                        schedule[index] = UInt32(bigEndian: blocks.loadUnaligned(fromByteOffset: first &+ 4 &* index, as: UInt32.self))
                    }
                    for index in 16..<constants.count {
                        let (late, early) = (schedule[index &- 2], schedule[index &- 15])
                        let lateSum = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
                        let earlySum = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
                        schedule[index] = schedule[index &- 16] &+ earlySum &+ schedule[index &- 7] &+ lateSum
                    }
                    words &+= rounds(words, constants, schedule)
                }
            }
        }
    }

    /// Returns the state after the 64 rounds of a block.
    private static func rounds(
        _ words: SIMD8<UInt32>, _ constants: UnsafeBufferPointer<UInt32>, _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) -> SIMD8<UInt32> {
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        /// Computes one round. Afterwards the roles of the words shift by one.
        func round(
            _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32,
            _ index: Int
        ) {
            let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ sum &+ (g ^ e & (f ^ g)) &+ constants[index] &+ schedule[index]
            d &+= first
            h = first &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b | c & (a | b))
        }
        // After eight rounds the roles are restored, so no register moves are needed.
        for index in stride(from: 0, to: constants.count, by: 8) {
            round(a, b, c, &d, e, f, g, &h, index)
            round(h, a, b, &c, d, e, f, &g, index &+ 1)
            round(g, h, a, &b, c, d, e, &f, index &+ 2)
            round(f, g, h, &a, b, c, d, &e, index &+ 3)
            round(e, f, g, &h, a, b, c, &d, index &+ 4)
            round(d, e, f, &g, h, a, b, &c, index &+ 5)
            round(c, d, e, &f, g, h, a, &b, index &+ 6)
            round(b, c, d, &e, f, g, h, &a, index &+ 7)
        }
        return SIMD8(a, b, c, d, e, f, g, h)
    }

    /// Rotates a word to the right.
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }
}
