// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The readers of an access unit and of those within its pre-roll, which begin at any bit.
struct UnitReaders: ~Copyable {
    /// The reader of the unit.
    var outer = BitReader()
    /// The reader of a unit within it.
    var inner = BitReader()
    /// The bytes of a unit within it.
    private var bytes = FixedArray<UInt8>(repeating: 0, count: maximumByteCount)

    /// The largest size of a unit in bytes.
    static let maximumByteCount = 1 << 16

    /// Makes readers without bytes.
    init() {}

    /// Loads bits of the unit, a whole number of bytes, into the inner reader.
    mutating func loadInner(_ bits: Range<Int>) {
        outer.skip(bits.lowerBound - outer.bitPosition)
        let count = min(bits.count / 8, Self.maximumByteCount)
        for index in 0..<count { bytes[index] = UInt8(outer.read(8)) }
        inner.load(bytes.span.extracting(0..<count))
    }
}
