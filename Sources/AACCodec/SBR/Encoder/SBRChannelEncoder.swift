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
    private var planner = GridPlanner()
    private var harmonics = HarmonicDetector()
    /// Energies of the subbands summed up over an envelope.
    private var sums: [64 of Float] = .init(repeating: 0)

    /// An envelope shorter than this many slots has the low frequency resolution.
    private static let shortestHighResolution = 6

    /// Makes an encoder with a silent past.
    init(tuning: SBRTuning) {
        history = SubbandHistory(columnsPerSlot: tuning.columnsPerSlot)
        slots = SlotEnergies(tables: tuning.tables)
    }

    /// Takes the next frame of columns.
    mutating func append(_ columns: inout SubbandColumns) { history.append(&columns) }

    /// Forgets what decisions remember of the frames before, which end where the next one begins.
    mutating func resetHistory() {
        planner.resetHistory()
        noise.resetHistory()
        harmonics.resetHistory()
    }

    /// Cuts the frame at hand into envelopes and measures them; `endsFixed` leaves it no choice of where it ends.
    mutating func analyze(_ tuning: borrowing SBRTuning, endsFixed: Bool) {
        slots.measure(&history)
        planner.plan(&slots, endsFixed: endsFixed)
        measure(tuning)
    }

    /// Does the same for two channels with one grid.
    static func analyze(
        _ first: inout SBRChannelEncoder, _ second: inout SBRChannelEncoder, tuning: borrowing SBRTuning, endsFixed: Bool
    ) {
        first.slots.measure(&first.history)
        second.slots.measure(&second.history)
        first.slots.add(&second.slots)
        first.planner.plan(&first.slots, endsFixed: endsFixed)
        second.planner.adopt(first.planner)
        first.measure(tuning)
        second.measure(tuning)
    }

    private mutating func measure(_ tuning: borrowing SBRTuning) {
        data.grid = planner.grid
        data.boundaries = planner.boundaries
        for index in 0..<data.boundaries.count where isLong(index) { data.grid.highResolution |= 1 << UInt8(index) }
        tonality.measure(&history, rows: tuning.tables.tonalRows)
        noise.plan(&tonality, tuning: tuning)
        harmonics.detect(&tonality, tuning: tuning)
        data.inverseFiltering = noise.inverseFiltering
        data.harmonics = harmonics.harmonics
        measureEnvelopes(tuning)
    }

    private func isLong(_ index: Int) -> Bool {
        data.grid.frameClass == .fixFix
            ? data.boundaries.count < 4 : data.boundaries[index + 1] - data.boundaries[index] >= Self.shortestHighResolution
    }

    private mutating func measureEnvelopes(_ tuning: borrowing SBRTuning) {
        for index in 0..<data.boundaries.count {
            let slots = data.boundaries[index]..<data.boundaries[index + 1]
            var target = sums.mutableSpan
            history.sumEnergies(slots: slots, rows: tuning.tables.highRows, into: &target)
            let columnCount = slots.count * history.columnsPerSlot
            let isHigh = data.grid.isHighResolution(index)
            let bands = tuning.tables.envelopeBands(isHighResolution: isHigh)
            let place = index * SBRChannelData.maximumBandCount
            for band in 0..<bands.count {
                var sum: Float = 0
                for subband in bands[band]..<bands[band + 1] { sum += sums[subband] }
                let seams = isHigh ? tuning.highSeams[band] : tuning.lowSeams[band]
                energies[place + band] = sum * seams / Float((bands[band + 1] - bands[band]) * columnCount)
            }
            guard data.harmonics != 0 else { continue }
            var all = energies.mutableSpan
            var levels = all._mutatingExtracting(place..<place + bands.count)
            SineCompensation.adjust(
                &levels, isHighResolution: isHigh, harmonics: data.harmonics, floors: noise.floors, tables: tuning.tables)
        }
    }
}
