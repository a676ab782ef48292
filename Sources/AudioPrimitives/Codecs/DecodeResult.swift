// SPDX-License-Identifier: Apache-2.0

/// The result of decoding one packet, such as an AAC access unit or an Opus packet.
public struct DecodeResult: Hashable, Sendable {
    /// The damage, if any, in which case the output is concealed.
    public var damage: CodecError?

    /// The number of bytes read from the packet: all bytes if damaged, and 0 for a concealed lost packet.
    ///
    /// In an AAC frame with several raw data blocks, the next block starts after these bytes.
    public var byteCount: Int

    /// Whether the buffer was replaced because the sample rate, channel count or frame count changed.
    public var hasNewFormat: Bool

    /// Whether damaged or invalid SBR data caused the high band, and thus parametric stereo, to be concealed or omitted.
    public var lacksHighBand: Bool

    /// Creates a result.
    public init(damage: CodecError? = nil, byteCount: Int, hasNewFormat: Bool, lacksHighBand: Bool = false) {
        self.damage = damage
        self.byteCount = byteCount
        self.hasNewFormat = hasNewFormat
        self.lacksHighBand = lacksHighBand
    }
}
