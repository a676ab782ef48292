// SPDX-License-Identifier: Apache-2.0

/// The choice of the start state, which is the part of the residual with the most energy (RFC 3951, 3.5.1).
enum StateSelection {
    /// The weights of the first samples of a sub-block pair, and of the last ones in reverse (`sampEn_win`).
    private static let edges: [Float] = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6]

    /// Returns the sub-block pair, counted from 1, and whether the state is at its beginning.
    static func select(in residual: [Float], mode: ILBCMode) -> (block: Int, isStateFirst: Bool) {
        // The weights favour the middle of the block (`ssqEn_win`).
        let weights: [Float] = mode == .milliseconds20 ? [0.9, 1, 0.9] : [0.8, 0.9, 1, 0.9, 0.8]
        var best = (block: 1, energy: Float(-1))
        for (index, weight) in weights.enumerated() {
            let energy = weight * edgeWeightedEnergy(of: residual, from: index * ILBCMode.subblockLength)
            if energy > best.energy { best = (index + 1, energy) }
        }
        let first = StatePosition(mode: mode, block: best.block, isStateFirst: true)
        let last = StatePosition(mode: mode, block: best.block, isStateFirst: false)
        // The state excludes the end with less energy.
        return (best.block, energy(of: residual[last.remainder]) >= energy(of: residual[first.remainder]))
    }

    /// Returns the energy of a sub-block pair, with less weight at its edges.
    private static func edgeWeightedEnergy(of residual: [Float], from start: Int) -> Float {
        var sum: Float = 0
        for index in 0..<ILBCMode.stateBlockLength {
            let distance = min(index, ILBCMode.stateBlockLength - 1 - index)
            let weight = distance < edges.count ? edges[distance] : 1
            sum += weight * residual[start + index] * residual[start + index]
        }
        return sum
    }

    private static func energy(of samples: ArraySlice<Float>) -> Float {
        samples.reduce(0) { $0 + $1 * $1 }
    }
}
