// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension BitReader {
    /// Throws if more bits were read than there are.
    func checkOverrun() throws(CodecError) {
        if hasOverrun { throw .truncatedConfiguration(availableBits: bitCount, neededBits: bitPosition) }
    }

    /// Reads bytes that have to be there, of a length that was read.
    mutating func readBytes(_ count: Int) throws(CodecError) -> [UInt8] {
        guard 8 * count <= bitsRemaining else {
            throw .truncatedConfiguration(availableBits: bitCount, neededBits: bitPosition + 8 * count)
        }
        return readBytes(bitCount: 8 * count)
    }
}
