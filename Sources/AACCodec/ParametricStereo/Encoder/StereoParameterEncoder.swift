// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

#if !hasFeature(Embedded) || LINNET_USAC
package import AudioPrimitives
#else
internal import AudioPrimitives
#endif

/// The estimation and coding of stereo parameters, frame by frame (ISO/IEC 14496-3:2009, 8.6.4.4 and 8.6.4.6).
///
/// The decoder interpolates linearly to the matrices of an envelope, and reaches them at its last time slot. The parameters are therefore
/// estimated around that time slot: from as many time slots before and after it as the envelope has, with weights that fall linearly with
/// distance.
package struct StereoParameterEncoder: ~Copyable {
    private let settings: StereoCodingSettings
    private let quantizer: StereoQuantizer
    /// The weights of the time slots around the end of each envelope, in all lanes.
    private var weights: FixedArray<SIMD4<Float>>
    /// The intensity differences of the previous frame's last envelope, then of the current frame.
    ///
    /// Envelope e, band b is at 34 e + b.
    package private(set) var levels = FixedArray<Int8>(repeating: 0, count: StereoEnvelopes.capacity)
    /// The coherences in the same layout.
    package private(set) var coherence = FixedArray<Int8>(repeating: 0, count: StereoEnvelopes.capacity)
    /// The number of time slots per frame.
    private let qmfSlotCount: Int
    /// The bits of time differences.
    private var timeCosts = StereoQuantizer.Costs()
    /// The bits of frequency differences.
    private var frequencyCosts = StereoQuantizer.Costs()

    /// Creates an encoder for the start of a stream.
    ///
    /// - Parameter qmfSlotCount: The number of time slots per frame.
    package init(_ settings: StereoCodingSettings, qmfSlotCount: Int) {
        self.settings = settings
        quantizer = Self.quantizer(settings)
        self.qmfSlotCount = qmfSlotCount
        weights = FixedArray(repeating: SIMD4(repeating: 0), count: 2 * (qmfSlotCount + 4 * settings.envelopeCount))
        for envelope in 0..<settings.envelopeCount {
            let (qmfSlots, target) = (qmfSlots(of: envelope), weightIndices(of: envelope))
            for qmfSlot in 0..<2 * qmfSlots.count {
                let distance = abs(Float(qmfSlot - qmfSlots.count) + 0.5)
                weights[target.lowerBound + qmfSlot] = SIMD4(repeating: 1 - distance / Float(qmfSlots.count))
            }
        }
        setCosts()
    }

    private static func quantizer(_ settings: StereoCodingSettings) -> StereoQuantizer {
        let stepCount = settings.isFast ? 1 : 2
        #if !hasFeature(Embedded) || LINNET_USAC
        if settings.isSurround { return StereoQuantizer(forSurroundWithStepCount: stepCount) }
        #endif
        return StereoQuantizer(settings.header, stepCount: stepCount)
    }

    /// Sets the bits of differences.
    private mutating func setCosts() {
        #if !hasFeature(Embedded) || LINNET_USAC
        if settings.isSurround {
            for difference in -30...30 {
                let kind = SurroundParameter.levelDifference
                timeCosts.levelBits[difference + 31] = Float(kind.bitCount(ofDifference: difference, isTime: true))
                frequencyCosts.levelBits[difference + 31] = Float(kind.bitCount(ofDifference: difference, isTime: false))
            }
            for difference in -7...7 {
                let kind = SurroundParameter.coherence
                timeCosts.coherenceBits[difference + 7] = Float(kind.bitCount(ofDifference: difference, isTime: true))
                frequencyCosts.coherenceBits[difference + 7] = Float(kind.bitCount(ofDifference: difference, isTime: false))
            }
            return
        }
        #endif
        let codebooks = settings.levelCodebooks
        for difference in codebooks.time.range where abs(difference) < 32 {
            timeCosts.levelBits[difference + 31] = Float(codebooks.time.bitCount(of: difference))
            frequencyCosts.levelBits[difference + 31] = Float(codebooks.frequency.bitCount(of: difference))
        }
        for difference in -7...7 {
            timeCosts.coherenceBits[difference + 7] = Float(DeltaCodebook.iccTime.bitCount(of: difference))
            frequencyCosts.coherenceBits[difference + 7] = Float(DeltaCodebook.iccFrequency.bitCount(of: difference))
        }
    }

    /// Returns the time slots of an envelope, as a decoder divides the frame.
    private func qmfSlots(of envelope: Int) -> Range<Int> {
        envelope * qmfSlotCount / settings.envelopeCount..<(envelope + 1) * qmfSlotCount / settings.envelopeCount
    }

    /// Returns the indices of an envelope's weights, in whole groups of four.
    ///
    /// The last weights may be 0.
    private func weightIndices(of envelope: Int) -> Range<Int> {
        let qmfSlots = qmfSlots(of: envelope)
        let first = 2 * qmfSlots.lowerBound + 4 * envelope
        return first..<first + (2 * qmfSlots.count + 3) & ~3
    }

    /// Clears the indices of the previous frame.
    ///
    /// The next frame must have a header.
    mutating func resetHistory() {
        for band in StereoEnvelopes.row(0) {
            levels[band] = 0
            coherence[band] = 0
        }
    }

    /// Estimates and codes the parameters of a frame.
    ///
    /// - Parameters:
    ///   - statistics: The energies and products of four frames.
    ///   - first: The index in the statistics of the frame's first time slot.
    ///   - hasHeader: Whether the frame has a header and does not depend on previous frames.
    package mutating func encode(
        _ statistics: inout StereoStatistics, from first: Int, hasHeader: Bool, into data: inout ParametricStereoData
    ) {
        data.clear()
        data.header = settings.header
        data.hasHeader = hasHeader
        data.envelopeCount = settings.envelopeCount
        estimate(&statistics, from: first, isIndependent: hasHeader)
        if !data.hasHeader && isUnchanged() {
            data.envelopeCount = 0
        } else {
            for envelope in 0..<settings.envelopeCount { code(envelope, into: &data) }
            keepLastEnvelope()
        }
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// Estimates the parameters of a frame, and writes them as `Mps212Data` (ISO/IEC 23003-3, 5.3).
    ///
    /// - Parameters:
    ///   - statistics: The energies and products of four frames.
    ///   - first: The index in the statistics of the frame's first time slot.
    ///   - isIndependent: Whether the frame is independent of previous ones.
    package mutating func encodeSurround(
        _ statistics: inout StereoStatistics, from first: Int, isIndependent: Bool, to sink: inout some BitSink
    ) {
        estimate(&statistics, from: first, isIndependent: isIndependent)
        // Equidistant sets.
        if settings.envelopeCount > 1 { sink.write(UInt32(settings.envelopeCount - 1), count: 4) }
        if !isIndependent { sink.write(false) }
        let rowLength = StereoEnvelopes.row(0).count
        SurroundParameter.levelDifference.write(
            levels.span, rowLength: rowLength, setCount: settings.envelopeCount, bandCount: settings.bandCount,
            isIndependent: isIndependent, to: &sink)
        SurroundParameter.coherence.write(
            coherence.span, rowLength: rowLength, setCount: settings.envelopeCount, bandCount: settings.bandCount,
            isIndependent: isIndependent, to: &sink)
        // No smoothing.
        if settings.envelopeCount > 1 { sink.write(0, count: 2 * settings.envelopeCount) }
        keepLastEnvelope()
    }
    #endif

    private mutating func estimate(_ statistics: inout StereoStatistics, from first: Int, isIndependent: Bool) {
        for envelope in 0..<settings.envelopeCount {
            estimate(
                &statistics, envelope: envelope, from: first + qmfSlots(of: envelope).lowerBound,
                isIndependent: envelope == 0 && isIndependent)
        }
    }

    private mutating func estimate(
        _ statistics: inout StereoStatistics, envelope: Int, from first: Int, isIndependent: Bool
    ) {
        statistics.sum(from: first, weights: weights.span.extracting(weightIndices(of: envelope)))
        let (before, now) = (StereoEnvelopes.row(envelope).lowerBound, StereoEnvelopes.row(envelope + 1).lowerBound)
        let bandsPerParameter = StereoStatistics.bandCount / settings.bandCount
        for band in 0..<settings.bandCount {
            var sums = statistics.sums(bandsPerParameter * band)
            if bandsPerParameter == 2 { sums = sums + statistics.sums(2 * band + 1) }
            // The high band generated by SBR is a different signal, with another correlation to its decorrelated signal.
            if bandsPerParameter * band >= settings.firstReplicatedBand { sums.cross = 0 }
            let (previousLevel, previousCoherence) = (levels[before + band], coherence[before + band])
            var found = (level: Int(previousLevel), coherence: Int(previousCoherence))
            if sums.left + sums.right >= Self.silence {
                if isIndependent {
                    frequencyCosts.levelBase = band > 0 ? Int(levels[now + band - 1]) : 0
                    frequencyCosts.coherenceBase = band > 0 ? Int(coherence[now + band - 1]) : 0
                    found = quantizer.quantize(sums, costs: frequencyCosts)
                } else {
                    timeCosts.levelBase = Int(previousLevel)
                    timeCosts.coherenceBase = Int(previousCoherence)
                    found = quantizer.quantize(sums, costs: timeCosts)
                }
            }
            levels[now + band] = Int8(found.level)
            coherence[now + band] = Int8(found.coherence)
        }
    }

    /// Keeps the last envelope of the frame as history for the next frame.
    private mutating func keepLastEnvelope() {
        let (last, first) = (StereoEnvelopes.row(settings.envelopeCount), StereoEnvelopes.row(0).lowerBound)
        levels.copy(last, to: first)
        coherence.copy(last, to: first)
    }

    /// Returns whether all envelopes are equal to the last one of the previous frame.
    private func isUnchanged() -> Bool {
        for envelope in 1...settings.envelopeCount {
            let first = StereoEnvelopes.row(envelope).lowerBound
            for band in 0..<settings.bandCount {
                if levels[first + band] != levels[band] { return false }
                if coherence[first + band] != coherence[band] { return false }
            }
        }
        return true
    }

    private func code(_ envelope: Int, into data: inout ParametricStereoData) {
        let allowsTime = envelope > 0 || !data.hasHeader
        let (before, now) = (StereoEnvelopes.row(envelope), StereoEnvelopes.row(envelope + 1))
        data.levels.code(
            levels.span.extracting(now), after: levels.span.extracting(before), envelope: envelope, bandCount: settings.bandCount,
            allowsTime: allowsTime,
            settings.levelCodebooks)
        data.coherence.code(
            coherence.span.extracting(now), after: coherence.span.extracting(before), envelope: envelope, bandCount: settings.bandCount,
            allowsTime: allowsTime, (.iccFrequency, .iccTime))
    }

    /// The energy over an envelope below which its parameters do not change.
    private static let silence: Float = 100
}

extension ParametricStereoData.Differences {
    /// Codes indices as time differences if those are allowed and need fewer bits, otherwise as frequency differences.
    fileprivate mutating func code(
        _ indices: Span<Int8>, after previous: Span<Int8>, envelope: Int, bandCount: Int, allowsTime: Bool,
        _ codebooks: (frequency: DeltaCodebook, time: DeltaCodebook)
    ) {
        var frequencyBits = 0
        var timeBits = 0
        for band in 0..<bandCount {
            frequencyBits += codebooks.frequency.bitCount(of: Int(indices[band]) - (band > 0 ? Int(indices[band - 1]) : 0))
            timeBits += codebooks.time.bitCount(of: Int(indices[band]) - Int(previous[band]))
        }
        let isInTime = allowsTime && timeBits < frequencyBits
        if isInTime { inTime |= 1 << UInt8(envelope) }
        for band in 0..<bandCount {
            let base = isInTime ? previous[band] : band > 0 ? indices[band - 1] : 0
            values[ParametricStereoData.maximumBandCount * envelope + band] = indices[band] - base
        }
    }
}
