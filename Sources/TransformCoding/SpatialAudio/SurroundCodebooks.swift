// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The codebooks of MPEG Surround 2-1-2 (ISO/IEC 23003-1, Annex A).
package struct SurroundCodebooks: Sendable {
    package static let shared = SurroundCodebooks()

    /// All codebooks, whose differences are indices.
    private let codebooks: [DeltaCodebook]

    /// The codebook for the maximum absolute value of pairs.
    static let maximumValue = 0
    /// The codebook for reshaping values in GES.
    static let reshaping = 50

    private init() {
        var end = 0
        codebooks = SurroundCodewords.counts.map { count in
            let range = end..<end + Int(count)
            end = range.upperBound
            return DeltaCodebook(
                offset: 0, codes: Array(SurroundCodewords.codes[range]), lengths: Array(SurroundCodewords.lengths[range]))
        }
    }

    /// Reads a codeword and returns its index.
    ///
    /// Every bit pattern starts with a codeword.
    package func read(_ codebook: Int, from reader: inout BitReader) -> Int { codebooks[codebook].read(from: &reader) }

    /// Reads a pair of absolute values; `nil` for the escape codeword.
    ///
    /// - Parameter largest: The maximum absolute value, 1 to 9.
    func readPair(_ codebook: Int, largest: Int, from reader: inout BitReader) -> (Int, Int)? {
        let index = read(codebook, from: &reader)
        let side = largest + 1
        return index < side * side ? (index / side, index % side) : nil
    }

    /// Returns the size of a codeword, in bits.
    func bitCount(of index: Int, _ codebook: Int) -> Int { codebooks[codebook].bitCount(of: index) }

    func write(_ index: Int, _ codebook: Int, to sink: inout some BitSink) { codebooks[codebook].write(index, to: &sink) }

    /// Writes a pair of absolute values; returns `false` without a codeword for it.
    func writePair(_ pair: (Int, Int), _ codebook: Int, largest: Int, to sink: inout some BitSink) -> Bool {
        let index = pair.0 * (largest + 1) + pair.1
        guard bitCount(of: index, codebook) > 0 else { return false }
        write(index, codebook, to: &sink)
        return true
    }
}
