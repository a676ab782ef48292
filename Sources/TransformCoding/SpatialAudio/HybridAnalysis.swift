// SPDX-License-Identifier: Apache-2.0

/// The hybrid analysis filter bank of parametric stereo and MPEG Surround: splits the lowest QMF subbands into narrower bands (ISO/IEC
/// 14496-3:2009, 8.6.4.3; ISO/IEC 23003-1).
///
/// It splits three subbands into 10 bands, or, for 34 stereo bands, five into 32.
///
/// The filters extend six columns back and six ahead. In the decoder the columns ahead are available, so that there is no delay;
/// in the encoder the delay is ``encoderDelay``.
package struct HybridAnalysis: ~Copyable {
    /// The columns before and after the current one to which the filters extend.
    package static let reach = 6
    /// The delay from ``append(_:column:)`` to ``split(_:isFine:into:)`` in columns: a multiple of four, at least ``reach``.
    package static let encoderDelay = 8

    /// Real parts of five subbands, one after the other: six columns of the past, those of the frame, six ahead.
    private var real: FixedArray<Float>
    /// Imaginary parts, likewise.
    private var imaginary: FixedArray<Float>
    /// The columns of a frame.
    private let columnCount: Int
    /// Values for the columns of a subband.
    private let stride: Int

    /// Makes a filter bank with a silent past.
    ///
    /// - Parameter columnCount: The columns of a frame.
    package init(columnCount: Int) {
        self.columnCount = columnCount
        // Whole groups of four columns, and the columns ahead of the last one.
        stride = (columnCount + 3) & ~3 + 16
        real = FixedArray(repeating: 0, count: 5 * stride)
        imaginary = FixedArray(repeating: 0, count: 5 * stride)
    }

    /// Returns to a silent past.
    package mutating func reset() {
        real.fill(0)
        imaginary.fill(0)
    }

    /// Loads the columns of a frame, and those ahead, from the low band.
    package mutating func load(_ low: borrowing LowBandColumns) {
        var column = 0
        while column < columnCount + Self.reach {
            let first = min(column, columnCount + Self.reach - 4)
            // Column i of the frame is column i + t_HFAdj of X_Low.
            let row = LowBandColumns.row(ofColumn: first &+ 2)
            Self.store(low.real.span.extracting(row..<row &+ 26), column: first, stride: stride, into: &real)
            Self.store(low.imaginary.span.extracting(row..<row &+ 26), column: first, stride: stride, into: &imaginary)
            column += 4
        }
    }

    /// Sets a value; the columns of the frame begin at 0, and six more follow them.
    package mutating func set(_ value: SIMD2<Float>, subband: Int, column: Int) {
        real[stride * subband + Self.reach + column] = value.x
        imaginary[stride * subband + Self.reach + column] = value.y
    }

    /// Stores four columns of the lowest five subbands.
    @inline(__always)
    private static func store(
        _ source: Span<SIMD4<Float>>, column: Int, stride: Int, into target: inout FixedArray<Float>
    ) {
        let source = source.extracting(0..<26)
        let lowest = SIMD4<Float>.transposed(source[0], source[8], source[16], source[24])
        let fifth = SIMD4(source[1].x, source[9].x, source[17].x, source[25].x)
        var span = target.mutableSpan
        let offset = reach &+ column
        span.store(lowest.0, at: offset)
        span.store(lowest.1, at: stride &+ offset)
        span.store(lowest.2, at: 2 &* stride &+ offset)
        span.store(lowest.3, at: 3 &* stride &+ offset)
        span.store(fifth, at: 4 &* stride &+ offset)
    }

    /// Appends four columns, one in each lane, of the lowest three subbands, which are split for 20 stereo bands.
    package mutating func append(_ subbands: Span<ComplexVector>, column: Int) {
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        for subband in 0..<3 {
            let offset = stride &* subband &+ Self.reach &+ Self.encoderDelay &+ column
            reals.store(subbands[subband].real, at: offset)
            imaginaries.store(subbands[subband].imaginary, at: offset)
        }
    }

    /// Ends a frame: keeps its last columns for the next.
    package mutating func advance(columnCount: Int) {
        for subband in 0..<5 {
            let start = stride &* subband
            let last = start &+ columnCount..<start &+ columnCount &+ Self.reach &+ Self.encoderDelay
            real.copy(last, to: start)
            imaginary.copy(last, to: start)
        }
    }

    /// Splits four columns from `column` on into hybrid bands, one column in each lane.
    ///
    /// - Parameter isFine: Whether five subbands are split into 32 bands.
    package func split(_ column: Int, isFine: Bool, into low: inout MutableSpan<ComplexVector>) {
        let taps = HybridFilters.taps
        let filters = taps.span
        guard isFine else { return split10(column, filters, into: &low) }
        var target = 0
        for subband in 0..<5 {
            let filter = subband == 0 ? 1 : subband == 1 ? 2 : 3
            let partCount = subband == 0 ? 12 : subband == 1 ? 8 : 4
            let taps = Taps(real.span, imaginary.span, offset: offset(subband, column))
            for pair in 0..<partCount / 2 {
                let parts = taps.pair(filters, HybridFilters.starts[filter] + 6 * pair, center: 1 / Float(partCount))
                low[target + pair] = parts.cosine + parts.sine.timesMinusI
                low[target + partCount - 1 - pair] = parts.cosine - parts.sine.timesMinusI
            }
            target += partCount
        }
    }

    /// Splits into 10 bands: subband 0 into eight parts, of which the upper four are added in pairs, subbands 1 and 2 into two.
    private func split10(_ column: Int, _ filters: Span<SIMD2<Float>>, into low: inout MutableSpan<ComplexVector>) {
        let taps = Taps(real.span, imaginary.span, offset: offset(0, column))
        let pair0 = taps.pair(filters, 0, center: 0.125)
        let pair1 = taps.pair(filters, 6, center: 0.125)
        let pair2 = taps.pair(filters, 12, center: 0.125)
        let pair3 = taps.pair(filters, 18, center: 0.125)
        low[0] = pair1.cosine - pair1.sine.timesMinusI
        low[1] = pair0.cosine - pair0.sine.timesMinusI
        low[2] = pair0.cosine + pair0.sine.timesMinusI
        low[3] = pair1.cosine + pair1.sine.timesMinusI
        low[4] = pair2.cosine + pair2.cosine
        low[5] = pair3.cosine + pair3.cosine
        let first = Taps(real.span, imaginary.span, offset: offset(1, column)).halves()
        low[6] = first.upper
        low[7] = first.lower
        let second = Taps(real.span, imaginary.span, offset: offset(2, column)).halves()
        low[8] = second.lower
        low[9] = second.upper
    }

    /// Returns the index of the first of four columns of a subband.
    @inline(__always)
    private func offset(_ subband: Int, _ column: Int) -> Int { stride &* subband &+ column &+ Self.reach }

    /// The 13 columns around each of four, as the middle one, and the sums and differences of those at the same distance from it.
    private struct Taps {
        /// The column that the output belongs to.
        var middle: ComplexVector
        /// Sums of the columns at distances 1 to 6.
        let sums: Six
        /// Differences of the columns at distances 1 to 6, the later minus the earlier.
        let differences: Six

        /// A value for each distance from 1 to 6.
        typealias Six = (ComplexVector, ComplexVector, ComplexVector, ComplexVector, ComplexVector, ComplexVector)

        /// Loads the columns around four columns from an index on.
        @inline(__always)
        init(_ real: Span<Float>, _ imaginary: Span<Float>, offset: Int) {
            let columns = offset &- HybridAnalysis.reach..<offset &+ HybridAnalysis.reach &+ 4
            let (real, imaginary) = (real.extracting(columns), imaginary.extracting(columns))
            let offset = HybridAnalysis.reach
            middle = ComplexVector(real.vector(at: offset), imaginary.vector(at: offset))
            let pairs = (
                Self.pair(real, imaginary, offset, distance: 1), Self.pair(real, imaginary, offset, distance: 2),
                Self.pair(real, imaginary, offset, distance: 3), Self.pair(real, imaginary, offset, distance: 4),
                Self.pair(real, imaginary, offset, distance: 5), Self.pair(real, imaginary, offset, distance: 6)
            )
            sums = (pairs.0.sum, pairs.1.sum, pairs.2.sum, pairs.3.sum, pairs.4.sum, pairs.5.sum)
            differences = (
                pairs.0.difference, pairs.1.difference, pairs.2.difference, pairs.3.difference, pairs.4.difference,
                pairs.5.difference
            )
        }

        /// Returns the sum and the difference of the columns at a distance.
        @inline(__always)
        private static func pair(
            _ real: Span<Float>, _ imaginary: Span<Float>, _ offset: Int, distance: Int
        ) -> (sum: ComplexVector, difference: ComplexVector) {
            let ahead = ComplexVector(real.vector(at: offset &+ distance), imaginary.vector(at: offset &+ distance))
            let back = ComplexVector(real.vector(at: offset &- distance), imaginary.vector(at: offset &- distance))
            return (ahead + back, ahead - back)
        }

        /// Returns the cosine and the sine part of a pair of complex filters, whose outputs are cosine - i sine and cosine + i sine.
        @inline(__always)
        func pair(
            _ filters: Span<SIMD2<Float>>, _ first: Int, center: Float
        ) -> (cosine: ComplexVector, sine: ComplexVector) {
            var cosine = middle * SIMD4(repeating: center)
            var sine = ComplexVector.zero
            Self.add(filters[first], sums.0, differences.0, to: &cosine, &sine)
            Self.add(filters[first &+ 1], sums.1, differences.1, to: &cosine, &sine)
            Self.add(filters[first &+ 2], sums.2, differences.2, to: &cosine, &sine)
            Self.add(filters[first &+ 3], sums.3, differences.3, to: &cosine, &sine)
            Self.add(filters[first &+ 4], sums.4, differences.4, to: &cosine, &sine)
            Self.add(filters[first &+ 5], sums.5, differences.5, to: &cosine, &sine)
            return (cosine, sine)
        }

        /// Adds the products of a tap with its sum and its difference to the cosine and the sine part.
        @inline(__always)
        private static func add(
            _ factors: SIMD2<Float>, _ sum: ComplexVector, _ difference: ComplexVector, to cosine: inout ComplexVector,
            _ sine: inout ComplexVector
        ) {
            cosine = cosine + sum * SIMD4(repeating: factors.x)
            sine = sine + difference * SIMD4(repeating: factors.y)
        }

        /// Returns the lower and the upper half of a subband, by the real filters.
        @inline(__always)
        func halves() -> (lower: ComplexVector, upper: ComplexVector) {
            let half = middle * SIMD4(repeating: 0.5)
            let taps = HybridFilters.halfTaps
            let sides =
                sums.0 * SIMD4(repeating: taps.x) + sums.2 * SIMD4(repeating: taps.y) + sums.4 * SIMD4(repeating: taps.z)
            return (half + sides, half - sides)
        }
    }
}
