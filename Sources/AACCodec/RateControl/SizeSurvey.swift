// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// An estimate of the size of access units at any noise scale, of which only some were coded.
///
/// The perceptual entropy of all units is known at three noise scales. The bits of the coded units, in proportion to their entropy, give the
/// factor from entropy to bits, which changes by a few percent from unit to unit and hardly with the noise scale.
package struct SizeSurvey: Sendable {
    /// One in so many units is coded: of a second of audio, twelve.
    static let stride = 4

    /// The distances of the noise scales from the one at which units are coded, in octaves.
    static let offsets: [3 of Float] = [-2, 0, 2]

    /// The sums of the entropy of all units at each noise scale, in bits.
    private var entropies: [3 of Double] = [0, 0, 0]

    /// The sum of the entropy of the coded units, in bits.
    private var codedEntropy = 0.0

    /// The sum of the bits of the coded units.
    private var codedBits = 0.0

    /// The number of units.
    private(set) var unitCount = 0

    /// Makes a survey of no unit.
    package init() {}

    /// Whether the next unit has to be coded.
    var codesNext: Bool { unitCount % Self.stride == Self.stride / 2 }

    /// Adds a unit.
    ///
    /// - Parameters:
    ///   - unitEntropies: Its entropy at each noise scale, in bits.
    ///   - bits: The bits that it took; nil if it was not coded.
    mutating func add(_ unitEntropies: [3 of Float], bits: Int?) {
        unitCount += 1
        for index in 0..<3 { entropies[index] += Double(unitEntropies[index]) }
        guard let bits else { return }
        codedEntropy += Double(unitEntropies[1])
        codedBits += Double(bits)
    }

    /// Adds the units of another survey at the same noise scale.
    package mutating func add(_ other: SizeSurvey) {
        unitCount += other.unitCount
        for index in 0..<3 { entropies[index] += other.entropies[index] }
        codedEntropy += other.codedEntropy
        codedBits += other.codedBits
    }

    /// Returns the noise scale at which the units are expected to have a mean size.
    ///
    /// - Parameter bitsPerUnit: The mean size, in bits, above 0.
    /// - Returns: The distance of the noise scale from that at which units were coded, in octaves, at most 4, and the change of the size
    ///   there, in octaves of bits for an octave of noise; nil if no unit was coded, or if there is no signal to speak of.
    package func solution(bitsPerUnit: Double) -> (offset: Double, slope: Double)? {
        // The last sum is the smallest.
        guard codedBits > 0, codedEntropy > 1, entropies[2] > 1 else { return nil }
        let bits = codedBits / codedEntropy / Double(unitCount)
        let octaves = Self.octaves(entropies)
        // The logarithm of the bits as a parabola of the offset.
        let step = Double(Self.offsets[2])
        let linear = (octaves.after - octaves.before) / (2 * step)
        let curvature = (octaves.after + octaves.before) / (2 * step * step)
        let wanted = PortableMath.octaves(entropies[1] * bits, bitsPerUnit)
        var offset = 0.0
        for _ in 0..<Self.newtonSteps {
            let slope = min(linear + 2 * curvature * offset, Self.flattestSlope)
            offset -= (linear * offset + curvature * offset * offset - wanted) / slope
            offset = min(max(offset, -Self.reach), Self.reach)
        }
        return (offset, min(linear + 2 * curvature * offset, Self.flattestSlope))
    }

    /// Returns the octaves from the middle one of three sums to the others.
    private static func octaves(_ sums: [3 of Double]) -> (before: Double, after: Double) {
        (PortableMath.octaves(sums[1], sums[0]), PortableMath.octaves(sums[1], sums[2]))
    }

    /// The slope nearest to 0 that is plausible.
    private static let flattestSlope = -0.08

    /// The largest distance for which the parabola is used, in octaves.
    private static let reach = 4.0

    /// The steps of Newton's method, which needs three for a parabola that is nearly a line.
    private static let newtonSteps = 4
}
