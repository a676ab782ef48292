// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension BitReader {
    /// Throws if the reader was read beyond its end.
    func checkOverrun() throws(CodecError) {
        if hasOverrun { throw .truncatedConfiguration(availableBits: bitCount, neededBits: bitPosition) }
    }

    /// Reads `count` bytes, or throws if there are fewer.
    mutating func readBytes(_ count: Int) throws(CodecError) -> [UInt8] {
        guard 8 * count <= bitsRemaining else {
            throw .truncatedConfiguration(availableBits: bitCount, neededBits: bitPosition + 8 * count)
        }
        return readBytes(bitCount: 8 * count)
    }
}
