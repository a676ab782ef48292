// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The hybrid analysis of the lowest three QMF subbands into 10 bands (ISO/IEC 23003-1; ISO/IEC 14496-3:2009, 8.6.4.3).
struct HybridSplit: ~Copyable {
    /// The three subbands one after the other: six columns of the past, those of the frame, six ahead.
    private var columns: FixedArray<SIMD2<Float>>
    /// The columns of a frame.
    private let columnCount: Int
    /// The cosines of the filters of four pairs of parts of the lowest subband: seven taps, from the middle on.
    private let cosines: FixedArray<SIMD4<Float>>
    /// The sines of the same.
    private let sines: FixedArray<SIMD4<Float>>

    /// The columns before and after the current one to which the filters extend.
    static let reach = 6

    /// The prototype of eight parts from the middle tap on.
    private static let prototype: [Double] = [
        0.125, 0.117_937_105_672_17, 0.098_851_085_752_64, 0.072_661_139_295_91, 0.045_468_659_304_73, 0.022_704_209_498_25,
        0.007_460_829_498_12,
    ]
    /// The taps of the halves at distances 1, 3 and 5.
    private static let halfTaps = SIMD3<Float>(0.305_966_305_451_68, -0.072_931_391_675_38, 0.018_994_875_260_49)

    /// Makes a filter bank with a silent past.
    init(columnCount: Int) {
        self.columnCount = columnCount
        columns = FixedArray(repeating: SIMD2(0, 0), count: 3 * (columnCount + 2 * Self.reach))
        /// Returns a factor of a tap for four parts.
        func factors(_ distance: Int, _ part: (Double) -> Double) -> SIMD4<Float> {
            var result = SIMD4<Float>()
            for index in 0..<4 {
                result[index] = Float(Self.prototype[distance] * part(Double(2 * distance) / 8 * (Double(index) + 0.5)))
            }
            return result
        }
        cosines = FixedArray(count: 7) { factors($0, CircularFunctions.cosinePi) }
        sines = FixedArray(count: 7) { factors($0, CircularFunctions.sinePi) }
    }

    /// Sets a column of a subband; the columns of the frame begin at 0, and six more follow them.
    mutating func set(_ value: SIMD2<Float>, subband: Int, column: Int) {
        columns[subband * (columnCount + 2 * Self.reach) + Self.reach + column] = value
    }

    /// Ends a frame.
    mutating func advance() {
        let length = columnCount + 2 * Self.reach
        for subband in 0..<3 {
            let start = subband * length
            columns.copy(start + columnCount..<start + length, to: start)
        }
    }

    /// Returns the ten bands of a column.
    func bands(_ column: Int) -> (FirstParts, SIMD4<Float>, SIMD4<Float>) {
        let length = columnCount + 2 * Self.reach
        let first = Self.reach + column
        // Part q of the lowest subband is Σ g(n) x(n) exp(-iπ/4 (q + ½) (n - 6)); part 7 - q has the conjugate factors.
        let columns = columns.span.extracting(column..<column + 2 * length + 2 * Self.reach + 1)
        let middle = columns[Self.reach]
        // Real and imaginary part of the even and of the odd sum, each of four parts.
        var (evenReal, evenImaginary) = (cosines[0] * middle.x, cosines[0] * middle.y)
        var (oddReal, oddImaginary) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for distance in 1...Self.reach {
            let (later, earlier) = (columns[Self.reach &+ distance], columns[Self.reach &- distance])
            let (sum, difference) = (later + earlier, later - earlier)
            let (cosine, sine) = (cosines[distance], sines[distance])
            evenReal += cosine * sum.x
            evenImaginary += cosine * sum.y
            oddReal += sine * difference.x
            oddImaginary += sine * difference.y
        }
        let parts = FirstParts(
            lowReal: evenReal + oddImaginary, lowImaginary: evenImaginary - oddReal,
            highReal: evenReal - oddImaginary, highImaginary: evenImaginary + oddReal)
        return (parts, halves(first + length), halves(first + 2 * length))
    }

    /// Returns the lower and the upper half of a subband.
    private func halves(_ index: Int) -> SIMD4<Float> {
        let middle = columns[index] * 0.5
        var sides = SIMD2<Float>(0, 0)
        for tap in 0..<3 {
            sides += (columns[index + 2 * tap + 1] + columns[index - 2 * tap - 1]) * Self.halfTaps[tap]
        }
        return SIMD4(lowHalf: middle + sides, highHalf: middle - sides)
    }

    /// The eight parts of the lowest subband.
    struct FirstParts {
        /// The real parts of 0 to 3.
        let lowReal: SIMD4<Float>
        /// The imaginary parts of 0 to 3.
        let lowImaginary: SIMD4<Float>
        /// The real parts of 7 to 4.
        let highReal: SIMD4<Float>
        /// The imaginary parts of 7 to 4.
        let highImaginary: SIMD4<Float>

        /// A part.
        @inline(__always)
        subscript(part: Int) -> SIMD2<Float> {
            part < 4 ? SIMD2(lowReal[part], lowImaginary[part]) : SIMD2(highReal[7 &- part], highImaginary[7 &- part])
        }
    }
}
