// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The state of one channel in the encoder: its history, and the data of the current frame.
package struct ChannelState: ~Copyable {
    /// The samples at the scale of 16 bits: from ``start`` on the two blocks of the current window, and the block of look-ahead.
    private(set) var samples: FixedArray<Float>

    /// The first sample of the two blocks of the current window, a multiple of the block length; it advances, so that blocks are moved only every
    /// fourth time.
    private(set) var start: Int

    /// The lines of a long window.
    let frameLength: Int

    /// The samples of a block: ``frameLength``, or twice as many in AAC-ELD at dual rate.
    private let blockLength: Int

    /// The samples before the two newest blocks that the window covers as well: in AAC-ELD 7/4 of a block, else none.
    private let history: Int

    /// The samples kept before ``start``: ``history`` rounded up to whole blocks.
    private let kept: Int

    /// The temporal envelopes, up to the look-ahead.
    var transients: TransientDetector

    /// The tonality estimator, with the spectrum of the frame before.
    private var tonality: TonalityEstimator

    /// The loudness of the frames before.
    private var loudness: LoudnessSmoother

    /// The refinement of noise targets, with the energies of the frame before.
    private var refinement: TargetRefinement

    /// The results of the psychoacoustic model.
    private(set) var analysis = BandAnalysis()

    /// The psychoacoustic model.
    private var model = PsychoacousticModel()

    /// The inverse of the noise of each band, for the comparison of short windows with long ones.
    private var inverseNoise = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// Perceptual noise substitution, with its hysteresis.
    var substitution = NoiseSubstitution()

    /// The shape of the previous window, which is that of the current window's rising half.
    private var previousShape = WindowShape.sine

    /// The coefficients of the current window, or of eight short ones, window after window.
    var coefficients: FixedArray<Float>

    /// The coefficients with the Kaiser-Bessel derived window, and for other transforms in between.
    var otherCoefficients: FixedArray<Float>

    /// Temporal noise shaping.
    private var noiseShaping: TNSAnalysis

    /// The spectrum, and its quantisation and coding.
    package var coder: ChannelCoder

    /// Makes the state before the first block.
    ///
    /// - Parameters:
    ///   - frameLength: The lines of a long window.
    ///   - blockLength: The samples of a block.
    ///   - hasLongWindow: Whether the window has the length of four blocks, as in AAC-ELD, or of two.
    init(frameLength: Int, blockLength: Int, hasLongWindow: Bool) {
        self.frameLength = frameLength
        self.blockLength = blockLength
        history = hasLongWindow ? 7 * blockLength / 4 : 0
        kept = hasLongWindow ? 2 * blockLength : 0
        start = kept
        samples = FixedArray(repeating: 0, count: kept + 6 * blockLength)
        coefficients = FixedArray(repeating: 0, count: frameLength)
        otherCoefficients = FixedArray(repeating: 0, count: frameLength)
        transients = TransientDetector(blockLength: blockLength)
        tonality = TonalityEstimator(frameLength: frameLength)
        loudness = LoudnessSmoother(frameLength: frameLength)
        refinement = TargetRefinement(frameLength: frameLength)
        noiseShaping = TNSAnalysis(frameLength: frameLength)
        coder = ChannelCoder(lineCount: frameLength)
    }

    /// Appends a block, which becomes the look-ahead or, with low delay, completes the current window.
    mutating func append(_ block: Span<Float>, lowDelay: Bool) {
        if lowDelay { appendWithoutLookAhead(block) } else { append(block) }
    }

    /// Appends a block, which becomes the look-ahead.
    private mutating func append(_ block: Span<Float>) {
        advance()
        do {
            var samples = samples.mutableSpan
            Self.copy(block.extracting(0..<blockLength), to: start + 2 * blockLength, in: &samples)
        }
        transients.append(samples.span.extracting(newestBlock))
    }

    /// Advances by a block, whose samples have to follow.
    private mutating func advance() {
        start += blockLength
        guard start + 3 * blockLength > samples.count else { return }
        var samples = samples.mutableSpan
        let (first, count) = (start - kept, kept + 2 * blockLength)
        // All of what is read and written below lies within these.
        precondition(count & 3 == 0 && first >= 0 && first <= samples.count - count)
        var index = 0
        while index < count {
            unsafe samples.store(samples.vector(unchecked: first &+ index), unchecked: index)
            index &+= 4
        }
        start = kept
    }

    /// The samples of the newest block, and those before it that the detection of attacks needs.
    private var newestBlock: Range<Int> { start + 2 * blockLength - transients.lead..<start + 3 * blockLength }

    /// The samples of the current window.
    var window: Range<Int> { start - history..<start + 2 * blockLength }

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

    /// Appends a block that completes the current window; the look-ahead is predicted.
    ///
    /// The block replaces its own prediction, and the next one is predicted to be its mirror image: level and spectrum continue, and an
    /// attack near its end is an attack near the start of a window that follows.
    private mutating func appendWithoutLookAhead(_ block: Span<Float>) {
        do {
            var samples = samples.mutableSpan
            Self.copy(block.extracting(0..<blockLength), to: start + 2 * blockLength, in: &samples)
        }
        guard detectsTransients else { return advance() }
        transients.replaceNewest(samples.span.extracting(newestBlock))
        advance()
        do {
            let first = start + 2 * blockLength
            var samples = samples.mutableSpan
            for index in stride(from: 0, to: blockLength, by: 4) {
                samples.store(block.vector(at: blockLength - 4 - index).reversed, at: first + index)
            }
        }
        transients.append(samples.span.extracting(newestBlock))
    }

    /// Whether attacks decide on a tool: in AAC-ELD, whose window has one shape and in which shaping of noise is tried in every unit, on none.
    private var detectsTransients: Bool { history == 0 }

    /// Discards the history of decisions.
    ///
    /// - Parameter keepsLoudness: Whether the loudness of the frames before is kept.
    mutating func resetHistory(keepsLoudness: Bool) {
        tonality.interrupt()
        if !keepsLoudness { loudness.reset() }
        refinement.interrupt()
        substitution.reset()
    }

    /// Discards the shape of the previous window.
    mutating func resetWindowShape() { previousShape = .sine }

    /// Replaces the samples by silence.
    mutating func clearSamples() {
        samples.fill(0)
        start = kept
        transients.reset()
    }

    // MARK: Filter bank

    /// Computes the coefficients of the current window with the sine shape.
    mutating func transform(_ sequence: WindowSequence, filterBank: inout EncoderFilterBank) {
        let window = window
        var target = coefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(window), sequence: sequence, previousShape: previousShape, shape: .sine, into: &target)
    }

    /// Returns the bits that eight short windows would take beyond those of a long one for the newest two blocks.
    ///
    /// It overwrites the coefficients of both shapes, and so has to precede ``transform(_:filterBank:)``.
    mutating func excessOfShort(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) -> Float {
        let newest = samples.span.extracting(start + blockLength..<start + 3 * blockLength)
        do {
            var long = otherCoefficients.mutableSpan
            filterBank.analyze(newest, sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &long)
            var short = coefficients.mutableSpan
            filterBank.analyze(newest, sequence: .eightShort, previousShape: .sine, shape: .sine, into: &short)
        }
        var inverseNoise = inverseNoise.mutableSpan
        return tables.rateDependent.windowCost.excessOfShort(
            long: otherCoefficients.span, short: coefficients.span, bands: tables.bands, tables: tables.psychoacoustics.long,
            inverseNoise: &inverseNoise)
    }

    /// Computes the coefficients with the second window shape as well.
    mutating func transformOtherShape(_ sequence: WindowSequence, filterBank: inout EncoderFilterBank) {
        let window = window
        var target = otherCoefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(window), sequence: sequence, previousShape: previousShape, shape: .kaiserBesselDerived,
            into: &target)
    }

    /// Computes the coefficients with the Kaiser-Bessel derived shape as well, and returns the bits that it would save.
    ///
    /// Short windows have no noise targets yet, and need none: what the shape changes is the bass in the lines far from it.
    ///
    /// - Parameters:
    ///   - layout: The layout of the frame before, whose noise targets are used for the estimate of long windows.
    ///   - noiseScale: The factor from noise targets to the energy of the noise.
    mutating func tryOtherShape(
        _ sequence: WindowSequence, filterBank: inout EncoderFilterBank, layout: borrowing BandLayout, noiseScale: Float
    ) -> Float {
        transformOtherShape(sequence, filterBank: &filterBank)
        var saved = SIMD4<Float>(repeating: 0)
        if sequence == .eightShort {
            saved = energyRatios(in: 0..<frameLength, inverseNoise: 1 / typicalShortNoise)
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
        // All lines that are read below, in fours.
        precondition(lines.count & 3 == 0 && lines.lowerBound >= 0 && lines.upperBound <= min(sine.count, other.count))
        return PortableMath.sumOfLog2(lines) { line in
            let (a, b) = unsafe (sine.vector(unchecked: line), other.vector(unchecked: line))
            return (one + a * a * inverseNoise) / (one + b * b * inverseNoise)
        }
    }

    /// The noise energy of a line of short windows, 18 dB below their loudness; 27 dB decides alike.
    ///
    /// Measured in Windows.md#window-shape-of-short-windows.
    private var typicalShortNoise: Float {
        var amplitudes = SIMD4<Float>(repeating: 0)
        let coefficients = coefficients.span
        for line in stride(from: 0, to: coefficients.count, by: 4) { amplitudes += coefficients.vector(at: line).magnitudes }
        let mean = amplitudes.laneSum / Float(coefficients.count)
        return mean * mean / 64 + 1
    }

    /// Sets the window shape of the frame; ``transformOtherShape(_:filterBank:)`` has to precede a shape other than sine.
    mutating func setShape(_ shape: WindowShape) {
        coder.stream.info.windowShape = shape
        previousShape = shape
        guard shape != .sine else { return }
        coefficients.copy(otherCoefficients)
    }

    // MARK: Psychoacoustics

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
        coder.spectrum.noiseTargets.copy(analysis.noise)
    }

    /// Computes masking thresholds and noise targets from energies and tonalities.
    private mutating func setNoise(
        layout: borrowing BandLayout, allocation: NoiseAllocation, tables: borrowing PsychoacousticTables.Bands
    ) {
        model.setThresholds(of: &analysis, layout: layout, tables: tables)
        let exposures = layout.sequence == .eightShort ? transients.onsetExposures() : SIMD8(repeating: 0)
        model.allocateNoise(
            &analysis, layout: layout, allocation: allocation, tables: tables, smoother: &loudness, exposures: exposures)
    }

    /// Refines the noise targets of a long window by the signal within it.
    ///
    /// It overwrites the coefficients of the other shape, and so has to follow ``setShape(_:)``.
    mutating func refineNoiseTargets(
        layout: borrowing BandLayout, filterBank: inout EncoderFilterBank, tables: borrowing EncoderTables, shares: TargetRefinement.Shares
    ) {
        guard layout.sequence != .eightShort else { return refinement.interrupt() }
        let window = window
        do {
            var short = otherCoefficients.mutableSpan
            filterBank.analyze(
                samples.span.extracting(window), sequence: .eightShort, previousShape: .sine, shape: .sine, into: &short)
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
        guard layout.sequence == .eightShort else { return coder.spectrum.lines.copy(coefficients) }
        var lines = coder.spectrum.lines.mutableSpan
        layout.interleave(coefficients.span, into: &lines, bands: tables.bands)
    }

    // MARK: Tools

    /// Replaces lines by their prediction residual where temporal noise shaping saves bits: of an isolated attack, in AAC-LD and AAC-ELD of any signal.
    ///
    /// Measured in LowDelay.md#temporal-noise-shaping.
    mutating func shapeNoise(layout: borrowing BandLayout, tables: borrowing EncoderTables, noiseScale: Float) {
        coder.stream.tns = nil
        guard layout.sequence != .eightShort, !tables.syntax.hasElementIDs || transients.hasIsolatedAttack
        else { return }
        do {
            var spectrum = coefficients.mutableSpan
            coder.stream.tns = noiseShaping.analyze(
                &spectrum, noiseTargets: coder.spectrum.noiseTargets.span, noiseScale: noiseScale,
                countsSpreading: !tables.syntax.hasElementIDs, layout: layout, design: tables.noiseShaping)
        }
        guard coder.stream.tns != nil else { return }
        orderLines(layout: layout, tables: tables)
        noiseShaping.lowerTargets(of: &coder.spectrum, energiesBefore: analysis.energy.span, layout: layout)
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
