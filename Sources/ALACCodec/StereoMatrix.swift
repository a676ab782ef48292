// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The mixing weights of a channel pair, which is coded as a weighted mean and a difference.
struct StereoMatrix {
    /// The number of fractional bits of the weight.
    private let shift: Int32
    /// The weight of the difference, or 0 if the channels are not mixed.
    private let weight: Int32

    /// Reads the weights, which single-channel elements also have but do not use.
    init(reading reader: inout BitReader) {
        shift = Int32(min(reader.read(8), 31))
        weight = Int32(Int8(truncatingIfNeeded: reader.read(8)))
    }

    /// Creates a matrix with a weight from -128 to 127, or 0 to leave the channels as they are.
    init(weight: Int, shift: Int) {
        self.weight = Int32(weight)
        self.shift = Int32(shift)
    }

    func write(to sink: inout some BitSink) {
        sink.write(UInt32(shift), count: 8)
        sink.write(UInt32(truncatingIfNeeded: weight) & 0xFF, count: 8)
    }

    /// Replaces the first frames of the left and right channel by mean and difference.
    ///
    /// - Returns: The bits that are set in a mean, or in its complement if it is negative.
    func mix(_ left: inout ContiguousArray<Int32>, _ right: inout ContiguousArray<Int32>, frameCount: Int) -> Int32 {
        var left = left.mutableSpan
        var right = right.mutableSpan
        var bits: Int32 = 0
        for index in 0..<frameCount {
            let difference = left[index] &- right[index]
            let mean = right[index] &+ ((weight &* difference) &>> shift)
            bits |= mean ^ mean >> 31
            left[index] = mean
            right[index] = difference
        }
        return bits
    }

    /// Replaces mean and difference by the left and right channel.
    ///
    /// - Parameters:
    ///   - first: The range of the mean, which becomes the left channel.
    ///   - second: The range of the difference, which becomes the right channel.
    ///   - bitCount: The sample size in bits, to which damaged samples are truncated.
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
