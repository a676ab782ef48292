// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The weights by which the channels of a pair were mixed to a weighted mean and a difference.
struct StereoMatrix {
    /// The number of bits after the point of the weight.
    private let shift: Int32
    /// The weight of the difference; 0: the channels are not mixed.
    private let weight: Int32

    /// Reads the weights; elements with one channel have them too, without a meaning.
    init(reading reader: inout BitReader) {
        shift = Int32(min(reader.read(8), 31))
        weight = Int32(Int8(truncatingIfNeeded: reader.read(8)))
    }

    /// Replaces mean and difference by the left and right channel.
    ///
    /// - Parameters:
    ///   - samples: The samples.
    ///   - first: The range of the mean, which becomes the left channel.
    ///   - second: The range of the difference, of the same length.
    ///   - bitCount: The number of bits of a channel's samples; others, which damage makes, are truncated to them.
    func unmix(_ samples: inout MutableSpan<Int32>, _ first: Range<Int>, _ second: Range<Int>, bitCount: Int) {
        let unusedBits = Int32(32 - bitCount)
        for (first, second) in zip(first, second) {
            let difference = samples[second]
            let right = weight == 0 ? difference : samples[first] &- ((weight &* difference) &>> shift)
            let left = weight == 0 ? samples[first] : right &+ difference
            samples[first] = (left &<< unusedBits) &>> unusedBits
            samples[second] = (right &<< unusedBits) &>> unusedBits
        }
    }
}
