// SPDX-License-Identifier: Apache-2.0

/// The parameters of a frame of MPEG Surround 2-1-2 (`Mps212Data`, ISO/IEC 23003-3, 5.3).
package struct SurroundFrame: ~Copyable {
    /// The number of sets; one more than coded if the last coded one is not at the end of the frame.
    package var setCount = 1
    /// The last time slot of each set.
    package var slots = SIMD16<UInt8>(repeating: 0)
    /// The values in steps of the fine quantiser: kind, then set.
    package var values = FixedArray<SIMD32<Int16>>(repeating: SIMD32(repeating: 0), count: 3 * capacity)
    /// Whether the n-th coded set of phase differences is of the coarse quantiser, in bit n.
    package var coarsePhases: UInt16 = 0
    /// `bsPhaseMode`.
    package var hasPhases = false
    /// `bsOPDSmoothingMode`.
    package var smoothsPhases = false
    /// The bands whose matrices are smoothed, one bit each, by set.
    package var smoothedBands = FixedArray<UInt32>(repeating: 0, count: capacity)
    /// The time constants of smoothing in slots, by set.
    package var smoothingTimes = FixedArray<Int>(repeating: 256, count: capacity)
    /// Whether each output is shaped in time.
    package var isShaped = (false, false)
    /// The reshaping values of GES: 64 for each output.
    package var reshaping = FixedArray<UInt8>(repeating: 0, count: 128)
    /// The time slots of TSD, one bit each.
    package var transients: UInt64 = 0
    /// The phase of each time slot of TSD.
    package var transientPhases = FixedArray<UInt8>(repeating: 0, count: 64)

    /// The most sets of a frame, one that repeats the last included.
    package static let capacity = 9

    /// Makes a frame without parameters.
    package init() {}

    /// Returns whether an output is shaped in time.
    package func shapes(_ channel: Int) -> Bool { channel == 0 ? isShaped.0 : isShaped.1 }

    /// Returns the values of a set.
    package func values(_ kind: SurroundParameter, set: Int) -> SIMD32<Int16> { values[kind.rawValue * Self.capacity + set] }

    /// Sets the values of a set.
    package mutating func setValues(_ kind: SurroundParameter, set: Int, _ newValues: SIMD32<Int16>) {
        values[kind.rawValue * Self.capacity + set] = newValues
    }
}
