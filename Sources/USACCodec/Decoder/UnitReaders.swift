// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The readers of an access unit and of those in its pre-roll, which start at any bit.
struct UnitReaders: ~Copyable {
    /// The reader of the access unit.
    var outer = BitReader()
    /// The reader of an access unit in the pre-roll.
    var inner = BitReader()
    /// The bytes of an access unit in the pre-roll.
    private var bytes = FixedArray<UInt8>(repeating: 0, count: maximumByteCount)

    /// The maximum access unit size, in bytes.
    static let maximumByteCount = 1 << 16

    init() {}

    /// Loads a range of the access unit's bits, a whole number of bytes, into the inner reader.
    mutating func loadInner(_ bits: Range<Int>) {
        outer.skip(bits.lowerBound - outer.bitPosition)
        let count = min(bits.count / 8, Self.maximumByteCount)
        for index in 0..<count { bytes[index] = UInt8(outer.read(8)) }
        inner.load(bytes.span.extracting(0..<count))
    }
}
