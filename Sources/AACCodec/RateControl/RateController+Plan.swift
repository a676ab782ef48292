// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension RateController {
    /// Plans a frame with an entropy at the ``quality`` of the controller; `other` tells it at another.
    ///
    /// At a constant rate the quality is the one at which the reservoir, after the bits expected at that quality, asks for just that
    /// quality; found by secants. At other rates noise rises with the entropy.
    func plan(entropy: Float, at other: (Float) -> Float) -> FramePlan {
        guard isConstant else { return FramePlan(level: frameLevel + entropyNoise.octaves(entropy: entropy + Self.sideEntropy)) }
        var plan = FramePlan(level: frameLevel, slope: Self.typicalSlope)
        plan.entropy = entropy + Self.sideEntropy
        for _ in 1..<Self.estimateLimit {
            let next = balancedLevel(plan)
            let step = next - plan.level
            guard abs(step) > Self.levelTolerance else { break }
            let before = plan.entropy
            plan.level = next
            plan.entropy = other(plan.quality) + Self.sideEntropy
            plan.slope = min(max(PortableMath.log2(plan.entropy / before) / step, Self.slopes.lowerBound), Self.slopes.upperBound)
        }
        return plan
    }

    /// Remembers how many bits a frame took at the first attempt.
    mutating func learn(bits: Int, of plan: FramePlan) {
        guard isConstant, Float(bits) > 2 * Self.sideEntropy else { return }
        bitsOverEntropy += Self.learningRate * (PortableMath.log2(Float(bits) / plan.entropy) - bitsOverEntropy)
    }

    /// The level at which what a frame is expected to take agrees with what the reservoir allows.
    private func balancedLevel(_ plan: FramePlan) -> Float {
        let largest = Self.usedShare * Float(largestFrame)
        let bits = plan.entropy * PortableMath.exp2(bitsOverEntropy)
        var low = plan.level - Self.reach.down
        var high = plan.level + Self.reach.up
        for _ in 0..<Self.halvings {
            let middle = (low + high) * 0.5
            let expected = bits * PortableMath.exp2(plan.slope * (middle - plan.level))
            if expected > largest || servoLevel(bits: expected) > middle { low = middle } else { high = middle }
        }
        return (low + high) * 0.5
    }

    /// log2 of the quality that the reservoir asks for after a frame of so many bits.
    func servoLevel(bits: Float) -> Float {
        let off = 0.5 - min(max(fill(after: bits), 0), 1)
        return level + (off > 0 ? Self.emptyPull : Self.fullPull) * off
    }

    /// How far a frame moves the level for good at a constant rate.
    var constantStep: Float {
        let fill = fill(after: Float(nominalBits))
        if fill > Self.fullShare { return -Self.fullStep }
        return Self.slowStep * (0.5 - fill) + (fill < Self.emptyShare ? Self.emptyStep : 0)
    }

    /// Octaves of noise from half full to empty, times two, and likewise from half full to full.
    ///
    /// Zimtohrli's distance at 64 and 128 kb/s, mean of log2 over ten clips, against 2 and 2: 3 and 3 -1.6 and -11 %, but castanets +8 % at 64;
    /// 1 and 1 +6 and +11 %; 2 and 3 -0.8 and -1 %. With the reservoir as it is before the frame, not after it: +2 %.
    private static let emptyPull: Float = 2
    private static let fullPull: Float = 3

    /// Octaves of noise a frame by which a reservoir that is empty moves the level for good, times two.
    private static let slowStep: Float = 0.01

    /// The same when bits are about to be wasted: easy sound was padded for seconds, and guitar, saxophone and synthetic speech at 128 kb/s were
    /// 45, 60 and 140 % (of log2) further off.
    private static let fullStep: Float = 0.2
    private static let fullShare: Float = 0.97

    /// The same when there are none to spare, so that not every frame has to be coded again: 0.05 below a tenth makes castanets 8 % worse
    /// at 64 kb/s, none at all leaves frames that take 2.9 times the mean.
    private static let emptyStep: Float = 0.02
    private static let emptyShare: Float = 0.05

    /// The part of the largest frame that is aimed at, since estimates are off by some percent; 0.9 is no better.
    private static let usedShare: Float = 0.95

    /// Entropy of what is no line: headers, sections and scale factors.
    private static let sideEntropy: Float = 150

    /// The part of a frame's deviation that is remembered: in a clip, bits over entropy stay within some 5 %.
    private static let learningRate: Float = 0.2

    /// Octaves of bits for an octave of noise: what is mostly found, and what is believed.
    private static let typicalSlope: Float = -0.3
    private static let slopes: ClosedRange<Float> = -1 ... -0.05

    /// Octaves of noise between two estimates that need no third, and how many there are at most: two take some 4 % of a frame in `fast`.
    private static let levelTolerance: Float = 0.1
    private static let estimateLimit = 4

    /// Octaves that a frame may be away from the one before, and how often that range is halved.
    private static let reach: (down: Float, up: Float) = (8, 16)
    private static let halvings = 16
}
