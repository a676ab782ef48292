// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Gives the copied high band its envelope, noise and sines (ISO/IEC 14496-3:2009, 4.6.18.7), one channel.
struct HFAdjuster: ~Copyable {
    /// `index_noise`: where in the noise table the last frame ended.
    private var noiseIndex = 0
    /// `index_sine`: the phase of all sines, in quarter turns.
    private var sinePhase = 0
    /// The subbands that had a sine in the last envelope of the frame before, `S_IndexMapped'`.
    private var previousSines: UInt64 = 0
    /// Whether the frame before had a transient at its end, which then is in envelope 0.
    private var startsWithTransient = false
    /// Gains and noises of the last four columns, the latest last.
    private var pastGains: [4 of SubbandValues] = .init(repeating: SubbandValues())
    private var pastNoises: [4 of SubbandValues] = .init(repeating: SubbandValues())
    private var envelopes: [5 of EnvelopeGains] = .init(repeating: EnvelopeGains())

    /// What smooths gains over the current column and the four before.
    private static let smoothing: [5 of Float] = [
        0.333_333_333_333_33, 0.301_502_832_395_82, 0.218_169_499_062_49, 0.115_163_834_270_84, 0.031_830_500_937_51,
    ]

    /// Makes an adjuster without a past.
    init() {}

    /// Adjusts the columns of a frame in place.
    ///
    /// - Parameters:
    ///   - high: The copied bands; their columns from the first envelope's start to the last one's end.
    ///   - frame: What the payload says.
    ///   - isReset: Whether the frequency tables are new.
    mutating func adjust(
        _ high: inout HighBandColumns, frame: borrowing SBRChannelFrame, header: SBRHeader,
        tables: borrowing FrequencyBandTables, isReset: Bool
    ) {
        let borders = frame.borders
        let sineSubbands = Self.sineSubbands(frame.harmonics, tables: tables)
        var sounding = previousSines
        for index in 0..<borders.count {
            // A sine starts with the transient, unless it sounded before.
            sounding = index >= borders.transient ? sineSubbands : sineSubbands & previousSines
            let envelope = EnvelopeGains.Envelope(
                index: index, sineSubbands: sounding, isTransient: isTransient(index, borders))
            let current = Self.energies(
                &high, columns: 2 * borders[index]..<2 * borders[index + 1], tables: tables)
            envelopes[index] = EnvelopeGains(envelope, of: frame, current: current, header: header, tables: tables)
        }
        if isReset {
            noiseIndex = 0
            for column in 0..<4 {
                pastGains[column] = envelopes[0].gains
                pastNoises[column] = envelopes[0].noises
            }
        }
        for index in 0..<borders.count {
            let isTransient = isTransient(index, borders)
            assemble(
                index, into: &high, borders: borders, tables: tables, smooths: header.smoothsGains && !isTransient,
                hasNoise: !isTransient)
        }
        advance(borders, sines: sounding, highBandCount: tables.highBandCount)
    }

    private func isTransient(_ envelope: Int, _ borders: EnvelopeBorders) -> Bool {
        envelope == borders.transient || (envelope == 0 && startsWithTransient)
    }

    /// The middle subband of each band that has a sine.
    private static func sineSubbands(_ harmonics: UInt64, tables: borrowing FrequencyBandTables) -> UInt64 {
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

    /// `E_Curr`: the mean energy of each subband over some columns.
    private static func energies(
        _ high: inout HighBandColumns, columns: Range<Int>, tables: borrowing FrequencyBandTables
    ) -> SubbandValues {
        let real = high.real.span
        let imaginary = high.imaginary.span
        let scale = SIMD4<Float>(repeating: 1 / Float(columns.count))
        var energies = SubbandValues()
        for row in tables.crossoverSubband / 4...(tables.high.last &- 1) / 4 {
            var sum = SIMD4<Float>(repeating: 0)
            for column in columns {
                let index = 16 &* column &+ row
                sum += real[index] * real[index] + imaginary[index] * imaginary[index]
            }
            energies.rows[row] = sum * scale
        }
        return energies
    }

    private mutating func advance(_ borders: EnvelopeBorders, sines: UInt64, highBandCount: Int) {
        let columnCount = 2 * (borders.end - borders.start)
        noiseIndex = (noiseIndex + highBandCount * columnCount) & 511
        sinePhase = (sinePhase + columnCount) & 3
        previousSines = sines
        startsWithTransient = borders.transient == borders.count
        // The last envelope is at least two columns long, and so is the one before.
        let last = borders.count - 1
        let lastCount = min(4, 2 * (borders[last + 1] - borders[last]))
        let before = pastRows(borders, lastCount: lastCount)
        for column in 0..<4 - lastCount {
            pastGains[column] = before.gains[column]
            pastNoises[column] = before.noises[column]
        }
        for column in 4 - lastCount..<4 {
            pastGains[column] = envelopes[last].gains
            pastNoises[column] = envelopes[last].noises
        }
    }

    /// The columns before the last envelope that stay among the last four.
    private func pastRows(
        _ borders: EnvelopeBorders, lastCount: Int
    ) -> (gains: [4 of SubbandValues], noises: [4 of SubbandValues]) {
        guard lastCount < 4 else { return (pastGains, pastNoises) }
        if borders.count > 1 {
            return (
                .init(repeating: envelopes[borders.count - 2].gains), .init(repeating: envelopes[borders.count - 2].noises)
            )
        }
        return (
            [pastGains[2], pastGains[3], pastGains[3], pastGains[3]],
            [pastNoises[2], pastNoises[3], pastNoises[3], pastNoises[3]]
        )
    }
}

extension HFAdjuster {
    /// The gains or noises of the column `back` before column `column` of envelope `index`.
    private func past(
        _ index: Int, column: Int, back: Int, borders: EnvelopeBorders
    ) -> (envelope: Int, past: Int) {
        var envelope = index
        var position = column - back
        while position < 2 * borders[envelope] {
            guard envelope > 0 else { return (-1, 4 + position - 2 * borders.start) }
            envelope -= 1
        }
        position = 0
        return (envelope, position)
    }

    /// Gains and noises of one column, smoothed over the columns before.
    private func smoothed(
        _ index: Int, column: Int, borders: EnvelopeBorders
    ) -> (gains: SubbandValues, noises: SubbandValues) {
        var gains = SubbandValues()
        var noises = SubbandValues()
        for back in 0..<5 {
            let factor = SIMD4<Float>(repeating: Self.smoothing[back])
            let source = past(index, column: column, back: back, borders: borders)
            for row in 0..<16 {
                let gain = source.envelope < 0 ? pastGains[source.past].rows[row] : envelopes[source.envelope].gains.rows[row]
                let noise =
                    source.envelope < 0 ? pastNoises[source.past].rows[row] : envelopes[source.envelope].noises.rows[row]
                gains.rows[row] += gain * factor
                noises.rows[row] += noise * factor
            }
        }
        return (gains, noises)
    }

    /// Writes the columns of one envelope, `Y`.
    private mutating func assemble(
        _ index: Int, into high: inout HighBandColumns, borders: EnvelopeBorders, tables: borrowing FrequencyBandTables,
        smooths: Bool, hasNoise: Bool
    ) {
        let firstRow = tables.crossoverSubband / 4
        let endRow = (tables.high.last + 3) / 4
        let sines = envelopes[index].sines
        for column in 2 * borders[index]..<2 * borders[index + 1] {
            let elapsed = column - 2 * borders.start
            let position = noiseIndex + elapsed * tables.highBandCount + 1 + 4 * firstRow - tables.crossoverSubband
            let output = Output(
                column: column, rows: firstRow..<endRow, noisePosition: hasNoise ? (position + 512) & 511 : nil,
                phase: (sinePhase + elapsed) & 3)
            if smooths && column < 2 * borders[index] + 4 {
                let values = smoothed(index, column: column, borders: borders)
                output.write(into: &high, gains: values.gains, noises: values.noises, sines: sines, NoiseVectors.shared)
            } else {
                output.write(
                    into: &high, gains: envelopes[index].gains, noises: envelopes[index].noises, sines: sines,
                    NoiseVectors.shared)
            }
        }
    }

    /// One column to be written.
    private struct Output {
        var column: Int
        var rows: Range<Int>
        /// Where the noise of the first row starts in the table; nil for none.
        var noisePosition: Int?
        /// The phase of the sines in quarter turns.
        var phase: Int

        @inline(__always)
        func write(
            into high: inout HighBandColumns, gains: borrowing SubbandValues, noises: borrowing SubbandValues,
            sines: borrowing SubbandValues, _ table: NoiseVectors
        ) {
            let noiseReal = table.real.span
            let noiseImaginary = table.imaginary.span
            // The imaginary parts of odd subbands have the other sign.
            let realSign = SIMD4<Float>(repeating: phase & 1 != 0 ? 0 : phase == 0 ? 1 : -1)
            let alternating = SIMD4<Float>(1, -1, 1, -1)
            let imaginarySign = alternating * SIMD4<Float>(repeating: phase & 1 == 0 ? 0 : phase == 1 ? 1 : -1)
            for row in rows {
                let index = 16 &* column &+ row
                let gain = gains.rows[row]
                let sine = sines.rows[row]
                var real = high.real[index] * gain + sine * realSign
                var imaginary = high.imaginary[index] * gain + sine * imaginarySign
                if let noisePosition {
                    let noise = noises.rows[row].replacing(with: SIMD4(repeating: 0), where: sine .!= SIMD4(repeating: 0))
                    let position = noisePosition &+ 4 &* (row &- rows.lowerBound)
                    real += noise * noiseReal.unaligned(at: position)
                    imaginary += noise * noiseImaginary.unaligned(at: position)
                }
                high.real[index] = real
                high.imaginary[index] = imaginary
            }
        }
    }
}

/// The noise table, its start once more at the end, so that a run of 64 values from any place is in one piece.
struct NoiseVectors: Sendable {
    /// The table of all decoders.
    static let shared = NoiseVectors()

    let real: ContiguousArray<SIMD4<Float>>
    let imaginary: ContiguousArray<SIMD4<Float>>

    private init() {
        real = ContiguousArray((0..<144).map { Self.vector(SBRNoiseTable.real, at: 4 * $0) })
        imaginary = ContiguousArray((0..<144).map { Self.vector(SBRNoiseTable.imaginary, at: 4 * $0) })
    }

    private static func vector(_ table: [Float], at index: Int) -> SIMD4<Float> {
        SIMD4(table[index & 511], table[(index + 1) & 511], table[(index + 2) & 511], table[(index + 3) & 511])
    }
}
