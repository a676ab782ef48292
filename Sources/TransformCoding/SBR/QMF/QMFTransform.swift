// SPDX-License-Identifier: Apache-2.0

/// The complex FFTs of the QMF filter banks, for four QMF slots at once, one per lane.
enum QMFTransform {
    /// Transforms the first 32 values of `a` in place, with `b` as workspace.
    @inline(__always)
    static func transform32(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        FFTPasses.radix4(a.span, &b, tables.passes32.span.extracting(0..<24), from: 0, m: 8, stride: 1)
        FFTPasses.lastRadix8(b.span, &a, stride: 4)
    }

    /// Transforms 64 values of `a` in place, with `b` as workspace.
    @inline(__always)
    static func transform64(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        firstRadix8(a.span, &b, tables.passes64.span.extracting(0..<56))
        FFTPasses.lastRadix8(b.span, &a, stride: 8)
    }

    /// Transforms 64 values of `a` to subbands in place.
    ///
    /// `b` is workspace.
    ///
    /// Output r of the transform is subband 2r, or for r >= 32 the conjugate of subband 127 - 2r.
    @inline(__always)
    static func subbands64(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        firstRadix8(a.span, &b, tables.passes64.span.extracting(0..<56))
        let x = b.span
        for j in 0..<8 {
            let (low, high) = FFTPasses.transform8(x, at: j, stride: 8)
            a[2 &* j] = low.0
            a[2 &* j &+ 16] = low.1
            a[2 &* j &+ 32] = low.2
            a[2 &* j &+ 48] = low.3
            a[63 &- 2 &* j] = high.0.conjugate
            a[47 &- 2 &* j] = high.1.conjugate
            a[31 &- 2 &* j] = high.2.conjugate
            a[15 &- 2 &* j] = high.3.conjugate
        }
    }

    /// Computes the first pass, radix 8, of a 64-point transform.
    ///
    /// The twiddle exp(-2πi q u / 64) is at index 7 q + u - 1.
    @inline(__always)
    private static func firstRadix8(
        _ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>
    ) {
        for q in 0..<8 {
            let (low, high) = FFTPasses.transform8(x, at: q, stride: 8)
            let target = 8 &* q
            let twiddle = 7 &* q
            y[target] = low.0
            y[target &+ 1] = low.1 * twiddles[twiddle]
            y[target &+ 2] = low.2 * twiddles[twiddle &+ 1]
            y[target &+ 3] = low.3 * twiddles[twiddle &+ 2]
            y[target &+ 4] = high.0 * twiddles[twiddle &+ 3]
            y[target &+ 5] = high.1 * twiddles[twiddle &+ 4]
            y[target &+ 6] = high.2 * twiddles[twiddle &+ 5]
            y[target &+ 7] = high.3 * twiddles[twiddle &+ 6]
        }
    }
}
