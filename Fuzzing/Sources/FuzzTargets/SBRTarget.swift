// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio

extension FuzzTarget {
    /// Passes SBR payloads with parametric stereo to a decoder, with a core of noise: all output must be finite.
    ///
    /// Byte 0 selects one channel or two (bit 0), 960 samples per frame (bit 1), output at the core sample rate (bit 2), payloads with a
    /// checksum (bit 3) and the sample rate (bits 4 to 7). Payloads follow, each preceded by a length byte. 0 means a lost payload.
    static let sbr = FuzzTarget("sbr") { bytes in
        guard let flags = bytes.first else { return }
        let rate = SamplingFrequencyIndex.standardRates[Int(flags >> 4) % 12]
        let isPair = flags & 1 != 0
        let configuration = AudioSpecificConfig(
            sampleRate: rate, channelConfiguration: ChannelConfiguration(rawValue: isPair ? 2 : 1),
            generalAudio: GASpecificConfig(usesShortFrame: flags & 2 != 0),
            extensionConfig: .hierarchical(
                sampleRate: flags & 4 != 0 ? rate : 2 * rate, hasParametricStereo: !isPair))
        guard let decoder = try? AACDecoder(configuration) else { return }
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        var offset = 1
        for _ in 0..<24 where offset < bytes.count {
            let end = min(bytes.count, offset + 1 + Int(bytes[offset]))
            let unit = accessUnit(Array(bytes[offset + 1..<end]), isPair: isPair, isChecked: flags & 8 != 0)
            offset = end
            precondition(decoder.decode(unit.span, into: &buffer).damage == nil)
            precondition(buffer.channelCount == 2 && buffer.frameCount == decoder.framesPerPacket)
            for channel in 0..<2 {
                for sample in buffer.channels[channel] { precondition(sample.isFinite) }
            }
        }
    }
}

/// Returns an access unit with a payload after its element.
private func accessUnit(_ payload: [UInt8], isPair: Bool, isChecked: Bool) -> [UInt8] {
    var writer = BitWriter()
    writer.write(isPair ? 1 : 0, count: 3)
    writer.write(0, count: 4)
    if isPair { writer.write(false) }
    for _ in 0..<(isPair ? 2 : 1) { writeNoise(to: &writer) }
    if !payload.isEmpty {
        // The extension type uses half a byte.
        let byteCount = payload.count + 1
        writer.write(6, count: 3)
        writer.write(UInt32(min(byteCount, 15)), count: 4)
        if byteCount >= 15 { writer.write(UInt32(byteCount - 14), count: 8) }
        writer.write(isChecked ? 14 : 13, count: 4)
        for byte in payload { writer.write(UInt32(byte), count: 8) }
        writer.write(0, count: 4)
    }
    writer.write(7, count: 3)
    return writer.bytes
}

/// Writes a channel with one long window, whose 20 lowest bands are noise of one level.
private func writeNoise(to writer: inout BitWriter) {
    writer.write(130, count: 8)
    writer.write(0, count: 4)
    writer.write(20, count: 6)
    writer.write(false)
    writer.write(13, count: 4)
    writer.write(20, count: 5)
    writer.write(256, count: 9)
    writer.write(0, count: 19)
    writer.write(0, count: 3)
}
