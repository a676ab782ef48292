// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The Fourier transforms of the QMF banks, over four columns at once, one in each lane.
enum QMFTransform {
    /// Transforms the first 32 values of `a`; the result is in `a`, `b` is working space.
    @inline(__always)
    static func transform32(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        FFTPasses.radix4(a.span, &b, tables.passes32.span, from: 0, m: 8, stride: 1)
        FFTPasses.lastRadix8(b.span, &a, stride: 4)
    }

    /// Transforms 64 values of `a`; the result is in `b`.
    @inline(__always)
    static func transform64(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        FFTPasses.radix4(a.span, &b, tables.passes64.span, from: 0, m: 16, stride: 1)
        FFTPasses.radix4(b.span, &a, tables.passes64.span, from: 48, m: 4, stride: 4)
        FFTPasses.lastRadix4(a.span, &b, stride: 16)
    }
}
