// SPDX-License-Identifier: Apache-2.0

/// The values of the frames before that a frame of MPEG Surround 2-1-2 depends on.
struct SurroundHistory {
    /// The values of one kind of parameter.
    struct Values {
        /// The values that differences in time refer to, in steps of their own quantiser.
        var coded = SIMD32<Int16>(repeating: 0)
        /// Whether these are of the coarse quantiser.
        var isCoarse = false
        /// The last set, in steps of the fine quantiser.
        var last = SIMD32<Int16>(repeating: 0)
    }

    /// Level differences.
    var levelDifferences = Values()
    /// Coherences.
    var coherences = Values()
    /// Phase differences.
    var phaseDifferences = Values()
    /// The flags of coarse phases, which a frame with fewer sets leaves.
    var coarsePhases: UInt16 = 0
    /// The smoothed bands of the last set, one bit each.
    var smoothedBands: UInt32 = 0
    /// The time constant of smoothing of the last set in slots.
    var smoothingTime = 256

    /// The values of a kind.
    subscript(kind: SurroundParameter) -> Values {
        get {
            switch kind {
            case .levelDifference: levelDifferences
            case .coherence: coherences
            case .phaseDifference: phaseDifferences
            }
        }
        set {
            switch kind {
            case .levelDifference: levelDifferences = newValue
            case .coherence: coherences = newValue
            case .phaseDifference: phaseDifferences = newValue
            }
        }
    }
}
