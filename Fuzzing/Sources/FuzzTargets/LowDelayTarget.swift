// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import MPEG4Audio

extension FuzzTarget {
    /// Decodes units of AAC-LD and AAC-ELD as the target `decode` does those of AAC-LC.
    ///
    /// Byte 0 chooses object type, frame length, error resilience and SBR, byte 1 the rate, byte 2 the channel configuration; bytes 3 and 4 are the
    /// header of SBR. Then come units, each behind two bytes of length; a length of 0 stands for a unit that is lost.
    static let lowDelay = FuzzTarget("low-delay") { bytes in
        guard bytes.count > 5, let configuration = configuration(bytes) else { return }
        guard let decoder = try? AACDecoder(configuration), let again = try? AACDecoder(configuration) else { return }
        precondition(decodedSamples(bytes, from: 5, decoder) == decodedSamples(bytes, from: 5, again))
    }
}

/// Returns what the first five bytes choose.
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
            objectType: .errorResilientAACLD, sampleRate: rate, channelConfiguration: channels, generalAudio: generalAudio)
    }
    // Without the groups of fields that a header may leave out.
    let header = ELDSpecificConfig.Header(bits: UInt32(bytes[3]) << 8 | UInt32(bytes[4] & 0xFC), bitCount: 16)
    let count = channels.elements.count { $0 != .lowFrequency }
    let sbr = ELDSpecificConfig.LowDelaySBR(
        isDualRate: bytes[0] & 0x40 != 0, hasChecksum: bytes[0] & 0x80 != 0, headers: Array(repeating: header, count: count))
    return AudioSpecificConfig(
        sampleRate: rate, channelConfiguration: channels,
        enhancedLowDelay: ELDSpecificConfig(
            usesShortFrame: usesShortFrame, resilience: resilience, sbr: bytes[0] & 0x20 != 0 ? sbr : nil))
}
