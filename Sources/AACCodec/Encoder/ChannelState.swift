// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Everything the encoder keeps of one channel from frame to frame, and works with inside one.
struct ChannelState: ~Copyable {
    /// Samples of the window at hand and of the look-ahead: three blocks, at the scale of 16 bits.
    var samples = [3072 of Float](repeating: 0)

    /// Envelopes, up to the look-ahead.
    var transients = TransientDetector()

    /// Tonality, with its memory of the frame before.
    var tonality = TonalityEstimator()

    /// The psychoacoustic model's account of the frame.
    var analysis = BandAnalysis()

    /// The shape of the window before, which is that of the rising half.
    var previousShape = WindowShape.sine

    /// Coefficients as the filter bank makes them: window after window.
    var coefficients = [1024 of Float](repeating: 0)

    /// Lines to bits.
    var coder = ChannelCoder()

    /// Moves one block on.
    mutating func append(_ block: Span<Float>) {
        var samples = samples.mutableSpan
        for index in stride(from: 0, to: 2048, by: 4) { samples.store(samples.vector(at: index + 1024), at: index) }
        for index in stride(from: 0, to: 1024, by: 4) { samples.store(block.vector(at: index), at: 2048 + index) }
        transients.append(block)
    }

    /// Makes the coefficients of the window at hand.
    mutating func transform(_ sequence: WindowSequence, filterBank: inout FilterBank) {
        var target = coefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(0..<2048), sequence: sequence, previousShape: previousShape, shape: .sine, into: &target)
        coder.stream.info.windowShape = .sine
        previousShape = .sine
    }

    /// Puts the lines in the order they are sent, and shares noise out over their bands.
    mutating func evaluate(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        var lines = coder.lines.values.mutableSpan
        if layout.sequence == .eightShort {
            layout.interleave(coefficients.span, into: &lines, bands: tables.bands)
            tonality.interrupt()
            for band in 0..<layout.count { analysis.tonality[band] = Self.shortTonality }
        } else {
            for line in stride(from: 0, to: 1024, by: 4) { lines.store(coefficients.span.vector(at: line), at: line) }
            var target = analysis.tonality.mutableSpan
            tonality.estimate(coefficients.span, layout: layout, into: &target)
        }
        var energies = analysis.energy.mutableSpan
        PsychoacousticModel.measureEnergies(coder.lines.values.span, layout: layout, into: &energies)
        let hearing = layout.sequence == .eightShort ? tables.hearing.short : tables.hearing.long
        PsychoacousticModel.setThresholds(of: &analysis, layout: layout, hearing: hearing)
        PsychoacousticModel.allocateNoise(&analysis, layout: layout, hearing: hearing, law: tables.law)
        coder.noise = analysis.noise
    }

    /// What short windows are taken for: they are chosen where the signal is anything but a tone.
    private static let shortTonality: Float = 0.2
}
