// SPDX-License-Identifier: Apache-2.0

/// The outcome of decoding one access unit.
public struct DecodedUnit: Hashable, Sendable {
    /// The damage, if there was any; the output was then concealed.
    public var damage: AACError?

    /// The number of bytes of the unit that were read; all of them if there was damage.
    ///
    /// In a frame with several raw data blocks the next one follows them.
    public var byteCount: Int

    /// Whether the sample rate, the channel count or the frame length has changed, and the buffer was replaced by one that fits.
    public var hasNewFormat: Bool

    /// Whether SBR data of the unit is damaged or invalid, so that its high band, and with it parametric stereo, was concealed or left out.
    public var lacksHighBand = false
}
