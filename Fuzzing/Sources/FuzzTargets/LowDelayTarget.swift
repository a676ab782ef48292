// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio

extension FuzzTarget {
    /// Decodes AAC-LD and AAC-ELD access units, like the target `decode` for AAC-LC.
    ///
    /// Byte 0 selects object type, frame length, error resilience and SBR, byte 1 the sample rate, byte 2 the channel configuration (bits 0
    /// to 3) and MPEG Surround (bit 7, with its tools in bits 4 to 6). Bytes 3 and 4 are the SBR header. Access units follow, each preceded
    /// by a two-byte length. A length of 0 means a lost access unit.
    static let lowDelay = FuzzTarget("low-delay") { bytes in
        guard bytes.count > 5, let configuration = configuration(bytes) else { return }
        guard let decoder = try? AACDecoder(configuration), let again = try? AACDecoder(configuration) else { return }
        precondition(decodedSamples(bytes, from: 5, decoder) == decodedSamples(bytes, from: 5, again))
    }
}

/// Returns the configuration selected by the first five bytes.
private func configuration(_ bytes: [UInt8]) -> AudioSpecificConfig? {
    guard let channels = ChannelConfiguration(rawValue: Int(bytes[2] & 0xF)) else { return nil }
    let rate = SamplingFrequencyIndex.standardRates[Int(bytes[1]) % 13]
    let usesShortFrame = bytes[0] & 0x02 != 0
    var resilience = ErrorResilience()
    resilience.hasVirtualCodebooks = bytes[0] & 0x04 != 0
    resilience.hasReversibleScaleFactors = bytes[0] & 0x08 != 0
    resilience.hasReorderedSpectrum = bytes[0] & 0x10 != 0
    if bytes[0] & 0x01 == 0 {
        var generalAudio = GASpecificConfig(usesShortFrame: usesShortFrame)
        var flags = GASpecificConfig.Extension()
        flags.resilientSectionData = resilience.hasVirtualCodebooks
        flags.resilientScaleFactorData = resilience.hasReversibleScaleFactors
        flags.resilientSpectralData = resilience.hasReorderedSpectrum
        generalAudio.extensionData = flags
        return AudioSpecificConfig(
            objectType: .aacLD, sampleRate: rate, channelConfiguration: channels, generalAudio: generalAudio)
    }
    // Without the optional field groups of a header.
    let header = ELDSpecificConfig.Header(bits: UInt32(bytes[3]) << 8 | UInt32(bytes[4] & 0xFC), bitCount: 16)
    let count = channels.elements.count { $0 != .lowFrequency }
    let sbr = ELDSpecificConfig.LowDelaySBR(
        isDualRate: bytes[0] & 0x40 != 0, hasChecksum: bytes[0] & 0x80 != 0, headers: Array(repeating: header, count: count))
    var enhanced = ELDSpecificConfig(usesShortFrame: usesShortFrame, resilience: resilience, sbr: bytes[0] & 0x20 != 0 ? sbr : nil)
    if bytes[2] & 0x80 != 0 { enhanced.extensions = [surround(enhanced, rate: rate, tools: bytes[2] >> 4 & 7)] }
    return AudioSpecificConfig(sampleRate: rate, channelConfiguration: channels, enhancedLowDelay: enhanced)
}

/// Returns the MPEG Surround configuration of a mono core with the given tools.
private func surround(_ configuration: ELDSpecificConfig, rate: Int, tools: UInt8) -> ELDSpecificConfig.Extension {
    let factor = configuration.sbr?.isDualRate == true ? 2 : 1
    let index = SamplingFrequencyIndex.standardRates.firstIndex(of: factor * rate) ?? 0
    var writer = BitWriter()
    writer.write(UInt32(index), count: 4)
    writer.write(UInt32(factor * configuration.frameLength / (factor * rate < 27_713 ? 32 : 64) - 1), count: 5)
    writer.write(UInt32(max(1, tools)), count: 3)
    // The tree, quantization and downmix modes, the gain, and no temporal shaping.
    writer.write(7, count: 4)
    writer.write(0, count: 3)
    writer.write(2, count: 3)
    writer.write(0, count: 2)
    writer.write(UInt32(tools % 3), count: 2)
    return ELDSpecificConfig.Extension(type: ELDSpecificConfig.Extension.lowDelaySurround, bytes: writer.bytes)
}
