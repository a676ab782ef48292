// SPDX-License-Identifier: Apache-2.0

/// The outcome of decoding one packet: an access unit of AAC, a packet of Opus.
public struct DecodeResult: Hashable, Sendable {
    /// The damage, if there was any; the output was then concealed.
    public var damage: CodecError?

    /// The number of bytes of the packet that were read; all of them if there was damage, 0 if a lost packet was concealed.
    ///
    /// In a frame of AAC with several raw data blocks the next one follows them.
    public var byteCount: Int

    /// Whether the sample rate, the channel count or the number of frames has changed, and the buffer was replaced by one that fits.
    public var hasNewFormat: Bool

    /// Whether SBR data of the unit is damaged or invalid, so that its high band, and with it parametric stereo, was concealed or left out.
    public var lacksHighBand: Bool

    /// Creates a result.
    public init(damage: CodecError? = nil, byteCount: Int, hasNewFormat: Bool, lacksHighBand: Bool = false) {
        self.damage = damage
        self.byteCount = byteCount
        self.hasNewFormat = hasNewFormat
        self.lacksHighBand = lacksHighBand
    }
}
