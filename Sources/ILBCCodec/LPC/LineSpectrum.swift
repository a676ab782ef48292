// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Conversions between the coefficients of a prediction filter and its line spectral frequencies (RFC 3951 3.2.3 and 3.2.6).
///
/// With A(z) of order 10, the zeros of A(z) + z^-11 A(1/z) and of A(z) - z^-11 A(1/z) lie on the unit circle and alternate. Their angles
/// between 0 and pi are the frequencies; the zeros at -1 and 1 are no frequencies.
package enum LineSpectrum {
    /// Returns the coefficients of the prediction filter with the given frequencies; the first is 1.
    ///
    /// - Parameter frequencies: Ten frequencies in radians a sample, in ascending order.
    package static func coefficients(of frequencies: [Float]) -> [Float] {
        let order = ILBCMode.filterOrder
        // The two polynomials without their zeros at -1 and 1.
        let sum = product(of: frequencies, from: 0)
        let difference = product(of: frequencies, from: 1)
        var coefficients = [Float](repeating: 1, count: order + 1)
        for index in 1...order {
            let symmetric = sum[index] + sum[index - 1]
            let antisymmetric = difference[index] - difference[index - 1]
            coefficients[index] = 0.5 * (symmetric + antisymmetric)
        }
        return coefficients
    }

    /// Returns the product of 1 - 2 cos(w) z^-1 + z^-2 over every second frequency w.
    private static func product(of frequencies: [Float], from first: Int) -> [Float] {
        var polynomial = [Float](repeating: 0, count: ILBCMode.filterOrder + 1)
        polynomial[0] = 1
        for index in stride(from: first, to: ILBCMode.filterOrder, by: 2) {
            let factor = -2 * cosf(frequencies[index])
            for power in (1...ILBCMode.filterOrder).reversed() {
                polynomial[power] += factor * polynomial[power - 1] + (power > 1 ? polynomial[power - 2] : 0)
            }
        }
        return polynomial
    }

    /// Returns the ten frequencies of a prediction filter, or nil where fewer zeros are found on the unit circle.
    ///
    /// - Parameter coefficients: Eleven coefficients, the first of which is 1.
    package static func frequencies(of coefficients: [Float]) -> [Float]? {
        let order = ILBCMode.filterOrder
        // Dividing by 1 + z^-1 and 1 - z^-1 leaves two symmetric polynomials of order 10, each a cosine series on the unit circle.
        var sum = [Double](repeating: 1, count: order / 2 + 1)
        var difference = sum
        for index in 1...order / 2 {
            let (left, right) = (Double(coefficients[index]), Double(coefficients[order + 1 - index]))
            sum[index] = left + right - sum[index - 1]
            difference[index] = left - right + difference[index - 1]
        }
        var frequencies: [Float] = []
        // The zeros of both alternate, beginning with the sum's.
        var lower = 0.0
        for index in 0..<order {
            guard let zero = firstZero(of: index.isMultiple(of: 2) ? sum : difference, after: lower) else { return nil }
            frequencies.append(Float(zero))
            lower = zero
        }
        return frequencies
    }

    /// Returns the first angle after `lower` at which a symmetric polynomial is 0, or nil if there is none up to pi.
    private static func firstZero(of polynomial: [Double], after lower: Double) -> Double? {
        // A step of pi / 512, 8 Hz, is well below the spacing of neighbouring zeros of one polynomial in filters of smoothed spectra.
        let step = Double.pi / 512
        var (left, right) = (lower, min(lower + step, .pi))
        let sign = value(of: polynomial, at: left) < 0
        while (value(of: polynomial, at: right) < 0) == sign {
            guard right < .pi else { return nil }
            (left, right) = (right, min(right + step, .pi))
        }
        // 20 bisections of the step are finer than the precision of a Float.
        for _ in 0..<20 {
            let middle = (left + right) / 2
            if (value(of: polynomial, at: middle) < 0) == sign { left = middle } else { right = middle }
        }
        return (left + right) / 2
    }

    /// Returns the value of a symmetric polynomial of order 10 on the unit circle, without its linear phase.
    ///
    /// - Parameters:
    ///   - polynomial: The coefficients up to the middle one.
    ///   - angle: The angle in radians.
    private static func value(of polynomial: [Double], at angle: Double) -> Double {
        // Clenshaw's recurrence for the sum of 2 polynomial[5 - k] cos(k angle).
        let last = polynomial.count - 1
        let cosine = cos(angle)
        var (next, afterNext) = (0.0, 0.0)
        for index in 0..<last {
            (next, afterNext) = (2 * polynomial[index] + 2 * cosine * next - afterNext, next)
        }
        return polynomial[last] + cosine * next - afterNext
    }
}
