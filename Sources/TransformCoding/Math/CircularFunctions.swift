// SPDX-License-Identifier: Apache-2.0

/// Sine, cosine and a Bessel function for tables, computed from series.
///
/// Results are bit-identical on all machines, which no system's libm guarantees.
package enum CircularFunctions {
    /// Returns sin(π x) with an error of about 2e-16, for finite x of moderate size.
    package static func sinePi(_ x: Double) -> Double { sinePi(x, quarters: 0) }

    /// Returns cos(π x) with an error of about 2e-16, for finite x of moderate size.
    package static func cosinePi(_ x: Double) -> Double { sinePi(x, quarters: 1) }

    /// Returns sin(π (x + `quarters` / 2)).
    private static func sinePi(_ x: Double, quarters: Int) -> Double {
        let whole = (2 * x).rounded(.toNearestOrEven)
        let rest = (x - whole / 2) * Double.pi
        switch (Int(whole) &+ quarters) & 3 {
        case 0: return sineSeries(rest)
        case 1: return cosineSeries(rest)
        case 2: return -sineSeries(rest)
        default: return -cosineSeries(rest)
        }
    }

    /// Returns the modified Bessel function of the first kind and order 0: the sum over k of ((x/2)^k / k!)².
    package static func besselI0(_ x: Double) -> Double {
        let quarter = x * x / 4
        var term = 1.0
        var sum = 1.0
        var k = 1.0
        while term > sum * 1e-18 {
            term *= quarter / (k * k)
            sum += term
            k += 1
        }
        return sum
    }

    /// Returns the Taylor series of sin(x) for |x| up to π/4, whose first omitted term is below 1e-19.
    private static func sineSeries(_ x: Double) -> Double {
        var series = Series(first: x, factor: -x * x)
        series.add(2 * 3)
        series.add(4 * 5)
        series.add(6 * 7)
        series.add(8 * 9)
        series.add(10 * 11)
        series.add(12 * 13)
        series.add(14 * 15)
        series.add(16 * 17)
        series.add(18 * 19)
        return series.sum
    }

    /// Returns the Taylor series of cos(x) for |x| up to π/4.
    private static func cosineSeries(_ x: Double) -> Double {
        var series = Series(first: 1, factor: -x * x)
        series.add(1 * 2)
        series.add(3 * 4)
        series.add(5 * 6)
        series.add(7 * 8)
        series.add(9 * 10)
        series.add(11 * 12)
        series.add(13 * 14)
        series.add(15 * 16)
        series.add(17 * 18)
        series.add(19 * 20)
        return series.sum
    }

    /// The sum of a Taylor series.
    ///
    /// Its users list all terms, because the compiler does not unroll a loop with a floating-point counter.
    private struct Series {
        private var term: Double
        private let factor: Double
        private(set) var sum: Double

        @inline(__always)
        init(first: Double, factor: Double) {
            term = first
            sum = first
            self.factor = factor
        }

        /// Adds the last term times the factor over `divisor`.
        @inline(__always)
        mutating func add(_ divisor: Double) {
            term *= factor / divisor
            sum += term
        }
    }
}
