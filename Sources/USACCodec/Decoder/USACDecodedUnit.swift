// SPDX-License-Identifier: Apache-2.0

/// The outcome of decoding one access unit.
public struct USACDecodedUnit: Hashable, Sendable {
    /// The damage, if there was any; the output was then concealed.
    public var damage: USACError?
    /// Whether the sample rate, the channel count or the frame length has changed, and the buffer was replaced by one that fits.
    public var hasNewFormat: Bool
}
