// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The SBR decoder of one channel up to synthesis: from core samples to the subbands of the whole spectrum (ISO/IEC
/// 14496-3:2009, 4.6.18.5).
struct SBRChannel: ~Copyable {
    /// The analysis filter bank of 32 subbands.
    private var analysis = QMFAnalysis()
    /// The low band of the current frame, which parametric stereo splits further.
    var low = LowBandColumns()
    /// The high band of the current frame, and the columns that reach into the next.
    private var high = HighBandColumns()
    /// The strength of inverse filtering.
    private var chirp = ChirpFactors()
    /// The state of HF adjustment.
    private var adjuster = HFAdjuster()
    /// Columns at the start of the next frame that the last envelope has filled: `RATE` · `t_E(L_E)` beyond the frame.
    private var tailCount = 0

    /// The parameters of a frame.
    struct Settings {
        /// The number of columns of a frame, 32 or 30.
        var columnCount: Int
        /// `kx`: the subbands of the core in this frame; 32 while only upsampling.
        var lowBandCount: Int
        /// `kx'`: the subbands of the core in the previous frame.
        var previousLowBandCount: Int
        /// Whether the frequency band tables are new.
        var isReset: Bool
    }

    /// Creates a channel with a silent past.
    init() {}

    /// Analyses the core samples of a frame.
    ///
    /// Call ``extend(_:header:tables:settings:)`` or ``extendNothing()`` next.
    mutating func analyze(_ core: Span<Float>, _ settings: Settings, tables: QMFTables) {
        let mask = Self.mask(below: settings.lowBandCount)
        analysis.analyze(core, columnCount: settings.columnCount, mask: mask.span, into: &low, tables: tables)
        if settings.lowBandCount < settings.previousLowBandCount {
            low.clear(fromBand: settings.lowBandCount, columns: tailCount + 2..<LowBandColumns.historyCount)
        }
        if settings.isReset { high.clear(from: tailCount) }
    }

    /// Generates and adjusts the high band of a frame.
    ///
    /// The first envelope is moved to start where the last one of the previous frame ended; they differ only after a lost frame.
    mutating func extend(
        _ frame: consuming SBRChannelFrame, header: SBRHeader, tables: borrowing FrequencyBandTables, settings: Settings
    ) {
        if tailCount < 2 * frame.boundaries[1] {
            frame.boundaries.boundaries[0] = UInt8(tailCount / 2)
        } else {
            tailCount = 2 * frame.boundaries.start
        }
        let columns = 2 * frame.boundaries.start..<2 * frame.boundaries.end
        chirp.update(frame.inverseFiltering, bandCount: tables.noise.count)
        let prediction = LinearPrediction(&low, patches: tables.patches, columnCount: settings.columnCount)
        HFGenerator.generate(
            into: &high, from: &low, columns: columns, tables: tables, prediction: prediction, chirp: chirp)
        adjuster.adjust(&high, frame: frame, header: header, tables: tables, isReset: settings.isReset)
        tailCount = columns.upperBound - settings.columnCount
    }

    /// Leaves the high band empty, except for the columns that the previous frame has filled.
    mutating func extendNothing() {
        high.clear(from: tailCount)
        tailCount = 0
    }

    /// Writes four columns from `column` on, one in each lane, to the 64 subbands of `bands`: the sum of the low and the high band.
    mutating func collect(_ column: Int, into bands: inout MutableSpan<ComplexVector>) {
        // Column i of the frame is column i + t_HFAdj of X_Low.
        let first = LowBandColumns.row(ofColumn: column &+ 2)
        let lowReal = low.real.span.extracting(first..<first &+ 32)
        let lowImaginary = low.imaginary.span.extracting(first..<first &+ 32)
        let highReal = high.real.span.extracting(16 &* column..<16 &* column &+ 64)
        let highImaginary = high.imaginary.span.extracting(16 &* column..<16 &* column &+ 64)
        var bands = bands._mutatingExtracting(0..<64)
        for row in 0..<16 {
            var real = (highReal[row], highReal[row &+ 16], highReal[row &+ 32], highReal[row &+ 48])
            var imaginary = (
                highImaginary[row], highImaginary[row &+ 16], highImaginary[row &+ 32], highImaginary[row &+ 48]
            )
            if row < 8 {
                real.0 += lowReal[row]
                real.1 += lowReal[row &+ 8]
                real.2 += lowReal[row &+ 16]
                real.3 += lowReal[row &+ 24]
                imaginary.0 += lowImaginary[row]
                imaginary.1 += lowImaginary[row &+ 8]
                imaginary.2 += lowImaginary[row &+ 16]
                imaginary.3 += lowImaginary[row &+ 24]
            }
            let r = SIMD4<Float>.transposed(real.0, real.1, real.2, real.3)
            let i = SIMD4<Float>.transposed(imaginary.0, imaginary.1, imaginary.2, imaginary.3)
            bands[4 &* row] = ComplexVector(r.0, i.0)
            bands[4 &* row &+ 1] = ComplexVector(r.1, i.1)
            bands[4 &* row &+ 2] = ComplexVector(r.2, i.2)
            bands[4 &* row &+ 3] = ComplexVector(r.3, i.3)
        }
    }

    /// Ends a frame.
    mutating func advance(columnCount: Int) {
        low.advance(columnCount: columnCount)
        high.advance(columnCount: columnCount)
    }

    /// Returns 1 for the subbands below `bandCount` and 0 for the others.
    private static func mask(below bandCount: Int) -> [8 of SIMD4<Float>] {
        .init { row in
            SIMD4(
                4 * row < bandCount ? 1 : 0, 4 * row + 1 < bandCount ? 1 : 0,
                4 * row + 2 < bandCount ? 1 : 0, 4 * row + 3 < bandCount ? 1 : 0)
        }
    }
}
