// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The codebooks of MPEG Surround 2-1-2 (ISO/IEC 23003-1, Annex A).
package struct SurroundCodebooks: Sendable {
    /// The codebooks that all decoders share.
    package static let shared = SurroundCodebooks()

    /// For each inner node the next one after a 0 and after a 1; a leaf is -1 - index.
    private let nodes: ContiguousArray<SIMD2<Int16>>
    /// The first node of each codebook.
    private let roots: ContiguousArray<Int16>
    /// The number of codewords of each codebook.
    private let counts: ContiguousArray<UInt8>

    /// The codebook of the largest absolute value of pairs.
    static let largestValue = 0
    /// The codebook of the reshaping values of GES.
    static let reshaping = 58

    /// Makes the trees.
    private init() {
        var nodes: ContiguousArray<SIMD2<Int16>> = []
        var roots: ContiguousArray<Int16> = []
        var first = 0
        for count in SurroundCodewords.counts {
            let root = nodes.count
            roots.append(Int16(root))
            nodes.append(SIMD2(0, 0))
            for index in 0..<Int(count) {
                let (code, length) = (SurroundCodewords.codes[first + index], Int(SurroundCodewords.lengths[first + index]))
                var node = root
                for bit in stride(from: length - 1, through: 0, by: -1) {
                    let branch = Int(code >> UInt32(bit) & 1)
                    if bit == 0 {
                        nodes[node][branch] = Int16(-1 - index)
                    } else {
                        if nodes[node][branch] == 0 {
                            nodes[node][branch] = Int16(nodes.count)
                            nodes.append(SIMD2(0, 0))
                        }
                        node = Int(nodes[node][branch])
                    }
                }
            }
            first += Int(count)
        }
        self.nodes = nodes
        self.roots = roots
        counts = ContiguousArray(SurroundCodewords.counts)
    }

    /// Reads the index of a codeword; every bit pattern begins with one.
    package func read(_ book: Int, from reader: inout BitReader) -> Int {
        var node = Int(roots[book])
        repeat { node = Int(nodes[node][Int(reader.read(1))]) } while node > 0
        return -1 - node
    }

    /// Reads a pair of absolute values; nil for the escape.
    ///
    /// - Parameter largest: The largest absolute value, 1 to 9.
    func readPair(_ book: Int, largest: Int, from reader: inout BitReader) -> (Int, Int)? {
        let index = read(book, from: &reader)
        let side = largest + 1
        return index < side * side ? (index / side, index % side) : nil
    }
}
