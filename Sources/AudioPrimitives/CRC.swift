// SPDX-License-Identifier: Apache-2.0

/// A cyclic redundancy check (CRC) of up to 16 bits, updated bit by bit, most significant bit first.
package struct CRC: Sendable {
    /// The CRC so far, in the low bits.
    package private(set) var value: UInt16
    private let polynomial: UInt16
    private let width: Int

    /// Creates a CRC, with a `polynomial` without its leading term.
    package init(polynomial: UInt16, width: Int, initial: UInt16) {
        precondition((1...16).contains(width))
        self.polynomial = polynomial
        self.width = width
        value = initial
    }

    /// The CRC of ADTS headers and raw data blocks: x¹⁶ + x¹⁵ + x² + 1, initially all ones (ISO/IEC 13818-7, 8.2.2).
    package static var adts: CRC { CRC(polynomial: 0x8005, width: 16, initial: 0xFFFF) }

    /// Processes the low `count` bits of `bits`, most significant bit first.
    package mutating func update(_ bits: UInt32, count: Int) {
        let top = UInt16(1) << UInt16(width - 1)
        let mask = top | (top - 1)
        for shift in stride(from: count - 1, through: 0, by: -1) {
            let bit = (bits >> UInt32(shift)) & 1 != 0
            let carries = (value & top != 0) != bit
            value = value << 1 & mask
            if carries { value ^= polynomial }
        }
    }
}
