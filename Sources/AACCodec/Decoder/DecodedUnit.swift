// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What became of one access unit.
public struct DecodedUnit: Hashable, Sendable {
    /// What was wrong, if the unit was damaged: what came out was then made up from the units before.
    public var damage: AACError?

    /// Bytes of the unit that were read; all of them if there was damage.
    ///
    /// A frame with several raw data blocks goes on behind them.
    public var byteCount: Int

    /// Whether sample rate, channels or the frames of a unit are others than before; the buffer was made anew to fit.
    public var hasNewFormat: Bool
}
