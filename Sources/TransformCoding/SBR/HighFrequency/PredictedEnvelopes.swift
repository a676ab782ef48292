// SPDX-License-Identifier: Apache-2.0

/// The envelopes of a frame with predictive vector coding, one per time slot (ISO/IEC 23003-3, 7.5.6).
package struct PredictedEnvelopes: ~Copyable {
    /// The number of time slots per frame.
    package static let slotCount = 16

    /// `E_OrigMapped` of 64 subbands for each time slot.
    package var energies: FixedArray<Float>
    /// Whether they replace the payload's envelopes.
    package var isUsed = false
    /// `t_P(0)`: the first predicted time slot.
    package var first = 0
    /// `t_E(0)`: the first time slot of the frame's own noise and sinusoids.
    ///
    /// Earlier time slots use the previous frame's.
    package var start = 0
    /// The first time slot of the second noise floor; 0 without one.
    package var noisePosition = 0
    /// `bs_sinusoidal_position`: the first time slot of new sinusoids; 31 if there are no new ones.
    package var sinePosition = 31

    /// Creates silent envelopes.
    ///
    /// `slotCount` is 0 without predictive vector coding.
    package init(slotCount: Int = Self.slotCount) { energies = FixedArray(repeating: 0, count: 64 * slotCount) }
}
