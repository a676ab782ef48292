// SPDX-License-Identifier: Apache-2.0

/// The modified discrete cosine transform of window length N, for windowed and folded input.
///
/// After folding (see ``FilterBank``) the transform is a DCT-IV of M = N/2 values, equal in both directions. It is computed as a complex
/// FFT of M/2 points between two rotations. The data are rows of four lanes, with element 4·row + lane. The first pass has radix
/// 4 and transposes its results, so that the others process whole rows. ISO/IEC 14496-3:2009, 4.6.11.3.
package struct MDCT: ~Copyable {
    /// The number of coefficients, M: eight times a length that ``FFTPasses/radix(ofLength:)`` factors completely.
    package let count: Int

    /// The rotations exp(2πi (n + 1/8) / N) times the square root of the direction's factor, and the twiddle factors.
    ///
    /// The conjugates of the rotations are applied before and after the FFT. See ``MDCTTables/tables(_:)``.
    private let tables: ContiguousArray<ComplexVector>

    /// The passes alternate between this buffer and ``workB``.
    private var workA: FixedArray<ComplexVector>

    private var workB: FixedArray<ComplexVector>

    /// Creates a transform with `count` coefficients.
    package init(_ count: Int) {
        self.count = count
        tables = MDCTTables.tables(count)
        workA = FixedArray(repeating: .zero, count: count / 8)
        workB = FixedArray(repeating: .zero, count: count / 8)
    }

    /// Computes the coefficients X[k] = 2 Σ z[n] cos(2π/N (n + n0)(k + 1/2)) of a folded block and stores them at index `first`.
    package mutating func forward(_ folded: Span<Float>, into coefficients: inout MutableSpan<Float>, at first: Int) {
        transform(folded, into: &coefficients, at: first, rotationRow: 0)
    }

    /// Computes the folded block of M coefficients, with the standard's factor 2/N.
    package mutating func inverse(_ coefficients: Span<Float>, into folded: inout MutableSpan<Float>) {
        transform(coefficients, into: &folded, at: 0, rotationRow: count / 8)
    }

    /// Computes the DCT-IV, which is equal in both directions except for the factor in the rotations.
    ///
    /// - Parameter rotationRow: The first row of rotations for the direction.
    private mutating func transform(
        _ input: Span<Float>, into output: inout MutableSpan<Float>, at first: Int, rotationRow: Int
    ) {
        precondition(input.count >= count && first >= 0 && first + count <= output.count)
        switch count {
        // AAC-LC and low-delay profiles use lengths with specialized code.
        case 1024: transform(input, into: &output, at: first, rotationRow, rows: 128)
        case 128: transform(input, into: &output, at: first, rotationRow, rows: 16)
        case 960: transform(input, into: &output, at: first, rotationRow, rows: 120)
        case 120: transform(input, into: &output, at: first, rotationRow, rows: 15)
        case 512: transform(input, into: &output, at: first, rotationRow, rows: 64)
        case 480: transform(input, into: &output, at: first, rotationRow, rows: 60)
        default: transform(input, into: &output, at: first, rotationRow, rows: count / 8, isLiteral: false)
        }
    }

    /// Computes the transform of `rows` rows.
    ///
    /// Pass a literal so that loops and bounds checks fold.
    @inline(__always)
    private mutating func transform(
        _ input: Span<Float>, into output: inout MutableSpan<Float>, at first: Int, _ rotationRow: Int, rows: Int, isLiteral: Bool = true
    ) {
        let tables = tables
        let rotations = tables.span.extracting(rotationRow..<rotationRow &+ rows)
        var a = workA.mutableSpan(first: rows)
        var b = workB.mutableSpan(first: rows)
        let firstTwiddles = tables.span.extracting(2 &* rows..<3 &* rows)
        // All rows are within these bounds.
        precondition(input.count >= 8 &* rows)
        if rows & 3 == 0 {
            Self.startPasses(input, into: &a, rotations, firstTwiddles, rows: rows)
        } else {
            Self.startPassesByElement(input, into: &a, work: &b, rotations, firstTwiddles, rows: rows)
        }
        let twiddles = tables.span.extracting(3 &* rows..<4 &* rows &- 1)
        if isLiteral ? FFTPasses.run(&a, &b, twiddles, rows: rows) : FFTPasses.runOfAnyLength(&a, &b, twiddles, rows: rows) {
            Self.unrotate(a.span, into: &output, at: first, rotations, rows: rows)
        } else {
            Self.unrotate(b.span, into: &output, at: first, rotations, rows: rows)
        }
    }

    /// Rotates the values, computes the first pass, and transposes the results.
    @inline(__always)
    private static func startPasses(
        _ input: Span<Float>, into output: inout MutableSpan<ComplexVector>, _ rotations: Span<ComplexVector>,
        _ twiddles: Span<ComplexVector>, rows: Int
    ) {
        let part = rows / 4
        for row in 0..<part {
            let (s0, s1, s2, s3) = unsafe FFTPasses.transform4(
                rotated(input, rotations, row, rows: rows), rotated(input, rotations, row &+ part, rows: rows),
                rotated(input, rotations, row &+ 2 &* part, rows: rows), rotated(input, rotations, row &+ 3 &* part, rows: rows))
            let results = transposed(s0, s1 * twiddles[3 &* row], s2 * twiddles[3 &* row &+ 1], s3 * twiddles[3 &* row &+ 2])
            output[4 &* row] = results.0
            output[4 &* row &+ 1] = results.1
            output[4 &* row &+ 2] = results.2
            output[4 &* row &+ 3] = results.3
        }
    }

    /// Returns four values 2n and M-1-2n as complex numbers, rotated, without checking the bounds of `input`.
    @unsafe @inline(__always)
    private static func rotated(_ input: Span<Float>, _ rotations: Span<ComplexVector>, _ row: Int, rows: Int) -> ComplexVector {
        let mirror = rows &- 1 &- row
        let (low0, low1) = unsafe (input.vector(unchecked: 8 &* row), input.vector(unchecked: 8 &* row &+ 4))
        let (high0, high1) = unsafe (input.vector(unchecked: 8 &* mirror), input.vector(unchecked: 8 &* mirror &+ 4))
        let even = SIMD4(low0.x, low0.z, low1.x, low1.z)
        let oddReversed = SIMD4(high1.w, high1.y, high0.w, high0.y)
        return ComplexVector(even, oddReversed).timesConjugate(of: rotations[row])
    }

    /// Rotates complex numbers.
    ///
    /// Stores the real parts as even values and the negated imaginary parts, in reverse, as odd values.
    @inline(__always)
    private static func unrotate(
        _ input: Span<ComplexVector>, into output: inout MutableSpan<Float>, at first: Int,
        _ rotations: Span<ComplexVector>, rows: Int
    ) {
        // All rows are within these bounds.
        precondition(first >= 0 && first <= output.count &- 8 &* rows)
        for row in 0..<(rows &+ 1) / 2 {
            let mirror = rows &- 1 &- row
            let (low, high) = (input[row], input[mirror])
            let (lowRotation, highRotation) = (rotations[row], rotations[mirror])
            let even = low.innerProduct(lowRotation)
            // The imaginary part of conj(a) b. A negation before a shuffle would be computed lane by lane.
            let odd = high.real * highRotation.imaginary - high.imaginary * highRotation.real
            unsafe output.store(SIMD4(even.x, odd.w, even.y, odd.z), unchecked: first &+ 8 &* row)
            unsafe output.store(SIMD4(even.z, odd.y, even.w, odd.x), unchecked: first &+ 8 &* row &+ 4)
            let mirrorEven = high.innerProduct(highRotation)
            let mirrorOdd = low.real * lowRotation.imaginary - low.imaginary * lowRotation.real
            unsafe output.store(SIMD4(mirrorEven.x, mirrorOdd.w, mirrorEven.y, mirrorOdd.z), unchecked: first &+ 8 &* mirror)
            unsafe output.store(SIMD4(mirrorEven.z, mirrorOdd.y, mirrorEven.w, mirrorOdd.x), unchecked: first &+ 8 &* mirror &+ 4)
        }
    }

    /// Rotates the values and computes the first pass if `rows` is not a multiple of four.
    private static func startPassesByElement(
        _ input: Span<Float>, into output: inout MutableSpan<ComplexVector>, work: inout MutableSpan<ComplexVector>,
        _ rotations: Span<ComplexVector>, _ twiddles: Span<ComplexVector>, rows: Int
    ) {
        for row in 0..<rows { work[row] = unsafe rotated(input, rotations, row, rows: rows) }
        for row in 0..<rows {
            var value = ComplexVector.zero
            for part in 0..<4 {
                let index = row + part * rows
                value.real[part] = work[index / 4].real[index % 4]
                value.imaginary[part] = work[index / 4].imaginary[index % 4]
            }
            let sumReal = SIMD2(value.real.x + value.real.z, value.real.y + value.real.w)
            let sumImaginary = SIMD2(value.imaginary.x + value.imaginary.z, value.imaginary.y + value.imaginary.w)
            let differenceReal = SIMD2(value.real.x - value.real.z, value.real.y - value.real.w)
            let differenceImaginary = SIMD2(value.imaginary.x - value.imaginary.z, value.imaginary.y - value.imaginary.w)
            let real = SIMD4(
                sumReal.x + sumReal.y, differenceReal.x + differenceImaginary.y,
                sumReal.x - sumReal.y, differenceReal.x - differenceImaginary.y)
            let imaginary = SIMD4(
                sumImaginary.x + sumImaginary.y, differenceImaginary.x - differenceReal.y,
                sumImaginary.x - sumImaginary.y, differenceImaginary.x + differenceReal.y)
            output[row] = ComplexVector(real, imaginary) * twiddles[row]
        }
    }

    /// Transposes four rows of complex numbers.
    @inline(__always)
    private static func transposed(
        _ a: ComplexVector, _ b: ComplexVector, _ c: ComplexVector, _ d: ComplexVector
    ) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        let (r0, r1, r2, r3) = SIMD4<Float>.transposed(a.real, b.real, c.real, d.real)
        let (i0, i1, i2, i3) = SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
        return (ComplexVector(r0, i0), ComplexVector(r1, i1), ComplexVector(r2, i2), ComplexVector(r3, i3))
    }
}
