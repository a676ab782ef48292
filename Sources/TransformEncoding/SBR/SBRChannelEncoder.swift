// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The SBR analysis of one channel: time grid, envelope energies, noise floors, inverse filtering and missing harmonics of each
/// frame.
package struct SBRChannelEncoder: ~Copyable {
    /// The data of the current frame, without coded differences.
    private(set) var data: SBRChannelData
    /// The energies of the envelopes: envelope l, band k at 48 l + k.
    package private(set) var energies = FixedArray<Float>(repeating: 0, count: SBRChannelData.envelopeCapacity)
    /// The inverse filtering modes and noise floors of the current frame.
    private(set) var noise = NoiseFloorPlanner()

    /// The columns of the current frame and those around it.
    private var history: SubbandHistory
    /// The tonality of the current frame.
    private var tonality = SubbandTonality()
    /// The energies from which the grid is chosen.
    private var slots: SlotEnergies
    /// The grid of the current frame.
    private var planner: GridPlanner
    /// The missing harmonics of the current frame.
    private var harmonics = HarmonicDetector()
    /// The energies of the subbands, summed over an envelope.
    private var sums = FixedArray<Float>(repeating: 0, count: 64)

    /// The columns of the shortest envelope with the high frequency resolution.
    private let shortestHighResolution: Int
    /// The time slots of a frame, and their columns, whether all are analysed or not.
    private let layout: SlotLayout

    /// Makes an encoder with a silent past.
    package init(_ tuning: SBRTuning) {
        layout = tuning.layout
        shortestHighResolution = tuning.shortestHighResolution
        data = SBRChannelData(slotCount: layout.slotCount)
        history = SubbandHistory(layout, columnsPerSlot: tuning.columnsPerSlot)
        slots = SlotEnergies(tuning.tables, layout)
        planner = GridPlanner(layout, weight: tuning.envelopeWeight)
    }

    /// Appends the next frame of columns.
    package mutating func append(_ columns: borrowing SubbandColumns) { history.append(columns) }

    /// Resets the hysteresis of all decisions; the last envelope of the previous frame ends with the frame.
    package mutating func resetHistory() {
        planner.resetHistory()
        noise.resetHistory()
        harmonics.resetHistory()
    }

    /// Analyses the current frame.
    ///
    /// - Parameter endsFixed: Whether the last envelope ends with the frame.
    package mutating func analyze(_ tuning: borrowing SBRTuning, endsFixed: Bool) {
        slots.measure(history)
        planner.plan(slots, endsFixed: endsFixed)
        measure(tuning)
    }

    /// Analyses the current frame of two channels with a common grid.
    package static func analyze(
        _ first: inout SBRChannelEncoder, _ second: inout SBRChannelEncoder, tuning: borrowing SBRTuning, endsFixed: Bool
    ) {
        first.slots.measure(first.history)
        second.slots.measure(second.history)
        first.slots.add(second.slots)
        first.planner.plan(first.slots, endsFixed: endsFixed)
        second.planner.adopt(first.planner)
        first.measure(tuning)
        second.measure(tuning)
    }

    /// Sets the data of the frame from its grid.
    private mutating func measure(_ tuning: borrowing SBRTuning) {
        data.grid = planner.grid
        data.boundaries = planner.boundaries
        if layout.isLowDelay, data.boundaries.count == 1 { data.grid.usesCoarseAmplitudes = tuning.header.usesCoarseAmplitudes }
        for index in 0..<data.boundaries.count where isLong(index) { data.grid.highResolution |= 1 << UInt8(index) }
        tonality.measure(history, rows: tuning.tables.tonalRows)
        noise.plan(tonality, tuning: tuning)
        harmonics.detect(tonality, tuning: tuning)
        data.inverseFiltering = noise.inverseFiltering
        data.harmonics = harmonics.harmonics
        measureEnvelopes(tuning)
    }

    /// Returns whether an envelope is long enough for the high frequency resolution.
    private func isLong(_ index: Int) -> Bool {
        data.grid.frameClass == .fixFix
            ? data.boundaries.count < 2 * layout.columnsPerSlot
            : layout.columnsPerSlot * (data.boundaries[index + 1] - data.boundaries[index]) >= shortestHighResolution
    }

    /// Measures the energies of all bands of all envelopes.
    private mutating func measureEnvelopes(_ tuning: borrowing SBRTuning) {
        for index in 0..<data.boundaries.count {
            let slots = data.boundaries[index]..<data.boundaries[index + 1]
            var target = sums.mutableSpan
            history.sumEnergies(slots: slots, rows: tuning.tables.highRows, into: &target)
            let columnCount = slots.count * history.columnsPerSlot
            let isHigh = data.grid.isHighResolution(index)
            let bands = tuning.tables.envelopeBands(isHighResolution: isHigh)
            let offset = index * SBRChannelData.maximumBandCount
            for band in 0..<bands.count {
                var sum: Float = 0
                for subband in bands[band]..<bands[band + 1] { sum += sums[subband] }
                let factor = isHigh ? tuning.highBoundaryFactors[band] : tuning.lowBoundaryFactors[band]
                energies[offset + band] = sum * factor / Float((bands[band + 1] - bands[band]) * columnCount)
            }
            guard data.harmonics != 0 else { continue }
            var all = energies.mutableSpan
            var levels = all._mutatingExtracting(offset..<offset + bands.count)
            SineCompensation.adjust(
                &levels, isHighResolution: isHigh, harmonics: data.harmonics, floors: noise.floors, tables: tuning.tables)
        }
    }
}
