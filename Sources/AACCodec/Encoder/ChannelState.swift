// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The state of one channel in the encoder: its history, and the data of the current frame.
struct ChannelState: ~Copyable {
    /// The samples at the scale of 16 bits: from ``start`` on the two blocks of the current window, and the block of look-ahead.
    private(set) var samples = [6144 of Float](repeating: 0)

    /// The first sample of the current window, a multiple of 1024; it advances, so that blocks are moved only every fourth time.
    private(set) var start = 0

    /// Keeps the struct in place.
    private let addressOnly = AddressOnly()

    /// The temporal envelopes, up to the look-ahead.
    private(set) var transients = TransientDetector()

    /// The tonality estimator, with the spectrum of the frame before.
    private var tonality = TonalityEstimator()

    /// The loudness of the frames before.
    private var loudness = LoudnessSmoother()

    /// The refinement of noise targets, with the energies of the frame before.
    private var refinement = TargetRefinement()

    /// The results of the psychoacoustic model.
    private var analysis = BandAnalysis()

    /// Perceptual noise substitution, with its hysteresis.
    var substitution = NoiseSubstitution()

    /// The shape of the previous window, which is that of the current window's rising half.
    private var previousShape = WindowShape.sine

    /// The coefficients of the current window, or of eight short ones, window after window.
    var coefficients = [1024 of Float](repeating: 0)

    /// The coefficients with the Kaiser-Bessel derived window, and for other transforms in between.
    var otherCoefficients = [1024 of Float](repeating: 0)

    /// Temporal noise shaping.
    private var noiseShaping = TNSAnalysis()

    /// The spectrum, and its quantisation and coding.
    var coder = ChannelCoder(lineCount: 1024)

    /// Appends a block of 1024 samples, which becomes the look-ahead or, with low delay, completes the current window.
    mutating func append(_ block: Span<Float>, lowDelay: Bool) {
        if lowDelay { appendWithoutLookAhead(block) } else { append(block) }
    }

    /// Appends a block of 1024 samples, which becomes the look-ahead.
    private mutating func append(_ block: Span<Float>) {
        do {
            var samples = samples.mutableSpan
            start += 1024
            if start + 3072 > samples.count {
                for index in stride(from: 0, to: 2048, by: 4) { samples.store(samples.vector(at: start + index), at: index) }
                start = 0
            }
            Self.copy(block.extracting(0..<1024), to: start + 2048, in: &samples)
        }
        transients.append(samples.span.extracting(start + 2044..<start + 3072))
    }

    /// Copies a block, whose length is a multiple of 16.
    private static func copy(_ block: Span<Float>, to first: Int, in samples: inout MutableSpan<Float>) {
        // All of what is read and written below lies within these.
        precondition(block.count & 15 == 0 && first >= 0 && first <= samples.count - block.count)
        var index = 0
        while index < block.count {
            let target = first &+ index
            unsafe samples.store(block.vector(unchecked: index), unchecked: target)
            unsafe samples.store(block.vector(unchecked: index &+ 4), unchecked: target &+ 4)
            unsafe samples.store(block.vector(unchecked: index &+ 8), unchecked: target &+ 8)
            unsafe samples.store(block.vector(unchecked: index &+ 12), unchecked: target &+ 12)
            index &+= 16
        }
    }

    /// Appends a block of 1024 samples that completes the current window; the look-ahead is predicted.
    ///
    /// The block replaces its own prediction, and the next one is predicted to be its mirror image: level and spectrum continue, and an
    /// attack near its end is an attack near the start of a window that follows.
    private mutating func appendWithoutLookAhead(_ block: Span<Float>) {
        var mirrored = [1024 of Float](repeating: 0)
        do {
            var samples = samples.mutableSpan
            for index in 0..<1024 {
                samples[start + 2048 + index] = block[index]
                mirrored[1023 - index] = block[index]
            }
        }
        transients.replaceNewest(samples.span.extracting(start + 2044..<start + 3072))
        append(mirrored.span)
    }

    /// Discards the history of decisions.
    ///
    /// - Parameter keepsLoudness: Whether the loudness of the frames before is kept.
    mutating func resetHistory(keepsLoudness: Bool) {
        tonality.interrupt()
        if !keepsLoudness { loudness.reset() }
        refinement.interrupt()
        substitution = NoiseSubstitution()
    }

    /// Discards the shape of the previous window.
    mutating func resetWindowShape() { previousShape = .sine }

    /// Replaces the samples by silence.
    mutating func clearSamples() {
        var samples = samples.mutableSpan
        let zero = SIMD4<Float>(repeating: 0)
        for index in stride(from: 0, to: samples.count, by: 4) { samples.store(zero, at: index) }
        start = 0
        transients = TransientDetector()
    }

    // MARK: Filter bank

    /// Computes the coefficients of the current window with the sine shape.
    mutating func transform(_ sequence: WindowSequence, filterBank: inout FilterBank) {
        var target = coefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(start..<start + 2048), sequence: sequence, previousShape: previousShape, shape: .sine, into: &target)
    }

    /// Returns the bits that eight short windows would take beyond those of a long one for the newest two blocks.
    ///
    /// It overwrites the coefficients of both shapes, and so has to precede ``transform(_:filterBank:)``.
    mutating func excessOfShort(_ tables: borrowing EncoderTables, filterBank: inout FilterBank) -> Float {
        let newest = samples.span.extracting(start + 1024..<start + 3072)
        do {
            var long = otherCoefficients.mutableSpan
            filterBank.analyze(newest, sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &long)
            var short = coefficients.mutableSpan
            filterBank.analyze(newest, sequence: .eightShort, previousShape: .sine, shape: .sine, into: &short)
        }
        return tables.rateDependent.windowCost.excessOfShort(
            long: otherCoefficients.span, short: coefficients.span, bands: tables.bands, tables: tables.psychoacoustics.long)
    }

    /// Computes the coefficients with the Kaiser-Bessel derived shape as well, and returns the bits that it would save.
    ///
    /// Short windows have no noise targets yet, and need none: what the shape changes is the bass in the lines far from it.
    ///
    /// - Parameters:
    ///   - layout: The layout of the frame before, whose noise targets are used for the estimate of long windows.
    ///   - noiseScale: The factor from noise targets to the energy of the noise.
    mutating func tryOtherShape(
        _ sequence: WindowSequence, filterBank: inout FilterBank, layout: borrowing BandLayout, noiseScale: Float
    ) -> Float {
        var target = otherCoefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(start..<start + 2048), sequence: sequence, previousShape: previousShape, shape: .kaiserBesselDerived,
            into: &target)
        var saved = SIMD4<Float>(repeating: 0)
        if sequence == .eightShort {
            saved = energyRatios(in: 0..<1024, inverseNoise: 1 / typicalShortNoise)
        } else {
            for band in 0..<layout.count {
                saved += energyRatios(in: layout.lines(band), inverseNoise: Float(layout.width(band)) / (analysis.noise[band] * noiseScale))
            }
        }
        return saved.laneSum * 0.5
    }

    /// Returns the sums of log2 of the ratios of the lines' energies, noise included, with sine to those with the other shape.
    @inline(__always)
    private func energyRatios(in lines: Range<Int>, inverseNoise: Float) -> SIMD4<Float> {
        let one = SIMD4<Float>(repeating: 1)
        let (sine, other) = (coefficients.span, otherCoefficients.span)
        return PortableMath.sumOfLog2(lines) { line in
            let (a, b) = (sine.vector(at: line), other.vector(at: line))
            return (one + a * a * inverseNoise) / (one + b * b * inverseNoise)
        }
    }

    /// The noise energy of a line of short windows, 18 dB below their loudness; 27 dB decides alike.
    ///
    /// Measured in Windows.md#window-shape-of-short-windows.
    private var typicalShortNoise: Float {
        var amplitudes = SIMD4<Float>(repeating: 0)
        for line in stride(from: 0, to: 1024, by: 4) { amplitudes += coefficients.span.vector(at: line).magnitudes }
        let mean = amplitudes.laneSum / 1024
        return mean * mean / 64 + 1
    }

    /// Sets the window shape of the frame; ``tryOtherShape(_:filterBank:layout:noiseScale:)`` has to precede a shape other than sine.
    mutating func setShape(_ shape: WindowShape) {
        coder.stream.info.windowShape = shape
        previousShape = shape
        guard shape != .sine else { return }
        var target = coefficients.mutableSpan
        for line in stride(from: 0, to: 1024, by: 4) { target.store(otherCoefficients.span.vector(at: line), at: line) }
    }

    // MARK: Psychoacoustics

    /// The energy of each band, before temporal noise shaping.
    var energies: [120 of Float] { analysis.energy }

    /// Computes the noise targets of the frame's bands.
    mutating func computeNoiseTargets(_ allocation: NoiseAllocation, layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        orderLines(layout: layout, tables: tables)
        if layout.sequence == .eightShort {
            tonality.interrupt()
            for band in 0..<layout.count { analysis.tonality[band] = Self.shortTonality }
            var energies = analysis.energy.mutableSpan
            PsychoacousticModel.measureEnergies(coder.spectrum.lines.span, layout: layout, into: &energies)
        } else {
            var target = analysis.tonality.mutableSpan
            var energies = analysis.energy.mutableSpan
            tonality.estimate(
                coefficients.span, samplesLines: tables.effort.samplesLines, layout: layout, into: &target, energies: &energies)
        }
        if layout.sequence == .eightShort {
            setNoise(layout: layout, allocation: allocation, tables: tables.psychoacoustics.short)
        } else {
            setNoise(layout: layout, allocation: allocation, tables: tables.psychoacoustics.long)
        }
        coder.spectrum.noiseTargets = analysis.noise
    }

    /// Computes masking thresholds and noise targets from energies and tonalities.
    private mutating func setNoise(
        layout: borrowing BandLayout, allocation: NoiseAllocation, tables: borrowing PsychoacousticTables.Bands
    ) {
        PsychoacousticModel.setThresholds(of: &analysis, layout: layout, tables: tables)
        let exposures = layout.sequence == .eightShort ? transients.onsetExposures() : [8 of Float](repeating: 0)
        PsychoacousticModel.allocateNoise(
            &analysis, layout: layout, allocation: allocation, tables: tables, smoother: &loudness, exposures: exposures)
    }

    /// Refines the noise targets of a long window by the signal within it.
    ///
    /// It overwrites the coefficients of the other shape, and so has to follow ``setShape(_:)``.
    mutating func refineNoiseTargets(
        layout: borrowing BandLayout, filterBank: inout FilterBank, tables: borrowing EncoderTables, shares: TargetRefinement.Shares
    ) {
        guard layout.sequence != .eightShort else { return refinement.interrupt() }
        do {
            var short = otherCoefficients.mutableSpan
            filterBank.analyze(
                samples.span.extracting(start..<start + 2048), sequence: .eightShort, previousShape: .sine, shape: .sine, into: &short)
        }
        var targets = coder.spectrum.noiseTargets.mutableSpan
        refinement.refine(
            &targets, spectra: (coefficients.span, otherCoefficients.span), energies: analysis.energy.span,
            barks: tables.psychoacoustics.long.bark.span, shares: shares, layout: layout)
    }

    /// The tonality assumed for short windows: they are chosen where the signal is not tonal.
    private static let shortTonality: Float = 0.2

    /// Copies the coefficients to the spectrum, in the order of the bitstream.
    mutating func orderLines(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        var lines = coder.spectrum.lines.mutableSpan
        if layout.sequence == .eightShort {
            layout.interleave(coefficients.span, into: &lines, bands: tables.bands)
        } else {
            for line in stride(from: 0, to: 1024, by: 4) { lines.store(coefficients.span.vector(at: line), at: line) }
        }
    }

    // MARK: Tools

    /// Replaces lines by their prediction residual where temporal noise shaping of an isolated attack saves bits.
    mutating func shapeNoise(layout: borrowing BandLayout, tables: borrowing EncoderTables, noiseScale: Float) {
        coder.stream.tns = nil
        guard layout.sequence != .eightShort, transients.hasIsolatedAttack else { return }
        do {
            var spectrum = coefficients.mutableSpan
            coder.stream.tns = noiseShaping.analyze(
                &spectrum, noiseTargets: coder.spectrum.noiseTargets.span, noiseScale: noiseScale, layout: layout,
                design: tables.noiseShaping)
        }
        guard coder.stream.tns != nil else { return }
        orderLines(layout: layout, tables: tables)
        TNSAnalysis.lowerTargets(of: &coder.spectrum, energiesBefore: analysis.energy.span, layout: layout)
    }

    /// Marks the bands that are sent as noise, and sets those whose energy is restored.
    mutating func substituteNoise(layout: borrowing BandLayout, ranges: BandRanges, noiseScale: Float) {
        coder.spectrum.replacements.clear()
        coder.restoration = ranges.restoration
        guard ranges.firstNoiseBand < layout.count, coder.stream.tns == nil, layout.sequence != .eightShort else {
            return substitution.interrupt()
        }
        substitution.decide(
            analysis, noiseScale: noiseScale, evenness: transients.trebleEvenness, firstBand: ranges.firstNoiseBand, layout: layout,
            into: &coder.spectrum.replacements)
    }
}
