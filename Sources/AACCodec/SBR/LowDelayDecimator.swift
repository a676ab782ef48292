// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// A decimator that halves the sample rate of one channel for low delay SBR, with a filter of 64 taps and minimum phase.
///
/// The pass band ends at 0.22 of the input's sample rate (±0.001 dB), the attenuation is 4 dB at 0.25, and 64 dB from 0.28 on. The group delay is 2.3
/// samples of the input at low frequencies and 5 at 0.2 of its sample rate; with a linear phase it would be 63.
struct LowDelayDecimator: ~Copyable {
    /// The delay by which the high band is aligned with the low band, in samples of the input.
    ///
    /// It is the group delay between 0 and 0.2 of the sample rate, less the half sample by which the newest sample of a pair is ahead of its middle.
    static let delay = 2

    /// The samples of the past, then those of a block.
    private var samples: FixedArray<Float>
    /// The samples of a block at half the sample rate.
    private let blockLength: Int

    /// Samples of the past that the oldest output of a block reaches.
    private static let past = 62

    /// Makes a filter with a silent past.
    ///
    /// - Parameter blockLength: The samples of a block at half the sample rate.
    init(blockLength: Int) {
        self.blockLength = blockLength
        samples = FixedArray(repeating: 0, count: Self.past + 2 * blockLength)
    }

    /// Decimates the samples of two blocks' length to one block.
    mutating func decimate(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
        samples.copy(input.extracting(0..<2 * blockLength), to: Self.past)
        filter(into: &output)
        samples.copy(2 * blockLength..<2 * blockLength + Self.past, to: 0)
    }

    /// Filters the samples of a block.
    private func filter(into output: inout MutableSpan<Float>) {
        let taps = Self.taps.span.extracting(0..<16)
        let all = samples.span
        for index in 0..<blockLength {
            let near = all.extracting(2 &* index..<2 &* index &+ 64)
            var sum = SIMD4<Float>(repeating: 0)
            // All of what is read lies within the span.
            for row in 0..<16 { sum += unsafe near.vector(unchecked: 4 &* row) * taps[row] }
            output[index] = sum.laneSum
        }
    }

    /// The taps in reverse, oldest sample first.
    private static let taps: ContiguousArray<SIMD4<Float>> = ContiguousArray(
        (0..<16).map { row in SIMD4(response[63 - 4 * row], response[62 - 4 * row], response[61 - 4 * row], response[60 - 4 * row]) })

    /// The impulse response: minimum phase, with the square root of the magnitude of an equiripple low-pass of 127 taps (pass band to 0.22, stop band
    /// from 0.28, weights 1 and 30); the gain at frequency zero is 1.
    private static let response: [Float] = [
        0.022261931, 0.116271963, 0.288762048, 0.41534684, 0.320575206, 0.0236042325, -0.196461797, -0.122704902,
        0.0911573035, 0.128048608, -0.0315939774, -0.111290178, 0.000315294436, 0.0919647848, 0.0153462291, -0.0750166478,
        -0.022490943, 0.0612249039, 0.0249632154, -0.0502445122, -0.0248660007, 0.0415153146, 0.0233759747, -0.0345217549,
        -0.0211696544, 0.02885063, 0.0186459531, -0.0241880297, -0.0160461056, 0.0203012124, 0.0135180157, -0.0170202241,
        -0.0111528419, 0.0142216929, 0.00900463996, -0.0118168414, -0.00710301588, 0.00974131332, 0.00545954169, -0.007948729,
        -0.00407340763, 0.00640446209, 0.00293338944, -0.00508239284, -0.00202181363, 0.00396065473, 0.00131537821, -0.00302131552,
        -0.000788204203, 0.00224659955, 0.00041208958, -0.00162053349, -0.000159784053, 0.00112562744, 3.98630964e-06, -0.000745904744,
        7.87390401e-05, 0.000463744908, -0.000111095842, -0.000263539706, 0.000109678767, 0.000128341575, -9.04276836e-05, -4.49651606e-05,
    ]
}
