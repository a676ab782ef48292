// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Everything the encoder keeps of one channel from frame to frame, and works with inside one.
struct ChannelState: ~Copyable {
    /// Samples of the window at hand and of the look-ahead: three blocks, at the scale of 16 bits.
    var samples = [3072 of Float](repeating: 0)

    /// With an array of more than 4096 elements among its fields, Swift 6.3 leaves the state where it is; without, each call copies all of it.
    private let anchor = [4097 of UInt8](repeating: 0)

    /// Envelopes, up to the look-ahead.
    var transients = TransientDetector()

    /// Tonality, with its memory of the frame before.
    var tonality = TonalityEstimator()

    /// How loud the frames before were.
    private var loudness = LoudnessMemory()

    /// The psychoacoustic model's account of the frame.
    var analysis = BandAnalysis()

    /// Which bands are noise, with the memory that keeps them from changing back and forth.
    private var substitution = NoiseSubstitution()

    /// The shape of the window before, which is that of the rising half.
    var previousShape = WindowShape.sine

    /// Coefficients as the filter bank makes them: window after window.
    var coefficients = [1024 of Float](repeating: 0)

    /// The same with the other window shape.
    private var otherCoefficients = [1024 of Float](repeating: 0)

    /// Temporal noise shaping.
    private var noiseShaping = TNSAnalysis()

    /// Lines to bits.
    var coder = ChannelCoder()

    /// Moves one block on.
    mutating func append(_ block: Span<Float>) {
        var samples = samples.mutableSpan
        for index in stride(from: 0, to: 2048, by: 4) { samples.store(samples.vector(at: index + 1024), at: index) }
        for index in stride(from: 0, to: 1024, by: 4) { samples.store(block.vector(at: index), at: 2048 + index) }
        transients.append(samples.span.extracting(2044..<3072))
    }

    /// Makes the coefficients of the window at hand, with the sine shape.
    mutating func transform(_ sequence: WindowSequence, filterBank: inout FilterBank) {
        var target = coefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(0..<2048), sequence: sequence, previousShape: previousShape, shape: .sine, into: &target)
    }

    /// Makes the coefficients with the other shape too, and says how many bits it would save, by the noise targets of the frame
    /// before, whose layout is given.
    mutating func tryOtherShape(
        _ sequence: WindowSequence, filterBank: inout FilterBank, layout: borrowing BandLayout, quality: Float
    ) -> Float {
        var target = otherCoefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(0..<2048), sequence: sequence, previousShape: previousShape, shape: .kaiserBesselDerived,
            into: &target)
        var saved = SIMD4<Float>(repeating: 0)
        let one = SIMD4<Float>(repeating: 1)
        let sine = coefficients.span
        let other = otherCoefficients.span
        for band in 0..<layout.count {
            let inverseNoise = Float(layout.width(band)) / (analysis.noise.span[band] * quality)
            let lines = layout.lines(band)
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let (a, b) = (sine.vector(at: line), other.vector(at: line))
                saved += PortableMath.log2((one + a * a * inverseNoise) / (one + b * b * inverseNoise))
            }
        }
        return saved.laneSum * 0.5
    }

    /// Settles on a shape; if it is not the sine, ``tryOtherShape(_:filterBank:layout:quality:)`` has to come before.
    mutating func use(_ shape: WindowShape) {
        coder.stream.info.windowShape = shape
        previousShape = shape
        guard shape != .sine else { return }
        var target = coefficients.mutableSpan
        for line in stride(from: 0, to: 1024, by: 4) { target.store(otherCoefficients.span.vector(at: line), at: line) }
    }

    /// Orders the lines, and shares noise out over their bands.
    mutating func evaluate(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        orderLines(layout: layout, tables: tables)
        if layout.sequence == .eightShort {
            tonality.interrupt()
            for band in 0..<layout.count { analysis.tonality[band] = Self.shortTonality }
            var energies = analysis.energy.mutableSpan
            PsychoacousticModel.measureEnergies(coder.spectrum.lines.span, layout: layout, into: &energies)
        } else {
            var target = analysis.tonality.mutableSpan
            var energies = analysis.energy.mutableSpan
            tonality.estimate(coefficients.span, layout: layout, into: &target, energies: &energies)
        }
        let hearing = layout.sequence == .eightShort ? tables.hearing.short : tables.hearing.long
        PsychoacousticModel.setThresholds(of: &analysis, layout: layout, hearing: hearing)
        let exposures = layout.sequence == .eightShort ? transients.onsetExposures() : [8 of Float](repeating: 0)
        PsychoacousticModel.allocateNoise(
            &analysis, layout: layout, law: tables.law, hearing: hearing, memory: &loudness, exposures: exposures)
        coder.spectrum.noiseTargets = analysis.noise
    }

    /// Puts coefficients in the order they are sent.
    private mutating func orderLines(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        var lines = coder.spectrum.lines.mutableSpan
        if layout.sequence == .eightShort {
            layout.interleave(coefficients.span, into: &lines, bands: tables.bands)
        } else {
            for line in stride(from: 0, to: 1024, by: 4) { lines.store(coefficients.span.vector(at: line), at: line) }
        }
    }

    /// What short windows are taken for: they are chosen where the signal is anything but a tone.
    private static let shortTonality: Float = 0.2

    /// Forgets what decisions remember of the frames before.
    mutating func forget(keepsLoudness: Bool) {
        tonality.interrupt()
        if !keepsLoudness { loudness.forget() }
        substitution = NoiseSubstitution()
    }

    /// Marks the bands that are sent as noise.
    mutating func substituteNoise(_ tables: borrowing EncoderTables, quality: Float, layout: borrowing BandLayout) {
        coder.spectrum.replacements.clear()
        guard tables.firstNoiseBand < layout.count, coder.stream.tns == nil, layout.sequence != .eightShort else {
            return substitution.interrupt()
        }
        substitution.decide(
            analysis, noiseScale: quality, evenness: transients.trebleEvenness, firstBand: tables.firstNoiseBand, layout: layout,
            into: &coder.spectrum.replacements)
    }

    // MARK: Temporal noise shaping

    /// Replaces lines by their prediction residual where temporal noise shaping pays.
    mutating func shapeNoise(layout: borrowing BandLayout, tables: borrowing EncoderTables, quality: Float) {
        coder.stream.tns = nil
        guard !transients.isEven else { return }
        do {
            var spectrum = coefficients.mutableSpan
            coder.stream.tns = noiseShaping.analyze(
                &spectrum, noiseTargets: coder.spectrum.noiseTargets.span, noiseScale: quality, layout: layout,
                design: tables.noiseShaping)
        }
        guard coder.stream.tns != nil else { return }
        orderLines(layout: layout, tables: tables)
        TNSAnalysis.lowerTargets(of: &coder.spectrum, energiesBefore: analysis.energy.span, layout: layout)
    }
}
