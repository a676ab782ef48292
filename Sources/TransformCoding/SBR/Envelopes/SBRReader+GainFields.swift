// SPDX-License-Identifier: Apache-2.0

extension SBRReader {
    /// Adds the start values of the last intact payload's envelopes.
    ///
    /// Noise floors and balances are relative to the envelopes.
    ///
    /// - Parameters:
    ///   - reading: The contents of the payload.
    ///   - isSilent: 1 for each core channel without a signal.
    ///   - chain: The number of the first channel's chain.
    package func addGainFields(
        _ reading: borrowing SBRReading, isSilent: SIMD2<UInt8>, chain: Int, to fields: inout GainFields
    ) {
        if !checkedBits.isEmpty { fields.checksums.append(checkedBits) }
        for channel in 0..<channelCount {
            let isCoarse = payload.channels[channel].usesCoarseAmplitudes(reading.header)
            let isBalance = payload.isCoupled && channel == 1
            let bitCount = DeltaCoding.envelope(isCoarse: isCoarse, isBalance: isBalance).startBitCount
            let isCoreSilent = payload.isCoupled ? isSilent == SIMD2(1, 1) : isSilent[channel] != 0
            for index in 0..<payload.channels[channel].boundaries.count {
                let isInTime = payload.channels[channel].isEnvelopeInTime(index)
                let start = Int(payload.channels[channel].envelopeDifferences[index * SBRChannelData.maximumBandCount])
                let range = reading.hasLevels ? levelRange(channel, index, reading.tables) : start...max(start, 0)
                let bit = isInTime ? nil : Int(payload.channels[channel].envelopeStartBits[index])
                var field = GainFields.Field(bit: bit, changes: -range.lowerBound...EnvelopeLevels.maximumLevel - range.upperBound)
                if !isInTime { field.changes = field.changes.clamped(to: -start...max(-start, 1 << bitCount - 1 - start)) }
                field.bitCount = bitCount
                field.scale = isBalance ? 0 : isCoarse ? 2 : 1
                field.chain = chain + channel
                field.isLowest = range.upperBound == 0
                field.isSilent = isCoreSilent && field.isLowest
                fields.fields.append(field)
            }
        }
    }

    private func levelRange(_ channel: Int, _ index: Int, _ tables: borrowing FrequencyBandTables) -> ClosedRange<Int> {
        let count = tables.bandCount(isHighResolution: payload.channels[channel].grid.isHighResolution(index))
        var (low, high) = (EnvelopeLevels.maximumLevel, 0)
        let first = index * SBRChannelData.maximumBandCount
        for offset in first..<first + count {
            let level = Int(levels[channel].envelopes[offset])
            (low, high) = (min(low, level), max(high, level))
        }
        return min(low, high)...high
    }
}
