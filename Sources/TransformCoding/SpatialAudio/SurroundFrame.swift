// SPDX-License-Identifier: Apache-2.0

/// The parameters of a frame of MPEG Surround 2-1-2 (`Mps212Data`, ISO/IEC 23003-3, 5.3).
package struct SurroundFrame: ~Copyable {
    /// The number of parameter sets: one more than coded if the last coded set is not at the end of the frame.
    package var setCount = 1
    /// The last time slot of each set.
    package var slots = SIMD16<UInt8>(repeating: 0)
    /// The values in fine quantizer steps, by parameter kind, then set.
    package var values = FixedArray<SIMD32<Int16>>(repeating: SIMD32(repeating: 0), count: 3 * capacity)
    /// Bit n is set if the n-th coded set of phase differences uses the coarse quantizer.
    package var coarsePhases: UInt16 = 0
    /// `bsPhaseMode`.
    package var hasPhases = false
    /// `bsOPDSmoothingMode`.
    package var smoothsPhases = false
    /// The bands with smoothed matrices, one bit each, by set.
    package var smoothedBands = FixedArray<UInt32>(repeating: 0, count: capacity)
    /// The smoothing time constants in time slots, by set.
    package var smoothingTimes = FixedArray<Int>(repeating: 256, count: capacity)
    /// Whether each output is shaped in time.
    package var isShaped = (false, false)
    /// The reshaping values of GES, 64 per output.
    package var reshaping = FixedArray<UInt8>(repeating: 0, count: 128)
    /// The time slots with TSD, one bit each.
    package var transients: UInt64 = 0
    /// The TSD phase of each time slot.
    package var transientPhases = FixedArray<UInt8>(repeating: 0, count: 64)

    /// The maximum number of sets per frame, including a repetition of the last set.
    package static let capacity = 9

    package init() {}

    /// Returns whether an output is shaped in time.
    package func shapes(_ channel: Int) -> Bool { channel == 0 ? isShaped.0 : isShaped.1 }

    package func values(_ kind: SurroundParameter, set: Int) -> SIMD32<Int16> { values[kind.rawValue * Self.capacity + set] }

    package mutating func setValues(_ kind: SurroundParameter, set: Int, _ newValues: SIMD32<Int16>) {
        values[kind.rawValue * Self.capacity + set] = newValues
    }
}
