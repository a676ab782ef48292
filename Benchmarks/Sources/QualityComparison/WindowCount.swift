// SPDX-License-Identifier: Apache-2.0

/// Counts frames with short windows from the first bits of raw data blocks (ISO/IEC 14496-3:2009, 4.4.2.1, 4.4.2.7).
struct WindowCount {
    private var short = 0
    private var all = 0

    /// The fraction of frames whose first channel has eight short windows, among frames that start with a channel element.
    var shortFraction: Double { all > 0 ? Double(short) / Double(all) : 0 }

    mutating func add(_ payload: [UInt8]) {
        let bits = payload.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(max(0, 4 - payload.count)))
        let field = { (offset: UInt32, count: UInt32) in (bits << offset) >> (32 - count) }
        // The element type has 3 bits, its tag 4, and global_gain 8; a reserved bit precedes window_sequence.
        let sequence: UInt32
        switch field(0, 3) {
        case 0: sequence = field(16, 2)
        case 1: sequence = field(7, 1) == 1 ? field(9, 2) : field(17, 2)
        default: return
        }
        all += 1
        if sequence == 2 { short += 1 }
    }
}
