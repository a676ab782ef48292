// SPDX-License-Identifier: Apache-2.0

// Common parts of the analysis filter banks with 32 and 64 subbands. Pass literal counts so that loops unroll and bounds checks
// fold.
extension QMFTransform {
    /// Windows four QMF slots, folds each to twice the number of subbands, and pairs the values for the transform.
    ///
    /// - Parameter qmfSlotStep: The distance of QMF slots, in vectors of samples.
    @inline(__always)
    static func fold(
        _ samples: Span<SIMD4<Float>>, window: Span<SIMD4<Float>>, twiddles: Span<ComplexVector>, bandCount: Int, qmfSlotStep: Int,
        into output: inout MutableSpan<ComplexVector>
    ) {
        let half = bandCount / 4
        // A span of constant length for each QMF slot, whatever their distance.
        let length = 10 &* half
        let x0 = samples.extracting(0..<length)
        let x1 = samples.extracting(qmfSlotStep..<qmfSlotStep &+ length)
        let x2 = samples.extracting(2 &* qmfSlotStep..<2 &* qmfSlotStep &+ length)
        let x3 = samples.extracting(3 &* qmfSlotStep..<3 &* qmfSlotStep &+ length)
        for row in 0..<half {
            let first = SIMD4<Float>.transposed(
                folded(x0, window, row, half), folded(x1, window, row, half), folded(x2, window, row, half), folded(x3, window, row, half))
            let other = row &+ half
            let second = SIMD4<Float>.transposed(
                folded(x0, window, other, half), folded(x1, window, other, half), folded(x2, window, other, half),
                folded(x3, window, other, half))
            output[4 &* row] = ComplexVector(second.0, first.0) * twiddles[4 &* row]
            output[4 &* row &+ 1] = ComplexVector(second.1, first.1) * twiddles[4 &* row &+ 1]
            output[4 &* row &+ 2] = ComplexVector(second.2, first.2) * twiddles[4 &* row &+ 2]
            output[4 &* row &+ 3] = ComplexVector(second.3, first.3) * twiddles[4 &* row &+ 3]
        }
    }

    /// Returns four values of a QMF slot, each the sum of five windowed vectors.
    @inline(__always)
    private static func folded(
        _ samples: Span<SIMD4<Float>>, _ window: Span<SIMD4<Float>>, _ row: Int, _ half: Int
    ) -> SIMD4<Float> {
        let step = 2 &* half
        let first = samples[row] * window[row] + samples[row &+ step] * window[row &+ step]
        let second = samples[row &+ 2 &* step] * window[row &+ 2 &* step] + samples[row &+ 3 &* step] * window[row &+ 3 &* step]
        return (first + second) + samples[row &+ 4 &* step] * window[row &+ 4 &* step]
    }

    /// Returns four subbands from the transform of four QMF slots, one slot per lane.
    @inline(__always)
    package static func bands(
        _ input: Span<ComplexVector>, twiddles: Span<ComplexVector>, bandCount: Int, row: Int
    ) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        let (low, high) = (2 &* row, bandCount &- 1 &- 2 &* row)
        return (
            input[low] * twiddles[low], (input[high] * twiddles[high]).conjugate, input[low &+ 1] * twiddles[low &+ 1],
            (input[high &- 1] * twiddles[high &- 1]).conjugate
        )
    }
}
