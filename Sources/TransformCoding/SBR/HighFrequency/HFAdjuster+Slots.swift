// SPDX-License-Identifier: Apache-2.0

// HF adjustment with one envelope per time slot (ISO/IEC 23003-3, 7.5.6).
extension HFAdjuster {
    /// State that predictive vector coding keeps from the previous frame.
    struct SlotHistory {
        /// The signalled sinusoids, by subband.
        var flagged: UInt64 = 0
        /// The sinusoids that were already present before.
        var carried: UInt64 = 0
        /// The time slot in which new sinusoids start.
        var position = 31
        /// The last noise floor, by noise band.
        var noises = SIMD8<Float>(repeating: 0)

        /// Creates a silent state.
        init() {}

        /// Returns the sinusoids in a time slot.
        func sines(_ slot: Int) -> UInt64 { slot >= position ? flagged : flagged & carried }
    }

    /// Adjusts the QMF slots of a frame with predictive vector coding, in place.
    ///
    /// - Parameters:
    ///   - high: `X_High`, from the first predicted time slot to the end of the frame. Replaced with `Y`.
    ///   - frame: The dequantized payload with noise and sinusoids.
    package mutating func adjust(
        _ high: inout HighBandSlots, envelopes: borrowing PredictedEnvelopes, frame: borrowing SBRChannelFrame, header: SBRHeader,
        tables: borrowing FrequencyBandTables, isReset: Bool
    ) {
        var present = SlotHistory()
        present.flagged = Self.sineSubbands(frame.harmonics, tables: tables)
        present.carried = previousSines
        present.position = envelopes.sinePosition
        for slot in envelopes.first..<PredictedEnvelopes.slotCount {
            let isOwn = slot >= envelopes.start
            let sines = isOwn ? present.sines(slot) : slotHistory.sines(slot + PredictedEnvelopes.slotCount)
            let hasSecondFloor = envelopes.noisePosition > 0 && slot >= envelopes.noisePosition
            let noises = isOwn ? Self.noises(of: frame, floor: hasSecondFloor ? 1 : 0) : slotHistory.noises
            let qmfSlots = qmfSlotsPerTimeSlot * slot..<qmfSlotsPerTimeSlot * (slot + 1)
            measure(high: high, qmfSlots: qmfSlots, tables: tables)
            levels.compute(
                energies: envelopes.energies.span.extracting(64 * slot..<64 * slot + 64), noiseLevels: noises, sineSubbands: sines,
                header: header, tables: tables)
            storeLevels(0)
            if isReset && slot == envelopes.first {
                noiseIndex = noiseLead * tables.highBandCount & 511
                for qmfSlot in 0..<Self.historyCount { copyRow(Self.historyCount, to: qmfSlot) }
            }
            sineEnvelopes = sines != 0 ? 1 : 0
            writeSlot(qmfSlots, of: &high, tables: tables, smooths: header.smoothsGains)
        }
        present.noises = Self.noises(of: frame, floor: envelopes.noisePosition > 0 ? 1 : 0)
        previousSines = present.sines(frame.boundaries.end - 1)
        startsWithTransient = false
        slotHistory = present
    }

    private static func noises(of frame: borrowing SBRChannelFrame, floor: Int) -> SIMD8<Float> {
        var noises = SIMD8<Float>(repeating: 0)
        for band in 0..<SBRChannelData.maximumNoiseBandCount {
            noises[band] = frame.noises[floor * SBRChannelData.maximumNoiseBandCount + band]
        }
        return noises
    }

    /// Writes the QMF slots of a time slot with the gains in row 4, and moves these to the history.
    private mutating func writeSlot(
        _ qmfSlots: Range<Int>, of high: inout HighBandSlots, tables: borrowing FrequencyBandTables, smooths: Bool
    ) {
        let rows = tables.crossoverSubband / 4..<(tables.high.last + 3) / 4
        for qmfSlot in qmfSlots {
            if smooths {
                qmfSlotGains.fill(SIMD4(repeating: 0))
                qmfSlotNoises.fill(SIMD4(repeating: 0))
                for back in 0...Self.historyCount {
                    let elapsed = qmfSlot - qmfSlots.lowerBound
                    addRow(
                        back <= elapsed ? Self.historyCount : Self.historyCount + elapsed - back,
                        factor: SIMD4(repeating: Self.smoothing[back]))
                }
                clearNoiseAtSines(0)
            } else {
                setQMFSlot(0)
            }
            let position = noiseIndex + 1 + 4 * rows.lowerBound - tables.crossoverSubband
            writeNoisy(
                &high, qmfSlots: qmfSlot..<qmfSlot + 1, rows: rows, position: position, step: tables.highBandCount, NoiseVectors.shared)
            noiseIndex = (noiseIndex + tables.highBandCount) & 511
        }
        if sineEnvelopes != 0 { addSines(&high, 0, qmfSlots: qmfSlots, rows: rows, phase: sinePhase) }
        sinePhase = (sinePhase + qmfSlots.count) & 3
        for qmfSlot in 0..<Self.historyCount {
            copyRow(min(qmfSlot + qmfSlots.count, Self.historyCount), to: qmfSlot)
        }
    }
}
