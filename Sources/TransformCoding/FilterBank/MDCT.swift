// SPDX-License-Identifier: Apache-2.0

/// The modified discrete cosine transform of one window length N, after the input has been windowed and folded.
///
/// Folding (see ``FilterBank``) leaves a type-IV cosine transform of M = N/2 values, the same in both directions; it is a
/// complex Fourier transform of M/2 points between two rotations. The transform is seen as rows of four lanes: element
/// 4·row + lane. Whole rows go through the passes, then come a twiddle, a transposition, and a four-point transform across
/// the lanes. ISO/IEC 14496-3:2009, 4.6.11.3.
package struct MDCT: ~Copyable {
    /// The number of coefficients, M: one of ``counts``.
    package let count: Int

    /// The numbers of coefficients for which there is a transform: long and short blocks of frames of 1024 and 960, of 512 and 480, and of
    /// 768; halves and quarters of 1024 and 768.
    package static let counts = [1024, 128, 960, 120, 512, 480, 768, 96, 256, 384, 192]

    /// exp(2πi (n + 1/8) / N) times the square root of the direction's factor, whose conjugates rotate before and after the Fourier
    /// transform: the rows of the forward direction, then those of the inverse.
    private let rotations: FixedArray<ComplexVector>

    /// The twiddle factors of the passes over rows.
    private let passTwiddles: FixedArray<ComplexVector>

    /// exp(-2πi row lane / (4 rows)).
    private let laneTwiddles: FixedArray<ComplexVector>

    /// One of the two buffers between which the passes alternate.
    private var workA: FixedArray<ComplexVector>

    /// The other buffer.
    private var workB: FixedArray<ComplexVector>

    /// Computes the tables of one of the ``counts``.
    package init(_ count: Int) {
        precondition(Self.counts.contains(count))
        self.count = count
        rotations = MDCTTables.rotations(count: count, forwardFactor: 2, inverseFactor: 1 / Double(count))
        passTwiddles = MDCTTables.passTwiddles(count: count)
        laneTwiddles = MDCTTables.laneTwiddles(rows: count / 8)
        workA = FixedArray(repeating: .zero, count: count / 8)
        workB = FixedArray(repeating: .zero, count: count / 8)
    }

    /// Computes the coefficients X[k] = 2 Σ z[n] cos(2π/N (n + n0)(k + 1/2)) of a folded block, and stores them from index `first` on.
    package mutating func forward(_ folded: Span<Float>, into coefficients: inout MutableSpan<Float>, at first: Int) {
        transform(folded, into: &coefficients, at: first, rotationRow: 0)
    }

    /// Computes the folded block of M coefficients, with the factor 2/N of the standard.
    package mutating func inverse(_ coefficients: Span<Float>, into folded: inout MutableSpan<Float>) {
        transform(coefficients, into: &folded, at: 0, rotationRow: count / 8)
    }

    /// Computes the type-IV cosine transform, the same in both directions but for the factor in the rotations.
    ///
    /// - Parameter rotationRow: The first row of the direction's rotations.
    private mutating func transform(
        _ input: Span<Float>, into output: inout MutableSpan<Float>, at first: Int, rotationRow: Int
    ) {
        precondition(input.count >= count && first >= 0 && first + count <= output.count)
        switch count {
        case 1024: transform(input, into: &output, at: first, rotationRow, rows: 128, twiddleCount: 120)
        case 128: transform(input, into: &output, at: first, rotationRow, rows: 16, twiddleCount: 12)
        case 960: transform(input, into: &output, at: first, rotationRow, rows: 120, twiddleCount: 112)
        case 120: transform(input, into: &output, at: first, rotationRow, rows: 15, twiddleCount: 14)
        case 512: transform(input, into: &output, at: first, rotationRow, rows: 64, twiddleCount: 60)
        case 480: transform(input, into: &output, at: first, rotationRow, rows: 60, twiddleCount: 56)
        case 768: transform(input, into: &output, at: first, rotationRow, rows: 96, twiddleCount: 88)
        case 96: transform(input, into: &output, at: first, rotationRow, rows: 12, twiddleCount: 8)
        case 256: transform(input, into: &output, at: first, rotationRow, rows: 32, twiddleCount: 24)
        case 384: transform(input, into: &output, at: first, rotationRow, rows: 48, twiddleCount: 44)
        case 192: transform(input, into: &output, at: first, rotationRow, rows: 24, twiddleCount: 16)
        default: preconditionFailure("init(_:) admits no other count")
        }
    }

    /// Computes the transform of so many rows; literal numbers, so that loops and bounds checks fold.
    @inline(__always)
    private mutating func transform(
        _ input: Span<Float>, into output: inout MutableSpan<Float>, at first: Int, _ rotationRow: Int, rows: Int, twiddleCount: Int
    ) {
        let rotations = rotations.span.extracting(rotationRow..<rotationRow &+ rows)
        let lanes = laneTwiddles.span(first: rows)
        var a = workA.mutableSpan(first: rows)
        var b = workB.mutableSpan(first: rows)
        Self.rotate(input, into: &a, rotations, rows: rows)
        if Self.pass(&a, &b, passTwiddles.span(first: twiddleCount), rows: rows) {
            Self.combineLanes(a.span, into: &b, lanes, rows: rows)
            Self.unrotate(b.span, into: &output, at: first, rotations, rows: rows)
        } else {
            Self.combineLanes(b.span, into: &a, lanes, rows: rows)
            Self.unrotate(a.span, into: &output, at: first, rotations, rows: rows)
        }
    }

    /// Runs the passes over `a`, in turn with `b`, and returns whether the result is in `a`.
    @inline(__always)
    private static func pass(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, rows: Int
    ) -> Bool {
        switch rows {
        case 128:
            FFTPasses.radix4(a.span, &b, twiddles, from: 0, m: 32, stride: 1)
            FFTPasses.radix4(b.span, &a, twiddles, from: 96, m: 8, stride: 4)
            FFTPasses.lastRadix8(a.span, &b, stride: 16)
            return false
        case 16:
            FFTPasses.radix4(a.span, &b, twiddles, from: 0, m: 4, stride: 1)
            FFTPasses.lastRadix4(b.span, &a, stride: 4)
            return true
        case 120:
            FFTPasses.firstRadix5(a.span, &b, twiddles, m: 24)
            FFTPasses.radix3(b.span, &a, twiddles, from: 96, m: 8, stride: 5)
            FFTPasses.lastRadix8(a.span, &b, stride: 15)
            return false
        case 15:
            FFTPasses.firstRadix5(a.span, &b, twiddles, m: 3)
            FFTPasses.radix3(b.span, &a, twiddles, from: 12, m: 1, stride: 5)
            return true
        default: return passOfRareLength(&a, &b, twiddles, rows: rows)
        }
    }

    /// Runs the passes of the lengths that Low Complexity does not use, by functions that are compiled once for all sizes.
    @inline(never)
    private static func passOfRareLength(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, rows: Int
    ) -> Bool {
        switch rows {
        case 64:
            FFTPasses.anyRadix4(a.span, &b, twiddles, from: 0, m: 16, stride: 1)
            FFTPasses.anyRadix4(b.span, &a, twiddles, from: 48, m: 4, stride: 4)
            FFTPasses.anyLastRadix4(a.span, &b, stride: 16)
            return false
        case 60:
            FFTPasses.firstRadix5(a.span, &b, twiddles, m: 12)
            FFTPasses.anyRadix3(b.span, &a, twiddles, from: 48, m: 4, stride: 5)
            FFTPasses.anyLastRadix4(a.span, &b, stride: 15)
            return false
        case 96:
            FFTPasses.anyRadix3(a.span, &b, twiddles, from: 0, m: 32, stride: 1)
            FFTPasses.anyRadix4(b.span, &a, twiddles, from: 64, m: 8, stride: 3)
            FFTPasses.lastRadix8(a.span, &b, stride: 12)
            return false
        case 32:
            FFTPasses.anyRadix4(a.span, &b, twiddles, from: 0, m: 8, stride: 1)
            FFTPasses.lastRadix8(b.span, &a, stride: 4)
            return true
        case 48:
            FFTPasses.anyRadix3(a.span, &b, twiddles, from: 0, m: 16, stride: 1)
            FFTPasses.anyRadix4(b.span, &a, twiddles, from: 32, m: 4, stride: 3)
            FFTPasses.anyLastRadix4(a.span, &b, stride: 12)
            return false
        case 24:
            FFTPasses.anyRadix3(a.span, &b, twiddles, from: 0, m: 8, stride: 1)
            FFTPasses.lastRadix8(b.span, &a, stride: 3)
            return true
        default:
            FFTPasses.anyRadix3(a.span, &b, twiddles, from: 0, m: 4, stride: 1)
            FFTPasses.anyLastRadix4(b.span, &a, stride: 3)
            return true
        }
    }

    /// Forms complex numbers of value 2n and value M-1-2n, and rotates them; n and M/2-1-n are processed together.
    @inline(__always)
    private static func rotate(
        _ input: Span<Float>, into output: inout MutableSpan<ComplexVector>, _ rotations: Span<ComplexVector>, rows: Int
    ) {
        // All rows lie within this.
        precondition(input.count >= 8 &* rows)
        for row in 0..<(rows &+ 1) / 2 {
            let mirror = rows &- 1 &- row
            let (low0, low1) = unsafe (input.vector(unchecked: 8 &* row), input.vector(unchecked: 8 &* row &+ 4))
            let (high0, high1) = unsafe (input.vector(unchecked: 8 &* mirror), input.vector(unchecked: 8 &* mirror &+ 4))
            let lowEven = SIMD4(low0.x, low0.z, low1.x, low1.z)
            let lowOddReversed = SIMD4(low1.w, low1.y, low0.w, low0.y)
            let highEven = SIMD4(high0.x, high0.z, high1.x, high1.z)
            let highOddReversed = SIMD4(high1.w, high1.y, high0.w, high0.y)
            output[row] = ComplexVector(lowEven, highOddReversed).timesConjugate(of: rotations[row])
            output[mirror] = ComplexVector(highEven, lowOddReversed).timesConjugate(of: rotations[mirror])
        }
    }

    /// Rotates complex numbers, and stores the real parts as the even values, the negated imaginary parts in reverse as the odd ones.
    @inline(__always)
    private static func unrotate(
        _ input: Span<ComplexVector>, into output: inout MutableSpan<Float>, at first: Int,
        _ rotations: Span<ComplexVector>, rows: Int
    ) {
        // All rows lie within this.
        precondition(first >= 0 && first <= output.count &- 8 &* rows)
        for row in 0..<(rows &+ 1) / 2 {
            let mirror = rows &- 1 &- row
            let (low, high) = (input[row], input[mirror])
            let (lowRotation, highRotation) = (rotations[row], rotations[mirror])
            let even = low.innerProduct(lowRotation)
            // The imaginary part of conj(a) b. A negation before a shuffle would be done lane by lane.
            let odd = high.real * highRotation.imaginary - high.imaginary * highRotation.real
            unsafe output.store(SIMD4(even.x, odd.w, even.y, odd.z), unchecked: first &+ 8 &* row)
            unsafe output.store(SIMD4(even.z, odd.y, even.w, odd.x), unchecked: first &+ 8 &* row &+ 4)
            let mirrorEven = high.innerProduct(highRotation)
            let mirrorOdd = low.real * lowRotation.imaginary - low.imaginary * lowRotation.real
            unsafe output.store(SIMD4(mirrorEven.x, mirrorOdd.w, mirrorEven.y, mirrorOdd.z), unchecked: first &+ 8 &* mirror)
            unsafe output.store(SIMD4(mirrorEven.z, mirrorOdd.y, mirrorEven.w, mirrorOdd.x), unchecked: first &+ 8 &* mirror &+ 4)
        }
    }

    /// Computes four-point transforms across the lanes, of four rows at a time turned into columns.
    @inline(__always)
    private static func combineLanes(
        _ input: Span<ComplexVector>, into output: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, rows: Int
    ) {
        guard rows & 3 == 0 else { return combineLanesByElement(input, into: &output, twiddles, rows: rows) }
        for block in 0..<rows / 4 {
            let (a, b, c, d) = transposed(
                input[4 &* block] * twiddles[4 &* block], input[4 &* block &+ 1] * twiddles[4 &* block &+ 1],
                input[4 &* block &+ 2] * twiddles[4 &* block &+ 2], input[4 &* block &+ 3] * twiddles[4 &* block &+ 3])
            let (s0, s1, s2, s3) = FFTPasses.transform4(a, b, c, d)
            output[block] = s0
            output[block &+ rows / 4] = s1
            output[block &+ rows / 2] = s2
            output[block &+ 3 &* (rows / 4)] = s3
        }
    }

    /// Computes the same for a number of rows that is not a multiple of four.
    private static func combineLanesByElement(
        _ input: Span<ComplexVector>, into output: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, rows: Int
    ) {
        for row in 0..<rows {
            let value = input[row] * twiddles[row]
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
            for part in 0..<4 {
                let index = row + part * rows
                output[index / 4].real[index % 4] = real[part]
                output[index / 4].imaginary[index % 4] = imaginary[part]
            }
        }
    }

    /// Turns four rows of complex numbers into four columns.
    @inline(__always)
    private static func transposed(
        _ a: ComplexVector, _ b: ComplexVector, _ c: ComplexVector, _ d: ComplexVector
    ) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        let (r0, r1, r2, r3) = SIMD4<Float>.transposed(a.real, b.real, c.real, d.real)
        let (i0, i1, i2, i3) = SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
        return (ComplexVector(r0, i0), ComplexVector(r1, i1), ComplexVector(r2, i2), ComplexVector(r3, i3))
    }
}
