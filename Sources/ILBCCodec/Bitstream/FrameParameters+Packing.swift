// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension FrameParameters {
    /// Replaces the parameters with those of a coded frame.
    ///
    /// - Parameter frame: The bytes; the caller has checked their number.
    mutating func unpack(_ frame: [UInt8]) {
        let table = BitAllocation.table(of: mode)
        var position = 0
        for index in values.indices { values[index] = 0 }
        for sensitivity in 0..<3 {
            for (index, allocation) in table.enumerated() {
                for _ in 0..<allocation.bits(ofClass: sensitivity).count {
                    let bit = frame[position >> 3] >> UInt8(7 - position & 7) & 1
                    values[index] = values[index] << 1 | bit
                    position += 1
                }
            }
        }
    }

    /// Returns the coded frame: all bits of class 1 in the order of the table, then those of class 2 and 3 (RFC 3951 3.8).
    func packed() -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: mode.bytesPerFrame)
        let table = BitAllocation.table(of: mode)
        var position = 0
        for sensitivity in 0..<3 {
            for (index, allocation) in table.enumerated() {
                let (count, below) = allocation.bits(ofClass: sensitivity)
                for bit in (below..<below + count).reversed() {
                    frame[position >> 3] |= (values[index] >> UInt8(bit) & 1) << UInt8(7 - position & 7)
                    position += 1
                }
            }
        }
        return frame
    }
}
