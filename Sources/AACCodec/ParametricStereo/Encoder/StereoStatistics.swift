// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What parametric stereo is estimated from, by stereo band and column, over the last four frames.
struct StereoStatistics: ~Copyable {
    /// Columns that are kept; the newest frame is the last 32 of them.
    static let columnCount = 128
    /// Stereo bands.
    static let bandCount = 20

    /// One quantity of each band and column.
    struct Values<Value> {
        /// Energies of the two channels.
        var left: Value
        var right: Value
        /// The real part of left times the conjugate of right.
        var product: Value
        /// Energies of the one channel, and of the twin that a decoder makes of it.
        var mono: Value
        var twin: Value
        /// The real part of the one channel times the conjugate of the twin.
        var cross: Value
    }

    /// Band b, column c at 128 b + c.
    private typealias Plane = [2560 of Float]
    private var left = Plane(repeating: 0)
    private var right = Plane(repeating: 0)
    private var product = Plane(repeating: 0)
    private var mono = Plane(repeating: 0)
    private var twin = Plane(repeating: 0)
    private var cross = Plane(repeating: 0)

    /// Makes the statistics of silence.
    init() {}

    /// Takes four columns of a band, from `column` of the newest frame on.
    @inline(__always)
    mutating func store(_ values: Values<SIMD4<Float>>, band: Int, column: Int) {
        let place = Self.columnCount &* band &+ Self.columnCount &- SubbandColumns.columnCount &+ column
        Self.store(values.left, &left, place)
        Self.store(values.right, &right, place)
        Self.store(values.product, &product, place)
        Self.store(values.mono, &mono, place)
        Self.store(values.twin, &twin, place)
        Self.store(values.cross, &cross, place)
    }

    @inline(__always)
    private static func store(_ values: SIMD4<Float>, _ plane: inout Plane, _ place: Int) {
        var span = plane.mutableSpan
        span.store(values, at: place)
    }

    /// Sums of a band over as many columns from `first` on as there are weights, a multiple of four.
    func sums(_ band: Int, from first: Int, weights: Span<Float>) -> Values<Float> {
        let place = Self.columnCount &* band &+ first
        return Values(
            left: Self.sum(left.span, place, weights), right: Self.sum(right.span, place, weights),
            product: Self.sum(product.span, place, weights), mono: Self.sum(mono.span, place, weights),
            twin: Self.sum(twin.span, place, weights), cross: Self.sum(cross.span, place, weights))
    }

    @inline(__always)
    private static func sum(_ plane: Span<Float>, _ place: Int, _ weights: Span<Float>) -> Float {
        var sum = SIMD4<Float>(repeating: 0)
        for index in Swift.stride(from: 0, to: weights.count, by: 4) {
            sum += plane.vector(at: place &+ index) * weights.vector(at: index)
        }
        return sum.laneSum
    }

    /// Goes on to the next frame.
    mutating func advance() {
        Self.shift(&left)
        Self.shift(&right)
        Self.shift(&product)
        Self.shift(&mono)
        Self.shift(&twin)
        Self.shift(&cross)
    }

    private static func shift(_ plane: inout Plane) {
        var span = plane.mutableSpan
        for band in 0..<bandCount {
            let start = columnCount &* band
            for column in Swift.stride(from: 0, to: columnCount &- SubbandColumns.columnCount, by: 4) {
                span.store(span.vector(at: start &+ column &+ SubbandColumns.columnCount), at: start &+ column)
            }
        }
    }
}

extension StereoStatistics.Values<Float> {
    static func + (a: Self, b: Self) -> Self {
        Self(
            left: a.left + b.left, right: a.right + b.right, product: a.product + b.product, mono: a.mono + b.mono,
            twin: a.twin + b.twin, cross: a.cross + b.cross)
    }
}
