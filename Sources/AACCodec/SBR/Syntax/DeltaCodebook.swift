// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// A prefix code for differences, as SBR and parametric stereo use it.
final class DeltaCodebook: Sendable {
    /// The longest codeword of all books.
    static let maximumLength = 20

    /// What is taken off the index of a codeword to get the difference.
    let offset: Int
    private let codes: [UInt32]
    private let lengths: [UInt8]
    /// For each inner node the next node after a 0 and after a 1; a leaf is stored as -1 - index.
    private let nodes: [128 of SIMD2<Int16>]

    /// Makes a book of complete codewords, at most 129.
    init(offset: Int, codes: [UInt32], lengths: [UInt8]) {
        self.offset = offset
        self.codes = codes
        self.lengths = lengths
        var nodes = InlineArray<128, SIMD2<Int16>>(repeating: SIMD2(0, 0))
        var nodeCount: Int16 = 1
        for (index, length) in lengths.enumerated() {
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
        self.nodes = nodes
    }

    /// The differences that have a codeword.
    var range: ClosedRange<Int> { -offset...lengths.count - 1 - offset }

    /// The length of the codeword of a difference in ``range``.
    func bitCount(of difference: Int) -> Int { Int(lengths[difference + offset]) }

    /// Reads one difference; every bit pattern is some codeword.
    @inline(__always)
    func read(from reader: inout BitReader) -> Int {
        let bits = reader.peek(Self.maximumLength)
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

    /// Writes one difference in ``range``.
    func write(_ difference: Int, to sink: inout some BitSink) {
        sink.write(codes[difference + offset], count: bitCount(of: difference))
    }
}
