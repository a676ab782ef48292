// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
import TransformCoding

/// The noise scale of each access unit of a short file with an average bit rate.
///
/// All access units have the same noise scale while their sizes are as expected from a size estimate or a previous pass. If the file would
/// miss its rate by more than ``margin``, the noise scale changes by the amount that the remaining access units need, at most
/// ``maximumStep``. One pass is then usually sufficient.
package struct FrameNoiseScalePlan {
    /// log2 of the noise scale expected to yield the target bit rate.
    package let level: Float
    /// The change in bits with the noise scale, in octaves per octave.
    package let slope: Double
    /// The expected bits of each access unit at ``level``.
    ///
    /// Empty if unknown.
    package let expected: [Double]
    let bitsPerUnit: Double
    /// The weight of the expected sizes when estimating their error, in access units.
    let priorWeight: Double

    /// log2 of the next access unit's noise scale.
    package private(set) var nextLevel: Float
    /// The bits of each access unit so far, converted to ``level``.
    private var bitsAtLevel: [Double] = []
    /// Sums over the access units so far: actual bits, bits converted to ``level``, and expected bits.
    private var (spent, spentAtLevel, known) = (0.0, 0.0, 0.0)
    /// The sum of ``expected``.
    private let promised: Double

    /// The weight of a size estimate, which codes a quarter of the access units of a second.
    static let sizeEstimateWeight = 12.0
    /// The weight of sizes measured at another noise scale.
    private static let passWeight = 48.0
    /// The deviation of the file size at which the noise scale changes, in mean access units: half of a search's tolerance.
    private static let margin = 0.35
    /// The maximum deviation of an access unit's noise scale from the plan, in octaves: 0.75 dB.
    private static let maximumStep = 0.25

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - level: log2 of the noise scale expected to yield the target bit rate.
    ///   - slope: The change in bits with the noise scale, in octaves per octave.
    ///   - expected: The expected bits of each access unit at that level. Empty if unknown.
    ///   - bitsPerUnit: The target number of bits per access unit.
    ///   - priorWeight: The weight of the expected sizes, in access units.
    package init(level: Float, slope: Double, expected: [Double] = [], bitsPerUnit: Double, priorWeight: Double = Self.sizeEstimateWeight) {
        (self.level, self.slope, self.expected) = (level, slope, expected)
        (self.bitsPerUnit, self.priorWeight) = (bitsPerUnit, priorWeight)
        nextLevel = level
        promised = expected.reduce(0, +)
    }

    /// log2 of the bits so far relative to the target.
    package var error: Double { Self.octaves(spent, bitsPerUnit * Double(bitsAtLevel.count)) }

    /// log2 of the bits so far, converted to ``level``, relative to the target.
    package var errorAtLevel: Double { Self.octaves(spentAtLevel, bitsPerUnit * Double(bitsAtLevel.count)) }

    /// Records the bits of the next access unit.
    package mutating func append(bitCount: Int) {
        let bits = Double(bitCount) / PortableMath.powerOfTwo(slope * Double(nextLevel - level))
        bitsAtLevel.append(bits)
        spent += Double(bitCount)
        spentAtLevel += bits
        guard bitsAtLevel.count <= expected.count else { return }
        known += expected[bitsAtLevel.count - 1]
        nextLevel = level + step
    }

    /// The difference between the next access unit's level and the plan's.
    private var step: Float {
        let prior = priorWeight * promised / Double(expected.count)
        let rest = max(promised - known, 0) * (prior + spentAtLevel) / max(prior + known, 1)
        let total = bitsPerUnit * Double(expected.count)
        let aim = min(max(spent + rest, total - Self.margin * bitsPerUnit), total + Self.margin * bitsPerUnit)
        let octaves = Self.octaves(max(aim - spent, rest / 2), rest)
        return Float(min(max(octaves / slope, -Self.maximumStep), Self.maximumStep))
    }

    /// Returns the plan of another pass at another level, from the sizes of this one.
    ///
    /// - Parameters:
    ///   - level: log2 of the noise scale expected to yield the target bit rate.
    ///   - slope: The change in bits with the noise scale, in octaves per octave.
    package func refined(level: Float, slope: Double) -> FrameNoiseScalePlan {
        let factor = PortableMath.powerOfTwo(slope * Double(level - self.level))
        return FrameNoiseScalePlan(
            level: level, slope: slope, expected: bitsAtLevel.map { $0 * factor }, bitsPerUnit: bitsPerUnit,
            priorWeight: Self.passWeight)
    }

    /// Returns log2 of a ratio of bits, or 0 if one of them is 0.
    private static func octaves(_ bits: Double, _ other: Double) -> Double {
        bits > 0 && other > 0 ? PortableMath.octaves(other, bits) : 0
    }
}
