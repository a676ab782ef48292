// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Measures the envelopes and chooses the noise floors of one channel, frame by frame.
struct SBRChannelEncoder: ~Copyable {
    /// What the frame is like, differences still to be made.
    private(set) var data = SBRChannelData()
    /// Levels in the steps of the frame.
    var levels = EnvelopeLevels()
    /// Differences against the frame before.
    var differences = DifferencePlanner()

    private var history: SubbandHistory
    private var tonality = SubbandTonality()
    private var slots: SlotEnergies
    private var planner: GridPlanner
    private var noise = NoiseFloorPlanner()
    /// Energies of the subbands summed up over an envelope.
    private var sums: [64 of Float] = .init(repeating: 0)

    /// An envelope shorter than this many slots has the low frequency resolution.
    private static let shortestHighResolution = 6
    /// Levels are at most this, in steps of 3 dB.
    private static let highestLevel = 35

    /// Makes an encoder with a silent past.
    init(tuning: SBRTuning, lookAhead: Int) {
        history = SubbandHistory(lookAhead: lookAhead)
        slots = SlotEnergies(tables: tuning.tables)
        planner = GridPlanner(envelopePrice: tuning.envelopePrice)
    }

    /// Takes the next frame of columns.
    mutating func append(_ columns: borrowing SubbandColumns) { history.append(columns) }

    /// Cuts the frame at hand into envelopes and measures them.
    mutating func analyze(_ tuning: borrowing SBRTuning) {
        slots.measure(history)
        planner.plan(slots)
        data.grid = planner.grid
        data.borders = planner.borders
        for index in 0..<data.borders.count
        where data.grid.frameClass == .fixFix
            ? data.borders.count < 4
            : data.borders[index + 1] - data.borders[index] >= Self.shortestHighResolution
        { data.grid.highResolution |= 1 << UInt8(index) }
        tonality.measure(history, rows: 0..<SubbandColumns.rowCount)
        noise.plan(tonality, tuning: tuning)
        data.inverseFiltering = noise.inverseFiltering
        measureEnvelopes(tuning)
        for index in 0..<data.borders.noiseCount {
            for band in 0..<tuning.tables.noise.count {
                levels.noiseFloors[index * SBRChannelData.maximumNoiseBandCount + band] = noise.levels[band]
            }
        }
    }

    private mutating func measureEnvelopes(_ tuning: borrowing SBRTuning) {
        let isCoarse = data.usesCoarseAmplitudes(tuning.header)
        for index in 0..<data.borders.count {
            let columns = 2 * data.borders[index]..<2 * data.borders[index + 1]
            var target = sums.mutableSpan
            history.sumEnergies(over: columns, into: &target)
            let bands = tuning.tables.envelopeBands(isHighResolution: data.grid.isHighResolution(index))
            for band in 0..<bands.count {
                var sum: Float = 0
                for subband in bands[band]..<bands[band + 1] { sum += sums[subband] }
                let mean = sum / Float((bands[band + 1] - bands[band]) * columns.count)
                levels.envelopes[index * SBRChannelData.maximumBandCount + band] = Self.level(mean, isCoarse: isCoarse)
            }
        }
    }

    /// The level nearest to an energy.
    private static func level(_ energy: Float, isCoarse: Bool) -> UInt8 {
        let octaves = PortableMath.log2(max(energy, 64) * (1.0 / 64))
        let steps = isCoarse ? octaves : 2 * octaves
        return UInt8(min(Int(steps + 0.5), isCoarse ? highestLevel : 2 * highestLevel))
    }

    /// Codes the levels as differences.
    mutating func code(_ tuning: borrowing SBRTuning, isIndependent: Bool) {
        differences.code(
            &levels, into: &data, tables: tuning.tables, isCoarse: data.usesCoarseAmplitudes(tuning.header), isBalance: false,
            isIndependent: isIndependent)
    }
}
