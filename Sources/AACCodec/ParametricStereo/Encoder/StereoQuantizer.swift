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
    private let boundaries: ContiguousArray<Float>

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
    private let reach: Int

    /// Makes a quantiser for the steps and the manner of mixing of a header.
    init(_ header: ParametricStereoHeader, reach: Int = 2) {
        self.reach = reach
        maximumLevel = header.maximumLevelIndex
        let levels = header.hasFineLevels ? Self.fine : Self.coarse
        boundaries = ContiguousArray(zip(levels, levels.dropFirst()).map { ($0 + $1) / 2 })
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
        var levelBits = ContiguousArray<Float>(repeating: 0, count: 64)
        /// The same of the coherence, from -7 to 7.
        var coherenceBase = 0
        var coherenceBits = ContiguousArray<Float>(repeating: 0, count: 24)
    }

    /// The best indices for a band.
    func quantize(_ sums: StereoStatistics.Sums, costs: borrowing Costs) -> (level: Int, coherence: Int) {
        let wanted = Wanted(sums)
        let nearest = nearestLevel(wanted)
        let coherence = sums.product / max((sums.left * sums.right).squareRoot(), 1)
        let angle = SIMD4(repeating: Self.angle(coherence))
        let lowCosts = Self.coherenceCost(Self.angles.0, angle, costs, from: 0)
        let highCosts = Self.coherenceCost(Self.angles.1, angle, costs, from: 4)
        let levelBits = costs.levelBits.span
        let factors = factors.span
        var best = Best()
        for level in max(-maximumLevel, nearest - reach)...min(maximumLevel, nearest + reach) {
            let bits = SIMD4(repeating: Self.bitWeight * levelBits[level - costs.levelBase + 31])
            let row = 12 * (level + maximumLevel)
            best.add(wanted.error(factors.extracting(row..<row + 6)) + lowCosts + bits, level: level, coherence: 0)
            best.add(wanted.error(factors.extracting(row + 6..<row + 12)) + highCosts + bits, level: level, coherence: 4)
        }
        return best.indices
    }

    /// The cheapest indices in each lane, of coherences 0 or 4, 1 or 5, and so on: without branches, which nobody could predict.
    private struct Best {
        private var costs = SIMD4<Float>(repeating: .infinity)
        private var codes = SIMD4<Int32>(repeating: 0)

        @inline(__always)
        mutating func add(_ newCosts: SIMD4<Float>, level: Int, coherence: Int) {
            let isBetter = newCosts .< costs
            costs.replace(with: newCosts, where: isBetter)
            codes.replace(with: SIMD4(repeating: Int32(truncatingIfNeeded: 8 * level + coherence)), where: isBetter)
        }

        var indices: (level: Int, coherence: Int) {
            var lane = 0
            for other in 1..<4 where costs[other] < costs[lane] { lane = other }
            let code = Int(codes[lane])
            return (code >> 3, code & 7 + lane)
        }
    }

    /// What a band should sound like, and how far from that it is with some factors.
    private struct Wanted {
        let sums: StereoStatistics.Sums
        /// What is 40 dB below the other channel is not heard.
        let floor: SIMD4<Float>
        /// Logarithms of left and right.
        let left: SIMD4<Float>
        let right: SIMD4<Float>

        @inline(__always)
        init(_ sums: StereoStatistics.Sums) {
            self.sums = sums
            floor = SIMD4(repeating: 1e-4 * (sums.left + sums.right) + 1)
            left = PortableMath.log2(SIMD4(repeating: sums.left) + floor)
            right = PortableMath.log2(SIMD4(repeating: sums.right) + floor)
        }

        /// Errors of both energies, in squared decibels, with four coherences.
        @inline(__always)
        func error(_ factors: Span<SIMD4<Float>>) -> SIMD4<Float> {
            let zero = SIMD4<Float>(repeating: 0)
            let madeLeft = (factors[0] * sums.mono + factors[1] * sums.twin + factors[2] * sums.cross).maximum(zero)
            let madeRight = (factors[3] * sums.mono + factors[4] * sums.twin + factors[5] * sums.cross).maximum(zero)
            let leftError = PortableMath.log2(madeLeft + floor) - left
            let rightError = PortableMath.log2(madeRight + floor) - right
            let squaredDecibels = Float(PortableMath.decibelsPerOctave * PortableMath.decibelsPerOctave)
            return (leftError * leftError + rightError * rightError) * squaredDecibels
        }
    }

    private func nearestLevel(_ wanted: Wanted) -> Int {
        let octaves = PortableMath.log2((wanted.sums.left + 1) / (wanted.sums.right + 1))
        let decibels = octaves * Float(PortableMath.decibelsPerOctave)
        var index = 0
        for boundary in boundaries where abs(decibels) > boundary { index += 1 }
        return decibels < 0 ? -index : index
    }

    @inline(__always)
    private static func coherenceCost(
        _ angles: SIMD4<Float>, _ wanted: SIMD4<Float>, _ costs: borrowing Costs, from first: Int
    ) -> SIMD4<Float> {
        let error = angles - wanted
        let place = first - costs.coherenceBase + 7
        let bits = costs.coherenceBits.span.vector(at: place)
        return error * error * coherenceWeight + angles * angles * twinWeight + bits * bitWeight
    }

    /// The angle whose cosine `x` is, to about 0.01.
    static func angle(_ x: Float) -> Float {
        let magnitude = min(abs(x), 1)
        let series = 1.570_7 + magnitude * (-0.212_1 + magnitude * (0.074_3 - 0.018_7 * magnitude))
        let angle = (1 - magnitude).squareRoot() * series
        return x < 0 ? 3.141_59 - angle : angle
    }
}
