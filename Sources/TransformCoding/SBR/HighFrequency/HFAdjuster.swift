// SPDX-License-Identifier: Apache-2.0

/// HF adjustment: shapes the generated high band of one channel and adds noise and sinusoids (ISO/IEC 14496-3:2009,
/// 4.6.18.7).
///
/// The standard's symbols are in code font.
package struct HFAdjuster: ~Copyable {
    /// `index_noise`: the noise table index at the end of the previous frame.
    var noiseIndex = 0
    /// `index_sine`: the phase of all sinusoids, in quarter turns.
    var sinePhase = 0
    /// `S_IndexMapped'`: the subbands with a sinusoid in the previous frame's last envelope.
    var previousSines: UInt64 = 0
    /// `l_A'` = `L_E'`: whether the previous frame ends with a transient, which then applies to envelope 0 of this frame.
    var startsWithTransient = false
    var levels = EnvelopeGains()
    /// `G_Temp` in rows of 16 vectors: the gains of the previous frame's last four QMF slots, oldest first, then of each envelope.
    var gains = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16 * (historyCount + SBRGrid.maximumEnvelopeCount))
    /// `Q_Temp`, in the same order.
    var noises = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16 * (historyCount + SBRGrid.maximumEnvelopeCount))
    /// `S_MBoost` of each envelope.
    private var sines = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16 * SBRGrid.maximumEnvelopeCount)
    /// The envelopes with a sinusoid, one bit each.
    var sineEnvelopes: UInt8 = 0
    /// `G_Filt`: the gains of the current QMF slot.
    var qmfSlotGains = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16)
    /// `Q_Filt`: the noise levels of the current QMF slot.
    var qmfSlotNoises = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16)

    /// `h_SL`: the number of previous QMF slots in the smoothing.
    static let historyCount = 4
    /// `h_smooth`: the weights of the current and the previous four QMF slots.
    static let smoothing: [Float] = [
        0.333_333_333_333_33, 0.301_502_832_395_82, 0.218_169_499_062_49, 0.115_163_834_270_84, 0.031_830_500_937_51,
    ]

    /// `RATE`: the number of QMF slots per time slot.
    let qmfSlotsPerTimeSlot: Int
    /// The noise table offset after a reset, in QMF slots.
    let noiseLead: Int

    /// State that predictive vector coding keeps from the previous frame.
    var slotHistory = SlotHistory()

    /// Creates an adjuster without history.
    ///
    /// - Parameters:
    ///   - qmfSlotsPerTimeSlot: `RATE`, the number of QMF slots per time slot.
    ///   - noiseLead: The noise table offset after a reset, in QMF slots.
    package init(qmfSlotsPerTimeSlot: Int, noiseLead: Int = 0) {
        self.qmfSlotsPerTimeSlot = qmfSlotsPerTimeSlot
        self.noiseLead = noiseLead
    }

    /// Adjusts the QMF slots of a frame in place.
    ///
    /// - Parameters:
    ///   - high: `X_High`, from the start of the first envelope to the end of the last. Replaced with `Y`.
    ///   - low: `X_Low`, whose levels shape envelopes in time in enhanced SBR.
    ///   - frame: The dequantized payload.
    ///   - boundaries: The payload's boundaries. The first may have been moved.
    package mutating func adjust(
        _ high: inout HighBandSlots, low: borrowing LowBandSlots, frame: borrowing SBRChannelFrame, boundaries: EnvelopeBoundaries,
        header: SBRHeader,
        tables: borrowing FrequencyBandTables, isReset: Bool
    ) {
        let sineSubbands = Self.sineSubbands(frame.harmonics, tables: tables)
        var activeSines = previousSines
        sineEnvelopes = 0
        for index in 0..<boundaries.count {
            // S_IndexMapped: a sinusoid starts with the transient, unless the previous frame ended with it (4.6.18.7.2).
            activeSines = index >= boundaries.transient ? sineSubbands : sineSubbands & previousSines
            let isTransient = isTransient(index, boundaries)
            measure(high: high, qmfSlots: qmfSlots(of: index, boundaries), tables: tables)
            levels.compute(
                EnvelopeGains.Envelope(index: index, sineSubbands: activeSines, isTransient: isTransient), of: frame,
                header: header, tables: tables)
            storeLevels(index)
            if activeSines != 0 { sineEnvelopes |= 1 << UInt8(index) }
        }
        if isReset {
            noiseIndex = noiseLead * tables.highBandCount & 511
            for qmfSlot in 0..<Self.historyCount { copyRow(Self.historyCount, to: qmfSlot) }
        }
        for index in 0..<boundaries.count {
            let isTransient = isTransient(index, boundaries)
            assemble(
                index, into: &high, boundaries: boundaries, tables: tables, smooths: header.smoothsGains && !isTransient,
                hasNoise: !isTransient)
            let qmfSlots = qmfSlots(of: index, boundaries)
            if SBRVariant.includesEnhanced && frame.temporalShapes[index] != 0 {
                TemporalShaper.shape(&high, by: low, qmfSlots: qmfSlots, mode: frame.temporalShapes[index], tables: tables)
            }
            guard sineEnvelopes >> UInt8(index) & 1 != 0 else { continue }
            let rows = tables.crossoverSubband / 4..<(tables.high.last + 3) / 4
            let elapsed = qmfSlots.lowerBound - qmfSlotsPerTimeSlot * boundaries.start
            addSines(&high, index, qmfSlots: qmfSlots, rows: rows, phase: sinePhase + elapsed)
        }
        previousSines = activeSines
        advance(boundaries, highBandCount: tables.highBandCount)
    }

    private func qmfSlots(of envelope: Int, _ boundaries: EnvelopeBoundaries) -> Range<Int> {
        qmfSlotsPerTimeSlot * boundaries[envelope]..<qmfSlotsPerTimeSlot * boundaries[envelope + 1]
    }

    /// Returns `δ` = 0: whether an envelope contains this frame's transient or one from the end of the previous frame.
    private func isTransient(_ envelope: Int, _ boundaries: EnvelopeBoundaries) -> Bool {
        envelope == boundaries.transient || (envelope == 0 && startsWithTransient)
    }

    /// Returns the centre subband of each band with a sinusoid: bit floor((f_TableHigh(i) + f_TableHigh(i + 1)) / 2).
    static func sineSubbands(_ harmonics: UInt64, tables: borrowing FrequencyBandTables) -> UInt64 {
        var subbands: UInt64 = 0
        var rest = harmonics
        while rest != 0 {
            let band = rest.trailingZeroBitCount
            rest &= rest &- 1
            guard band < tables.high.count else { break }
            subbands |= 1 << UInt64((tables.high[band] + tables.high[band + 1]) / 2)
        }
        return subbands
    }

    /// Measures `E_Curr`, the mean energy of each subband over a range of QMF slots (4.6.18.7.3).
    mutating func measure(
        high: borrowing HighBandSlots, qmfSlots: Range<Int>, tables: borrowing FrequencyBandTables
    ) {
        // 16 rows per QMF slot. All accesses are within these bounds.
        let rows = tables.crossoverSubband / 4...(tables.high.last &- 1) / 4
        precondition(qmfSlots.lowerBound >= 0 && qmfSlots.upperBound <= high.capacity && rows.upperBound < 16)
        let real = high.real.span
        let imaginary = high.imaginary.span
        let scale = SIMD4<Float>(repeating: 1 / Float(qmfSlots.count))
        let end = 16 &* qmfSlots.upperBound
        var energies = levels.current.mutableSpan(first: 64)
        for row in 0..<16 { energies.store(SIMD4(repeating: 0), at: 4 &* row) }
        for row in rows {
            var sum = SIMD4<Float>(repeating: 0)
            var index = 16 &* qmfSlots.lowerBound &+ row
            while index < end {
                let value = unsafe ComplexVector(real[unchecked: index], imaginary[unchecked: index])
                sum += value.real * value.real + value.imaginary * value.imaginary
                index &+= 16
            }
            energies.store(sum * scale, at: 4 &* row)
        }
    }

    mutating func storeLevels(_ envelope: Int) {
        let target = 16 &* (Self.historyCount &+ envelope)
        let newGains = levels.gains.span(first: 64)
        let newNoises = levels.noises.span(first: 64)
        let newSines = levels.sines.span(first: 64)
        var gains = gains.mutableSpan
        var noises = noises.mutableSpan
        var sines = sines.mutableSpan
        for row in 0..<16 {
            gains[target &+ row] = newGains.vector(at: 4 &* row)
            noises[target &+ row] = newNoises.vector(at: 4 &* row)
            sines[16 &* envelope &+ row] = newSines.vector(at: 4 &* row)
        }
    }

    mutating func copyRow(_ source: Int, to target: Int) {
        gains.copy(16 * source..<16 * (source + 1), to: 16 * target)
        noises.copy(16 * source..<16 * (source + 1), to: 16 * target)
    }

    /// Returns the row of gains for the QMF slot `back` before `qmfSlot`.
    private func row(_ qmfSlot: Int, back: Int, boundaries: EnvelopeBoundaries) -> Int {
        let position = qmfSlot - back
        let start = qmfSlotsPerTimeSlot * boundaries.start
        guard position >= start else { return Self.historyCount + position - start }
        var envelope = boundaries.count - 1
        while position < qmfSlotsPerTimeSlot * boundaries[envelope] { envelope -= 1 }
        return Self.historyCount + envelope
    }

    /// Finishes a frame: advances the noise index and the sine phase, and stores the gains of the last four QMF slots.
    private mutating func advance(_ boundaries: EnvelopeBoundaries, highBandCount: Int) {
        let qmfSlotCount = qmfSlotsPerTimeSlot * (boundaries.end - boundaries.start)
        noiseIndex = (noiseIndex + highBandCount * qmfSlotCount) & 511
        sinePhase = (sinePhase + qmfSlotCount) & 3
        startsWithTransient = boundaries.transient == boundaries.count
        // Oldest first, so that no row is overwritten before it has moved.
        for qmfSlot in 0..<Self.historyCount {
            let last = qmfSlotsPerTimeSlot * boundaries.end - 1
            copyRow(row(last, back: Self.historyCount - 1 - qmfSlot, boundaries: boundaries), to: qmfSlot)
        }
    }
}

extension HFAdjuster {
    /// Writes the QMF slots of one envelope, except sinusoids (4.6.18.7.6).
    ///
    ///     Y(k, i) = G_Filt · X_High(k, i) + Q_Filt · V(index_noise(k, i)) [+ S_MBoost · ψ(k, i)]
    private mutating func assemble(
        _ index: Int, into high: inout HighBandSlots, boundaries: EnvelopeBoundaries, tables: borrowing FrequencyBandTables,
        smooths: Bool, hasNoise: Bool
    ) {
        let rows = tables.crossoverSubband / 4..<(tables.high.last + 3) / 4
        let envelope = qmfSlots(of: index, boundaries)
        let (first, end, start) = (envelope.lowerBound, envelope.upperBound, qmfSlotsPerTimeSlot * boundaries.start)
        setQMFSlot(index)
        var qmfSlot = first
        while qmfSlot < end {
            // QMF slots whose smoothing covers only this envelope share one set of gains.
            let isSmoothed = smooths && qmfSlot <= first + Self.historyCount
            if isSmoothed { smooth(index, qmfSlot: qmfSlot, boundaries: boundaries) }
            let qmfSlots = qmfSlot..<(isSmoothed && qmfSlot < first + Self.historyCount ? qmfSlot + 1 : end)
            qmfSlot = qmfSlots.upperBound
            guard hasNoise else {
                writeClean(&high, qmfSlots: qmfSlots, rows: rows)
                continue
            }
            // index_noise(m, i) = index_noise + (i - i_0) M + m + 1, for the first subband of the first row.
            let elapsed = qmfSlots.lowerBound - start
            let position = noiseIndex + elapsed * tables.highBandCount + 1 + 4 * rows.lowerBound - tables.crossoverSubband
            writeNoisy(&high, qmfSlots: qmfSlots, rows: rows, position: position, step: tables.highBandCount, NoiseVectors.shared)
        }
    }

    /// Sets `G_Filt` and `Q_Filt` to an envelope's unsmoothed gains and noise levels.
    mutating func setQMFSlot(_ index: Int) {
        for row in 0..<16 {
            qmfSlotGains[row] = gains[16 &* (Self.historyCount &+ index) &+ row]
            qmfSlotNoises[row] = noises[16 &* (Self.historyCount &+ index) &+ row]
        }
        clearNoiseAtSines(index)
    }

    /// Sets `G_Filt` and `Q_Filt` to Σ h_smooth(n) · G_Temp(i - n) and Σ h_smooth(n) · Q_Temp(i - n), for n from 0 to 4.
    private mutating func smooth(_ index: Int, qmfSlot: Int, boundaries: EnvelopeBoundaries) {
        qmfSlotGains.fill(SIMD4(repeating: 0))
        qmfSlotNoises.fill(SIMD4(repeating: 0))
        for back in 0...Self.historyCount {
            let factor = SIMD4<Float>(repeating: Self.smoothing[back])
            addRow(row(qmfSlot, back: back, boundaries: boundaries), factor: factor)
        }
        clearNoiseAtSines(index)
    }

    /// Adds a row of gains and noise levels, times `factor`, to `G_Filt` and `Q_Filt`.
    mutating func addRow(_ source: Int, factor: SIMD4<Float>) {
        let (gains, noises) = (gains.span, noises.span)
        var qmfSlotGains = qmfSlotGains.mutableSpan(first: 16)
        var qmfSlotNoises = qmfSlotNoises.mutableSpan(first: 16)
        for row in 0..<16 {
            qmfSlotGains[row] += gains[16 &* source &+ row] * factor
            qmfSlotNoises[row] += noises[16 &* source &+ row] * factor
        }
    }

    /// Sets `Q_Filt` to 0 in subbands with a sinusoid.
    mutating func clearNoiseAtSines(_ index: Int) {
        guard sineEnvelopes >> UInt8(index) & 1 != 0 else { return }
        for row in 0..<16 {
            let sine = sines[16 &* index &+ row]
            qmfSlotNoises[row].replace(with: SIMD4(repeating: 0), where: sine .!= SIMD4(repeating: 0))
        }
    }

    /// Multiplies QMF slots by their gains and adds noise.
    ///
    /// - Parameter position: The noise table index for the first subband of the first row in the first QMF slot.
    mutating func writeNoisy(
        _ high: inout HighBandSlots, qmfSlots: Range<Int>, rows: Range<Int>, position: Int, step: Int, _ table: NoiseVectors
    ) {
        let noiseReal = table.real.span
        let noiseImaginary = table.imaginary.span
        let gains = qmfSlotGains.span(first: 16)
        let noises = qmfSlotNoises.span
        // 16 rows per QMF slot, and 512 + 3 values in the noise table. All accesses are within these bounds.
        precondition(qmfSlots.lowerBound >= 0 && qmfSlots.upperBound <= high.capacity && rows.lowerBound >= 0 && rows.upperBound <= 16)
        precondition(noiseReal.count >= 129 && noiseImaginary.count >= 129)
        var real = high.real.mutableSpan
        var imaginary = high.imaginary.mutableSpan
        let end = 16 &* qmfSlots.upperBound
        for row in rows {
            let (gain, noise) = unsafe (gains[unchecked: row], noises[unchecked: row])
            var index = 16 &* qmfSlots.lowerBound &+ row
            var source = position &+ 4 &* (row &- rows.lowerBound)
            while index < end {
                source &= 511
                let noiseTerm = unsafe noise * noiseReal.unaligned(unchecked: source)
                unsafe real[unchecked: index] = real[unchecked: index] * gain + noiseTerm
                let imaginaryNoiseTerm = unsafe noise * noiseImaginary.unaligned(unchecked: source)
                unsafe imaginary[unchecked: index] = imaginary[unchecked: index] * gain + imaginaryNoiseTerm
                source &+= step
                index &+= 16
            }
        }
    }

    /// Multiplies QMF slots by their gains.
    private mutating func writeClean(_ high: inout HighBandSlots, qmfSlots: Range<Int>, rows: Range<Int>) {
        let gains = qmfSlotGains.span(first: 16)
        var real = high.real.mutableSpan
        var imaginary = high.imaginary.mutableSpan
        for qmfSlot in qmfSlots {
            for row in rows {
                real[16 &* qmfSlot &+ row] *= gains[row]
                imaginary[16 &* qmfSlot &+ row] *= gains[row]
            }
        }
    }

    /// Adds sinusoids, whose phase ψ advances by a quarter turn per QMF slot, in the opposite direction in odd subbands.
    ///
    /// - Parameter phase: The phase of the first QMF slot, in quarter turns.
    mutating func addSines(
        _ high: inout HighBandSlots, _ envelope: Int, qmfSlots: Range<Int>, rows: Range<Int>, phase: Int
    ) {
        var real = high.real.mutableSpan
        var imaginary = high.imaginary.mutableSpan
        for row in rows {
            let sine = sines[16 &* envelope &+ row]
            guard sine != SIMD4(repeating: 0) else { continue }
            let alternating = sine * SIMD4(1, -1, 1, -1)
            for qmfSlot in qmfSlots {
                let index = 16 &* qmfSlot &+ row
                switch (phase &+ qmfSlot &- qmfSlots.lowerBound) & 3 {
                case 0: real[index] += sine
                case 1: imaginary[index] += alternating
                case 2: real[index] -= sine
                default: imaginary[index] -= alternating
                }
            }
        }
    }
}
