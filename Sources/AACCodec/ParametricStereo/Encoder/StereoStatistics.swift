// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What parametric stereo is estimated from: energies of two channels and their product, by stereo band and column, over the
/// last four frames.
struct StereoStatistics: ~Copyable {
    /// Columns that are kept; the newest frame is the last 32 of them.
    static let columnCount = 128
    /// Stereo bands.
    static let bandCount = 20

    /// Band b, column c at 128 b + c.
    private var left: [2560 of Float] = .init(repeating: 0)
    private var right: [2560 of Float] = .init(repeating: 0)
    private var product: [2560 of Float] = .init(repeating: 0)

    /// Sums over some columns.
    struct Sums {
        /// Energies of the channels.
        var left: Float = 0
        var right: Float = 0
        /// The real part of the sum of left times the conjugate of right.
        var product: Float = 0
    }

    /// Makes the statistics of silence.
    init() {}

    /// Takes four columns of a band, from `column` of the newest frame on.
    @inline(__always)
    mutating func store(_ band: Int, column: Int, left: SIMD4<Float>, right: SIMD4<Float>, product: SIMD4<Float>) {
        let place = Self.columnCount &* band &+ Self.columnCount &- SubbandColumns.columnCount &+ column
        var span = self.left.mutableSpan
        span.store(left, at: place)
        span = self.right.mutableSpan
        span.store(right, at: place)
        span = self.product.mutableSpan
        span.store(product, at: place)
    }

    /// Sums of a band over as many columns from `first` on as there are weights, a multiple of four.
    func sums(_ band: Int, from first: Int, weights: Span<Float>) -> Sums {
        var sums = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        let place = Self.columnCount &* band &+ first
        for index in Swift.stride(from: 0, to: weights.count, by: 4) {
            let weight = weights.vector(at: index)
            sums.0 += left.span.vector(at: place &+ index) * weight
            sums.1 += right.span.vector(at: place &+ index) * weight
            sums.2 += product.span.vector(at: place &+ index) * weight
        }
        return Sums(left: sums.0.laneSum, right: sums.1.laneSum, product: sums.2.laneSum)
    }

    /// Goes on to the next frame.
    mutating func advance() {
        Self.shift(&left)
        Self.shift(&right)
        Self.shift(&product)
    }

    private static func shift(_ values: inout [2560 of Float]) {
        var span = values.mutableSpan
        for band in 0..<bandCount {
            let start = columnCount &* band
            for column in Swift.stride(from: 0, to: columnCount &- SubbandColumns.columnCount, by: 4) {
                span.store(span.vector(at: start &+ column &+ SubbandColumns.columnCount), at: start &+ column)
            }
        }
    }
}

extension StereoStatistics.Sums {
    static func + (a: Self, b: Self) -> Self {
        Self(left: a.left + b.left, right: a.right + b.right, product: a.product + b.product)
    }
}
