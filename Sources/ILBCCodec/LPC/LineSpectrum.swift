// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Conversions between prediction filter coefficients and line spectral frequencies (RFC 3951, 3.2.3 and 3.2.6).
///
/// For A(z) of order 10, the zeros of A(z) + z⁻¹¹ A(1/z) and A(z) - z⁻¹¹ A(1/z) lie on the unit circle and alternate. Their angles between
/// 0 and π are the frequencies. The zeros at -1 and 1 do not count.
package enum LineSpectrum {
    /// Returns the prediction filter with the given frequencies, whose first coefficient is 1.
    ///
    /// - Parameter frequencies: Ten frequencies in radians per sample, in ascending order.
    package static func coefficients(of frequencies: [Float]) -> [Float] {
        let order = ILBCMode.filterOrder
        // Both polynomials without their zeros at -1 and 1.
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

    /// Returns the product of 1 - 2 cos(w) z⁻¹ + z⁻² over every second frequency w.
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

    /// Returns the ten frequencies of a prediction filter, or `nil` if fewer zeros are found on the unit circle.
    ///
    /// - Parameter coefficients: Eleven coefficients, the first of them 1.
    package static func frequencies(of coefficients: [Float]) -> [Float]? {
        let order = ILBCMode.filterOrder
        // Division by 1 + z⁻¹ and 1 - z⁻¹ leaves two symmetric polynomials of order 10, each a cosine series on the unit circle.
        var sum = [Double](repeating: 1, count: order / 2 + 1)
        var difference = sum
        for index in 1...order / 2 {
            let (left, right) = (Double(coefficients[index]), Double(coefficients[order + 1 - index]))
            sum[index] = left + right - sum[index - 1]
            difference[index] = left - right + difference[index - 1]
        }
        var frequencies: [Float] = []
        // The zeros of both alternate, starting with the sum's.
        var lower = 0.0
        for index in 0..<order {
            guard let zero = firstZero(of: index.isMultiple(of: 2) ? sum : difference, after: lower) else { return nil }
            frequencies.append(Float(zero))
            lower = zero
        }
        return frequencies
    }

    /// Returns the first angle after `lower` where a symmetric polynomial is 0, or `nil` if it has no zero up to π.
    private static func firstZero(of polynomial: [Double], after lower: Double) -> Double? {
        // A step of π / 512 (8 Hz) is well below the spacing of zeros of one polynomial in filters of smoothed spectra.
        let step = Double.pi / 512
        var (left, right) = (lower, min(lower + step, .pi))
        let sign = value(of: polynomial, at: left) < 0
        while (value(of: polynomial, at: right) < 0) == sign {
            guard right < .pi else { return nil }
            (left, right) = (right, min(right + step, .pi))
        }
        // 20 bisections of the step exceed the precision of a Float.
        for _ in 0..<20 {
            let middle = (left + right) / 2
            if (value(of: polynomial, at: middle) < 0) == sign { left = middle } else { right = middle }
        }
        return (left + right) / 2
    }

    /// Evaluates a symmetric polynomial of order 10 on the unit circle, without its linear phase.
    ///
    /// - Parameters:
    ///   - polynomial: The coefficients up to the middle one.
    ///   - angle: The angle, in radians.
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
