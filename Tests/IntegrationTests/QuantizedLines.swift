// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sums over encoded lines and their quantization errors.
struct QuantizedLines: Sendable {
    private(set) var energy = 0.0
    /// The energy of the quantization error.
    private(set) var noise = 0.0
    /// The largest magnitude of a quantized line.
    private(set) var largest = 0

    init() {}

    /// The signal-to-noise ratio, in decibels.
    var signalToNoise: Double { 10 * log10(energy / max(noise, 1e-30)) }

    /// Adds a band.
    ///
    /// - Parameters:
    ///   - lines: The lines of the frame.
    ///   - quantized: The quantized lines of the frame.
    ///   - band: The line range of the band.
    ///   - scaleFactor: The band's scale factor; `nil` if its lines are not transmitted.
    mutating func add(_ lines: Span<Float>, _ quantized: Span<Int16>, band: Range<Int>, scaleFactor: Int?) {
        let step = scaleFactor.map { pow(2, Double($0 - 100) / 4) } ?? 0
        for line in band {
            let value = Int(quantized[line])
            let magnitude = pow(Double(abs(value)), 4.0 / 3) * step
            let difference = Double(lines[line]) - (value < 0 ? -magnitude : magnitude)
            energy += Double(lines[line]) * Double(lines[line])
            noise += difference * difference
            if step > 0 { largest = max(largest, abs(value)) }
        }
    }
}
