// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Which header a stream has, and what else of SBR follows from its rate.
struct SBRTuning: Sendable {
    /// The header.
    let header: SBRHeader
    /// Its frequency tables.
    let tables: FrequencyBandTables
    /// The highest frequency of the core in hertz: where SBR begins.
    let crossover: Int
    /// The highest frequency of all in hertz.
    let top: Int
    /// Whether a pair has one grid, and may be coded as level and balance.
    let allowsCoupling: Bool
    /// Columns of each time slot that are looked at, 2 or 1.
    let columnsPerSlot: Int

    /// The subband that each subband of the high band is copied from.
    let sources: ContiguousArray<Int>

    /// What the energies of bands are multiplied with to make up for what is lost at seams, by resolution.
    let highSeams: ContiguousArray<Float>
    let lowSeams: ContiguousArray<Float>

    /// Derives everything from the rate of core and SBR together; nil where the standard has no table for the sample rate.
    ///
    /// - Parameters:
    ///   - sampleRate: That of the output.
    ///   - isHalved: Whether every second column will do.
    init?(bitRate: Int, sampleRate: Int, channelCount: Int, isHalved: Bool = false) {
        let perChannel = Float(bitRate) / Float(channelCount) * 48000 / Float(sampleRate)
        var header = SBRHeader()
        header.usesCoarseAmplitudes = perChannel < Self.fineAmplitudeRate
        header.bands.frequencyScale = 1
        header.bands.noiseBands = 2
        header.limiterGains = Self.unlimitedGains
        let crossover = PortableMath.interpolate(perChannel, at: Self.rates, values: [4_700, 7_000, 9_500, 10_500])
        let top = PortableMath.interpolate(perChannel, at: Self.rates, values: [17_000, 19_000, 20_000, 20_000])
        guard
            let found = Self.bestHeader(
                header, rate: sampleRate, crossover: crossover * Float(sampleRate) / 48000, top: top * Float(sampleRate) / 48000)
        else { return nil }
        self.header = found.header
        tables = found.tables
        self.crossover = found.tables.crossoverSubband * sampleRate / 128
        self.top = tables.high.last * sampleRate / 128
        allowsCoupling = perChannel < Self.couplingRate
        columnsPerSlot = isHalved ? 1 : 2
        var sources = ContiguousArray(repeating: 0, count: 64)
        for patch in 0..<tables.patches.count {
            for index in 0..<tables.patches.width(of: patch) {
                sources[tables.patches.target(of: patch) + index] = tables.patches.start(of: patch) + index
            }
        }
        self.sources = sources
        highSeams = found.tables.seamFactors(found.tables.high)
        lowSeams = found.tables.seamFactors(found.tables.low)
    }

    /// Rates a channel, as if the sample rate were 48 kHz, for which the header was tuned.
    private static let rates: [Float] = [16_000, 24_000, 32_000, 40_000]

    /// From this rate a channel on, envelopes are in steps of 1.5 dB.
    private static let fineAmplitudeRate: Float = 24_000

    /// `bs_limiter_gains` for no limit: envelopes then have their energy also where the copy has little.
    private static let unlimitedGains = 3

    /// Below this rate a channel, pairs are coupled where that saves bits.
    private static let couplingRate: Float = 22_000

    /// Finds the start and stop frequencies nearest to those wanted that make valid tables without a dropped patch.
    private static func bestHeader(
        _ base: SBRHeader, rate: Int, crossover: Float, top: Float
    ) -> (header: SBRHeader, tables: FrequencyBandTables)? {
        var best: (header: SBRHeader, tables: FrequencyBandTables)?
        var smallest = Float.infinity
        for start in 0..<16 {
            let first = FrequencyRange.start(rate: FrequencyRange.tableRate(for: rate), startFrequency: start)
            // No stop frequency can make up for a start that far away.
            guard abs(Float(first) * Float(rate) / 128 - crossover) * 2 < smallest else { continue }
            for stop in 0..<14 {
                var header = base
                header.bands.startFrequency = start
                header.bands.stopFrequency = stop
                guard let tables = FrequencyBandTables(header: header, rate: rate), tables.patchesReachTop else { continue }
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
    /// Of a subband that doesn't belong together with its neighbour, what lies between the two is lost in part: of noise 0.4 dB, of
    /// tones mostly nothing.
    private static let seamFactor: Float = 1.08

    /// The factors of bands, for each subband on either side of a patch's boundary, and the last one.
    fileprivate func seamFactors(_ bands: BandBoundaries) -> ContiguousArray<Float> {
        ContiguousArray(
            (0..<bands.count).map { band in
                let (first, end) = (bands[band], bands[band + 1])
                let seams = (first..<end).reduce(0) { sum, subband in
                    sum + (patches.hasBoundary(at: subband) ? 1 : 0) + (patches.hasBoundary(at: subband + 1) ? 1 : 0)
                }
                return 1 + (Self.seamFactor - 1) * Float(seams) / Float(end - first)
            })
    }

    /// Whether copies fill the whole high band, as decoders differ where they don't.
    fileprivate var patchesReachTop: Bool {
        patches.target(of: patches.count - 1) + patches.width(of: patches.count - 1) == high.last
    }
}
