// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// An estimate of the size of access units at any noise scale, of which only some were coded.
///
/// The perceptual entropy of all units is known at three noise scales. The bits of the coded units, in proportion to their entropy, give the
/// factor from entropy to bits, which changes by a few percent from unit to unit, slowly with the signal, and by as much with the noise
/// scale. So units are coded near the noise scale at which their size is the one wanted, as far as it is known already.
package struct SizeSurvey: Sendable {
    /// One in so many units is coded: of a second of audio, twelve.
    static let stride = 4

    /// The distances of the noise scales from the first one, in octaves.
    private static let offsets: SIMD3<Float> = [-2, 0, 2]

    /// A coded unit.
    private struct CodedUnit {
        /// Its index.
        var index: Int
        /// Its bits.
        var bits: Double
        /// Its entropy at the noise scale at which it was coded, in bits.
        var entropy: Double
    }

    /// The mean size wanted, in bits.
    private let bitsPerUnit: Double

    /// The distance of the noise scale of the next unit from the first one, in octaves.
    package private(set) var offset: Float = 0

    /// The entropy of each unit at each noise scale, in bits.
    private var units: [SIMD3<Float>] = []

    /// The coded units, in order.
    private var coded: [CodedUnit] = []

    /// Makes a survey of no unit.
    ///
    /// - Parameter bitsPerUnit: The mean size wanted, in bits, above 0.
    package init(bitsPerUnit: Double) { self.bitsPerUnit = bitsPerUnit }

    /// The number of units.
    package var unitCount: Int { units.count }

    /// Whether the next unit has to be coded.
    package var codesNext: Bool { unitCount % Self.stride == Self.stride / 2 }

    /// The distances of the noise scales at which the entropy is wanted from that of the next unit, in octaves.
    package var distances: SIMD3<Float> { [Self.offsets[0] - offset, Self.offsets[1] - offset, Self.offsets[2] - offset] }

    /// Adds a unit, and chooses the noise scale of the next.
    ///
    /// - Parameters:
    ///   - entropies: Its entropy at each noise scale, in bits.
    ///   - bits: The bits that it took at ``offset``; nil if it was not coded.
    package mutating func add(_ entropies: SIMD3<Float>, bits: Int?) {
        units.append(entropies)
        guard let bits else { return }
        coded.append(
            CodedUnit(index: unitCount - 1, bits: Double(bits), entropy: Self.entropy(entropies, at: Double(offset))))
        let sums = coded.reduce((bits: 0.0, entropy: 0.0)) { ($0.bits + $1.bits, $0.entropy + $1.entropy) }
        let factor = sums.bits / max(sums.entropy, 1)
        guard let found = Self.solution(of: sizes { _ in factor }, bits: bitsPerUnit * Double(unitCount)) else { return }
        offset = Float(min(max(found.offset, Double(Self.offsets[0])), Double(Self.offsets[2])))
    }

    /// Adds the units of another survey of the same stream, which follow those of this one.
    package mutating func add(_ other: SizeSurvey) {
        for unit in other.coded {
            coded.append(CodedUnit(index: unit.index + unitCount, bits: unit.bits, entropy: unit.entropy))
        }
        units += other.units
    }

    /// Returns the noise scale at which the units are expected to have the mean size wanted.
    ///
    /// - Returns: The distance of the noise scale from the first one, in octaves, at most 4, the change of the size there, in octaves of
    ///   bits for an octave of noise, and the expected size of each unit there, in bits; nil if no unit was coded, or if there is no signal
    ///   to speak of.
    package func solution() -> (offset: Double, slope: Double, sizes: [Double])? {
        guard !coded.isEmpty else { return nil }
        let total = bitsPerUnit * Double(unitCount)
        let factors = bitsPerEntropy()
        guard let found = Self.solution(of: sizes { factors[$0] }, bits: total) else { return nil }
        let sizes = units.indices.map { factors[$0] * Self.entropy(units[$0], at: found.offset) }
        let scale = total / max(sizes.reduce(0, +), 1)
        return (found.offset, found.slope, sizes.map { $0 * scale })
    }

    /// Returns the factor from entropy to bits for each unit: that of the coded units before and after it, weighted by their distance.
    private func bitsPerEntropy() -> [Double] {
        var next = 0
        return units.indices.map { unit in
            while next < coded.count - 1, coded[next].index < unit { next += 1 }
            let (before, after) = (coded[max(0, next - 1)], coded[next])
            let distance = max(after.index - before.index, 1)
            let weight = Double(min(max(unit - before.index, 0), distance)) / Double(distance)
            let bits = before.bits * (1 - weight) + after.bits * weight
            return bits / max(before.entropy * (1 - weight) + after.entropy * weight, 1)
        }
    }

    /// Returns the sums of the sizes of all units at each noise scale, in bits.
    ///
    /// - Parameter factor: Returns the factor from entropy to bits for a unit.
    private func sizes(_ factor: (Int) -> Double) -> SIMD3<Double> {
        var sums: SIMD3<Double> = [0, 0, 0]
        for unit in units.indices {
            let factor = factor(unit)
            for index in 0..<3 { sums[index] += factor * Double(units[unit][index]) }
        }
        return sums
    }

    /// Returns the entropy of a unit at a noise scale: between two of those known, or at the first or last.
    private static func entropy(_ entropies: SIMD3<Float>, at offset: Double) -> Double {
        let position = min(max((offset - Double(offsets[0])) / Double(offsets[1] - offsets[0]), 0), 2)
        let (index, part) = position < 1 ? (0, position) : (1, position - 1)
        let (first, last) = (max(Double(entropies[index]), 1), max(Double(entropies[index + 1]), 1))
        return first * PortableMath.powerOfTwo(part * PortableMath.octaves(first, last))
    }

    /// Returns where the logarithm of three sums, as a parabola of the offset, is that of a number of bits.
    ///
    /// - Returns: The offset and the slope there; nil if there is no signal to speak of.
    private static func solution(of sums: SIMD3<Double>, bits: Double) -> (offset: Double, slope: Double)? {
        // The last sum is the smallest.
        guard sums[2] > 1 else { return nil }
        let octaves = Self.octaves(sums)
        let step = Double(offsets[2])
        let linear = (octaves.after - octaves.before) / (2 * step)
        let curvature = (octaves.after + octaves.before) / (2 * step * step)
        let wanted = PortableMath.octaves(sums[1], bits)
        var offset = 0.0
        for _ in 0..<newtonSteps {
            let slope = min(linear + 2 * curvature * offset, flattestSlope)
            offset -= (linear * offset + curvature * offset * offset - wanted) / slope
            offset = min(max(offset, -farthestOffset), farthestOffset)
        }
        return (offset, min(linear + 2 * curvature * offset, flattestSlope))
    }

    /// Returns the octaves from the middle one of three sums to the others.
    private static func octaves(_ sums: SIMD3<Double>) -> (before: Double, after: Double) {
        (PortableMath.octaves(sums[1], sums[0]), PortableMath.octaves(sums[1], sums[2]))
    }

    /// The slope nearest to 0 that is plausible.
    private static let flattestSlope = -0.08

    /// The largest distance for which the parabola is used, in octaves.
    private static let farthestOffset = 4.0

    /// The steps of Newton's method, which needs three for a parabola that is nearly a line.
    private static let newtonSteps = 4
}
