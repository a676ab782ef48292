// SPDX-License-Identifier: Apache-2.0

/// The limit on the difference between enhanced and original excitation (RFC 3951, 4.6.3 to 4.6.5).
package enum EnhancementConstraint {
    /// The maximum energy of the difference, relative to the original (b).
    private static let limit: Float = 0.05

    /// Returns the smoothed block at the energy of the original, or a mixture of both if the difference is too large.
    ///
    /// The mixture has the energy of the original, and the energy of its difference is exactly the limit. The factors follow from these two
    /// conditions. The text of 4.6.5 swaps w00 and w11 and has a plus in the denominator, which contradicts its own second constraint.
    ///
    /// - Parameters:
    ///   - original: The block before enhancement (`pssq(0)`).
    ///   - smoothed: The sum of the sequences (y).
    package static func apply(to original: [Float], smoothed: [Float]) -> [Float] {
        let energy = product(original, original)
        let smoothedEnergy = product(smoothed, smoothed)
        guard energy > 0, smoothedEnergy > 0 else { return original }
        let scale = (energy / smoothedEnergy).squareRoot()
        let common = product(original, smoothed)
        // ‖original - scale · smoothed‖², given equal energies.
        if 2 * (energy - scale * common) < limit * energy { return smoothed.map { scale * $0 } }
        // The energy of the smoothed block orthogonal to the original.
        let other = smoothedEnergy - common * common / energy
        guard other > 1e-4 * smoothedEnergy else { return original }
        let smoothedFactor = ((limit - limit * limit / 4) * energy / other).squareRoot()
        let originalFactor = 1 - limit / 2 - smoothedFactor * common / energy
        return zip(original, smoothed).map { originalFactor * $0 + smoothedFactor * $1 }
    }

    private static func product(_ left: [Float], _ right: [Float]) -> Float {
        zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
}
