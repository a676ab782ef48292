// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Splits the lowest QMF subbands into narrower bands (ISO/IEC 14496-3:2009, 8.6.4.3).
///
/// Filters reach six columns back and six ahead. In the decoder the latter are there already, so that there is no delay; in
/// the encoder columns come out ``encoderDelay`` later.
struct HybridAnalysis: ~Copyable {
    /// Columns back and ahead.
    static let reach = 6
    /// Columns by which ``split(_:_:into:_:)`` is behind ``append(_:column:)``: a multiple of four that covers the reach.
    static let encoderDelay = 8
    /// Places for the columns of a subband.
    private static let stride = 48

    /// Five subbands, one after the other: six columns of the past, those of the frame, six ahead.
    private var real: [240 of Float] = .init(repeating: 0)
    private var imaginary: [240 of Float] = .init(repeating: 0)

    /// Makes an analysis with a silent past.
    init() {}

    /// Takes the columns of a frame, and those ahead, from the low band.
    mutating func load(_ low: inout LowBandColumns, columnCount: Int) {
        var column = 0
        while column < columnCount + Self.reach {
            let first = min(column, 34)
            // Grid column i is 2 columns further on in the low band's count.
            let row = LowBandColumns.row(ofColumn: first &+ 2)
            Self.store(low.real.span, row, column: first, into: &real)
            Self.store(low.imaginary.span, row, column: first, into: &imaginary)
            column += 4
        }
    }

    @inline(__always)
    private static func store(_ source: Span<SIMD4<Float>>, _ row: Int, column: Int, into target: inout [240 of Float]) {
        let lowest = SIMD4<Float>.transposed(source[row], source[row &+ 8], source[row &+ 16], source[row &+ 24])
        let fifth = SIMD4(source[row &+ 1].x, source[row &+ 9].x, source[row &+ 17].x, source[row &+ 25].x)
        var span = target.mutableSpan
        let place = reach &+ column
        span.store(lowest.0, at: place)
        span.store(lowest.1, at: stride &+ place)
        span.store(lowest.2, at: 2 &* stride &+ place)
        span.store(lowest.3, at: 3 &* stride &+ place)
        span.store(fifth, at: 4 &* stride &+ place)
    }

    /// Takes four columns, one in each lane, of the lowest three subbands, which are all that 20 bands need.
    mutating func append(_ subbands: Span<ComplexVector>, column: Int) {
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        for subband in 0..<3 {
            let place = Self.stride &* subband &+ Self.reach &+ Self.encoderDelay &+ column
            reals.store(subbands[subband].real, at: place)
            imaginaries.store(subbands[subband].imaginary, at: place)
        }
    }

    /// Keeps the last columns of a frame for the next.
    mutating func advance(columnCount: Int) {
        for subband in 0..<5 {
            for column in 0..<Self.reach + Self.encoderDelay {
                let place = Self.stride &* subband &+ column
                real[place] = real[place &+ columnCount]
                imaginary[place] = imaginary[place &+ columnCount]
            }
        }
    }

    /// Makes the low bands of four columns, one in each lane.
    mutating func split(_ column: Int, _ bands: StereoBands, into low: inout MutableSpan<ComplexVector>, _ tables: StereoTables) {
        let filters = tables.filters.span
        if bands == .bands20 {
            split20(column, filters, into: &low)
            return
        }
        var target = 0
        for subband in 0..<5 {
            let filter = subband == 0 ? 1 : subband == 1 ? 2 : 3
            let partCount = subband == 0 ? 12 : subband == 1 ? 8 : 4
            let taps = Taps(real.span, imaginary.span, subband: subband, column: column)
            for pair in 0..<partCount / 2 {
                let parts = taps.pair(filters, StereoTables.filterStarts[filter] + 6 * pair, center: 1 / Float(partCount))
                low[target + pair] = parts.cosine + parts.sine.timesMinusI
                low[target + partCount - 1 - pair] = parts.cosine - parts.sine.timesMinusI
            }
            target += partCount
        }
    }

    /// Eight parts of the lowest subband, of which the upper four are added in pairs, and two of each of the next.
    private mutating func split20(_ column: Int, _ filters: Span<SIMD2<Float>>, into low: inout MutableSpan<ComplexVector>) {
        let taps = Taps(real.span, imaginary.span, subband: 0, column: column)
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
        let first = Taps(real.span, imaginary.span, subband: 1, column: column).halves()
        low[6] = first.upper
        low[7] = first.lower
        let second = Taps(real.span, imaginary.span, subband: 2, column: column).halves()
        low[8] = second.lower
        low[9] = second.upper
    }

    /// Thirteen columns around each of four, as the middle, and sums and differences of those at the same distance.
    private struct Taps {
        var middle: ComplexVector
        var sums = InlineArray<6, ComplexVector>(repeating: .zero)
        var differences = InlineArray<6, ComplexVector>(repeating: .zero)

        @inline(__always)
        init(_ real: Span<Float>, _ imaginary: Span<Float>, subband: Int, column: Int) {
            let place = stride &* subband &+ column &+ reach
            middle = ComplexVector(real.vector(at: place), imaginary.vector(at: place))
            for tap in 0..<6 {
                let ahead = ComplexVector(
                    real.vector(at: place &+ tap &+ 1), imaginary.vector(at: place &+ tap &+ 1))
                let back = ComplexVector(real.vector(at: place &- tap &- 1), imaginary.vector(at: place &- tap &- 1))
                sums[tap] = ahead + back
                differences[tap] = ahead - back
            }
        }

        /// The cosine and the sine part of a pair of filters: they are cosine - i sine and cosine + i sine.
        @inline(__always)
        func pair(
            _ filters: Span<SIMD2<Float>>, _ first: Int, center: Float
        ) -> (cosine: ComplexVector, sine: ComplexVector) {
            var cosine = middle * SIMD4(repeating: center)
            var sine = ComplexVector.zero
            for tap in 0..<6 {
                let factors = filters[first &+ tap]
                cosine = cosine + sums[tap] * SIMD4(repeating: factors.x)
                sine = sine + differences[tap] * SIMD4(repeating: factors.y)
            }
            return (cosine, sine)
        }

        /// The lower and the upper half of a subband, by the real filters.
        @inline(__always)
        func halves() -> (lower: ComplexVector, upper: ComplexVector) {
            let half = middle * SIMD4(repeating: 0.5)
            let sides =
                sums[0] * SIMD4(repeating: 0.305_966_305_451_68) + sums[2] * SIMD4(repeating: -0.072_931_391_675_38)
                + sums[4] * SIMD4(repeating: 0.018_994_875_260_49)
            return (half + sides, half - sides)
        }
    }
}
