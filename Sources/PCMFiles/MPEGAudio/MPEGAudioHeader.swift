// SPDX-License-Identifier: Apache-2.0

/// The header of an MPEG audio frame, layer 1 to 3 (ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3, 2.4.2.3).
package struct MPEGAudioHeader: Equatable {
    package static let byteCount = 4

    /// The layer: 1, 2 or 3.
    let layer: Int
    /// log2 of the sample rate divisor: 0 for MPEG-1, 1 for MPEG-2, 2 for MPEG-2.5.
    let rateShift: Int
    /// The sample rate, in hertz.
    package let sampleRate: Int
    package let isMono: Bool
    /// Whether a 16-bit checksum follows the header.
    let hasChecksum: Bool
    /// The frame size in bytes, including the header, or 0 for free format, which does not signal it.
    package let frameByteCount: Int

    /// Parses the first bytes of a frame, or returns `nil` if they are not a header or signal free format although it is not allowed.
    package init?(_ bytes: some Sequence<UInt8>, allowsFreeBitRate: Bool = false) {
        var iterator = bytes.makeIterator()
        guard let sync = iterator.next(), sync == 0xFF, let kind = iterator.next(), kind & 0xE0 == 0xE0, let rates = iterator.next(),
            let mode = iterator.next()
        else { return nil }
        let version = kind >> 3 & 3
        let layerCode = Int(kind >> 1 & 3)
        let bitRateIndex = Int(rates >> 4)
        let rateIndex = Int(rates >> 2 & 3)
        guard version != 1, layerCode != 0, rateIndex != 3 else { return nil }
        layer = 4 - layerCode
        rateShift = version == 3 ? 0 : version == 2 ? 1 : 2
        sampleRate = MPEGAudioTables.sampleRates[rateIndex] >> rateShift
        isMono = mode >> 6 == 3
        hasChecksum = kind & 1 == 0
        if allowsFreeBitRate, bitRateIndex == 0 {
            frameByteCount = 0
            return
        }
        guard let bitRate = MPEGAudioTables.bitRate(layer: layer, isFirstVersion: rateShift == 0, index: bitRateIndex) else { return nil }
        let padding = Int(rates >> 1 & 1)
        if layer == 1 {
            frameByteCount = (12 * bitRate / sampleRate + padding) * 4
        } else {
            frameByteCount = (layer == 3 && rateShift > 0 ? 72 : 144) * bitRate / sampleRate + padding
        }
    }

    /// The number of decoded sample frames per frame.
    package var samplesPerFrame: Int { layer == 1 ? 384 : layer == 3 && rateShift > 0 ? 576 : 1152 }

    /// The channel count, 1 or 2.
    var channelCount: Int { isMono ? 1 : 2 }

    /// The offset of the tag that layer 3 encoders write into a first frame without audio, after the side information.
    package var tagOffset: Int { Self.byteCount + (hasChecksum ? 2 : 0) + (rateShift == 0 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)) }

    /// Whether another frame can belong to the same stream: layer and sample rate must match.
    func continues(_ other: MPEGAudioHeader) -> Bool { layer == other.layer && sampleRate == other.sampleRate }

    /// Whether another frame has the same layer, sample rate and channel count.
    func hasFormat(of other: MPEGAudioHeader) -> Bool { continues(other) && isMono == other.isMono }
}
