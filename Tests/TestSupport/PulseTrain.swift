// SPDX-License-Identifier: Apache-2.0

/// A signal with one smooth pulse per second, whose centers can be measured to fractions of a sample.
public enum PulseTrain {
    /// The half width of a pulse, in seconds.
    private static let width = 0.004

    /// Returns samples.
    ///
    /// - Parameters:
    ///   - time: The time of the first sample, in seconds; pulses are at half seconds.
    ///   - rate: The samples per second.
    public static func samples(at time: Double, rate: Double, count: Int) -> [Float] {
        var result = [Float](repeating: 0, count: count)
        let center = (time + Double(count) / rate / 2 + 0.5).rounded(.down)
        for pulse in [center - 0.5, center + 0.5] {
            let first = max(0, Int((pulse - width - time) * rate))
            let end = min(count, Int((pulse + width - time) * rate) + 1)
            for index in first..<max(first, end) {
                let distance = (time + Double(index) / rate - pulse) / width
                if abs(distance) < 1 { result[index] = Float(0.5 * (1 - distance * distance) * (1 - distance * distance)) }
            }
        }
        return result
    }
}

/// Finds the centers of pulses in consecutive samples.
public struct PulseDetector {
    private let rate: Int
    private var position = 0
    private var weight = 0.0
    private var moment = 0.0
    private var silence = 0
    /// The centers of the pulses so far, in seconds since the first sample.
    public private(set) var centers: [Double] = []

    /// Creates a detector for a sample rate, in hertz.
    public init(rate: Int) { self.rate = rate }

    /// Searches the next samples.
    public mutating func accept(_ samples: [Float]) {
        for sample in samples {
            if sample > 0.01 {
                weight += Double(sample)
                moment += Double(sample) * Double(position)
                silence = 0
            } else if weight > 0 {
                silence += 1
                if silence == rate / 20 {
                    centers.append(moment / weight / Double(rate))
                    (weight, moment, silence) = (0, 0, 0)
                }
            }
            position += 1
        }
    }
}
