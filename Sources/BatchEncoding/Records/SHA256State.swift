// SPDX-License-Identifier: Apache-2.0

/// A checksum by SHA-256 (FIPS 180-4) under way, computed without a library, for systems that have none.
struct SHA256State {
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
    /// The bytes of a block.
    private static let blockSize = 64

    /// At first the same bits of the square roots of the first eight primes.
    private var words: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The words of a block, and those that follow from them.
    private var schedule = [UInt32](repeating: 0, count: constants.count)
    /// Bytes of a block that is not complete.
    private var pending: [UInt8] = []
    private var byteCount = 0

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        for byte in bytes {
            pending.append(byte)
            if pending.count == Self.blockSize { addBlock() }
        }
    }

    /// Returns the 32 bytes of the checksum; the computation is over.
    mutating func finish() -> [UInt8] {
        let bitCount = UInt64(byteCount) * 8
        pending.append(0x80)
        if pending.count > Self.blockSize - 8 { padBlock(to: Self.blockSize) }
        padBlock(to: Self.blockSize - 8)
        pending += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) }
        addBlock()
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Adds zeros up to a length, and the block if it is complete.
    private mutating func padBlock(to count: Int) {
        pending += [UInt8](repeating: 0, count: count - pending.count)
        if count == Self.blockSize { addBlock() }
    }

    /// Adds the pending block to the state.
    private mutating func addBlock() {
        for index in 0..<16 { schedule[index] = pending[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        pending.removeAll(keepingCapacity: true)
        for index in 16..<schedule.count {
            let (late, early) = (schedule[index - 2], schedule[index - 15])
            let lateSum = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            let earlySum = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            schedule[index] = schedule[index - 16] &+ earlySum &+ schedule[index - 7] &+ lateSum
        }
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for (constant, word) in zip(Self.constants, schedule) {
            let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ (e & f ^ ~e & g) &+ constant &+ word
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (a, b, c, d, e, f, g, h) = (first &+ second, a, b, c, d &+ first, e, f, g)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { words[index] &+= word }
    }

    /// Returns a word rotated to the right.
    private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}
