// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio

extension FuzzTarget {
    /// Decodes access units twice: the output must be identical, finite, and of the documented length.
    ///
    /// Byte 0 selects object type, frame length and downmix, byte 1 the sample rate, byte 2 the channel configuration. Access units follow,
    /// each preceded by a two-byte length. A length of 0 means a lost access unit.
    static let decode = FuzzTarget("decode") { bytes in
        guard bytes.count > 3, let configuration = configuration(bytes) else { return }
        var options = AACDecoderOptions()
        options.downmix = bytes[0] & 0x10 != 0 ? .stereo : .none
        (options.dynamicRangeBoost, options.dynamicRangeCut, options.referenceLevel) = (1, 1, -16)
        guard let decoder = try? AACDecoder(configuration, options: options) else { return }
        let first = decodedSamples(bytes, from: 3, decoder)
        guard let again = try? AACDecoder(configuration, options: options) else { return }
        precondition(first == decodedSamples(bytes, from: 3, again))
    }
}

/// Returns the configuration selected by the first three bytes.
private func configuration(_ bytes: [UInt8]) -> AudioSpecificConfig? {
    let types: [AudioObjectType] = [.aacLC, .aacMain, .aacLTP, .aacLC]
    let channels = ChannelConfiguration(rawValue: Int(bytes[2] & 0xF))
    var replication = AudioSpecificConfig.Extension.implicit
    let rate = SamplingFrequencyIndex.standardRates[Int(bytes[1]) % 13]
    if bytes[0] & 0x20 != 0 {
        let isDownsampled = bytes[0] & 0x40 != 0
        replication = .hierarchical(
            sampleRate: isDownsampled ? rate : 2 * rate, hasParametricStereo: bytes[0] & 0x80 != 0)
    }
    return AudioSpecificConfig(
        objectType: types[Int(bytes[0] & 3)], sampleRate: rate, channelConfiguration: channels,
        generalAudio: GASpecificConfig(usesShortFrame: bytes[0] & 0x08 != 0), extensionConfig: replication)
}

/// Returns all decoded samples as bit patterns, for exact comparison.
///
/// - Parameter start: The index of the first access unit's length.
func decodedSamples(_ bytes: [UInt8], from start: Int, _ decoder: AACDecoder) -> [UInt32] {
    var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
    var samples: [UInt32] = []
    var offset = start
    for _ in 0..<16 where offset + 2 <= bytes.count {
        let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
        let end = min(bytes.count, offset + 2 + length)
        let accessUnit = Array(bytes[offset + 2..<end])
        let result = accessUnit.isEmpty ? decoder.conceal(into: &buffer) : decoder.decode(accessUnit.span, into: &buffer)
        offset = end
        precondition(result.byteCount <= accessUnit.count)
        precondition(buffer.frameCount == 0 || buffer.frameCount == decoder.framesPerPacket && buffer.channelCount == decoder.channelCount)
        for channel in 0..<buffer.channelCount where buffer.frameCount > 0 {
            for sample in buffer.channels[channel] {
                precondition(sample.isFinite)
                samples.append(sample.bitPattern)
            }
        }
    }
    return samples
}
