// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The complex Fourier transforms of the QMF filter banks, of four columns at once, one in each lane.
enum QMFTransform {
    /// Transforms the first 32 values of `a`; the result is in `a`, and `b` is working space.
    @inline(__always)
    static func transform32(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        FFTPasses.radix4(a.span, &b, tables.passes32.span.extracting(0..<24), from: 0, m: 8, stride: 1)
        FFTPasses.lastRadix8(b.span, &a, stride: 4)
    }

    /// Transforms 64 values of `a`; the result is in `a`, and `b` is working space.
    @inline(__always)
    static func transform64(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        firstRadix8(a.span, &b, tables.passes64.span.extracting(0..<56))
        FFTPasses.lastRadix8(b.span, &a, stride: 8)
    }

    /// Performs the first pass, of radix 8, of a transform of 64 values, and multiplies by the twiddles exp(-2πi q u / 64) at 7 q + u - 1.
    @inline(__always)
    private static func firstRadix8(
        _ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>
    ) {
        let diagonal = SIMD4<Float>(repeating: 0.707_106_77)
        for q in 0..<8 {
            let (a0, a1, a2, a3) = FFTPasses.transform4(x[q], x[q &+ 16], x[q &+ 32], x[q &+ 48])
            let (b0, b1, b2, b3) = FFTPasses.transform4(x[q &+ 8], x[q &+ 24], x[q &+ 40], x[q &+ 56])
            let c1 = ComplexVector.sum(b1, minusITimes: b1) * diagonal
            let c3 = ComplexVector.sum(b3, plusITimes: b3) * diagonal
            let target = 8 &* q
            let twiddle = 7 &* q
            y[target] = a0 + b0
            y[target &+ 1] = (a1 + c1) * twiddles[twiddle]
            y[target &+ 2] = .sum(a2, minusITimes: b2) * twiddles[twiddle &+ 1]
            y[target &+ 3] = (a3 - c3) * twiddles[twiddle &+ 2]
            y[target &+ 4] = (a0 - b0) * twiddles[twiddle &+ 3]
            y[target &+ 5] = (a1 - c1) * twiddles[twiddle &+ 4]
            y[target &+ 6] = .sum(a2, plusITimes: b2) * twiddles[twiddle &+ 5]
            y[target &+ 7] = (a3 + c3) * twiddles[twiddle &+ 6]
        }
    }
}
