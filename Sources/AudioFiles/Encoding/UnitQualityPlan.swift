// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
import TransformCoding

/// The noise scale of each access unit of a short file with an average bit rate: one for all, as long as their sizes suit it.
///
/// The expected sizes are those of a survey, or of a pass before. The sizes of the units so far show by how much they are wrong. Where the
/// file would miss its rate by more than ``margin``, the noise scale moves by as much as the rest of the file needs, at most
/// ``largestStep``, so that one pass is mostly enough.
package struct UnitQualityPlan {
    /// log2 of the noise scale at which the file is expected to have its rate.
    package let level: Float
    /// The change of the bits with the noise scale, in octaves per octave.
    package let slope: Double
    /// The expected bits of each unit at ``level``; empty if nothing is known.
    package let expected: [Double]
    /// The target number of bits per access unit.
    let bitsPerUnit: Double
    /// The weight of the expected sizes in the estimate of their error, in units.
    let priorWeight: Double

    /// log2 of the noise scale of the next unit.
    package private(set) var nextLevel: Float
    /// The bits that each unit so far would have at ``level``.
    private var bitsAtLevel: [Double] = []
    /// The sums of what is known of the units so far: their bits, these at ``level``, and those expected.
    private var (spent, spentAtLevel, known) = (0.0, 0.0, 0.0)
    /// The sum of ``expected``.
    private let promised: Double

    /// The weight of a survey, which codes a quarter of the units of a second.
    static let surveyWeight = 12.0
    /// The weight of the sizes of the same units at another noise scale.
    private static let passWeight = 48.0
    /// The bits by which a file may miss its rate before the noise scale moves, in units: half of what a search tolerates.
    private static let margin = 0.35
    /// The most that the noise scale of a unit differs from the plan's, in octaves: 0.75 dB.
    private static let largestStep = 0.25

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - level: log2 of the noise scale at which the file is expected to have its rate.
    ///   - slope: The change of the bits with the noise scale, in octaves per octave.
    ///   - expected: The expected bits of each unit at that level; empty if nothing is known.
    ///   - bitsPerUnit: The target number of bits per access unit.
    ///   - priorWeight: The weight of the expected sizes, in units.
    package init(level: Float, slope: Double, expected: [Double] = [], bitsPerUnit: Double, priorWeight: Double = Self.surveyWeight) {
        (self.level, self.slope, self.expected) = (level, slope, expected)
        (self.bitsPerUnit, self.priorWeight) = (bitsPerUnit, priorWeight)
        nextLevel = level
        promised = expected.reduce(0, +)
    }

    /// log2 of the bits so far relative to the target.
    package var error: Double { Self.octaves(spent, bitsPerUnit * Double(bitsAtLevel.count)) }

    /// log2 of the bits that the units so far would have at ``level`` relative to the target.
    package var errorAtLevel: Double { Self.octaves(spentAtLevel, bitsPerUnit * Double(bitsAtLevel.count)) }

    /// Records the bits of the next unit.
    package mutating func append(bitCount: Int) {
        let bits = Double(bitCount) / PortableMath.powerOfTwo(slope * Double(nextLevel - level))
        bitsAtLevel.append(bits)
        spent += Double(bitCount)
        spentAtLevel += bits
        guard bitsAtLevel.count <= expected.count else { return }
        known += expected[bitsAtLevel.count - 1]
        nextLevel = level + step
    }

    /// The difference of the next unit's level from the plan's.
    private var step: Float {
        let prior = priorWeight * promised / Double(expected.count)
        let rest = max(promised - known, 0) * (prior + spentAtLevel) / max(prior + known, 1)
        let total = bitsPerUnit * Double(expected.count)
        let aim = min(max(spent + rest, total - Self.margin * bitsPerUnit), total + Self.margin * bitsPerUnit)
        let octaves = Self.octaves(max(aim - spent, rest / 2), rest)
        return Float(min(max(octaves / slope, -Self.largestStep), Self.largestStep))
    }

    /// Returns the plan of another pass at another level, from the sizes of this one.
    ///
    /// - Parameters:
    ///   - level: log2 of the noise scale at which the file is expected to have its rate.
    ///   - slope: The change of the bits with the noise scale, in octaves per octave.
    package func refined(level: Float, slope: Double) -> UnitQualityPlan {
        let factor = PortableMath.powerOfTwo(slope * Double(level - self.level))
        return UnitQualityPlan(
            level: level, slope: slope, expected: bitsAtLevel.map { $0 * factor }, bitsPerUnit: bitsPerUnit,
            priorWeight: Self.passWeight)
    }

    /// Returns log2 of the ratio of two numbers of bits; 0 if one of them is none.
    private static func octaves(_ bits: Double, _ other: Double) -> Double {
        bits > 0 && other > 0 ? PortableMath.octaves(other, bits) : 0
    }
}
