// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A Huffman codebook for differences in time or frequency direction, as in SBR, parametric stereo and MPEG Surround.
@usableFromInline package final class DeltaCodebook: Sendable {
    /// The maximum codeword length over all codebooks, in bits.
    package static var maximumLength: Int { 24 }

    /// The value to subtract from a codeword's index to get its difference.
    @usableFromInline package let offset: Int
    /// The codewords, right-aligned.
    @usableFromInline let codes: [UInt32]
    /// The codeword lengths, in bits.
    @usableFromInline let lengths: [UInt8]
    /// For all values of the first bits, 16 times the index of the codeword plus its length; 0 for the prefix of a longer codeword.
    let entries: ContiguousArray<UInt16>
    /// For each inner node, the next node after a 0 and after a 1.
    ///
    /// Leaves are stored as -1 - index.
    let nodes: ContiguousArray<SIMD2<Int16>>

    /// The number of bits that index ``entries``, at most 15.
    static var indexedBits: Int { 8 }

    /// Creates a codebook from a complete prefix code of at most 129 codewords.
    ///
    /// Values without a codeword have length 0.
    package init(offset: Int, codes: [UInt32], lengths: [UInt8]) {
        self.offset = offset
        self.codes = codes
        self.lengths = lengths
        var entries = ContiguousArray<UInt16>(repeating: 0, count: 1 << Self.indexedBits)
        var nodes = ContiguousArray<SIMD2<Int16>>(repeating: SIMD2(0, 0), count: lengths.count)
        var nodeCount: Int16 = 1
        for (index, length) in lengths.enumerated() where length > 0 {
            if length <= Self.indexedBits {
                let freeBits = Self.indexedBits - Int(length)
                let first = Int(codes[index]) << freeBits
                for entry in first..<first + 1 << freeBits { entries[entry] = UInt16(index << 4 | Int(length)) }
            }
            var node = 0
            for bit in stride(from: Int(length) - 1, through: 0, by: -1) {
                let branch = Int(codes[index] >> UInt32(bit) & 1)
                if bit == 0 {
                    nodes[node][branch] = Int16(-1 - index)
                } else {
                    if nodes[node][branch] == 0 {
                        nodes[node][branch] = nodeCount
                        nodeCount += 1
                    }
                    node = Int(nodes[node][branch])
                }
            }
        }
        self.entries = entries
        self.nodes = nodes
    }

    /// The range of differences with a codeword.
    @inlinable package var range: ClosedRange<Int> { -offset...lengths.count - 1 - offset }

    /// Returns the codeword length of a difference in ``range``, in bits.
    @inlinable package func bitCount(of difference: Int) -> Int { Int(lengths[difference + offset]) }

    /// Reads a difference.
    ///
    /// Every bit pattern starts with a codeword.
    @inline(__always)
    package func read(from reader: inout BitReader) -> Int {
        let bits = reader.peek(Self.maximumLength)
        let entry = entries[Int(truncatingIfNeeded: bits >> UInt32(Self.maximumLength &- Self.indexedBits))]
        if entry != 0 {
            reader.skip(Int(entry & 15))
            return Int(entry >> 4) &- offset
        }
        var node = 0
        var length = 0
        repeat {
            let branch = Int(truncatingIfNeeded: bits >> UInt32(truncatingIfNeeded: Self.maximumLength &- 1 &- length) & 1)
            node = Int(nodes[node][branch])
            length &+= 1
        } while node > 0
        reader.skip(length)
        return -1 &- node &- offset
    }

    /// Writes a difference in ``range``.
    @inlinable package func write(_ difference: Int, to sink: inout some BitSink) {
        sink.write(codes[difference + offset], count: bitCount(of: difference))
    }
}
