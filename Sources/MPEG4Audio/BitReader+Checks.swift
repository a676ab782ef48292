// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension BitReader {
    /// Throws if more bits were read than there are.
    func checkOverrun() throws(MPEG4AudioError) {
        if hasOverrun { throw .truncated(availableBits: bitCount, neededBits: bitPosition) }
    }

    /// Reads bytes that have to be there, of a length that was read.
    mutating func readBytes(_ count: Int) throws(MPEG4AudioError) -> [UInt8] {
        guard 8 * count <= bitsRemaining else { throw .truncated(availableBits: bitCount, neededBits: bitPosition + 8 * count) }
        return readBytes(bitCount: 8 * count)
    }
}
