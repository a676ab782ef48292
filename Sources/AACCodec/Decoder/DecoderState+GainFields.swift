// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

extension DecoderState {
    /// Parses an access unit, and returns its level fields.
    ///
    /// The next access unit can be parsed like after ``decode(_:)``, which must not follow.
    ///
    /// - Throws: `CodecError` if the access unit is damaged.
    mutating func gainFields(of accessUnit: Span<UInt8>) throws(CodecError) -> GainFields {
        try read(accessUnit)
        var fields = GainFields()
        for index in layout.slots.indices {
            let isFirstSilent = elements[index].pair.first.addGainFields(to: &fields)
            let isPair = layout.slots[index].element == .pair
            let isSecondSilent = isPair ? elements[index].pair.second.addGainFields(to: &fields) : true
            guard sbr.isActive, sbr.configuration.lowDelay != nil || !elements[index].sbrPayload.isEmpty else { continue }
            let isSilent = SIMD2<UInt8>(isFirstSilent ? 1 : 0, isSecondSilent ? 1 : 0)
            sbr.addGainFields(of: index, ofCoupling: false, isSilent: isSilent, to: &fields)
        }
        for index in 0..<coupling.count {
            let isSilent = coupling.elements[index].stream.addGainFields(to: &fields)
            guard sbr.isActive, coupling.elements[index].isIndependentlySwitched, !coupling.sbrPayloads[index].isEmpty else { continue }
            sbr.addGainFields(of: index, ofCoupling: true, isSilent: SIMD2(isSilent ? 1 : 0, 1), to: &fields)
        }
        if coupling.hasIgnored { fields.obstacle = .couplingChannels }
        if sbr.hasLoss { fields.obstacle = .highBandLoss }
        sbr.startFrames()
        return fields
    }
}

extension IndividualChannelStream {
    /// Adds the fields of a channel that was read.
    ///
    /// - Returns: Whether the channel is silent.
    fileprivate func addGainFields(to fields: inout GainFields) -> Bool {
        if info.mainPrediction != nil || info.longTermPrediction != nil { fields.obstacle = .linePrediction }
        var (lower, upper) = (-globalGain, 255 - globalGain)
        for group in 0..<info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + info.maxSFB {
                let codebook = codebooks[band]
                guard codebook != BandCodebook.zero, codebook <= BandCodebook.noise else { continue }
                let range = codebook == BandCodebook.noise ? ScaleFactorData.noiseEnergyRange : ScaleFactorData.scaleFactorRange
                lower = max(lower, range.lowerBound - Int(scaleFactors[band]))
                upper = min(upper, range.upperBound - Int(scaleFactors[band]))
            }
        }
        var field = GainFields.Field(bit: globalGainBit, changes: min(lower, 0)...max(upper, 0))
        field.isSilent = !uses(BandCodebook.noise) && isZero
        fields.fields.append(field)
        if let reverseGainBit {
            field.bit = reverseGainBit
            fields.fields.append(field)
        }
        return field.isSilent
    }

    private var isZero: Bool {
        for line in quantized.indices where hasPowers ? powers[line] != 0 : quantized[line] != 0 { return false }
        return true
    }
}
