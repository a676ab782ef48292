// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The SBR analysis of one channel: time grid, envelope energies, noise floors, inverse filtering and missing harmonics per frame.
package struct SBRChannelEncoder: ~Copyable {
    /// The data of the current frame, before delta coding.
    private(set) var data: SBRChannelData
    /// The envelope energies, with envelope l, band k at index 48 l + k.
    package private(set) var energies = FixedArray<Float>(repeating: 0, count: SBRChannelData.envelopeCapacity)
    /// The inverse filtering modes and noise floors of the current frame.
    private(set) var noise = NoiseFloorPlanner()

    /// The QMF slots of the current and the adjacent frames.
    private var history: SubbandHistory
    /// The tonality of the current frame.
    private var tonality = SubbandTonality()
    private var slots: SlotEnergies
    private var planner: GridPlanner
    /// The missing harmonics of the current frame.
    private var harmonics = HarmonicDetector()
    /// The subband energies, summed over an envelope.
    private var sums = FixedArray<Float>(repeating: 0, count: 64)

    /// The minimum length of an envelope with high frequency resolution, in QMF slots.
    private let minimumHighResolutionWidth: Int
    /// The frame's time slots and their QMF slots, including any that are not analyzed.
    private let layout: SlotLayout

    /// Creates an encoder with silent history.
    package init(_ tuning: SBRTuning) {
        layout = tuning.layout
        minimumHighResolutionWidth = tuning.minimumHighResolutionWidth
        data = SBRChannelData(slotCount: layout.slotCount)
        history = SubbandHistory(layout, qmfSlotsPerTimeSlot: tuning.qmfSlotsPerTimeSlot)
        slots = SlotEnergies(tuning.tables, layout)
        planner = GridPlanner(layout, weight: tuning.envelopeWeight)
    }

    package mutating func append(_ qmfSlots: borrowing SubbandSlots) { history.append(qmfSlots) }

    /// Resets the hysteresis of all decisions.
    ///
    /// The last envelope of the previous frame must end with the frame.
    package mutating func resetHistory() {
        planner.resetHistory()
        noise.resetHistory()
        harmonics.resetHistory()
    }

    /// Analyzes the current frame.
    ///
    /// - Parameter endsFixed: Whether the last envelope must end with the frame.
    package mutating func analyze(_ tuning: borrowing SBRTuning, endsFixed: Bool) {
        slots.measure(history)
        planner.plan(slots, endsFixed: endsFixed)
        measure(tuning)
    }

    /// Analyzes the current frame of two channels with a common grid.
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

    /// Computes the data of the frame for its grid.
    private mutating func measure(_ tuning: borrowing SBRTuning) {
        data.grid = planner.grid
        data.boundaries = planner.boundaries
        if layout.isLowDelay, data.boundaries.count == 1 { data.grid.usesCoarseAmplitudes = tuning.header.usesCoarseAmplitudes }
        for index in 0..<data.boundaries.count where isLong(index) { data.grid.highResolution |= 1 << UInt8(index) }
        tonality.measure(history, rows: tuning.tables.tonalRows)
        noise.plan(tonality, tuning: tuning)
        harmonics.detect(tonality, tuning: tuning)
        data.inverseFiltering = noise.inverseFiltering
        data.harmonics = tuning.addsSines ? harmonics.harmonics : 0
        measureEnvelopes(tuning)
    }

    /// Returns whether an envelope is long enough for high frequency resolution.
    private func isLong(_ index: Int) -> Bool {
        data.grid.frameClass == .fixFix
            ? data.boundaries.count < 2 * layout.qmfSlotsPerTimeSlot
            : layout.qmfSlotsPerTimeSlot * (data.boundaries[index + 1] - data.boundaries[index]) >= minimumHighResolutionWidth
    }

    private mutating func measureEnvelopes(_ tuning: borrowing SBRTuning) {
        for index in 0..<data.boundaries.count {
            let slots = data.boundaries[index]..<data.boundaries[index + 1]
            var target = sums.mutableSpan
            history.sumEnergies(slots: slots, rows: tuning.tables.highRows, into: &target)
            let qmfSlotCount = slots.count * history.qmfSlotsPerTimeSlot
            let isHigh = data.grid.isHighResolution(index)
            let bands = tuning.tables.envelopeBands(isHighResolution: isHigh)
            let offset = index * SBRChannelData.maximumBandCount
            for band in 0..<bands.count {
                var sum: Float = 0
                for subband in bands[band]..<bands[band + 1] { sum += sums[subband] }
                let factor = isHigh ? tuning.highBoundaryFactors[band] : tuning.lowBoundaryFactors[band]
                energies[offset + band] = sum * factor / Float((bands[band + 1] - bands[band]) * qmfSlotCount)
            }
            guard data.harmonics != 0 else { continue }
            var all = energies.mutableSpan
            var levels = all._mutatingExtracting(offset..<offset + bands.count)
            SineCompensation.adjust(
                &levels, isHighResolution: isHigh, harmonics: data.harmonics, floors: noise.floors, tables: tuning.tables)
        }
    }
}
