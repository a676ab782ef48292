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
        var term = x
        var sum = x
        for n in stride(from: 2.0, through: 18, by: 2) {
            term *= -x * x / (n * (n + 1))
            sum += term
        }
        return sum
    }

    /// Returns the Taylor series of cos(x) for |x| up to π/4.
    private static func cosineSeries(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for n in stride(from: 1.0, through: 19, by: 2) {
            term *= -x * x / (n * (n + 1))
            sum += term
        }
        return sum
    }
}
