// SPDX-License-Identifier: Apache-2.0

/// The 80 samples near an estimated position that best match a block, at quarter-sample resolution (RFC 3951, 4.6.2).
package struct PitchSynchronousSequence: Sendable {
    /// The position of the first sample in the memory.
    package let position: Float

    /// The interpolated samples.
    package let samples: [Float]

    /// The interpolation filters for 0, 1/4, 1/2 and 3/4 sample (`upsFilter1` to `upsFilter4`).
    private static let filters: [[Float]] = [
        [0, 0, 0, 1, 0, 0, 0],
        [0.015625, -0.076904, 0.288330, 0.862061, -0.106445, 0.018799, -0.015625],
        [0.023682, -0.124268, 0.601563, 0.601563, -0.124268, 0.023682, -0.023682],
        [0.018799, -0.106445, 0.862061, 0.288330, -0.076904, 0.015625, -0.018799],
    ]

    /// The maximum distance from the estimate, in samples (`ENH_SLOP`).
    private static let margin = 2

    /// Finds the sequence.
    ///
    /// - Parameters:
    ///   - memory: The excitation.
    ///   - block: The samples to match.
    ///   - estimate: The estimated position, where all samples must be in the memory.
    package init(of memory: [Float], matching block: [Float], near estimate: Int) {
        let correlations = (-Self.margin...Self.margin).map { offset in
            var sum: Float = 0
            for (index, sample) in block.enumerated() where memory.indices.contains(estimate + offset + index) {
                sum += sample * memory[estimate + offset + index]
            }
            return sum
        }
        var best = (offset: 0, phase: 0, value: -Float.infinity)
        for offset in correlations.indices {
            for phase in Self.filters.indices {
                let value = Self.interpolate(correlations, at: offset, phase: phase)
                if value > best.value { best = (offset, phase, value) }
            }
        }
        let start = estimate - Self.margin + best.offset
        position = Float(start) + Float(best.phase) / Float(Self.filters.count)
        samples = block.indices.map { Self.interpolate(memory, at: start + $0, phase: best.phase) }
    }

    /// Returns a signal's value between its samples, with zeros outside it.
    private static func interpolate(_ signal: [Float], at index: Int, phase: Int) -> Float {
        let filter = filters[phase]
        var sum: Float = 0
        for tap in filter.indices where signal.indices.contains(index + 3 - tap) { sum += filter[tap] * signal[index + 3 - tap] }
        return sum
    }
}
