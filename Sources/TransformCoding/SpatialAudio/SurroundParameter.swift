// SPDX-License-Identifier: Apache-2.0

/// The parameter kinds of MPEG Surround 2-1-2.
package enum SurroundParameter: Int {
    /// Channel level differences (CLD).
    case levelDifference = 0
    /// Inter-channel coherences (ICC).
    case coherence = 1
    /// Inter-channel phase differences (IPD).
    case phaseDifference = 2

    func levelCount(isCoarse: Bool) -> Int {
        switch self {
        case .levelDifference: isCoarse ? 15 : 31
        case .coherence: isCoarse ? 4 : 8
        case .phaseDifference: isCoarse ? 8 : 16
        }
    }

    /// Returns the code of value 0.
    func offset(isCoarse: Bool) -> Int { self == .levelDifference ? (isCoarse ? 7 : 15) : 0 }

    var firstCodebook: Int { 1 + rawValue }

    /// Returns the index of the codebook for single differences.
    func singleCodebook(isTime: Bool) -> Int { 4 + 2 * rawValue + (isTime ? 1 : 0) }

    /// Returns the index of the codebook for pairs of differences.
    ///
    /// Pairs of phases use the same codebooks for two bands and for two sets.
    ///
    /// - Parameter largest: The maximum absolute value.
    func pairCodebook(isTime: Bool, isTimePair: Bool, largest: Int) -> Int {
        let rank = (largest - (self == .levelDifference ? 3 : 1)) / 2
        if self == .phaseDifference { return 42 + (isTime ? 4 : 0) + rank }
        return 10 + 16 * rawValue + (isTime ? 8 : 0) + (isTimePair ? 4 : 0) + rank
    }

    /// Returns the maximum absolute value for an index in ``SurroundCodebooks/maximumValue``.
    func largest(_ index: Int) -> Int {
        switch self {
        case .levelDifference: 3 + 2 * index
        case .coherence: 1 + 2 * index
        case .phaseDifference: [7, 1, 3, 5][index & 3]
        }
    }

    /// Converts a coarse quantizer value to fine quantizer steps.
    func fine(_ coarse: Int) -> Int {
        guard self == .levelDifference else { return 2 * coarse }
        return coarse <= -7 ? -15 : coarse >= 7 ? 15 : 2 * coarse
    }

    /// Converts a fine quantizer value to coarse quantizer steps.
    func coarse(_ fine: Int) -> Int { self == .levelDifference ? fine / 2 : fine >> 1 }

    /// Clamps a fine quantizer value to its range.
    ///
    /// Phases wrap.
    func limited(_ value: Int) -> Int {
        switch self {
        case .levelDifference: max(-15, min(15, value))
        case .coherence: max(0, min(7, value))
        case .phaseDifference: value & 15
        }
    }
}
