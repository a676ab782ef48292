// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

extension OpusEncoderConfiguration {
    /// Checks all properties, and returns the channel mapping.
    ///
    /// - Throws: ``OpusError`` of the first property that is unsupported.
    func validatedMapping() throws(OpusError) -> OpusChannelMapping {
        guard Self.sampleRates.contains(sampleRate) else { throw .unsupportedSampleRate(sampleRate, allowed: Self.sampleRates) }
        let mapping: OpusChannelMapping
        do throws(OpusFormatError) {
            mapping = try OpusChannelMapping(channelCount: channelCount, family: mappingFamily)
        } catch {
            throw .configuration(error)
        }
        let bitRates = Self.bitRates(channelCount: channelCount)
        guard bitRates.contains(bitRate) else { throw .unsupportedBitRate(bitRate, allowed: bitRates) }
        guard Self.complexities.contains(complexity) else {
            throw .unsupportedComplexity(complexity, allowed: Self.complexities)
        }
        guard (0...100).contains(expectedPacketLoss) else { throw .unsupportedPacketLoss(expectedPacketLoss, allowed: 0...100) }
        guard Self.sourceBitDepths.contains(sourceBitDepth) else {
            throw .unsupportedBitDepth(sourceBitDepth, allowed: Self.sourceBitDepths)
        }
        return mapping
    }
}
