// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The SBR header of a stream and all other SBR settings that depend on the bit rate.
///
/// Measured in HighEfficiency.md#parameters-by-bit-rate.
package struct SBRTuning: Sendable {
    package let header: SBRHeader
    /// Whether independent frames have the syntax of enhanced SBR.
    let isEnhanced: Bool
    package let tables: FrequencyBandTables
    /// The crossover frequency, in hertz.
    package let crossover: Int
    /// The maximum coded frequency, in hertz.
    package let top: Int
    /// Whether a pair has a common grid and may be coded as level and balance.
    package let allowsCoupling: Bool
    /// The time slots of a frame.
    package let layout: SlotLayout
    /// The number of analyzed QMF slots per time slot: all or one.
    let qmfSlotsPerTimeSlot: Int
    /// Whether the output has the core sample rate, as in single-rate low delay SBR.
    package let isDownsampled: Bool

    /// The minimum length of an envelope with high frequency resolution in variable grids, in QMF slots.
    package let minimumHighResolutionWidth: Int
    /// The weight of the distance between envelopes and signal, relative to the number of envelopes.
    let envelopeWeight: Float
    /// The octaves added to estimated noise floors.
    let floorOffset: Float
    /// Whether to add sinusoids for missing harmonics.
    let addsSines: Bool

    /// The source subband of each high-band subband in its patch.
    let sources: ContiguousArray<Int>

    /// Energy factors for bands with high frequency resolution that compensate for the loss at patch boundaries.
    let highBoundaryFactors: ContiguousArray<Float>
    /// Energy factors for bands with low frequency resolution that compensate for the loss at patch boundaries.
    let lowBoundaryFactors: ContiguousArray<Float>

    /// Derives the settings from the total bit rate of core and SBR.
    ///
    /// `nil` if the standard has no table for the sample rate.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate of the stream, in bits per second.
    ///   - sampleRate: Twice the core sample rate, in hertz.
    ///   - coreFrameLength: The number of samples per core frame: 1024 or 960, in low delay SBR 512 or 480.
    ///   - isDualRate: Whether low delay SBR is dual-rate; `nil` for regular SBR.
    ///   - hasParametricStereo: Whether the channel is a downmix, which is usually not speech.
    ///   - isHalved: Whether only every second QMF slot is analyzed.
    ///   - isEnhanced: Whether the stream is xHE-AAC.
    ///   - raisesCrossover: Whether the core of a pair has bits for more lines than usual at this rate.
    package init?(
        bitRate: Int, sampleRate: Int, channelCount: Int, coreFrameLength: Int, isDualRate: Bool? = nil,
        hasParametricStereo: Bool = false, isHalved: Bool = false, isEnhanced: Bool = false,
        raisesCrossover: Bool = false
    ) {
        layout = isDualRate == nil ? SlotLayout(coreFrameLength: coreFrameLength) : SlotLayout(lowDelayFrameLength: coreFrameLength)
        self.isEnhanced = isEnhanced
        isDownsampled = isDualRate == false
        let isMono = channelCount == 1 && !hasParametricStereo
        let perChannel = Float(bitRate) / Float(channelCount) * 48000 / Float(sampleRate)
        var header = SBRHeader()
        header.usesCoarseAmplitudes = perChannel < (isMono ? Self.monoFineAmplitudeRate : Self.fineAmplitudeRate)
        let isCoarse = isMono && perChannel < Self.fineResolutionRate
        header.bands.frequencyScale = isCoarse ? 2 : 1
        header.bands.noiseBands = isCoarse ? 1 : 2
        header.limiterGains = Self.unlimitedGains
        let usualCrossover =
            isMono
            ? PortableMath.interpolate(perChannel, at: Self.monoRates, values: [4_700, 7_000, 8_200, 9_200, 10_500])
            : PortableMath.interpolate(perChannel, at: Self.rates, values: [4_700, 7_000, 9_500, 10_500])
        let raisedCrossover = PortableMath.interpolate(perChannel, at: [16_000, 24_000], values: [7_500, isEnhanced ? 8_250 : 7_500])
        let crossover = raisesCrossover ? max(usualCrossover, raisedCrossover) : usualCrossover
        let top = PortableMath.interpolate(perChannel, at: Self.rates, values: [17_000, 19_000, 20_000, 20_000])
        // All frequencies of narrow-band signals are audible: a band that ends at 20 of 24 kHz ends at half the sample rate there.
        let topRate: Float = sampleRate <= Self.highestNarrowRate ? 40_000 : 48_000
        // At single rate the band ends with the core's band. The core covers more of it, because it has the bits of twice the time.
        let range =
            isDownsampled
            ? (crossover: Self.singleRateCrossover(bitRate / channelCount, coreRate: sampleRate / 2), top: Float(sampleRate) / 4)
            : (crossover: crossover * Float(sampleRate) / 48000, top: top * Float(sampleRate) / topRate)
        guard
            let found = Self.bestHeader(
                header, rate: sampleRate, crossover: range.crossover, top: range.top, highestSubband: isDownsampled ? 32 : 64)
        else { return nil }
        self.header = found.header
        tables = found.tables
        self.crossover = found.tables.crossoverSubband * sampleRate / 128
        self.top = tables.high.last * sampleRate / 128
        allowsCoupling = perChannel < Self.couplingRate
        qmfSlotsPerTimeSlot = isHalved ? 1 : layout.qmfSlotsPerTimeSlot
        let isScarce = allowsCoupling && channelCount == 2 && coreFrameLength == 960
        minimumHighResolutionWidth = isScarce ? Self.minimumHighResolutionWidthOf15 : Self.usualShortestHighResolution
        // In low delay SBR a time slot has half as many QMF slots.
        envelopeWeight = (isMono ? 2 : isEnhanced ? Self.enhancedEnvelopeWeight : 1) * (isDualRate == nil ? 1 : 0.5)
        floorOffset = isMono ? 1 : 0
        addsSines = !isEnhanced || isMono || perChannel < Self.enhancedSineRate
        var sources = ContiguousArray(repeating: 0, count: 64)
        for patch in 0..<tables.patches.count {
            for index in 0..<tables.patches.width(of: patch) {
                sources[tables.patches.target(of: patch) + index] = tables.patches.start(of: patch) + index
            }
        }
        self.sources = sources
        highBoundaryFactors = found.tables.boundaryFactors(found.tables.high)
        lowBoundaryFactors = found.tables.boundaryFactors(found.tables.low)
    }

    /// Returns the crossover frequency of single-rate low delay SBR, in hertz.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate per channel, in bits per second.
    ///   - coreRate: The core sample rate, in hertz.
    private static func singleRateCrossover(_ bitRate: Int, coreRate: Int) -> Float {
        let bitsPerLine = Float(bitRate) / Float(coreRate)
        return PortableMath.interpolate(bitsPerLine, at: [0.5, 1, 1.5, 2], values: [0.2, 0.25, 0.3, 0.375]) * Float(coreRate)
    }

    /// The ``envelopeWeight`` of stereo in xHE-AAC.
    ///
    /// At equal payload, it changes the Zimtohrli distance relative to HE-AAC from 0.914 to 0.892 at 32 kbit/s, and from 0.930 to 0.921 at 48
    /// kbit/s (geometric mean of five clips).
    private static let enhancedEnvelopeWeight: Float = 1.6

    /// The bit rate per channel from which xHE-AAC in stereo adds no sinusoids.
    ///
    /// Measured in SBR.md#xhe-aac.
    private static let enhancedSineRate: Float = 22_000

    /// The bit rates per channel, scaled to a sample rate of 48 kHz, at which the frequency ranges are tuned.
    private static let rates: [Float] = [16_000, 24_000, 32_000, 40_000]

    /// The bit rates at which the crossover of mono streams is tuned, scaled to 48 kHz.
    private static let monoRates: [Float] = [16_000, 24_000, 32_000, 40_000, 48_000]

    /// The maximum sample rate of a narrow-band signal, in hertz.
    private static let highestNarrowRate = 32_000

    /// The minimum bit rate per channel for twelve bands per octave and two noise bands per octave in mono streams.
    private static let fineResolutionRate: Float = 20_000

    /// The minimum bit rate per channel for envelope steps of 1.5 dB.
    private static let fineAmplitudeRate: Float = 24_000

    /// The minimum bit rate for envelope steps of 1.5 dB in mono streams.
    private static let monoFineAmplitudeRate: Float = 36_000

    /// `bs_limiter_gains` without a limit, so that envelopes reach their energy even if the patch has little.
    private static let unlimitedGains = 3

    /// The bit rate per channel below which pairs may be coupled.
    private static let couplingRate: Float = 22_000

    /// The usual ``minimumHighResolutionWidth``: six time slots of two QMF slots.
    private static let usualShortestHighResolution = 12

    /// ``minimumHighResolutionWidth`` with 15 time slots per frame if pairs may be coupled.
    ///
    /// Such frames are more frequent.
    ///
    /// Measured in SBR.md#frames-of-15-time-slots.
    private static let minimumHighResolutionWidthOf15 = 20

    /// Returns the header with valid tables and no dropped patch whose start and stop frequencies are closest to the requested ones.
    ///
    /// - Parameter highestSubband: The end of the output's subbands.
    private static func bestHeader(
        _ base: SBRHeader, rate: Int, crossover: Float, top: Float, highestSubband: Int
    ) -> (header: SBRHeader, tables: FrequencyBandTables)? {
        var best: (header: SBRHeader, tables: FrequencyBandTables)?
        var smallest = Float.infinity
        for start in 0..<16 {
            let first = FrequencyRange.start(rate: FrequencyRange.tableRate(for: rate), startFrequency: start)
            // No stop frequency can compensate for this start frequency.
            guard abs(Float(first) * Float(rate) / 128 - crossover) * 2 < smallest else { continue }
            for stop in 0..<14 {
                var header = base
                header.bands.startFrequency = start
                header.bands.stopFrequency = stop
                guard let tables = FrequencyBandTables(header: header, rate: rate), tables.patchesReachTop,
                    tables.patches.count <= PatchTable.standardCount, tables.high.last <= highestSubband
                else { continue }
                let subband = Float(rate) / 128
                let distance =
                    abs(Float(tables.crossoverSubband) * subband - crossover) * 2
                    + abs(Float(tables.high.last) * subband - top)
                if distance < smallest { (best, smallest) = ((header, tables), distance) }
            }
        }
        return best
    }
}

extension FrequencyBandTables {
    /// The compensation for one patch boundary.
    ///
    /// A signal between two subbands that are not adjacent in the source is lost in part: 0.4 dB with noise.
    ///
    /// Measured in HighEfficiency.md#correction-of-envelope-energies.
    private static let boundaryFactor: Float = 1.08

    /// The compensation for one end of a band.
    ///
    /// Adjacent gains differ by their rounding and by the energies of the copied subbands. Signal components in both edge subbands are
    /// lost in part.
    private static let edgeFactor: Float = 1.015

    /// Returns energy factors for bands, by the fraction of their subbands at a patch boundary or at the end of the high band.
    fileprivate func boundaryFactors(_ bands: BandBoundaries) -> ContiguousArray<Float> {
        ContiguousArray(
            (0..<bands.count).map { band in
                let (first, end) = (bands[band], bands[band + 1])
                let boundaryCount = (first..<end).reduce(0) { sum, subband in
                    sum + (patches.hasBoundary(at: subband) ? 1 : 0) + (patches.hasBoundary(at: subband + 1) ? 1 : 0)
                }
                return 1 + ((Self.boundaryFactor - 1) * Float(boundaryCount) + 2 * (Self.edgeFactor - 1)) / Float(end - first)
            })
    }

    /// Whether patches fill the whole high band.
    ///
    /// Decoders differ if they do not.
    fileprivate var patchesReachTop: Bool {
        patches.target(of: patches.count - 1) + patches.width(of: patches.count - 1) == high.last
    }
}
