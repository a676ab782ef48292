// SPDX-License-Identifier: Apache-2.0

/// Returns an uncompressed Apple Lossless packet.
public func losslessPacket(_ frames: [[Int32]], bitDepth: Int) -> [UInt8] {
    var bits: [Bool] = []
    /// Appends an integer, most significant bit first.
    func append(_ value: Int, _ count: Int) { bits += (0..<count).reversed().map { value >> $0 & 1 == 1 } }
    append(frames[0].count == 1 ? 0 : 1, 3)
    append(0, 4 + 12)
    // Explicit length, no shifted-off bytes, not compressed.
    append(0b1001, 4)
    append(frames.count, 32)
    for frame in frames { for sample in frame { append(Int(sample), bitDepth) } }
    append(7, 3)
    while bits.count % 8 != 0 { bits.append(false) }
    return stride(from: 0, to: bits.count, by: 8).map { first in bits[first..<first + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }
}
