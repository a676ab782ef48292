// SPDX-License-Identifier: Apache-2.0

/// One flag per band, for all groups of a frame.
package struct BandFlags {
    /// The flags of bands 0 to 63, and of bands 64 and up.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init() {}

    /// The flag of the band `group * ICSInfo.bandStride + sfb`.
    @inline(__always)
    package subscript(_ band: Int) -> Bool {
        get { (band < 64 ? low : high) >> UInt64(truncatingIfNeeded: band & 63) & 1 != 0 }
        set {
            let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: band & 63)
            if band < 64 {
                low = newValue ? low | bit : low & ~bit
            } else {
                high = newValue ? high | bit : high & ~bit
            }
        }
    }

    /// Sets flags of bands starting at `first`, which must all be false, from the upper bits of a word.
    ///
    /// The highest bit is for `first`.
    ///
    /// - Parameter count: The number of flags, 0 to 64. The bands must all be below 64, or all be 64 and up.
    @inline(__always)
    mutating func set(_ bits: UInt64, count: Int, from first: Int) {
        // Reverses the bit order: swaps adjacent bits, pairs and fours, then bytes.
        var reversed = (bits >> 1) & 0x5555_5555_5555_5555 | (bits & 0x5555_5555_5555_5555) << 1
        reversed = (reversed >> 2) & 0x3333_3333_3333_3333 | (reversed & 0x3333_3333_3333_3333) << 2
        reversed = (reversed >> 4) & 0x0F0F_0F0F_0F0F_0F0F | (reversed & 0x0F0F_0F0F_0F0F_0F0F) << 4
        reversed = reversed.byteSwapped & ~(~0 << UInt64(count))
        if first < 64 { low |= reversed << UInt64(first) } else { high |= reversed << UInt64(first - 64) }
    }
}
