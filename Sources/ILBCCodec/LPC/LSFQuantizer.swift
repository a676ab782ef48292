// SPDX-License-Identifier: Apache-2.0

/// The split vector quantiser of line spectral frequencies (RFC 3951, 3.2.4 and 3.2.5).
package enum LSFQuantizer {
    /// The first frequency and the number of frequencies per split.
    private static let splits = [(first: 0, count: 3), (first: 3, count: 3), (first: 6, count: 4)]

    /// Returns the concatenated vectors of a split.
    private static func codebook(ofSplit split: Int) -> [Float] {
        switch split {
        case 0: LSFTables.low
        case 1: LSFTables.middle
        default: LSFTables.high
        }
    }

    /// Writes the indices of the nearest vectors into a frame.
    ///
    /// - Parameters:
    ///   - frequencies: Ten frequencies.
    ///   - set: The index of the set in the frame.
    package static func quantize(_ frequencies: [Float], set: Int, into frame: inout FrameParameters) {
        for (split, range) in splits.enumerated() {
            let codebook = codebook(ofSplit: split)
            var nearest = (index: 0, error: Float.infinity)
            for index in 0..<codebook.count / range.count {
                var error: Float = 0
                for offset in 0..<range.count {
                    let difference = frequencies[range.first + offset] - codebook[index * range.count + offset]
                    error += difference * difference
                }
                if error < nearest.error { nearest = (index, error) }
            }
            frame[lsfSet: set, split: split] = nearest.index
        }
    }

    /// Returns the frequencies of a set in a frame, separated if necessary.
    package static func frequencies(ofSet set: Int, in frame: FrameParameters) -> [Float] {
        var frequencies = [Float](repeating: 0, count: ILBCMode.filterOrder)
        for (split, range) in splits.enumerated() {
            let codebook = codebook(ofSplit: split)
            let index = frame[lsfSet: set, split: split]
            for offset in 0..<range.count { frequencies[range.first + offset] = codebook[index * range.count + offset] }
        }
        stabilize(&frequencies)
        return frequencies
    }

    /// Separates frequencies that are closer than 50 Hz or out of order, so that the synthesis filter is stable (3.2.5).
    ///
    /// RFC 3951 does not specify by how much. These steps are the ones of FFmpeg's decoder, found by comparing its output with several
    /// alternatives. A close pair moves by half the margin on each side. Of a crossed pair, only the upper frequency moves. All pairs are
    /// visited twice.
    static func stabilize(_ frequencies: inout [Float]) {
        // 50 Hz in radians per sample, to three decimals.
        let margin: Float = 0.039
        for _ in 0..<2 {
            for index in 1..<frequencies.count {
                let (low, high) = (frequencies[index - 1], frequencies[index])
                guard high - low < margin else { continue }
                frequencies[index] = max(low, high) + margin / 2
                if high >= low { frequencies[index - 1] = low - margin / 2 }
            }
        }
        // In 1664 of the 2^20 combinations, two frequencies are still equal, which is a pole on the unit circle. 5 Hz keep it inside.
        for index in 1..<frequencies.count { frequencies[index] = max(frequencies[index], frequencies[index - 1] + 0.0039) }
    }
}
