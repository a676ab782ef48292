// SPDX-License-Identifier: Apache-2.0

/// The envelopes of a frame of predictive vector coding, one for each time slot (ISO/IEC 23003-3, 7.5.6).
package struct PredictedEnvelopes: ~Copyable {
    /// The time slots of a frame.
    package static let slotCount = 16

    /// `E_OrigMapped` of 64 subbands for each time slot.
    package var energies: FixedArray<Float>
    /// Whether they replace those of the payload.
    package var isUsed = false
    /// `t_P(0)`: the first time slot that is predicted.
    package var first = 0
    /// `t_E(0)`: the first time slot of the frame's own noise and sinusoids; those before have the ones of the frame before.
    package var start = 0
    /// The first time slot of the second noise floor; 0 without one.
    package var noisePosition = 0
    /// `bs_sinusoidal_position`: the first time slot of new sinusoids; 31 for none.
    package var sinePosition = 31

    /// Makes envelopes of silence, or none.
    package init(slotCount: Int = Self.slotCount) { energies = FixedArray(repeating: 0, count: 64 * slotCount) }
}
