// SPDX-License-Identifier: Apache-2.0

/// Computes the rising halves of window functions (ISO/IEC 14496-3:2009, 4.6.11.3.2).
///
/// Falling halves are the same in reverse.
package enum Windows {
    /// Fills `range` of a table with w[n] = sin(π/N (n + 1/2)), where N is twice the range's length.
    package static func fillSine(_ table: inout MutableSpan<Float>, _ range: Range<Int>) {
        for n in 0..<range.count {
            table[range.lowerBound + n] = Float(CircularFunctions.sinePi((Double(n) + 0.5) / Double(2 * range.count)))
        }
    }

    /// Fills `range` of a table with the Kaiser-Bessel derived window.
    ///
    /// - Parameter alpha: The shape of the kernel: 4 for long and 6 for short windows.
    package static func fillKaiserBesselDerived(_ table: inout MutableSpan<Float>, _ range: Range<Int>, alpha: Double) {
        let count = range.count
        // The kernel is bit-exactly symmetric.
        let half = (0...count / 2).map { kaiser($0, count: count, alpha: alpha) }
        let kernel = half + half[..<(count - count / 2)].reversed()
        let total = kernel.reduce(0, +)
        var sum = 0.0
        for n in 0..<count {
            sum += kernel[n]
            table[range.lowerBound + n] = Float((sum / total).squareRoot())
        }
    }

    /// Returns the Kaiser kernel at `p`, 0 to `count`, without its constant factor.
    private static func kaiser(_ p: Int, count: Int, alpha: Double) -> Double {
        let centered = Double(2 * p - count) / Double(count)
        return CircularFunctions.besselI0(Double.pi * alpha * (1 - centered * centered).squareRoot())
    }
}
