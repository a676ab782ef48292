// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The filter that shifts rounding errors to frequencies where the auditory system is least sensitive.
///
/// The error spectrum follows the threshold in quiet (Terhardt's formula), limited to a range of 30 dB. The filter is the linear predictor
/// of noise with the inverse spectrum. It has minimum phase, and the mean of its gain in decibels is zero, the minimum of any error
/// feedback (Gerzon and Craven, 1989).
enum NoiseShapingFilter {
    static let order = 12

    /// Returns the coefficients of the error feedback, newest error first, for a sample rate in hertz.
    static func coefficients(sampleRate: Int) -> [Double] {
        let pointCount = 512
        let weights = (0...pointCount).map { point -> Double in
            let frequency = Double(point) / Double(pointCount) * Double(sampleRate) / 2
            return pow(10, -level(at: frequency) / 10)
        }
        // The autocorrelation of noise with the inverse spectrum.
        var correlation = (0...order).map { lag -> Double in
            var sum = 0.0
            for point in 0...pointCount {
                let edge = point == 0 || point == pointCount ? 0.5 : 1
                sum += edge * weights[point] * cos(Double.pi * Double(point) * Double(lag) / Double(pointCount))
            }
            return sum
        }
        correlation[0] *= 1 + 1e-9
        return levinson(correlation)
    }

    /// Returns the level of just inaudible errors, in decibels, at a frequency in hertz.
    private static func level(at frequency: Double) -> Double {
        let kilohertz = max(frequency, 20) / 1000
        let threshold =
            3.64 * pow(kilohertz, -0.8) - 6.5 * exp(-0.6 * (kilohertz - 3.3) * (kilohertz - 3.3)) + 1e-3 * pow(kilohertz, 4)
        return min(max(threshold, -5), 25)
    }

    /// Returns the coefficients of the linear predictor (Levinson-Durbin recursion), with the sign of the prediction error filter.
    private static func levinson(_ correlation: [Double]) -> [Double] {
        var filter = [1.0]
        var error = correlation[0]
        for length in 1..<correlation.count {
            var sum = 0.0
            for tap in 0..<length { sum += filter[tap] * correlation[length - tap] }
            let reflection = -sum / error
            let extended = filter + [0]
            filter = extended.indices.map { extended[$0] + reflection * extended[length - $0] }
            error *= 1 - reflection * reflection
        }
        return Array(filter.dropFirst())
    }
}
