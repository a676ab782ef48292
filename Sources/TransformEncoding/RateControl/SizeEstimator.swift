// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// An estimate of access unit sizes at any noise scale from a subset of encoded access units.
///
/// The perceptual entropy of all access units is known at three noise scales. The ratio of bits to entropy is measured on the encoded ones.
/// It varies by a few percent, slowly with the signal, and equally with the noise scale. Access units are therefore encoded close to the
/// noise scale that is expected to yield the target size.
package struct SizeEstimator: Sendable {
    /// The interval of encoded access units: one of four, or twelve per second of audio.
    package static let stride = 4

    /// The offset up to which ``solution()`` is reliable, in octaves.
    package static let reliableOffset = 3.0

    /// The three noise scales relative to the first access unit's, in octaves.
    private static let offsets: SIMD3<Float> = [-2, 0, 2]

    /// An encoded access unit.
    private struct CodedFrame {
        /// The index of the access unit.
        var index: Int
        var bits: Double
        /// The entropy at the noise scale used in encoding, in bits.
        var entropy: Double
    }

    /// The target mean size, in bits.
    private let bitsPerUnit: Double

    /// The noise scale for the next access unit relative to the first, in octaves.
    package private(set) var offset: Float = 0

    /// The bits of the encoded access units that do not depend on the noise scale.
    private var sideBits = 0.0

    /// The entropy of each access unit at each noise scale, in bits.
    private var accessUnits: [SIMD3<Float>] = []

    /// The encoded access units, in order.
    private var coded: [CodedFrame] = []

    /// Creates an estimator without access units.
    ///
    /// - Parameter bitsPerUnit: The target mean size, in bits, above 0.
    package init(bitsPerUnit: Double) { self.bitsPerUnit = bitsPerUnit }

    package var accessUnitCount: Int { accessUnits.count }

    package var codesNext: Bool { accessUnitCount % Self.stride == Self.stride / 2 }

    /// The noise scales at which entropies are required, relative to the next access unit's noise scale, in octaves.
    package var distances: SIMD3<Float> { [Self.offsets[0] - offset, Self.offsets[1] - offset, Self.offsets[2] - offset] }

    /// Adds an access unit and chooses the noise scale of the next.
    ///
    /// - Parameters:
    ///   - entropies: Its entropy at each noise scale, in bits.
    ///   - bits: Its size at ``offset``; `nil` if it was not encoded.
    ///   - sideBits: The part of its size that does not depend on the noise scale.
    package mutating func add(_ entropies: SIMD3<Float>, bits: Int?, sideBits: Int = 0) {
        accessUnits.append(entropies)
        guard let bits else { return }
        coded.append(
            CodedFrame(
                index: accessUnitCount - 1, bits: Double(bits - sideBits), entropy: Self.entropy(entropies, at: Double(offset))))
        self.sideBits += Double(sideBits)
        let sums = coded.reduce((bits: 0.0, entropy: 0.0)) { ($0.bits + $1.bits, $0.entropy + $1.entropy) }
        let factor = sums.bits / max(sums.entropy, 1)
        guard let found = Self.solution(of: sizes { _ in factor }, bits: variableBits) else { return }
        offset = Float(min(max(found.offset, Double(Self.offsets[0])), Double(Self.offsets[2])))
    }

    /// Appends the access units of another estimator, which follow in the same stream.
    package mutating func add(_ other: SizeEstimator) {
        for accessUnit in other.coded {
            coded.append(CodedFrame(index: accessUnit.index + accessUnitCount, bits: accessUnit.bits, entropy: accessUnit.entropy))
        }
        accessUnits += other.accessUnits
        sideBits += other.sideBits
    }

    /// The mean bits of an access unit that do not depend on the noise scale.
    private var meanSideBits: Double { sideBits / Double(max(coded.count, 1)) }

    /// The target mean size without ``meanSideBits``.
    private var variableBitsPerUnit: Double { max(bitsPerUnit - meanSideBits, 1) }

    /// The target size of all access units without ``meanSideBits``.
    private var variableBits: Double { variableBitsPerUnit * Double(accessUnitCount) }

    /// Returns the noise scale at which the access units are expected to reach the target mean size.
    ///
    /// - Returns: The noise scale relative to the first, in octaves, at most 4 in magnitude, the slope there, in octaves of bits per octave
    ///   of noise; and the expected size of each access unit, in bits. `nil` if no access unit was encoded or the signal is almost silent.
    package func solution() -> (offset: Double, slope: Double, sizes: [Double])? {
        guard !coded.isEmpty else { return nil }
        let factors = bitsPerEntropy()
        guard let found = Self.solution(of: sizes { factors[$0] }, bits: variableBits) else { return nil }
        let sizes = accessUnits.indices.map { factors[$0] * Self.entropy(accessUnits[$0], at: found.offset) }
        let scale = variableBits / max(sizes.reduce(0, +), 1)
        let slope = found.slope * variableBitsPerUnit / (variableBitsPerUnit + meanSideBits)
        return (found.offset, slope, sizes.map { $0 * scale + meanSideBits })
    }

    /// The weight of all encoded access units in the ratio of bits to entropy of one.
    ///
    /// Without it, an attack between two silent ones, which consist of side information, was expected to need 46 times its bits.
    private static let meanWeight = 0.05

    /// Returns the ratio of bits to entropy for each access unit, interpolated between encoded ones by distance.
    private func bitsPerEntropy() -> [Double] {
        let sums = coded.reduce((bits: 0.0, entropy: 0.0)) { ($0.bits + $1.bits, $0.entropy + $1.entropy) }
        let share = Self.meanWeight / Double(coded.count)
        let mean = (bits: share * sums.bits, entropy: share * sums.entropy)
        var next = 0
        return accessUnits.indices.map { accessUnit in
            while next < coded.count - 1, coded[next].index < accessUnit { next += 1 }
            let (before, after) = (coded[max(0, next - 1)], coded[next])
            let distance = max(after.index - before.index, 1)
            let weight = Double(min(max(accessUnit - before.index, 0), distance)) / Double(distance)
            let bits = before.bits * (1 - weight) + after.bits * weight
            let entropy = before.entropy * (1 - weight) + after.entropy * weight
            return (bits + mean.bits) / max(entropy + mean.entropy, 1)
        }
    }

    /// Returns the total size of all access units at each noise scale, in bits.
    ///
    /// - Parameter factor: Returns the ratio of bits to entropy for an access unit.
    private func sizes(_ factor: (Int) -> Double) -> SIMD3<Double> {
        var sums: SIMD3<Double> = [0, 0, 0]
        for accessUnit in accessUnits.indices {
            let factor = factor(accessUnit)
            for index in 0..<3 { sums[index] += factor * Double(accessUnits[accessUnit][index]) }
        }
        return sums
    }

    /// Returns the entropy of an access unit at a noise scale: interpolated within the three scales, clamped outside.
    private static func entropy(_ entropies: SIMD3<Float>, at offset: Double) -> Double {
        let position = min(max((offset - Double(offsets[0])) / Double(offsets[1] - offsets[0]), 0), 2)
        let (index, part) = position < 1 ? (0, position) : (1, position - 1)
        let (first, last) = (max(Double(entropies[index]), 1), max(Double(entropies[index + 1]), 1))
        return first * PortableMath.powerOfTwo(part * PortableMath.octaves(first, last))
    }

    /// Solves for the offset at which a parabola through the logarithms of three sums equals log2 of `bits`.
    ///
    /// - Returns: The offset and the slope there; `nil` if the signal is almost silent.
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

    /// Returns the octaves from the second of three sums to the others.
    private static func octaves(_ sums: SIMD3<Double>) -> (before: Double, after: Double) {
        (PortableMath.octaves(sums[1], sums[0]), PortableMath.octaves(sums[1], sums[2]))
    }

    /// The plausible slope nearest to 0.
    private static let flattestSlope = -0.08

    /// The maximum distance at which the parabola is used, in octaves.
    private static let farthestOffset = 4.0

    /// The number of Newton steps.
    ///
    /// A parabola that is almost a line needs three.
    private static let newtonSteps = 4
}
