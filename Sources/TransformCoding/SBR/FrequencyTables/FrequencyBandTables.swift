// SPDX-License-Identifier: Apache-2.0

/// The frequency band tables of an SBR header (ISO/IEC 14496-3:2009, 4.6.18.3.2 and 4.6.18.6.3).
///
/// All boundaries are indices of the 64 QMF subbands. The standard's symbols are in code font.
package struct FrequencyBandTables: Equatable, Sendable {
    /// `k0`: the first subband of the master table, above those that patches copy.
    package let startSubband: Int
    /// `f_Master`: the bands that contain the boundaries of all others.
    package let master: BandBoundaries
    /// `f_TableHigh`: the bands of envelopes with high frequency resolution.
    package let high: BandBoundaries
    /// `f_TableLow`: the bands of envelopes with low frequency resolution.
    package let low: BandBoundaries
    /// `f_TableNoise`: the bands of noise floors and inverse filtering, at most 5.
    package let noise: BandBoundaries
    /// The sources of the high band.
    package let patches: PatchTable
    /// `f_TableLim`: the bands with a common gain limit.
    package private(set) var limiter: BandBoundaries

    /// `kx`: the first subband that SBR generates, at most 32.
    package var crossoverSubband: Int { high.first }
    /// `M`: the number of subbands that SBR generates.
    package var highBandCount: Int { high.last - high.first }

    package func envelopeBands(isHighResolution: Bool) -> BandBoundaries { isHighResolution ? high : low }

    package func bandCount(isHighResolution: Bool) -> Int { isHighResolution ? high.count : low.count }

    /// Creates tables without bands, as a placeholder.
    package init() {
        startSubband = 0
        master = BandBoundaries()
        high = BandBoundaries()
        low = BandBoundaries()
        noise = BandBoundaries()
        patches = PatchTable()
        limiter = BandBoundaries()
    }

    /// Creates the tables; `nil` if the parameters violate one of the standard's limits at this rate.
    ///
    /// - Parameters:
    ///   - parameters: The header fields.
    ///   - limiterBands: `bs_limiter_bands`, 0 to 3.
    ///   - outputRate: The SBR sample rate in hertz: twice the core sample rate, even in downsampled mode, or in enhanced SBR the output
    ///     rate.
    package init?(_ parameters: FrequencyBandParameters, limiterBands: Int, rate outputRate: Int, variant: SBRVariant = .standard) {
        let designRate = variant == .enhancedQuadruple ? outputRate / 2 : outputRate
        let rate = FrequencyRange.tableRate(for: designRate, variant: variant)
        let start = FrequencyRange.start(rate: rate, startFrequency: parameters.startFrequency, variant: variant)
        let stop = FrequencyRange.stop(
            rate: variant == .standard ? rate : designRate, stopFrequency: parameters.stopFrequency, start: start, variant: variant)
        guard stop - start <= FrequencyRange.maximumSpan(rate: rate, variant: variant) else { return nil }
        guard
            let master = MasterBandTable.boundaries(
                start: start, stop: stop, frequencyScale: parameters.frequencyScale, altersScale: parameters.altersScale, variant: variant),
            parameters.crossoverBand < master.count
        else { return nil }

        var high = BandBoundaries()
        for index in parameters.crossoverBand...master.count {
            guard high.append(master[index]) else { return nil }
        }
        guard high.first <= variant.maximumCrossover, high.count <= 48 else { return nil }
        var low = BandBoundaries()
        let odd = high.count & 1
        for index in 0...(high.count + odd) / 2 {
            guard low.append(high[index == 0 ? 0 : 2 * index - odd]) else { return nil }
        }
        guard
            let noise = Self.noiseBands(low: low, stop: stop, bandsPerOctave: parameters.noiseBands),
            let patches = PatchTable(
                master: master, startSubband: start, crossover: high.first, top: high.last,
                rate: variant == .standard ? rate : outputRate)
        else { return nil }

        startSubband = start
        self.master = master
        self.high = high
        self.low = low
        self.noise = noise
        self.patches = patches
        limiter = LimiterBands.boundaries(low: low, patches: patches, bandsPerOctave: limiterBands)
    }

    /// Rebuilds the limiter bands for a new `bs_limiter_bands`, which alone does not reset SBR.
    ///
    /// - Parameter boundaries: Boundaries that differ from ``patches``, or `nil` for those.
    mutating func setLimiterBands(_ limiterBands: Int, boundaries: PatchTable? = nil) {
        limiter = LimiterBands.boundaries(low: low, patches: boundaries ?? patches, bandsPerOctave: limiterBands)
    }

    /// Returns `f_TableNoise` (4.6.18.3.2.2); `nil` if it has more than 5 bands, or more than `f_TableLow`.
    private static func noiseBands(low: BandBoundaries, stop: Int, bandsPerOctave: Int) -> BandBoundaries? {
        let octaves = PortableMath.octaves(Double(low.first), Double(stop))
        let count = max(1, Int(Double(bandsPerOctave) * octaves + 0.5))
        guard count <= 5, count <= low.count else { return nil }
        var noise = BandBoundaries()
        var index = 0
        guard noise.append(low.first) else { return nil }
        for band in 1...count {
            index += (low.count - index) / (count + 1 - band)
            guard noise.append(low[index]) else { return nil }
        }
        return noise
    }
}
