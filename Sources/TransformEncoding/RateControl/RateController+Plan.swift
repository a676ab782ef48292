// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

extension RateController {
    /// Plans the bits of a frame.
    ///
    /// At a constant bit rate the plan is the fixed point where the noise scale that the reservoir asks for, after the bits expected
    /// at a noise scale, is that same noise scale, or without a reservoir the one that uses the frame's bits; it is found by the secant
    /// method. In the other modes the noise scale rises with the entropy.
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

    /// Returns the entropy of a frame at a variable rate for other noise scales of typical frames, in bits.
    ///
    /// All of the noise counts, not a quarter as in ``PerceptualEntropy``: so the entropy changes with the noise scale as the bits do. In
    /// a second of six clips the bits changed by -0.54 to -0.45 octaves for an octave of noise at 64 kbit/s, -0.40 to -0.31 at 128 and
    /// -0.32 to -0.29 at 192; the entropy with a quarter of the noise by -0.33 to -0.22, -0.28 to -0.25 and -0.25 to -0.22.
    ///
    /// - Parameters:
    ///   - plan: The plan of the frame.
    ///   - distances: The distances of those noise scales from ``noiseScale``, in octaves.
    ///   - entropyAtNoiseScale: Returns the frame's perceptual entropy at a noise scale, in bits.
    package func entropies(_ plan: FramePlan, distances: SIMD3<Float>, entropyAtNoiseScale: (Float) -> Float) -> SIMD3<Float> {
        var result: SIMD3<Float> = [0, 0, 0]
        // The frame's own noise scale follows its entropy, which falls as the noise scale of typical frames rises.
        let step = 1 + entropyNoiseScaling.exponent * Self.typicalSlope
        for index in 0..<3 {
            let own = plan.log2NoiseScale + distances[index] * step
            result[index] = entropyAtNoiseScale(PortableMath.exp2(own) * Self.wholeNoise)
        }
        return result
    }

    /// Updates the ratio of bits to entropy from the first coding of a frame.
    package mutating func recordBits(_ bits: Int, of plan: FramePlan) {
        guard isConstant, Float(bits) > 2 * sideEntropy else { return }
        log2BitsPerEntropy += Self.learningRate * (PortableMath.log2(Float(bits) / plan.entropy) - log2BitsPerEntropy)
        if isUnbuffered { log2NoiseScale += Self.learningRate * (plan.log2NoiseScale - log2NoiseScale) }
    }

    /// Returns the log2 noise scale at which the bits expected of a frame and the bits that the reservoir allows are the same, by
    /// bisection.
    private func balancedLog2NoiseScale(_ plan: FramePlan) -> Float {
        let largest = Self.usedShare * Float(largestFrame)
        let bits = plan.entropy * PortableMath.exp2(log2BitsPerEntropy)
        let groupBits = group.map { Self.usedShare * Float($0.bitsLeft) } ?? .infinity
        var low = plan.log2NoiseScale - Self.range.down
        var high = plan.log2NoiseScale + Self.range.up
        for _ in 0..<Self.bisectionCount {
            let middle = (low + high) * 0.5
            let expected = bits * PortableMath.exp2(plan.slope * (middle - plan.log2NoiseScale))
            let isTooLow =
                expected > largest || (!isUnbuffered && reservoirLog2NoiseScale(after: expected) > middle)
                || expected + bitsOfLaterFrames(log2NoiseScale: middle) > groupBits
            if isTooLow { low = middle } else { high = middle }
        }
        return (low + high) * 0.5
    }

    /// Returns the plan of the last frame of a group, whose bits were not those that are left, at the noise scale that uses them; `nil` if the
    /// frame need not be quantised again.
    ///
    /// Higher scale factors, by which other frames are made to fit, would leave a tenth of the bits unused.
    ///
    /// - Parameter bits: The bits of the frame without fill elements.
    package func correctedPlan(_ plan: FramePlan, bits: Int) -> FramePlan? {
        guard let group, group.laterCount == 0, Float(bits) > 2 * sideEntropy else { return nil }
        let limit = Float(largestFrame)
        let share = Float(bits) / limit
        guard share > 1 || share < Self.leastShareOfRest else { return nil }
        var corrected = plan
        let step = PortableMath.log2(share / Self.wantedShareOfRest) / -plan.slope
        corrected.log2NoiseScale += min(max(step, -Self.largestCorrection), Self.largestCorrection)
        return corrected
    }

    /// Returns the bits that typical frames take in the place of those that follow in a group, at a noise scale; 0 without groups.
    private func bitsOfLaterFrames(log2NoiseScale middle: Float) -> Float {
        guard let group else { return 0 }
        let typical = Float(nominalBits) * PortableMath.exp2(Self.typicalSlope * (middle - log2NoiseScale))
        return Float(group.laterCount) * typical
    }

    /// Returns the log2 noise scale that keeps the reservoir half full in the long run, from its fullness after a frame of so many bits.
    func reservoirLog2NoiseScale(after bits: Float) -> Float {
        let deficit = 0.5 - min(max(reservoirFullness(after: bits), 0), 1)
        return log2NoiseScale + (deficit > 0 ? Self.emptyPull : Self.fullPull) * deficit
    }

    /// The change of ``log2NoiseScale`` with one frame at a constant bit rate.
    var constantStep: Float {
        let fullness = reservoirFullness(after: Float(nominalBits))
        if fullness > Self.fullShare { return -Self.fullStep }
        return Self.slowStep * (0.5 - fullness) + (fullness < Self.emptyShare ? Self.emptyStep : 0)
    }

    /// The octaves of noise between a half full and an empty reservoir, times two.
    ///
    /// Zimtohrli's distance at 64 and 128 kbit/s, mean of log2 over ten clips, for (`emptyPull`, `fullPull`) relative to (2, 2): (3, 3)
    /// -1.6 and -11 %, but castanets +8 % at 64 kbit/s; (1, 1) +6 and +11 %; (2, 3) -0.8 and -1 %. With the reservoir before the frame in
    /// place of that after it: +2 %.
    private static let emptyPull: Float = 2

    /// The octaves of noise between a half full and a full reservoir, times two.
    private static let fullPull: Float = 3

    /// The octaves of noise per frame by which an empty reservoir raises ``log2NoiseScale``, times two.
    private static let slowStep: Float = 0.01

    /// The octaves of noise per frame by which a full reservoir lowers ``log2NoiseScale``.
    ///
    /// Without it stationary signals were padded for seconds, and guitar, saxophone and synthetic speech at 128 kbit/s were 45, 60 and
    /// 140 % (of log2) further from their sources.
    private static let fullStep: Float = 0.2

    /// The fullness above which the reservoir counts as full: the next frames would have to be padded.
    private static let fullShare: Float = 0.97

    /// The octaves of noise per frame by which a nearly empty reservoir raises ``log2NoiseScale``, so that not every frame has to be coded
    /// again.
    ///
    /// 0.05 below a tenth makes castanets 8 % worse at 64 kbit/s; without a step some frames take 2.9 times the mean.
    private static let emptyStep: Float = 0.02

    /// The fullness below which the reservoir counts as nearly empty.
    private static let emptyShare: Float = 0.05

    /// The share of the largest frame that a plan may use, since estimates deviate by some percent; 0.9 is no better.
    private static let usedShare: Float = 0.95

    /// The factor that makes all of the noise targets count as noise.
    private static let wholeNoise = 1 / PerceptualEntropy.noiseShare

    /// The share of a frame's deviation that ``log2BitsPerEntropy`` takes over: within a clip the ratio varies by some 5 %.
    private static let learningRate: Float = 0.2

    /// The share of the bits that are left of a group from which on its last frame is not quantised again.
    private static let leastShareOfRest: Float = 0.9

    /// The share that it is quantised again for.
    private static let wantedShareOfRest: Float = 0.96

    /// The largest change of the noise scale for that, in octaves.
    private static let largestCorrection: Float = 3

    /// The slope that a plan starts from, in octaves of bits for an octave of noise.
    private static let typicalSlope: Float = -0.3

    /// The range of plausible slopes.
    private static let slopes: ClosedRange<Float> = -1 ... -0.05

    /// The distance of two estimates below which no third is needed, in octaves of noise.
    private static let tolerance: Float = 0.1

    /// The most estimates of a frame's entropy: two take some 4 % of a frame's time at the effort `fast`.
    private static let estimateLimit = 4

    /// The range of the bisection around the latest estimate, in octaves of noise.
    private static let range: (down: Float, up: Float) = (8, 16)

    /// The number of times that this range is halved.
    private static let bisectionCount = 16
}
