// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

extension RateController {
    /// Plans the bits of a frame.
    ///
    /// At a constant bit rate the plan is a fixed point, found with the secant method. The frame's expected bits at a noise scale lead to
    /// a reservoir fullness that requires the same noise scale. Without a reservoir, the noise scale is the one that uses up the
    /// frame's bits. In other modes the noise scale rises with the entropy.
    ///
    /// - Parameters:
    ///   - entropy: The frame's perceptual entropy at ``noiseScale``, in bits.
    ///   - entropyAtNoiseScale: Returns the frame's perceptual entropy at another noise scale, in bits.
    package func plan(entropy: Float, entropyAtNoiseScale: (Float) -> Float) -> FramePlan {
        guard isConstant else {
            let log2Factor = entropyNoiseScaling.log2Factor(entropy: entropy + sideEntropy)
            return FramePlan(log2NoiseScale: frameLog2NoiseScale + log2Factor)
        }
        var plan = FramePlan(log2NoiseScale: frameLog2NoiseScale, slope: Self.typicalSlope)
        plan.entropy = entropy + sideEntropy
        for _ in 1..<Self.estimateLimit {
            let next = balancedLog2NoiseScale(plan)
            let step = next - plan.log2NoiseScale
            guard abs(step) > Self.tolerance else { break }
            let before = plan.entropy
            plan.log2NoiseScale = next
            plan.entropy = entropyAtNoiseScale(plan.noiseScale) + sideEntropy
            plan.slope = min(max(PortableMath.log2(plan.entropy / before) / step, Self.slopes.lowerBound), Self.slopes.upperBound)
        }
        return plan
    }

    /// Returns a variable-rate frame's entropy at other noise scales of typical frames, in bits.
    ///
    /// Here all of the noise counts, instead of a quarter as in ``PerceptualEntropy``, so that the entropy changes with the noise scale as
    /// the bits do. Measured on a second of six clips, in octaves per octave of noise at 64, 128 and 192 kbit/s. Bits: -0.54 to -0.45,
    /// -0.40 to -0.31 and -0.32 to -0.29. Entropy with a quarter of the noise: -0.33 to -0.22, -0.28 to -0.25 and -0.25 to -0.22.
    ///
    /// - Parameters:
    ///   - distances: The distances of these noise scales from ``noiseScale``, in octaves.
    ///   - entropiesAtNoiseScales: Returns the frame's perceptual entropies at three noise scales, in bits.
    package func entropies(
        _ plan: FramePlan, distances: SIMD3<Float>, entropiesAtNoiseScales: (SIMD3<Float>) -> SIMD3<Float>
    ) -> SIMD3<Float> {
        var noiseScales: SIMD3<Float> = [0, 0, 0]
        // The frame's own noise scale depends on its entropy, which falls when the noise scale of typical frames rises.
        let step = 1 + entropyNoiseScaling.exponent * Self.typicalSlope
        for index in 0..<3 {
            let own = plan.log2NoiseScale + distances[index] * step
            noiseScales[index] = PortableMath.exp2(own) * Self.wholeNoise
        }
        return entropiesAtNoiseScales(noiseScales)
    }

    /// Updates the ratio of bits to entropy with a frame's first quantization.
    package mutating func recordBits(_ bits: Int, of plan: FramePlan) {
        guard isConstant, Float(bits) > 2 * sideEntropy else { return }
        log2BitsPerEntropy += Self.learningRate * (PortableMath.log2(Float(bits) / plan.entropy) - log2BitsPerEntropy)
        if isUnbuffered { log2NoiseScale += Self.learningRate * (plan.log2NoiseScale - log2NoiseScale) }
    }

    /// Returns the log2 noise scale at which the frame's expected bits equal the bits that the reservoir allows, found by bisection.
    private func balancedLog2NoiseScale(_ plan: FramePlan) -> Float {
        let largest = Self.usedFraction * Float(maximumFrameBitCount)
        let bits = plan.entropy * PortableMath.exp2(log2BitsPerEntropy)
        let groupBits = group.map { Self.usedFraction * Float($0.bitsLeft) } ?? .infinity
        var low = plan.log2NoiseScale - Self.range.down
        var high = plan.log2NoiseScale + Self.range.up
        for _ in 0..<Self.bisectionCount {
            let middle = (low + high) * 0.5
            let expected = bits * PortableMath.exp2(plan.slope * (middle - plan.log2NoiseScale)) + Float(extraBits)
            let isTooLow =
                expected > largest || (!isUnbuffered && reservoirLog2NoiseScale(after: expected) > middle)
                || expected + bitsOfLaterFrames(log2NoiseScale: middle) > groupBits
            if isTooLow { low = middle } else { high = middle }
        }
        return (low + high) * 0.5
    }

    /// Returns a corrected plan for the last frame of a group whose bits do not match the remaining bits; `nil` if requantization is not
    /// needed.
    ///
    /// Raising scale factors, as for other frames, would leave a tenth of the bits unused.
    ///
    /// - Parameter bits: The bits of the frame without fill elements.
    package func correctedPlan(_ plan: FramePlan, bits: Int) -> FramePlan? {
        guard let group, group.laterCount == 0, Float(bits) > 2 * sideEntropy else { return nil }
        let limit = Float(maximumFrameBitCount)
        let share = Float(bits) / limit
        guard share > 1 || share < Self.minimumFractionOfRest else { return nil }
        var corrected = plan
        let step = PortableMath.log2(share / Self.targetFractionOfRest) / -plan.slope
        corrected.log2NoiseScale += min(max(step, -Self.maximumCorrection), Self.maximumCorrection)
        return corrected
    }

    /// Returns the expected bits of the group's later frames at a noise scale, assuming typical frames; 0 without groups.
    private func bitsOfLaterFrames(log2NoiseScale middle: Float) -> Float {
        guard let group else { return 0 }
        let typical = Float(nominalBits) * PortableMath.exp2(Self.typicalSlope * (middle - log2NoiseScale))
        return Float(group.laterCount) * typical
    }

    /// Returns the log2 noise scale that keeps the reservoir half full in the long run, given its fullness after a frame of `bits`.
    func reservoirLog2NoiseScale(after bits: Float) -> Float {
        let deficit = 0.5 - min(max(reservoirFullness(after: bits), 0), 1)
        return log2NoiseScale + (deficit > 0 ? Self.emptyPull : Self.fullPull) * deficit
    }

    /// The change of ``log2NoiseScale`` per frame at a constant bit rate.
    var constantStep: Float {
        let fullness = reservoirFullness(after: Float(nominalBits))
        if fullness > Self.fullFraction { return -Self.fullStep }
        return Self.slowStep * (0.5 - fullness) + (fullness < Self.emptyFraction ? Self.emptyStep : 0)
    }

    /// The octaves of noise between a half full and an empty reservoir, times two.
    ///
    /// Zimtohrli distance at 64 and 128 kbit/s, mean log2 over ten clips, for (`emptyPull`, `fullPull`) relative to (2, 2). (3, 3):
    /// -1.6 and -11 %, but castanets +8 % at 64 kbit/s. (1, 1): +6 and +11 %. (2, 3): -0.8 and -1 %. With the reservoir before instead of
    /// after the frame: +2 %.
    private static let emptyPull: Float = 2

    /// The octaves of noise between a half full and a full reservoir, times two.
    private static let fullPull: Float = 3

    /// The noise increase per frame in ``log2NoiseScale`` with an empty reservoir, in octaves, times two.
    private static let slowStep: Float = 0.01

    /// The noise decrease per frame in ``log2NoiseScale`` with a full reservoir, in octaves.
    ///
    /// Without it, stationary signals were padded for seconds: the distance of guitar, saxophone and synthetic speech at 128 kbit/s was
    /// 45, 60 and 140 % (of log2) larger.
    private static let fullStep: Float = 0.2

    /// The fullness above which the reservoir counts as full, because the next frames would need padding.
    private static let fullFraction: Float = 0.97

    /// The extra noise increase per frame with a nearly empty reservoir, in octaves.
    ///
    /// It prevents requantization of every frame.
    ///
    /// A step of 0.05 below a fullness of a tenth makes castanets 8 % worse at 64 kbit/s. Without a step, some frames take 2.9 times the
    /// mean time.
    private static let emptyStep: Float = 0.02

    /// The fullness below which the reservoir counts as nearly empty.
    private static let emptyFraction: Float = 0.05

    /// The fraction of the maximum frame that a plan may use, because estimates deviate by some percent.
    ///
    /// 0.9 is no better.
    private static let usedFraction: Float = 0.95

    /// The factor by which the whole noise target counts as noise.
    private static let wholeNoise = 1 / PerceptualEntropy.noiseFraction

    /// The smoothing coefficient of ``log2BitsPerEntropy``.
    ///
    /// Within a clip the ratio varies by about 5 %.
    private static let learningRate: Float = 0.2

    /// The minimum fraction of a group's remaining bits that the last frame must use to avoid requantization.
    private static let minimumFractionOfRest: Float = 0.9

    /// The target fraction of the requantization.
    private static let targetFractionOfRest: Float = 0.96

    /// The maximum correction of the noise scale, in octaves.
    private static let maximumCorrection: Float = 3

    /// The initial slope of a plan, in octaves of bits per octave of noise.
    private static let typicalSlope: Float = -0.3

    private static let slopes: ClosedRange<Float> = -1 ... -0.05

    /// The distance of two estimates at which the iteration stops, in octaves of noise.
    private static let tolerance: Float = 0.1

    /// The maximum number of entropy estimates per frame.
    ///
    /// Two take about 4 % of a frame's time with effort `fast`.
    private static let estimateLimit = 4

    /// The bisection range around the last estimate, in octaves of noise.
    private static let range: (down: Float, up: Float) = (8, 16)

    private static let bisectionCount = 16
}
