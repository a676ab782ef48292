// SPDX-License-Identifier: Apache-2.0

/// The state of previous frames on which an MPEG Surround 2-1-2 frame depends.
struct SurroundHistory {
    /// The values of one parameter kind.
    struct Values {
        /// The reference values for time differences, in steps of the quantizer in use.
        var coded = SIMD32<Int16>(repeating: 0)
        /// Whether ``coded`` uses the coarse quantizer.
        var isCoarse = false
        /// The last set, in fine quantizer steps.
        var last = SIMD32<Int16>(repeating: 0)
    }

    var levelDifferences = Values()
    var coherences = Values()
    var phaseDifferences = Values()
    /// The flags of coarse phases.
    ///
    /// Frames with fewer sets do not update them.
    var coarsePhases: UInt16 = 0
    /// The smoothed bands of the last set, one bit each.
    var smoothedBands: UInt32 = 0
    /// The smoothing time constant of the last set, in time slots.
    var smoothingTime = 256

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
