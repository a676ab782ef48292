// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Chooses intensity difference and coherence indices by the signals that a decoder will mix (ISO/IEC 14496-3:2009, 8.6.4.6.2).
///
/// The cost of a choice has three parts: the energy error of both channels (including the correlation of downmix and decorrelated signal),
/// the coherence error, and the bits.
package struct StereoQuantizer {
    /// The maximum index of an intensity difference.
    let maximumLevel: Int
    /// For each level and each half of the coherences: h11², h21² and 2 h11 h21, then h12², h22² and 2 h12 h22.
    private let factors: ContiguousArray<SIMD4<Float>>
    /// The boundaries between level indices, in decibels, starting from 0.
    private let boundaries: ContiguousArray<Float>

    /// The intensity differences of default quantization, in decibels.
    private static let coarse: [Float] = [0, 2, 4, 7, 10, 14, 18, 25]
    /// The intensity differences of fine quantization, in decibels.
    private static let fine: [Float] = [0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30, 35, 40, 45, 50]
    /// The arc cosines of the coherences.
    private static let angles = (SIMD4<Float>(0, 0.356_89, 0.571_90, 0.926_17), SIMD4<Float>(1.194_32, 1.570_80, 2.200_64, 3.141_59))

    /// The weight of the squared error of the coherence angle, in radians, relative to a squared decibel of error in one channel.
    ///
    /// Measured in SBR.md#parametric-stereo, as the two below.
    private static let coherenceWeight: Float = 8
    /// The weight of the squared coherence angle, because the decorrelated signal blurs the output.
    private static let decorrelationWeight: Float = 4
    private static let bitWeight: Float = 0.6
    /// The number of level indices to try on either side of the nearest one.
    private let stepCount: Int

    /// Creates a quantizer for the quantization and the mixing procedure of a header.
    package init(_ header: ParametricStereoHeader, stepCount: Int = 2) {
        self.init(header.hasFineLevels ? Self.fine : Self.coarse, maximumLevel: header.maximumLevelIndex, stepCount: stepCount) {
            StereoTables.shared.matrix(header, level: $0, coherence: $1)
        }
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// Creates a quantizer for MPEG Surround 2-1-2, with fine quantization.
    package init(forSurroundWithStepCount stepCount: Int) {
        let levels = SurroundTables.levelDifferences
        // Without a gain of the downmix, both channels have its energy in sum.
        let gain = SIMD4<Float>(repeating: Float(2).squareRoot())
        self.init(levels[15...].map { Float($0) }, maximumLevel: 15, stepCount: stepCount) {
            let ratio = PortableMath.power(10, levels[$0 + 15] / 20)
            let matrix = SurroundMatrices.parametricMatrix(ratio: ratio, coherence: SurroundTables.coherences[$1]).real
            return SIMD4(matrix.x, matrix.z, matrix.y, matrix.w) * gain
        }
    }
    #endif

    /// Creates a quantizer.
    ///
    /// - Parameters:
    ///   - levels: The intensity differences from index 0, in decibels.
    ///   - matrix: Returns h11, h12, h21 and h22 for a level and a coherence.
    private init(_ levels: [Float], maximumLevel: Int, stepCount: Int, matrix: (_ level: Int, _ coherence: Int) -> SIMD4<Float>) {
        self.stepCount = stepCount
        self.maximumLevel = maximumLevel
        boundaries = ContiguousArray(zip(levels, levels.dropFirst()).map { ($0 + $1) / 2 })
        var factors = ContiguousArray<SIMD4<Float>>()
        for level in -maximumLevel...maximumLevel {
            for half in 0..<2 {
                let h = (0..<4).map { matrix(level, 4 * half + $0) }
                let left = (SIMD4(h[0].x, h[1].x, h[2].x, h[3].x), SIMD4(h[0].z, h[1].z, h[2].z, h[3].z))
                let right = (SIMD4(h[0].y, h[1].y, h[2].y, h[3].y), SIMD4(h[0].w, h[1].w, h[2].w, h[3].w))
                for (direct, decorrelated) in [left, right] {
                    factors += [direct * direct, decorrelated * decorrelated, direct * decorrelated * 2]
                }
            }
        }
        self.factors = factors
    }

    package struct Costs {
        /// The base of level differences.
        var levelBase = 0
        /// The bits of level differences, from -31 to 31.
        package var levelBits = ContiguousArray<Float>(repeating: 0, count: 64)
        /// The base of coherence differences.
        var coherenceBase = 0
        /// The bits of coherence differences, from -7 to 7.
        var coherenceBits = ContiguousArray<Float>(repeating: 0, count: 24)

        package init() {}
    }

    /// Returns the best indices of a band.
    package func quantize(_ sums: StereoStatistics.Sums, costs: borrowing Costs) -> (level: Int, coherence: Int) {
        let target = Target(sums)
        let nearest = nearestLevel(target)
        let coherence = sums.product / max((sums.left * sums.right).squareRoot(), 1)
        let angle = SIMD4(repeating: Self.angle(coherence))
        let lowCosts = Self.coherenceCost(Self.angles.0, angle, costs, from: 0)
        let highCosts = Self.coherenceCost(Self.angles.1, angle, costs, from: 4)
        let levelBits = costs.levelBits.span
        let factors = factors.span
        var best = BestCandidate()
        // Starts with the nearest level, then tries its neighbours. The bits alone then rule out most of the others.
        for step in 0...2 * stepCount {
            let level = step & 1 == 0 ? nearest + step / 2 : nearest - (step + 1) / 2
            guard abs(level) <= maximumLevel else { continue }
            let bits = SIMD4(repeating: Self.bitWeight * levelBits[level - costs.levelBase + 31])
            let row = 12 * (level + maximumLevel)
            // The errors take most of the time, and are never negative.
            if (lowCosts + bits).least <= best.lowest {
                best.add(target.error(factors.extracting(row..<row + 6)) + lowCosts + bits, level: level, coherence: 0)
            }
            if (highCosts + bits).least <= best.lowest {
                best.add(target.error(factors.extracting(row + 6..<row + 12)) + highCosts + bits, level: level, coherence: 4)
            }
        }
        return best.indices
    }

    /// The cheapest indices per lane, for coherences 0 or 4, 1 or 5, 2 or 6, and 3 or 7.
    ///
    /// Avoids branches, which would be unpredictable.
    private struct BestCandidate {
        private var costs = SIMD4<Float>(repeating: .infinity)
        /// The indices with the lowest costs: 8 · level + coherence of the first lane.
        private var codes = SIMD4<Int32>(repeating: 0)

        @inline(__always) var lowest: Float { costs.least }

        /// Tries a level with four coherences starting at `coherence`.
        ///
        /// For equal costs, the lower level and coherence win.
        @inline(__always)
        mutating func add(_ newCosts: SIMD4<Float>, level: Int, coherence: Int) {
            let newCodes = SIMD4(repeating: Int32(truncatingIfNeeded: 8 * level + coherence))
            let isBetter = (newCosts .< costs) .| ((newCosts .== costs) .& (newCodes .< codes))
            costs.replace(with: newCosts, where: isBetter)
            codes.replace(with: newCodes, where: isBetter)
        }

        /// The indices with the lowest cost of all lanes.
        var indices: (level: Int, coherence: Int) {
            var lane = 0
            for other in 1..<4 where costs[other] < costs[lane] { lane = other }
            let code = Int(codes[lane])
            return (code >> 3, code & 7 + lane)
        }
    }

    /// The target energies of both channels in a band.
    private struct Target {
        let sums: StereoStatistics.Sums
        /// An energy 40 dB below both channels', added to all energies because lower ones are inaudible.
        let floor: SIMD4<Float>
        /// log2 of the left channel's energy.
        let left: SIMD4<Float>
        /// log2 of the right channel's energy.
        let right: SIMD4<Float>

        @inline(__always)
        init(_ sums: StereoStatistics.Sums) {
            self.sums = sums
            floor = SIMD4(repeating: 1e-4 * (sums.left + sums.right) + 1)
            left = PortableMath.coarseLog2(SIMD4(repeating: sums.left) + floor)
            right = PortableMath.coarseLog2(SIMD4(repeating: sums.right) + floor)
        }

        /// Returns the energy errors, in squared decibels, for four coherences.
        @inline(__always)
        func error(_ factors: Span<SIMD4<Float>>) -> SIMD4<Float> {
            let zero = SIMD4<Float>(repeating: 0)
            let decodedLeft = (factors[0] * sums.mono + factors[1] * sums.decorrelated + factors[2] * sums.cross).maximum(zero)
            let decodedRight = (factors[3] * sums.mono + factors[4] * sums.decorrelated + factors[5] * sums.cross).maximum(zero)
            let leftError = PortableMath.coarseLog2(decodedLeft + floor) - left
            let rightError = PortableMath.coarseLog2(decodedRight + floor) - right
            let squaredDecibels = Float(PortableMath.decibelsPerOctave * PortableMath.decibelsPerOctave)
            return (leftError * leftError + rightError * rightError) * squaredDecibels
        }
    }

    /// Returns the level index closest to the energy ratio.
    private func nearestLevel(_ target: Target) -> Int {
        let octaves = PortableMath.log2((target.sums.left + 1) / (target.sums.right + 1))
        let decibels = octaves * Float(PortableMath.decibelsPerOctave)
        var index = 0
        for boundary in boundaries where abs(decibels) > boundary { index += 1 }
        return decibels < 0 ? -index : index
    }

    /// Returns the costs of four coherences starting at `first`.
    @inline(__always)
    private static func coherenceCost(
        _ angles: SIMD4<Float>, _ wanted: SIMD4<Float>, _ costs: borrowing Costs, from first: Int
    ) -> SIMD4<Float> {
        let error = angles - wanted
        let offset = first - costs.coherenceBase + 7
        let bits = costs.coherenceBits.span.vector(at: offset)
        return error * error * coherenceWeight + angles * angles * decorrelationWeight + bits * bitWeight
    }

    /// Returns the arc cosine of `x`, to about 0.01.
    package static func angle(_ x: Float) -> Float {
        let magnitude = min(abs(x), 1)
        let series = 1.570_7 + magnitude * (-0.212_1 + magnitude * (0.074_3 - 0.018_7 * magnitude))
        let angle = (1 - magnitude).squareRoot() * series
        return x < 0 ? 3.141_59 - angle : angle
    }
}
