// SPDX-License-Identifier: Apache-2.0

/// The kinds of parameters of MPEG Surround 2-1-2.
package enum SurroundParameter: Int {
    /// Level differences of the channels.
    case levelDifference = 0
    /// Coherences of the channels.
    case coherence = 1
    /// Phase differences of the channels.
    case phaseDifference = 2

    /// The levels of PCM coding.
    func levelCount(isCoarse: Bool) -> Int {
        switch self {
        case .levelDifference: isCoarse ? 15 : 31
        case .coherence: isCoarse ? 4 : 8
        case .phaseDifference: isCoarse ? 8 : 16
        }
    }

    /// The code of the value 0.
    func offset(isCoarse: Bool) -> Int { self == .levelDifference ? (isCoarse ? 7 : 15) : 0 }

    /// The codebook of first values.
    var firstBook: Int { 1 + rawValue }

    /// Returns the codebook of single differences.
    func singleBook(isTime: Bool) -> Int { 4 + 2 * rawValue + (isTime ? 1 : 0) }

    /// Returns the codebook of pairs of differences; phases have the same ones for pairs in time as in frequency.
    ///
    /// - Parameter largest: The largest absolute value.
    func pairBook(isTime: Bool, isTimePair: Bool, largest: Int) -> Int {
        let rank = (largest - (self == .levelDifference ? 3 : 1)) / 2
        if self == .phaseDifference { return 42 + (isTime ? 4 : 0) + rank }
        return 10 + 16 * rawValue + (isTime ? 8 : 0) + (isTimePair ? 4 : 0) + rank
    }

    /// Returns the largest absolute value of an index of ``SurroundCodebooks/largestValue``.
    func largest(_ index: Int) -> Int {
        switch self {
        case .levelDifference: 3 + 2 * index
        case .coherence: 1 + 2 * index
        case .phaseDifference: [7, 1, 3, 5][index & 3]
        }
    }

    /// Returns a value of the coarse quantiser in steps of the fine one.
    func fine(_ coarse: Int) -> Int {
        guard self == .levelDifference else { return 2 * coarse }
        return coarse <= -7 ? -15 : coarse >= 7 ? 15 : 2 * coarse
    }

    /// Returns a value of the fine quantiser in steps of the coarse one.
    func coarse(_ fine: Int) -> Int { self == .levelDifference ? fine / 2 : fine >> 1 }

    /// Returns a value of the fine quantiser within its range.
    func limited(_ value: Int) -> Int {
        switch self {
        case .levelDifference: max(-15, min(15, value))
        case .coherence: max(0, min(7, value))
        case .phaseDifference: value & 15
        }
    }
}
