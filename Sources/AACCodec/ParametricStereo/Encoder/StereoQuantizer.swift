// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Chooses the indices of level difference and coherence with which a decoder comes closest (ISO/IEC 14496-3:2009, 8.6.4.6.2).
///
/// What counts is the energy that each channel will have, its own tones and their twins added up; then the coherence; then
/// the bits.
struct StereoQuantizer {
    /// The largest index of a level difference.
    let maximumLevel: Int
    /// For each level and each half of the coherences: the squares and twice the product of the factors of the one channel and
    /// the twin, for left, then for right.
    private let factors: ContiguousArray<SIMD4<Float>>
    /// Levels at which the nearest index changes, in decibels from 0 up.
    private let borders: ContiguousArray<Float>

    private static let coarse: [Float] = [0, 2, 4, 7, 10, 14, 18, 25]
    private static let fine: [Float] = [0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30, 35, 40, 45, 50]
    /// The angles whose cosines the coherences are.
    private static let angles = (SIMD4<Float>(0, 0.356_89, 0.571_90, 0.926_17), SIMD4<Float>(1.194_32, 1.570_80, 2.200_64, 3.141_59))

    /// What a decibel of error in one channel weighs, squared; coherence by the square of radians of its error, and of the
    /// angle itself, since the twin blurs; and a bit.
    private static let coherenceWeight: Float = 8
    private static let twinWeight: Float = 4
    private static let bitWeight: Float = 0.6
    /// How far indices of levels are looked for around the nearest.
    private static let reach = 2

    /// Makes a quantiser for the steps and the manner of mixing of a header.
    init(_ header: ParametricStereoHeader) {
        maximumLevel = header.maximumLevelIndex
        let levels = header.hasFineLevels ? Self.fine : Self.coarse
        borders = ContiguousArray(zip(levels, levels.dropFirst()).map { ($0 + $1) / 2 })
        var factors = ContiguousArray<SIMD4<Float>>()
        for level in -header.maximumLevelIndex...header.maximumLevelIndex {
            for half in 0..<2 {
                let h = (0..<4).map { StereoTables.shared.matrix(header, level: level, coherence: 4 * half + $0) }
                let left = (SIMD4(h[0].x, h[1].x, h[2].x, h[3].x), SIMD4(h[0].z, h[1].z, h[2].z, h[3].z))
                let right = (SIMD4(h[0].y, h[1].y, h[2].y, h[3].y), SIMD4(h[0].w, h[1].w, h[2].w, h[3].w))
                for (mono, twin) in [left, right] { factors += [mono * mono, twin * twin, mono * twin * 2] }
            }
        }
        self.factors = factors
    }

    /// What indices cost beside their errors: bits, by index of the level and of the coherence.
    struct Costs {
        /// The index from which levels are counted, and the bits of differences from -31 to 31.
        var levelBase = 0
        var levelBits: [64 of Float] = .init(repeating: 0)
        /// The same of the coherence, from -7 to 7.
        var coherenceBase = 0
        var coherenceBits: [24 of Float] = .init(repeating: 0)
    }

    /// The best indices for a band.
    func quantize(_ sums: StereoStatistics.Values<Float>, costs: borrowing Costs) -> (level: Int, coherence: Int) {
        let nearest = nearestLevel(sums)
        let coherence = sums.product / max((sums.left * sums.right).squareRoot(), 1)
        let angle = SIMD4(repeating: Self.angle(coherence))
        let coherenceCosts = (
            coherenceCost(Self.angles.0, angle, costs, from: 0), coherenceCost(Self.angles.1, angle, costs, from: 4)
        )
        var best = (level: nearest, coherence: 0)
        var bestCost = Float.infinity
        for level in max(-maximumLevel, nearest - Self.reach)...min(maximumLevel, nearest + Self.reach) {
            let bits = Self.bitWeight * costs.levelBits[level - costs.levelBase + 31]
            let cost0 = energyCost(sums, row: 12 * (level + maximumLevel)) + coherenceCosts.0
            let cost1 = energyCost(sums, row: 12 * (level + maximumLevel) + 6) + coherenceCosts.1
            for lane in 0..<4 {
                if cost0[lane] + bits < bestCost { (bestCost, best) = (cost0[lane] + bits, (level, lane)) }
                if cost1[lane] + bits < bestCost { (bestCost, best) = (cost1[lane] + bits, (level, lane + 4)) }
            }
        }
        return best
    }

    private func nearestLevel(_ sums: StereoStatistics.Values<Float>) -> Int {
        let decibels = PortableMath.log2((sums.left + 1) / (sums.right + 1)) * Float(PortableMath.decibelsPerOctave)
        var index = 0
        while index < maximumLevel && abs(decibels) > borders[index] { index += 1 }
        return decibels < 0 ? -index : index
    }

    /// Errors of both energies, in squared decibels, with four coherences.
    @inline(__always)
    private func energyCost(_ sums: StereoStatistics.Values<Float>, row: Int) -> SIMD4<Float> {
        // What is 40 dB below the other channel is not heard.
        let floor = SIMD4<Float>(repeating: 1e-4 * (sums.left + sums.right) + 1)
        let zero = SIMD4<Float>(repeating: 0)
        let left = (factors[row] * sums.mono + factors[row + 1] * sums.twin + factors[row + 2] * sums.cross).maximum(zero)
        let right = (factors[row + 3] * sums.mono + factors[row + 4] * sums.twin + factors[row + 5] * sums.cross).maximum(zero)
        let leftError = PortableMath.log2((left + floor) / (SIMD4(repeating: sums.left) + floor))
        let rightError = PortableMath.log2((right + floor) / (SIMD4(repeating: sums.right) + floor))
        let squaredDecibels = Float(PortableMath.decibelsPerOctave * PortableMath.decibelsPerOctave)
        return (leftError * leftError + rightError * rightError) * squaredDecibels
    }

    @inline(__always)
    private func coherenceCost(_ angles: SIMD4<Float>, _ wanted: SIMD4<Float>, _ costs: borrowing Costs, from first: Int) -> SIMD4<Float> {
        let error = angles - wanted
        let place = first - costs.coherenceBase + 7
        let bits = costs.coherenceBits.span.vector(at: place)
        return error * error * Self.coherenceWeight + angles * angles * Self.twinWeight + bits * Self.bitWeight
    }

    /// The angle whose cosine `x` is, to about 0.01.
    static func angle(_ x: Float) -> Float {
        let magnitude = min(abs(x), 1)
        let series = 1.570_7 + magnitude * (-0.212_1 + magnitude * (0.074_3 - 0.018_7 * magnitude))
        let angle = (1 - magnitude).squareRoot() * series
        return x < 0 ? 3.141_59 - angle : angle
    }
}
