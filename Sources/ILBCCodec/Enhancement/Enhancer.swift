// SPDX-License-Identifier: Apache-2.0

/// Makes the excitation of voiced speech more periodic, within limits (RFC 3951, 4.6).
package struct Enhancer: Sendable {
    private let mode: ILBCMode

    /// The excitation before enhancement, the latest sample last (Figures 4.3 and 4.4).
    private var memory = [Float](repeating: 0, count: Self.memoryLength)

    /// The pitch estimate for every 80 samples of the memory.
    private var periods = [Int](repeating: 40, count: Self.memoryLength / Self.blockLength)

    /// The memory length in samples (`ENH_BUFL`).
    private static let memoryLength = 640

    /// The number of samples enhanced together (`ENH_BLOCKL`).
    static let blockLength = 80

    /// The weights of the sequences at distances 1, 2 and 3: 0.5 (1 - cos(2π (i + 4) / 8)) (4.6.3).
    private static let weights: [Float] = [0.8535534, 0.5, 0.14644661]

    /// Creates an enhancer with a zero memory.
    package init(mode: ILBCMode) { self.mode = mode }

    /// Returns the enhanced excitation, delayed by the mode's enhancement delay.
    package mutating func enhance(_ excitation: [Float]) -> [Float] {
        memory.removeFirst(excitation.count)
        memory += excitation
        let newBlocks = excitation.count / Self.blockLength
        periods.removeFirst(newBlocks)
        for block in (0..<newBlocks).reversed() {
            periods.append(PitchEstimate.period(of: memory, at: Self.memoryLength - (block + 1) * Self.blockLength))
        }
        var enhanced: [Float] = []
        enhanced.reserveCapacity(excitation.count)
        for block in 0..<newBlocks {
            let start = Self.memoryLength - excitation.count - mode.enhancementDelay + block * Self.blockLength
            let original = Array(memory[start..<start + Self.blockLength])
            enhanced += EnhancementConstraint.apply(to: original, smoothed: smoothed(original, at: start))
        }
        return enhanced
    }

    /// Returns the weighted sum of the pitch-synchronous sequences around a block (4.6.2 and 4.6.3).
    private func smoothed(_ original: [Float], at start: Int) -> [Float] {
        var sum = [Float](repeating: 0, count: original.count)
        for direction in [-1, 1] {
            var position = Float(start)
            var lookAhead = 0
            for weight in Self.weights {
                let period = period(near: position + Float(direction * lookAhead), direction: direction)
                lookAhead = period
                let estimate = Int((position + Float(direction * period)).rounded())
                // Sequences outside the memory, and those derived from them, count as zero.
                guard estimate >= 0, estimate + Self.blockLength <= memory.count else { break }
                let sequence = PitchSynchronousSequence(of: memory, matching: original, near: estimate)
                position = sequence.position
                for index in sum.indices { sum[index] += weight * sequence.samples[index] }
            }
        }
        return sum
    }

    /// Returns the pitch estimate for moving a sequence.
    ///
    /// RFC 3951 does not specify which block's estimate to use. This choice best matches the output of PJSIP's decoder: the block towards
    /// which the sequence moves, seen from its middle and, after the first sequence, one period farther.
    ///
    /// - Parameters:
    ///   - position: The first sample of the sequence, or one period farther.
    ///   - direction: -1 backward in time, 1 forward.
    private func period(near position: Float, direction: Int) -> Int {
        let half = Float(Self.blockLength / 2)
        // Backward, a middle between two blocks belongs to the earlier block.
        let middle = position + half + (direction > 0 ? half : -0.25)
        return periods[max(0, min(periods.count - 1, Int(middle) / Self.blockLength))]
    }
}

extension ILBCMode {
    /// The delay of the enhancer, in samples (4.6).
    package var enhancementDelay: Int { self == .milliseconds20 ? 40 : 80 }
}
