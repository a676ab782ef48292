// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Measures the envelopes and chooses the noise floors of one channel, frame by frame.
struct SBRChannelEncoder: ~Copyable {
    /// What the frame is like, differences still to be made.
    private(set) var data = SBRChannelData()
    /// The energies of the envelopes, at the places of their levels.
    private(set) var energies: [240 of Float] = .init(repeating: 0)
    /// How noisy the high band is made.
    private(set) var noise = NoiseFloorPlanner()

    private var history: SubbandHistory
    private var tonality = SubbandTonality()
    private var slots: SlotEnergies
    private var planner: GridPlanner
    private var harmonics = HarmonicDetector()
    /// Energies of the subbands summed up over an envelope.
    private var sums: [64 of Float] = .init(repeating: 0)

    /// An envelope shorter than this many slots has the low frequency resolution.
    private static let shortestHighResolution = 6

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
        measure(tuning)
    }

    /// Does the same for two channels with one grid.
    static func analyze(
        _ first: inout SBRChannelEncoder, _ second: inout SBRChannelEncoder, tuning: borrowing SBRTuning
    ) {
        first.slots.measure(first.history)
        second.slots.measure(second.history)
        first.slots.add(second.slots)
        first.planner.plan(first.slots)
        second.planner.adopt(first.planner)
        first.measure(tuning)
        second.measure(tuning)
    }

    private mutating func measure(_ tuning: borrowing SBRTuning) {
        data.grid = planner.grid
        data.borders = planner.borders
        for index in 0..<data.borders.count where isLong(index) { data.grid.highResolution |= 1 << UInt8(index) }
        tonality.measure(history, rows: 0..<SubbandColumns.rowCount)
        noise.plan(tonality, tuning: tuning)
        harmonics.detect(tonality, tuning: tuning)
        data.inverseFiltering = noise.inverseFiltering
        data.harmonics = harmonics.harmonics
        measureEnvelopes(tuning)
    }

    private func isLong(_ index: Int) -> Bool {
        data.grid.frameClass == .fixFix
            ? data.borders.count < 4 : data.borders[index + 1] - data.borders[index] >= Self.shortestHighResolution
    }

    private mutating func measureEnvelopes(_ tuning: borrowing SBRTuning) {
        for index in 0..<data.borders.count {
            let columns = 2 * data.borders[index]..<2 * data.borders[index + 1]
            var target = sums.mutableSpan
            history.sumEnergies(over: columns, into: &target)
            let isHigh = data.grid.isHighResolution(index)
            let bands = tuning.tables.envelopeBands(isHighResolution: isHigh)
            for band in 0..<bands.count {
                var sum: Float = 0
                for subband in bands[band]..<bands[band + 1] { sum += sums[subband] }
                var mean = sum / Float((bands[band + 1] - bands[band]) * columns.count)
                if isHigh && data.harmonics >> UInt64(band) & 1 != 0 {
                    mean *= HarmonicDetector.gain(subbandCount: bands[band + 1] - bands[band])
                }
                energies[index * SBRChannelData.maximumBandCount + band] = mean
            }
        }
    }
}
