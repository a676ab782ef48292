// SPDX-License-Identifier: Apache-2.0

/// HF adjustment: gives the generated high band of one channel its envelope, noise and sinusoids (ISO/IEC 14496-3:2009,
/// 4.6.18.7).
///
/// The standard's symbols are in code font.
package struct HFAdjuster: ~Copyable {
    /// `index_noise`: the index in the noise table at which the last frame ended.
    var noiseIndex = 0
    /// `index_sine`: the phase of all sinusoids, in quarter turns.
    var sinePhase = 0
    /// `S_IndexMapped'`: the subbands with a sinusoid in the last envelope of the previous frame.
    var previousSines: UInt64 = 0
    /// `l_A'` = `L_E'`: whether the previous frame has a transient at its end, so that envelope 0 of this frame has it.
    var startsWithTransient = false
    /// The gains of the current envelope.
    var levels = EnvelopeGains()
    /// `G_Temp` in rows of 16 vectors: the gains of the last four columns of the previous frame, the latest last, then of each
    /// envelope.
    var gains = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16 * (pastCount + SBRGrid.maximumEnvelopeCount))
    /// `Q_Temp`, likewise.
    var noises = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16 * (pastCount + SBRGrid.maximumEnvelopeCount))
    /// `S_MBoost` of each envelope.
    private var sines = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16 * SBRGrid.maximumEnvelopeCount)
    /// Bit l: whether envelope l has a sinusoid.
    var sineEnvelopes: UInt8 = 0
    /// `G_Filt`: the gains of the current column.
    var columnGains = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16)
    /// `Q_Filt`: the noise levels of the current column.
    var columnNoises = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16)

    /// The number of previous columns that smoothing includes, `h_SL`.
    static let pastCount = 4
    /// `h_smooth`: the weights of the current column and the four before it.
    static let smoothing: [Float] = [
        0.333_333_333_333_33, 0.301_502_832_395_82, 0.218_169_499_062_49, 0.115_163_834_270_84, 0.031_830_500_937_51,
    ]

    /// `RATE`: the columns of a time slot.
    let columnsPerSlot: Int
    /// The columns by which the noise is ahead of the start of the table after a reset.
    let noiseLead: Int

    /// The values that predictive vector coding keeps of the frame before.
    var slotPast = SlotPast()

    /// Makes an adjuster without a past.
    ///
    /// - Parameters:
    ///   - columnsPerSlot: `RATE`.
    ///   - noiseLead: The columns by which the noise is ahead of the start of the table after a reset.
    package init(columnsPerSlot: Int, noiseLead: Int = 0) {
        self.columnsPerSlot = columnsPerSlot
        self.noiseLead = noiseLead
    }

    /// Adjusts the columns of a frame in place.
    ///
    /// - Parameters:
    ///   - high: `X_High`, in the columns from the first envelope's start to the last one's end; replaced by `Y`.
    ///   - low: `X_Low`, by whose levels envelopes are shaped in time, in enhanced SBR.
    ///   - frame: The dequantised payload.
    ///   - boundaries: Those of the payload; the first may have been moved.
    ///   - isReset: Whether the frequency band tables are new.
    package mutating func adjust(
        _ high: inout HighBandColumns, low: borrowing LowBandColumns, frame: borrowing SBRChannelFrame, boundaries: EnvelopeBoundaries,
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
            measure(high: high, columns: columns(of: index, boundaries), tables: tables)
            levels.compute(
                EnvelopeGains.Envelope(index: index, sineSubbands: activeSines, isTransient: isTransient), of: frame,
                header: header, tables: tables)
            storeLevels(index)
            if activeSines != 0 { sineEnvelopes |= 1 << UInt8(index) }
        }
        if isReset {
            noiseIndex = noiseLead * tables.highBandCount & 511
            for column in 0..<Self.pastCount { copyRow(Self.pastCount, to: column) }
        }
        for index in 0..<boundaries.count {
            let isTransient = isTransient(index, boundaries)
            assemble(
                index, into: &high, boundaries: boundaries, tables: tables, smooths: header.smoothsGains && !isTransient,
                hasNoise: !isTransient)
            let columns = columns(of: index, boundaries)
            if SBRVariant.includesEnhanced && frame.temporalShapes[index] != 0 {
                TemporalShaper.shape(&high, by: low, columns: columns, mode: frame.temporalShapes[index], tables: tables)
            }
            guard sineEnvelopes >> UInt8(index) & 1 != 0 else { continue }
            let rows = tables.crossoverSubband / 4..<(tables.high.last + 3) / 4
            let elapsed = columns.lowerBound - columnsPerSlot * boundaries.start
            addSines(&high, index, columns: columns, rows: rows, phase: sinePhase + elapsed)
        }
        previousSines = activeSines
        advance(boundaries, highBandCount: tables.highBandCount)
    }

    /// Returns the columns of an envelope.
    private func columns(of envelope: Int, _ boundaries: EnvelopeBoundaries) -> Range<Int> {
        columnsPerSlot * boundaries[envelope]..<columnsPerSlot * boundaries[envelope + 1]
    }

    /// Returns `δ` = 0: whether an envelope has the transient of this frame or of the end of the previous one.
    private func isTransient(_ envelope: Int, _ boundaries: EnvelopeBoundaries) -> Bool {
        envelope == boundaries.transient || (envelope == 0 && startsWithTransient)
    }

    /// Returns the middle subband of each band with a sinusoid: bit floor((f_TableHigh(i) + f_TableHigh(i + 1)) / 2).
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

    /// Measures `E_Curr`: the mean energy of each subband over a range of columns (4.6.18.7.3).
    mutating func measure(
        high: borrowing HighBandColumns, columns: Range<Int>, tables: borrowing FrequencyBandTables
    ) {
        // 16 rows a column: all accesses lie within these.
        let rows = tables.crossoverSubband / 4...(tables.high.last &- 1) / 4
        precondition(columns.lowerBound >= 0 && columns.upperBound <= high.capacity && rows.upperBound < 16)
        let real = high.real.span
        let imaginary = high.imaginary.span
        let scale = SIMD4<Float>(repeating: 1 / Float(columns.count))
        let end = 16 &* columns.upperBound
        var energies = levels.current.mutableSpan(first: 64)
        for row in 0..<16 { energies.store(SIMD4(repeating: 0), at: 4 &* row) }
        for row in rows {
            var sum = SIMD4<Float>(repeating: 0)
            var index = 16 &* columns.lowerBound &+ row
            while index < end {
                let value = unsafe ComplexVector(real[unchecked: index], imaginary[unchecked: index])
                sum += value.real * value.real + value.imaginary * value.imaginary
                index &+= 16
            }
            energies.store(sum * scale, at: 4 &* row)
        }
    }

    /// Stores the gains and levels of an envelope.
    mutating func storeLevels(_ envelope: Int) {
        let target = 16 &* (Self.pastCount &+ envelope)
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

    /// Copies a row of gains and noise levels.
    mutating func copyRow(_ source: Int, to target: Int) {
        gains.copy(16 * source..<16 * (source + 1), to: 16 * target)
        noises.copy(16 * source..<16 * (source + 1), to: 16 * target)
    }

    /// Returns the row of gains that applies `back` columns before a column.
    private func row(_ column: Int, back: Int, boundaries: EnvelopeBoundaries) -> Int {
        let position = column - back
        let start = columnsPerSlot * boundaries.start
        guard position >= start else { return Self.pastCount + position - start }
        var envelope = boundaries.count - 1
        while position < columnsPerSlot * boundaries[envelope] { envelope -= 1 }
        return Self.pastCount + envelope
    }

    /// Ends a frame: advances the noise index and the sine phase, and keeps the gains of the last four columns.
    private mutating func advance(_ boundaries: EnvelopeBoundaries, highBandCount: Int) {
        let columnCount = columnsPerSlot * (boundaries.end - boundaries.start)
        noiseIndex = (noiseIndex + highBandCount * columnCount) & 511
        sinePhase = (sinePhase + columnCount) & 3
        startsWithTransient = boundaries.transient == boundaries.count
        // From the oldest on, so that no row is overwritten before it has moved.
        for column in 0..<Self.pastCount {
            let last = columnsPerSlot * boundaries.end - 1
            copyRow(row(last, back: Self.pastCount - 1 - column, boundaries: boundaries), to: column)
        }
    }
}

extension HFAdjuster {
    /// Writes the columns of one envelope without its sinusoids (4.6.18.7.6).
    ///
    ///     Y(k, i) = G_Filt · X_High(k, i) + Q_Filt · V(index_noise(k, i)) [+ S_MBoost · ψ(k, i)]
    private mutating func assemble(
        _ index: Int, into high: inout HighBandColumns, boundaries: EnvelopeBoundaries, tables: borrowing FrequencyBandTables,
        smooths: Bool, hasNoise: Bool
    ) {
        let rows = tables.crossoverSubband / 4..<(tables.high.last + 3) / 4
        let envelope = columns(of: index, boundaries)
        let (first, end, start) = (envelope.lowerBound, envelope.upperBound, columnsPerSlot * boundaries.start)
        setColumn(index)
        var column = first
        while column < end {
            // Columns that include only this envelope have the gains of the first one of these.
            let isSmoothed = smooths && column <= first + Self.pastCount
            if isSmoothed { smooth(index, column: column, boundaries: boundaries) }
            let columns = column..<(isSmoothed && column < first + Self.pastCount ? column + 1 : end)
            column = columns.upperBound
            guard hasNoise else {
                writeClean(&high, columns: columns, rows: rows)
                continue
            }
            // index_noise(m, i) = index_noise + (i - i_0) M + m + 1, for the first subband of the first row.
            let elapsed = columns.lowerBound - start
            let position = noiseIndex + elapsed * tables.highBandCount + 1 + 4 * rows.lowerBound - tables.crossoverSubband
            writeNoisy(&high, columns: columns, rows: rows, position: position, step: tables.highBandCount, NoiseVectors.shared)
        }
    }

    /// Sets `G_Filt` and `Q_Filt` to the unsmoothed gains and noise levels of an envelope.
    mutating func setColumn(_ index: Int) {
        for row in 0..<16 {
            columnGains[row] = gains[16 &* (Self.pastCount &+ index) &+ row]
            columnNoises[row] = noises[16 &* (Self.pastCount &+ index) &+ row]
        }
        clearNoiseAtSines(index)
    }

    /// Sets `G_Filt` and `Q_Filt` to Σ h_smooth(n) · G_Temp(i - n) and Σ h_smooth(n) · Q_Temp(i - n), n from 0 to 4.
    private mutating func smooth(_ index: Int, column: Int, boundaries: EnvelopeBoundaries) {
        columnGains.fill(SIMD4(repeating: 0))
        columnNoises.fill(SIMD4(repeating: 0))
        for back in 0...Self.pastCount {
            let factor = SIMD4<Float>(repeating: Self.smoothing[back])
            addRow(row(column, back: back, boundaries: boundaries), factor: factor)
        }
        clearNoiseAtSines(index)
    }

    /// Adds a row of gains and noise levels, multiplied by a factor, to `G_Filt` and `Q_Filt`.
    mutating func addRow(_ source: Int, factor: SIMD4<Float>) {
        let (gains, noises) = (gains.span, noises.span)
        var columnGains = columnGains.mutableSpan(first: 16)
        var columnNoises = columnNoises.mutableSpan(first: 16)
        for row in 0..<16 {
            columnGains[row] += gains[16 &* source &+ row] * factor
            columnNoises[row] += noises[16 &* source &+ row] * factor
        }
    }

    /// Sets `Q_Filt` to 0 in subbands with a sinusoid.
    mutating func clearNoiseAtSines(_ index: Int) {
        guard sineEnvelopes >> UInt8(index) & 1 != 0 else { return }
        for row in 0..<16 {
            let sine = sines[16 &* index &+ row]
            columnNoises[row].replace(with: SIMD4(repeating: 0), where: sine .!= SIMD4(repeating: 0))
        }
    }

    /// Multiplies columns by their gains and adds noise.
    ///
    /// - Parameters:
    ///   - position: The index in the noise table for the first subband of the first row in the first column.
    ///   - step: The distance of columns in the noise table.
    mutating func writeNoisy(
        _ high: inout HighBandColumns, columns: Range<Int>, rows: Range<Int>, position: Int, step: Int, _ table: NoiseVectors
    ) {
        let noiseReal = table.real.span
        let noiseImaginary = table.imaginary.span
        let gains = columnGains.span(first: 16)
        let noises = columnNoises.span
        // 16 rows a column, and 512 values and 3 more of the table: all accesses lie within these.
        precondition(columns.lowerBound >= 0 && columns.upperBound <= high.capacity && rows.lowerBound >= 0 && rows.upperBound <= 16)
        precondition(noiseReal.count >= 129 && noiseImaginary.count >= 129)
        var real = high.real.mutableSpan
        var imaginary = high.imaginary.mutableSpan
        let end = 16 &* columns.upperBound
        for row in rows {
            let (gain, noise) = unsafe (gains[unchecked: row], noises[unchecked: row])
            var index = 16 &* columns.lowerBound &+ row
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

    /// Multiplies columns by their gains.
    private mutating func writeClean(_ high: inout HighBandColumns, columns: Range<Int>, rows: Range<Int>) {
        let gains = columnGains.span(first: 16)
        var real = high.real.mutableSpan
        var imaginary = high.imaginary.mutableSpan
        for column in columns {
            for row in rows {
                real[16 &* column &+ row] *= gains[row]
                imaginary[16 &* column &+ row] *= gains[row]
            }
        }
    }

    /// Adds sinusoids: ψ advances by a quarter turn for each column, in the opposite direction in odd subbands.
    ///
    /// - Parameter phase: The phase of the first column, in quarter turns.
    mutating func addSines(
        _ high: inout HighBandColumns, _ envelope: Int, columns: Range<Int>, rows: Range<Int>, phase: Int
    ) {
        var real = high.real.mutableSpan
        var imaginary = high.imaginary.mutableSpan
        for row in rows {
            let sine = sines[16 &* envelope &+ row]
            guard sine != SIMD4(repeating: 0) else { continue }
            let alternating = sine * SIMD4(1, -1, 1, -1)
            for column in columns {
                let index = 16 &* column &+ row
                switch (phase &+ column &- columns.lowerBound) & 3 {
                case 0: real[index] += sine
                case 1: imaginary[index] += alternating
                case 2: real[index] -= sine
                default: imaginary[index] -= alternating
                }
            }
        }
    }
}
