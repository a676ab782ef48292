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

    /// Transforms 64 values of `a` to subbands, which are in `a`; `b` is working space.
    ///
    /// Output r of the transform is subband 2r, or from r = 32 on the conjugate of subband 127 - 2r.
    @inline(__always)
    static func subbands64(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        firstRadix8(a.span, &b, tables.passes64.span.extracting(0..<56))
        let x = b.span
        let diagonal = SIMD4<Float>(repeating: 0.707_106_77)
        for j in 0..<8 {
            let (a0, a1, a2, a3) = FFTPasses.transform4(x[j], x[j &+ 16], x[j &+ 32], x[j &+ 48])
            let (b0, b1, b2, b3) = FFTPasses.transform4(x[j &+ 8], x[j &+ 24], x[j &+ 40], x[j &+ 56])
            let c1 = ComplexVector.sum(b1, minusITimes: b1) * diagonal
            let c3 = ComplexVector.sum(b3, plusITimes: b3) * diagonal
            a[2 &* j] = a0 + b0
            a[2 &* j &+ 16] = a1 + c1
            a[2 &* j &+ 32] = .sum(a2, minusITimes: b2)
            a[2 &* j &+ 48] = a3 - c3
            a[63 &- 2 &* j] = ComplexVector(a0.real - b0.real, b0.imaginary - a0.imaginary)
            a[47 &- 2 &* j] = ComplexVector(a1.real - c1.real, c1.imaginary - a1.imaginary)
            a[31 &- 2 &* j] = ComplexVector.sum(a2, plusITimes: b2).conjugate
            a[15 &- 2 &* j] = (a3 + c3).conjugate
        }
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
