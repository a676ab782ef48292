// SPDX-License-Identifier: Apache-2.0

/// The passes of a self-sorting (Stockham) complex FFT over rows of four independent lanes.
///
/// A pass of radix p transforms sequences of length n = p·m with stride `stride` to sequences of length m with stride p · `stride`.
/// Its twiddle factors are m runs of p - 1 vectors, exp(-2πi q u / n) for u = 1 ..< p, with the same value in all lanes. Pass literal
/// sizes so that loops and bounds checks fold.
enum FFTPasses {
    @inline(__always)
    static func transform4(
        _ a: ComplexVector, _ b: ComplexVector, _ c: ComplexVector, _ d: ComplexVector
    ) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        let ac = a + c
        let bd = b + d
        let acDifference = a - c
        let bdDifference = b - d
        return (
            ac + bd, .sum(acDifference, minusITimes: bdDifference), ac - bd, .sum(acDifference, plusITimes: bdDifference)
        )
    }

    /// Computes a radix-4 pass, whose twiddle factors start at index `first`.
    @inline(__always)
    static func radix4(
        _ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>,
        from first: Int, m: Int, stride: Int
    ) {
        let part = stride &* m
        // All indices are within these bounds. Non-literal sizes are checked only here.
        let (twiddles, x) = (twiddles.extracting(first..<first &+ 3 &* m), x.extracting(0..<4 &* part))
        precondition(y.count >= 4 &* part)
        for q in 0..<m {
            let (w1, w2, w3) = unsafe (twiddles[unchecked: 3 &* q], twiddles[unchecked: 3 &* q &+ 1], twiddles[unchecked: 3 &* q &+ 2])
            for j in 0..<stride {
                let source = j &+ stride &* q
                let (s0, s1, s2, s3) = unsafe transform4(
                    x[unchecked: source], x[unchecked: source &+ part], x[unchecked: source &+ 2 &* part],
                    x[unchecked: source &+ 3 &* part])
                let target = j &+ 4 &* stride &* q
                unsafe y[unchecked: target] = s0
                unsafe y[unchecked: target &+ stride] = s1 * w1
                unsafe y[unchecked: target &+ 2 &* stride] = s2 * w2
                unsafe y[unchecked: target &+ 3 &* stride] = s3 * w3
            }
        }
    }

    /// Computes a radix-4 pass as the last pass.
    @inline(__always)
    static func lastRadix4(_ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, stride: Int) {
        for j in 0..<stride {
            let (s0, s1, s2, s3) = transform4(x[j], x[j &+ stride], x[j &+ 2 &* stride], x[j &+ 3 &* stride])
            y[j] = s0
            y[j &+ stride] = s1
            y[j &+ 2 &* stride] = s2
            y[j &+ 3 &* stride] = s3
        }
    }

    /// Computes a radix-8 pass as the last pass.
    @inline(__always)
    static func lastRadix8(_ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, stride: Int) {
        for j in 0..<stride {
            let (low, high) = transform8(x, at: j, stride: stride)
            y[j] = low.0
            y[j &+ stride] = low.1
            y[j &+ 2 &* stride] = low.2
            y[j &+ 3 &* stride] = low.3
            y[j &+ 4 &* stride] = high.0
            y[j &+ 5 &* stride] = high.1
            y[j &+ 6 &* stride] = high.2
            y[j &+ 7 &* stride] = high.3
        }
    }

    /// Returns the eight-point transform of `x[first]`, `x[first + stride]` and so on, as two groups of four values.
    @inline(__always)
    static func transform8(
        _ x: Span<ComplexVector>, at first: Int, stride: Int
    ) -> (
        low: (ComplexVector, ComplexVector, ComplexVector, ComplexVector),
        high: (ComplexVector, ComplexVector, ComplexVector, ComplexVector)
    ) {
        let diagonal = SIMD4<Float>(repeating: 0.707_106_77)
        let (a0, a1, a2, a3) = transform4(x[first], x[first &+ 2 &* stride], x[first &+ 4 &* stride], x[first &+ 6 &* stride])
        let (b0, b1, b2, b3) = transform4(
            x[first &+ stride], x[first &+ 3 &* stride], x[first &+ 5 &* stride], x[first &+ 7 &* stride])
        let c1 = ComplexVector.sum(b1, minusITimes: b1) * diagonal
        let c3 = ComplexVector.sum(b3, plusITimes: b3) * diagonal
        return ((a0 + b0, a1 + c1, .sum(a2, minusITimes: b2), a3 - c3), (a0 - b0, a1 - c1, .sum(a2, plusITimes: b2), a3 + c3))
    }

    @inline(__always)
    static func transform3(
        _ a: ComplexVector, _ b: ComplexVector, _ c: ComplexVector
    ) -> (ComplexVector, ComplexVector, ComplexVector) {
        let sum = b + c
        let difference = (b - c) * SIMD4(repeating: 0.866_025_4)
        let middle = a - sum * SIMD4(repeating: 0.5)
        return (a + sum, .sum(middle, minusITimes: difference), .sum(middle, plusITimes: difference))
    }

    /// Computes a radix-3 pass, whose twiddle factors start at index `first`.
    @inline(__always)
    static func radix3(
        _ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>,
        from first: Int, m: Int, stride: Int
    ) {
        for q in 0..<m {
            for j in 0..<stride {
                let source = j &+ stride &* q
                let (s0, s1, s2) = transform3(x[source], x[source &+ stride &* m], x[source &+ 2 &* stride &* m])
                let target = j &+ 3 &* stride &* q
                y[target] = s0
                y[target &+ stride] = s1 * twiddles[first &+ 2 &* q]
                y[target &+ 2 &* stride] = s2 * twiddles[first &+ 2 &* q &+ 1]
            }
        }
    }

    /// Computes a radix-5 pass as the first pass (stride 1).
    @inline(__always)
    static func firstRadix5(
        _ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, m: Int
    ) {
        let cosine1 = SIMD4<Float>(repeating: 0.309_017)
        let cosine2 = SIMD4<Float>(repeating: -0.809_017)
        let sine1 = SIMD4<Float>(repeating: 0.951_056_5)
        let sine2 = SIMD4<Float>(repeating: 0.587_785_25)
        for q in 0..<m {
            let a = x[q]
            let sum14 = x[q &+ m] + x[q &+ 4 &* m]
            let difference14 = x[q &+ m] - x[q &+ 4 &* m]
            let sum23 = x[q &+ 2 &* m] + x[q &+ 3 &* m]
            let difference23 = x[q &+ 2 &* m] - x[q &+ 3 &* m]
            let even1 = a + sum14 * cosine1 + sum23 * cosine2
            let even2 = a + sum14 * cosine2 + sum23 * cosine1
            let odd1 = difference14 * sine1 + difference23 * sine2
            let odd2 = difference14 * sine2 - difference23 * sine1
            y[5 &* q] = a + sum14 + sum23
            y[5 &* q &+ 1] = .sum(even1, minusITimes: odd1) * twiddles[4 &* q]
            y[5 &* q &+ 2] = .sum(even2, minusITimes: odd2) * twiddles[4 &* q &+ 1]
            y[5 &* q &+ 3] = .sum(even2, plusITimes: odd2) * twiddles[4 &* q &+ 2]
            y[5 &* q &+ 4] = .sum(even1, plusITimes: odd1) * twiddles[4 &* q &+ 3]
        }
    }
}

/// The plan of a transform. The number of rows determines its passes.
extension FFTPasses {
    /// Returns the radix of the next pass for a length with the factors 5 (at most once), 3, 4 and 8.
    @inline(__always)
    static func radix(ofLength length: Int) -> Int {
        if length % 5 == 0 { return 5 }
        if length % 3 == 0 { return 3 }
        precondition(length % 4 == 0, "unsupported MDCT length")
        return length == 8 ? 8 : 4
    }

    /// Runs two or three passes, alternating between `a` and `b`, and returns whether the result is in `a`.
    ///
    /// Pass literal `rows` so that sizes fold.
    @inline(__always)
    static func run(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, rows: Int
    ) -> Bool {
        let radix1 = radix(ofLength: rows)
        let length2 = rows / radix1
        pass(a.span, &b, twiddles, from: 0, length: rows, stride: 1)
        let radix2 = radix(ofLength: length2)
        let length3 = length2 / radix2
        pass(b.span, &a, twiddles, from: rows &- length2, length: length2, stride: radix1)
        guard length3 > 1 else { return true }
        pass(a.span, &b, twiddles, from: rows &- length3, length: length3, stride: radix1 &* radix2)
        return false
    }

    /// Runs any number of passes with functions that are compiled once for all sizes.
    ///
    /// Returns whether the result is in `a`.
    static func runOfAnyLength(
        _ a: inout MutableSpan<ComplexVector>, _ b: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, rows: Int
    ) -> Bool {
        var (length, isInA) = (rows, true)
        while length > 1 {
            let first = rows &- length
            if isInA {
                anyPass(a.span, &b, twiddles, from: first, length: length, stride: rows / length)
            } else {
                anyPass(b.span, &a, twiddles, from: first, length: length, stride: rows / length)
            }
            length /= radix(ofLength: length)
            isInA.toggle()
        }
        return isInA
    }

    /// Computes a pass for transforms of a length with stride `stride`.
    @inline(__always)
    private static func pass(
        _ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, from first: Int, length: Int,
        stride: Int
    ) {
        switch radix(ofLength: length) {
        case 5: firstRadix5(x, &y, twiddles, m: length / 5)
        case 3: radix3(x, &y, twiddles, from: first, m: length / 3, stride: stride)
        case 8: lastRadix8(x, &y, stride: stride)
        default:
            if length == 4 {
                lastRadix4(x, &y, stride: stride)
            } else {
                radix4(x, &y, twiddles, from: first, m: length / 4, stride: stride)
            }
        }
    }

    /// Computes the pass for a size that is unknown at compile time.
    @inline(never)
    private static func anyPass(
        _ x: Span<ComplexVector>, _ y: inout MutableSpan<ComplexVector>, _ twiddles: Span<ComplexVector>, from first: Int, length: Int,
        stride: Int
    ) { pass(x, &y, twiddles, from: first, length: length, stride: stride) }
}
