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
    private var levels = EnvelopeGains()
    /// Rows of gains, 16 vectors each: those of the last four columns of the past, the latest last, then of each envelope.
    private var gains: [144 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// The same for noises.
    private var noises: [144 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// The sines of each envelope.
    private var sines: [80 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Bit l is set when envelope l has a sine.
    private var sineEnvelopes: UInt8 = 0
    /// Gains of the column at hand.
    private var columnGains: [16 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Noises of the column at hand.
    private var columnNoises: [16 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Columns that smoothing looks back to.
    private static let pastCount = 4
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
        let boundaries = frame.boundaries
        let sineSubbands = Self.sineSubbands(frame.harmonics, tables: tables)
        var sounding = previousSines
        sineEnvelopes = 0
        for index in 0..<boundaries.count {
            // A sine starts with the transient, unless it sounded before.
            sounding = index >= boundaries.transient ? sineSubbands : sineSubbands & previousSines
            let isTransient = isTransient(index, boundaries)
            measure(high: &high, columns: 2 * boundaries[index]..<2 * boundaries[index + 1], tables: tables)
            levels.compute(
                EnvelopeGains.Envelope(index: index, sineSubbands: sounding, isTransient: isTransient), of: frame,
                header: header, tables: tables)
            keepLevels(index)
            if sounding != 0 { sineEnvelopes |= 1 << UInt8(index) }
        }
        if isReset {
            noiseIndex = 0
            for column in 0..<Self.pastCount { copyRow(Self.pastCount, to: column) }
        }
        for index in 0..<boundaries.count {
            let isTransient = isTransient(index, boundaries)
            assemble(
                index, into: &high, boundaries: boundaries, tables: tables, smooths: header.smoothsGains && !isTransient,
                hasNoise: !isTransient)
        }
        previousSines = sounding
        advance(boundaries, highBandCount: tables.highBandCount)
    }

    private func isTransient(_ envelope: Int, _ boundaries: EnvelopeBoundaries) -> Bool {
        envelope == boundaries.transient || (envelope == 0 && startsWithTransient)
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

    /// Measures `E_Curr`: the mean energy of each subband over some columns.
    private mutating func measure(
        high: inout HighBandColumns, columns: Range<Int>, tables: borrowing FrequencyBandTables
    ) {
        let real = high.real.span
        let imaginary = high.imaginary.span
        let scale = SIMD4<Float>(repeating: 1 / Float(columns.count))
        var energies = levels.current.mutableSpan
        for row in 0..<16 { energies.store(SIMD4(repeating: 0), at: 4 &* row) }
        for row in tables.crossoverSubband / 4...(tables.high.last &- 1) / 4 {
            var sum = SIMD4<Float>(repeating: 0)
            var index = 16 &* columns.lowerBound &+ row
            for _ in columns {
                sum += real[index] * real[index] + imaginary[index] * imaginary[index]
                index &+= 16
            }
            energies.store(sum * scale, at: 4 &* row)
        }
    }

    private mutating func keepLevels(_ envelope: Int) {
        let target = 16 &* (Self.pastCount &+ envelope)
        let newGains = levels.gains.span
        let newNoises = levels.noises.span
        let newSines = levels.sines.span
        for row in 0..<16 {
            gains[target &+ row] = newGains.vector(at: 4 &* row)
            noises[target &+ row] = newNoises.vector(at: 4 &* row)
            sines[16 &* envelope &+ row] = newSines.vector(at: 4 &* row)
        }
    }

    private mutating func copyRow(_ source: Int, to target: Int) {
        for row in 0..<16 {
            gains[16 &* target &+ row] = gains[16 &* source &+ row]
            noises[16 &* target &+ row] = noises[16 &* source &+ row]
        }
    }

    /// The row of gains in force `back` columns before a column.
    private static func row(_ column: Int, back: Int, boundaries: EnvelopeBoundaries) -> Int {
        let position = column - back
        guard position >= 2 * boundaries.start else { return pastCount + position - 2 * boundaries.start }
        var envelope = boundaries.count - 1
        while position < 2 * boundaries[envelope] { envelope -= 1 }
        return pastCount + envelope
    }

    /// Makes the last four columns of a frame the past of the next.
    private mutating func advance(_ boundaries: EnvelopeBoundaries, highBandCount: Int) {
        let columnCount = 2 * (boundaries.end - boundaries.start)
        noiseIndex = (noiseIndex + highBandCount * columnCount) & 511
        sinePhase = (sinePhase + columnCount) & 3
        startsWithTransient = boundaries.transient == boundaries.count
        // From the oldest on, so that no row is overwritten before it has moved.
        for column in 0..<Self.pastCount {
            copyRow(Self.row(2 * boundaries.end - 1, back: Self.pastCount - 1 - column, boundaries: boundaries), to: column)
        }
    }
}

extension HFAdjuster {
    /// Writes the columns of one envelope, `Y`.
    private mutating func assemble(
        _ index: Int, into high: inout HighBandColumns, boundaries: EnvelopeBoundaries, tables: borrowing FrequencyBandTables,
        smooths: Bool, hasNoise: Bool
    ) {
        let firstRow = tables.crossoverSubband / 4
        let endRow = (tables.high.last + 3) / 4
        let first = 2 * boundaries[index]
        setColumn(index)
        for column in first..<2 * boundaries[index + 1] {
            if smooths && column <= first + Self.pastCount {
                smooth(index, column: column, boundaries: boundaries)
            }
            let elapsed = column - 2 * boundaries.start
            if hasNoise {
                let position = noiseIndex + elapsed * tables.highBandCount + 1 + 4 * firstRow - tables.crossoverSubband
                writeNoisy(
                    &high, column: column, rows: firstRow..<endRow, position: (position + 512) & 511, NoiseVectors.shared)
            } else {
                writeClean(&high, column: column, rows: firstRow..<endRow)
            }
            guard sineEnvelopes >> UInt8(index) & 1 != 0 else { continue }
            addSines(&high, index, column: column, rows: firstRow..<endRow, phase: (sinePhase + elapsed) & 3)
        }
    }

    /// Takes the gains and noises of an envelope as they are; where there is a sine, there is no noise.
    private mutating func setColumn(_ index: Int) {
        for row in 0..<16 {
            columnGains[row] = gains[16 &* (Self.pastCount &+ index) &+ row]
            columnNoises[row] = noises[16 &* (Self.pastCount &+ index) &+ row]
        }
        silenceNoise(index)
    }

    /// Smooths gains and noises over the column and the four before.
    private mutating func smooth(_ index: Int, column: Int, boundaries: EnvelopeBoundaries) {
        for row in 0..<16 {
            columnGains[row] = SIMD4(repeating: 0)
            columnNoises[row] = SIMD4(repeating: 0)
        }
        for back in 0...Self.pastCount {
            let factor = SIMD4<Float>(repeating: Self.smoothing[back])
            let source = 16 &* Self.row(column, back: back, boundaries: boundaries)
            for row in 0..<16 {
                columnGains[row] += gains[source &+ row] * factor
                columnNoises[row] += noises[source &+ row] * factor
            }
        }
        silenceNoise(index)
    }

    private mutating func silenceNoise(_ index: Int) {
        guard sineEnvelopes >> UInt8(index) & 1 != 0 else { return }
        for row in 0..<16 {
            let sine = sines[16 &* index &+ row]
            columnNoises[row].replace(with: SIMD4(repeating: 0), where: sine .!= SIMD4(repeating: 0))
        }
    }

    /// Multiplies a column by its gains and adds noise from a place in the table.
    @inline(__always)
    private mutating func writeNoisy(
        _ high: inout HighBandColumns, column: Int, rows: Range<Int>, position: Int, _ table: NoiseVectors
    ) {
        let noiseReal = table.real.span
        let noiseImaginary = table.imaginary.span
        let gains = columnGains.span
        let noises = columnNoises.span
        let index = 16 &* column
        var allReal = high.real.mutableSpan
        var allImaginary = high.imaginary.mutableSpan
        var real = allReal._mutatingExtracting(index..<index &+ 16)
        var imaginary = allImaginary._mutatingExtracting(index..<index &+ 16)
        var source = position
        for row in rows {
            real[row] = real[row] * gains[row] + noises[row] * noiseReal.unaligned(at: source)
            imaginary[row] = imaginary[row] * gains[row] + noises[row] * noiseImaginary.unaligned(at: source)
            source &+= 4
        }
    }

    /// Multiplies a column by its gains.
    private mutating func writeClean(_ high: inout HighBandColumns, column: Int, rows: Range<Int>) {
        for row in rows {
            high.real[16 &* column &+ row] *= columnGains[row]
            high.imaginary[16 &* column &+ row] *= columnGains[row]
        }
    }

    /// Adds sines; each column is a quarter turn on, and odd subbands turn the other way.
    private mutating func addSines(
        _ high: inout HighBandColumns, _ envelope: Int, column: Int, rows: Range<Int>, phase: Int
    ) {
        let sign: Float = phase < 2 ? 1 : -1
        let factor = phase & 1 == 0 ? SIMD4<Float>(repeating: sign) : SIMD4<Float>(sign, -sign, sign, -sign)
        for row in rows {
            let sine = sines[16 &* envelope &+ row]
            if phase & 1 == 0 {
                high.real[16 &* column &+ row] += sine * factor
            } else {
                high.imaginary[16 &* column &+ row] += sine * factor
            }
        }
    }
}
