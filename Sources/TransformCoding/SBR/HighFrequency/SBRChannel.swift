// SPDX-License-Identifier: Apache-2.0

/// The SBR decoder of one channel before synthesis: converts core samples to the subbands of the whole spectrum
/// (ISO/IEC 14496-3:2009, 4.6.18.5).
package struct SBRChannel: ~Copyable {
    /// The analysis filter bank with 32 subbands.
    private var analysis: QMFAnalysis
    /// The analysis filter bank with 24 or 16 subbands, in enhanced SBR.
    private var smallAnalysis: GenericQMFAnalysis?
    /// The low band of the current frame, which parametric stereo splits further.
    package private(set) var low: LowBandSlots
    /// The high band of the current frame, and the QMF slots that extend into the next.
    private var high: HighBandSlots
    /// The prediction of low subbands, for inverse filtering.
    private var prediction = LinearPrediction()
    /// The inverse filtering strength.
    private var chirp = ChirpFactors()
    private var adjuster: HFAdjuster
    private let layout: SlotLayout
    /// The input twiddles of synthesis.
    ///
    /// Stored here, because access through a layout retains all its tables.
    private let synthesisInput: ContiguousArray<ComplexVector>
    /// The number of QMF slots of the next frame that the last envelope has filled: `RATE` · `t_E(L_E)` beyond the frame.
    private var tailCount = 0
    /// The number of rows of four low-band subbands in use in this or the previous frame.
    private var lowRowCount = 8
    /// The rows of four high-band subbands in use in this or the previous frame; empty without a high band.
    private var highRows = 0..<0
    /// The rows of the high band in this frame.
    private var ownHighRows = 0..<0

    /// The parameters of a frame.
    package struct Settings {
        /// `kx`: the number of core subbands in this frame; 32 during upsampling without SBR data.
        package var lowBandCount: Int
        /// `kx'`: the number of core subbands in the previous frame.
        package var previousLowBandCount: Int
        /// Whether the frequency band tables are new.
        package var isReset: Bool

        package init(lowBandCount: Int, previousLowBandCount: Int, isReset: Bool) {
            self.lowBandCount = lowBandCount
            self.previousLowBandCount = previousLowBandCount
            self.isReset = isReset
        }
    }

    /// Creates a channel with silent history.
    ///
    /// - Parameter noiseLead: The noise table offset after a reset, in QMF slots.
    package init(_ layout: SlotLayout, noiseLead: Int = 0) {
        self.layout = layout
        synthesisInput = layout.tables.synthesisInput
        analysis = QMFAnalysis(layout)
        if layout.analysisBandCount < QMFAnalysis.bandCount { smallAnalysis = GenericQMFAnalysis(layout) }
        low = LowBandSlots(layout)
        high = HighBandSlots(layout)
        adjuster = HFAdjuster(qmfSlotsPerTimeSlot: layout.qmfSlotsPerTimeSlot, noiseLead: noiseLead)
    }

    /// Analyzes the core samples of a frame.
    ///
    /// Call ``extend(_:channel:settings:envelopes:transposed:)`` or ``extendNothing()`` next.
    package mutating func analyze(_ core: Span<Float>, _ settings: Settings) {
        begin(settings)
        if layout.analysisBandCount < QMFAnalysis.bandCount {
            smallAnalysis?.analyze(core, bandCount: settings.lowBandCount, into: &low)
        } else {
            analysis.analyze(core, bandCount: settings.lowBandCount, into: &low)
        }
    }

    /// Loads the QMF slots of a frame that were analyzed elsewhere, instead of ``analyze(_:_:)``.
    package mutating func load(_ qmfSlots: borrowing LowBandSlots, _ settings: Settings) {
        begin(settings)
        low.copyFrame(of: qmfSlots)
        low.clear(fromBand: settings.lowBandCount, qmfSlots: layout.historyCount..<layout.historyCount + layout.qmfSlotCount)
    }

    /// Starts a frame: clears subbands that its bands do not continue.
    private mutating func begin(_ settings: Settings) {
        if settings.lowBandCount < settings.previousLowBandCount {
            low.clear(fromBand: settings.lowBandCount, qmfSlots: tailCount + 2..<layout.historyCount + layout.qmfSlotCount)
        }
        lowRowCount = (max(settings.lowBandCount, settings.previousLowBandCount) + 3) / 4
        if settings.isReset { high.clear(from: tailCount) }
    }

    /// Generates and adjusts the high band of a frame.
    ///
    /// The first envelope is moved to the end of the previous frame's last envelope. They differ only after a lost frame.
    ///
    /// - Parameters:
    ///   - index: The channel in the payload, 0 or 1.
    ///   - envelopes: Predicted envelopes, which replace the payload's if in use (ISO/IEC 23003-3, 7.5.6).
    ///   - transposed: The output of the harmonic transposer, for transposed channels (7.5.4).
    package mutating func extend(
        _ reading: borrowing SBRReading, channel index: Int, settings: Settings, envelopes: borrowing PredictedEnvelopes,
        transposed: borrowing TransposedSlots
    ) {
        let rate = layout.qmfSlotsPerTimeSlot
        let isPredicted = SBRVariant.includesEnhanced && envelopes.isUsed
        var boundaries = reading.channels[index].boundaries
        var qmfSlots = rate * envelopes.first..<layout.qmfSlotCount
        if !isPredicted {
            if tailCount < rate * boundaries[1] {
                boundaries.boundaries[0] = UInt8(tailCount / rate)
            } else {
                tailCount = rate * boundaries.start
            }
            qmfSlots = rate * boundaries.start..<rate * boundaries.end
        }
        var tables = reading.tables
        chirp.update(reading.channels[index].inverseFiltering, noiseBands: tables.noise)
        if SBRVariant.includesEnhanced && reading.channels[index].isTransposed {
            tables.setLimiterBands(reading.header.limiterBands, boundaries: transposed.ranges)
            transposed.generate(
                into: &high, qmfSlots: qmfSlots, tables: tables, strengths: chirp.strengths, termCount: layout.predictionQMFSlotCount)
        } else {
            prediction.compute(low, rows: chirp.strengths.sourceRows(of: tables.patches), qmfSlotCount: layout.predictionQMFSlotCount)
            HFGenerator.generate(
                into: &high, from: low, qmfSlots: qmfSlots, tables: tables, prediction: prediction, strengths: chirp.strengths)
            if SBRVariant.includesEnhanced && reading.isFlattened {
                SpectralFlattener.flatten(&high, by: low, qmfSlots: qmfSlots, tables: tables)
            }
        }
        if isPredicted {
            adjuster.adjust(
                &high, envelopes: envelopes, frame: reading.channels[index], header: reading.header, tables: tables,
                isReset: settings.isReset)
        } else {
            adjuster.adjust(
                &high, low: low, frame: reading.channels[index], boundaries: boundaries, header: reading.header, tables: tables,
                isReset: settings.isReset)
        }
        setHighRows(tables.crossoverSubband / 4..<(tables.high.last + 3) / 4)
        tailCount = qmfSlots.upperBound - layout.qmfSlotCount
    }

    /// The number of time slots that the previous frame's last envelope has filled.
    package var filledSlotCount: Int { tailCount / layout.qmfSlotsPerTimeSlot }

    /// Leaves the high band empty, except QMF slots that the previous frame has filled.
    package mutating func extendNothing() {
        high.clear(from: tailCount)
        setHighRows(0..<0)
        tailCount = 0
    }

    private mutating func setHighRows(_ rows: Range<Int>) {
        let before = ownHighRows
        ownHighRows = rows
        if before.isEmpty || rows.isEmpty {
            highRows = before.isEmpty ? rows : before
        } else {
            highRows = min(before.lowerBound, rows.lowerBound)..<max(before.upperBound, rows.upperBound)
        }
    }

    /// The number of rows of four subbands with a signal in this frame.
    package var rowCount: Int { max(lowRowCount, highRows.upperBound) }

    /// Writes four QMF slots starting at `qmfSlot`, one per lane, to the 64 subbands of `bands`, as the sum of low and high band.
    package func collect(_ qmfSlot: Int, into bands: inout MutableSpan<ComplexVector>) {
        var bands = bands._mutatingExtracting(0..<64)
        forEachRow(qmfSlot) { (row, four) in
            bands[4 &* row] = four.0
            bands[4 &* row &+ 1] = four.1
            bands[4 &* row &+ 2] = four.2
            bands[4 &* row &+ 3] = four.3
        }
        for band in 4 &* rowCount..<64 { bands[band] = .zero }
    }

    /// Writes four QMF slots in the order of ``QMFSynthesis/synthesizePaired64(_:work:qmfSlotCount:into:at:)``.
    package func collectPairs(_ qmfSlot: Int, into pairs: inout MutableSpan<ComplexVector>) {
        var pairs = pairs._mutatingExtracting(0..<64)
        let twiddles = synthesisInput.span.extracting(0..<64)
        forEachRow(qmfSlot) { (row, four) in QMFSynthesis.pair(four, row: row, into: &pairs, twiddles, bandCount: 64) }
        QMFSynthesis.clear(fromRow: rowCount, in: &pairs, bandCount: 64)
    }

    /// Calls `body` with each row of four subbands in use, for four QMF slots starting at `qmfSlot`, one per lane.
    @inline(__always)
    private func forEachRow(
        _ qmfSlot: Int, _ body: (_ row: Int, _ bands: (ComplexVector, ComplexVector, ComplexVector, ComplexVector)) -> Void
    ) {
        // QMF slot i of the frame is slot i + t_HFAdj of X_Low.
        let first = LowBandSlots.row(ofQMFSlot: qmfSlot &+ 2)
        let lowReal = low.real.span.extracting(first..<first &+ 32)
        let lowImaginary = low.imaginary.span.extracting(first..<first &+ 32)
        let highReal = high.real.span.extracting(16 &* qmfSlot..<16 &* qmfSlot &+ 64)
        let highImaginary = high.imaginary.span.extracting(16 &* qmfSlot..<16 &* qmfSlot &+ 64)
        let (lowEnd, end) = (lowRowCount, rowCount)
        precondition(lowEnd >= 0 && lowEnd <= 8 && end <= 16 && highRows.lowerBound >= 0)
        let lowOnly = highRows.isEmpty ? lowEnd : min(highRows.lowerBound, lowEnd)
        for row in 0..<lowOnly {
            body(row, Self.bands(Self.four(lowReal, row, step: 8), Self.four(lowImaginary, row, step: 8)))
        }
        for row in lowOnly..<lowEnd {
            let (real, imaginary) = (Self.four(lowReal, row, step: 8), Self.four(lowImaginary, row, step: 8))
            let (highReal, highImaginary) = (Self.four(highReal, row, step: 16), Self.four(highImaginary, row, step: 16))
            let sums = (real.0 + highReal.0, real.1 + highReal.1, real.2 + highReal.2, real.3 + highReal.3)
            let imaginarySums = (
                imaginary.0 + highImaginary.0, imaginary.1 + highImaginary.1, imaginary.2 + highImaginary.2,
                imaginary.3 + highImaginary.3
            )
            body(row, Self.bands(sums, imaginarySums))
        }
        let highStart = max(lowEnd, min(highRows.lowerBound, end))
        for row in lowEnd..<highStart { body(row, (.zero, .zero, .zero, .zero)) }
        // With a constant end, no bounds checks remain.
        for row in highStart..<16 {
            guard row < end else { break }
            body(row, Self.bands(Self.four(highReal, row, step: 16), Self.four(highImaginary, row, step: 16)))
        }
    }

    private typealias Four = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// Returns a row of four QMF slots, which are `step` vectors apart.
    @inline(__always)
    private static func four(_ parts: Span<SIMD4<Float>>, _ row: Int, step: Int) -> Four {
        (parts[row], parts[row &+ step], parts[row &+ 2 &* step], parts[row &+ 3 &* step])
    }

    /// Returns four subbands of four QMF slots, one slot per lane.
    @inline(__always)
    private static func bands(_ real: Four, _ imaginary: Four) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        let r = SIMD4<Float>.transposed(real.0, real.1, real.2, real.3)
        let i = SIMD4<Float>.transposed(imaginary.0, imaginary.1, imaginary.2, imaginary.3)
        return (ComplexVector(r.0, i.0), ComplexVector(r.1, i.1), ComplexVector(r.2, i.2), ComplexVector(r.3, i.3))
    }

    package mutating func advance() {
        low.advance()
        high.advance()
    }
}
