// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// The hybrid analysis of the lowest three QMF subbands into 10 bands (ISO/IEC 23003-1; ISO/IEC 14496-3:2009, 8.6.4.3).
struct HybridSplit: ~Copyable {
    /// The three subbands one after the other: six columns of the past, those of the frame, six ahead.
    private var columns: FixedArray<SIMD2<Float>>
    /// The columns of a frame.
    private let columnCount: Int
    /// The filters of four pairs of parts of the lowest subband: seven taps each, from the middle on; cosine and sine.
    private let filters: FixedArray<SIMD2<Float>>

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
        filters = FixedArray(count: 28) {
            let (part, distance) = ($0 / 7, $0 % 7)
            let turn = Double(2 * distance) / 8 * (Double(part) + 0.5)
            let tap = Self.prototype[distance]
            return SIMD2(Float(tap * CircularFunctions.cosinePi(turn)), Float(tap * CircularFunctions.sinePi(turn)))
        }
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
        var parts = FirstParts()
        for part in 0..<4 {
            var (cosine, sine) = (columns[first] * filters[7 * part].x, SIMD2<Float>(0, 0))
            for distance in 1...Self.reach {
                let (later, earlier) = (columns[first + distance], columns[first - distance])
                cosine += (later + earlier) * filters[7 * part + distance].x
                sine += (later - earlier) * filters[7 * part + distance].y
            }
            let turned = SIMD2(sine.y, -sine.x)
            parts.set(part, cosine + turned)
            parts.set(7 - part, cosine - turned)
        }
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
        /// The parts, two numbers each.
        private var values = SIMD16<Float>(repeating: 0)

        /// Sets a part.
        mutating func set(_ part: Int, _ value: SIMD2<Float>) {
            values[2 * part] = value.x
            values[2 * part + 1] = value.y
        }

        /// A part.
        subscript(part: Int) -> SIMD2<Float> { SIMD2(values[2 * part], values[2 * part + 1]) }
    }
}
