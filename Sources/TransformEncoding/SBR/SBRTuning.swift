// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The SBR header of a stream, and everything else of SBR that follows from the bit rate.
///
/// Measured in HighEfficiency.md#parameters-by-bit-rate.
package struct SBRTuning: Sendable {
    /// The SBR header.
    package let header: SBRHeader
    /// The frequency band tables of the header.
    package let tables: FrequencyBandTables
    /// The frequency at which SBR begins, in hertz.
    package let crossover: Int
    /// The highest coded frequency, in hertz.
    package let top: Int
    /// Whether a pair has a common grid, and may be coded as level and balance.
    package let allowsCoupling: Bool
    /// The division of a frame into time slots.
    package let layout: SlotLayout
    /// Columns of each time slot that are analysed: all, or only the first.
    let columnsPerSlot: Int
    /// Whether only every second column is analysed.
    var isHalved: Bool { columnsPerSlot < layout.columnsPerSlot }
    /// Whether the output has the sample rate of the core, as in low delay SBR at single rate.
    package let isDownsampled: Bool

    /// The columns of the shortest envelope with the high frequency resolution, in grids of variable classes.
    package let shortestHighResolution: Int
    /// The weight of the distance of envelopes from the signal against their number.
    let envelopeWeight: Float
    /// The octaves by which noise floors are louder than estimated.
    let floorOffset: Float

    /// The source of each subband of the high band in its patch.
    let sources: ContiguousArray<Int>

    /// The factors of the energies of the high resolution's bands that compensate for the loss at patch boundaries.
    let highBoundaryFactors: ContiguousArray<Float>
    /// The same for the low resolution's bands.
    let lowBoundaryFactors: ContiguousArray<Float>

    /// Derives everything from the bit rate of core and SBR together; nil if the standard has no table for the sample rate.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate of the stream, in bits per second.
    ///   - sampleRate: Twice the sample rate of the core, in hertz.
    ///   - channelCount: The number of channels.
    ///   - coreFrameLength: The samples of a core frame, 1024 or 960, in low delay SBR 512 or 480.
    ///   - isDualRate: Whether low delay SBR is at dual rate; `nil` for the usual SBR.
    ///   - hasParametricStereo: Whether the channel is a downmix, and not speech as a rule.
    ///   - isHalved: Whether only every second column is analysed.
    package init?(
        bitRate: Int, sampleRate: Int, channelCount: Int, coreFrameLength: Int, isDualRate: Bool? = nil,
        hasParametricStereo: Bool = false, isHalved: Bool = false
    ) {
        layout = isDualRate == nil ? SlotLayout(coreFrameLength: coreFrameLength) : SlotLayout(lowDelayFrameLength: coreFrameLength)
        isDownsampled = isDualRate == false
        let isMono = channelCount == 1 && !hasParametricStereo
        let perChannel = Float(bitRate) / Float(channelCount) * 48000 / Float(sampleRate)
        var header = SBRHeader()
        header.usesCoarseAmplitudes = perChannel < (isMono ? Self.monoFineAmplitudeRate : Self.fineAmplitudeRate)
        let isCoarse = isMono && perChannel < Self.fineResolutionRate
        header.bands.frequencyScale = isCoarse ? 2 : 1
        header.bands.noiseBands = isCoarse ? 1 : 2
        header.limiterGains = Self.unlimitedGains
        let crossover =
            isMono
            ? PortableMath.interpolate(perChannel, at: Self.monoRates, values: [4_700, 7_000, 8_200, 9_200, 10_500])
            : PortableMath.interpolate(perChannel, at: Self.rates, values: [4_700, 7_000, 9_500, 10_500])
        let top = PortableMath.interpolate(perChannel, at: Self.rates, values: [17_000, 19_000, 20_000, 20_000])
        // All frequencies of narrow signals are audible: what ends at 20 of 24 kHz ends at half of their sample rate.
        let topRate: Float = sampleRate <= Self.highestNarrowRate ? 40_000 : 48_000
        // At single rate the band ends with that of the core, and more of it is the core's, which has the bits of twice the time.
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
        columnsPerSlot = isHalved ? 1 : layout.columnsPerSlot
        let isScarce = allowsCoupling && channelCount == 2 && coreFrameLength == 960
        shortestHighResolution = isScarce ? Self.shortestHighResolutionOf15 : Self.usualShortestHighResolution
        // A time slot has half as many columns in low delay SBR.
        envelopeWeight = (isMono ? 2 : 1) * (isDualRate == nil ? 1 : 0.5)
        floorOffset = isMono ? 1 : 0
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

    /// Returns the frequency at which low delay SBR at single rate begins, in hertz.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate of a channel, in bits per second.
    ///   - coreRate: The sample rate of the core, in hertz.
    private static func singleRateCrossover(_ bitRate: Int, coreRate: Int) -> Float {
        let bitsPerLine = Float(bitRate) / Float(coreRate)
        return PortableMath.interpolate(bitsPerLine, at: [0.5, 1, 1.5, 2], values: [0.2, 0.25, 0.3, 0.375]) * Float(coreRate)
    }

    /// The bit rates of a channel, scaled to a sample rate of 48 kHz, for which the frequency ranges are tuned.
    private static let rates: [Float] = [16_000, 24_000, 32_000, 40_000]

    /// The same for the first frequency of a stream of one channel.
    private static let monoRates: [Float] = [16_000, 24_000, 32_000, 40_000, 48_000]

    /// The highest sample rate of a narrow signal, in hertz.
    private static let highestNarrowRate = 32_000

    /// The bit rate of a single channel from which the high band has twelve bands an octave and two noise bands an octave.
    private static let fineResolutionRate: Float = 20_000

    /// The bit rate of a channel from which envelopes have steps of 1.5 dB.
    private static let fineAmplitudeRate: Float = 24_000

    /// The same for a stream of one channel.
    private static let monoFineAmplitudeRate: Float = 36_000

    /// `bs_limiter_gains` without a limit, so that envelopes have their energy also where the patch has little.
    private static let unlimitedGains = 3

    /// The bit rate of a channel below which pairs may be coupled.
    private static let couplingRate: Float = 22_000

    /// The usual ``shortestHighResolution``: six time slots of two columns.
    private static let usualShortestHighResolution = 12

    /// ``shortestHighResolution`` in frames of 15 time slots, of which there are more, where pairs may be coupled.
    ///
    /// Measured in SBR.md#frames-of-15-time-slots.
    private static let shortestHighResolutionOf15 = 20

    /// Returns the header whose start and stop frequencies are nearest to the wanted ones, with valid tables without a dropped patch.
    ///
    /// - Parameter highestSubband: The end of the highest subband that the output has.
    private static func bestHeader(
        _ base: SBRHeader, rate: Int, crossover: Float, top: Float, highestSubband: Int
    ) -> (header: SBRHeader, tables: FrequencyBandTables)? {
        var best: (header: SBRHeader, tables: FrequencyBandTables)?
        var smallest = Float.infinity
        for start in 0..<16 {
            let first = FrequencyRange.start(rate: FrequencyRange.tableRate(for: rate), startFrequency: start)
            // No stop frequency compensates for a start at this distance.
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
    /// The compensation of one patch boundary: a signal between two subbands that are not neighbours in the source is lost in part,
    /// 0.4 dB of noise.
    ///
    /// Measured in HighEfficiency.md#correction-of-envelope-energies.
    private static let boundaryFactor: Float = 1.08

    /// The compensation of one end of a band: the gains of neighbours differ by their rounding and by the energies of what is copied, and
    /// what both subbands there have of a signal is lost in part.
    private static let edgeFactor: Float = 1.015

    /// Returns the factors of bands, by the share of their subbands at a patch boundary or at the end of the high band.
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

    /// Whether patches fill the whole high band; decoders differ if they do not.
    fileprivate var patchesReachTop: Bool {
        patches.target(of: patches.count - 1) + patches.width(of: patches.count - 1) == high.last
    }
}
