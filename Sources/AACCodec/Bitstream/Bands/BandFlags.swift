// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// One flag for each band of all groups of a frame.
struct BandFlags {
    /// The flags of bands 0 to 63, and of those from 64 on.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates flags that are all false.
    init() {}

    /// The flag of the band `group * ICSInfo.bandStride + sfb`.
    @inline(__always)
    subscript(_ band: Int) -> Bool {
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
}
