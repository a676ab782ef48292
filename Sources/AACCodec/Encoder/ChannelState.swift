// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The encoder state of one channel: its history and the current frame's data.
package struct ChannelState: ~Copyable {
    /// Samples at 16-bit scale.
    ///
    /// From ``start``: the two blocks of the current window, then the block of look-ahead.
    private(set) var samples: FixedArray<Float>

    /// The index of the current window's two blocks, a multiple of the block length.
    ///
    /// It advances, so that blocks are moved only every fourth time.
    private(set) var start: Int

    /// The number of lines of a long window.
    let frameLength: Int

    /// Samples per block: ``frameLength``, or twice that in dual-rate AAC-ELD.
    private let blockLength: Int

    /// The number of samples that the window covers before its two blocks: 7/4 of a block in AAC-ELD, otherwise 0.
    private let history: Int

    /// The number of samples kept before ``start``: ``history`` rounded up to whole blocks.
    private let retainedCount: Int

    /// The transient detector, with temporal envelopes up to the look-ahead.
    var transients: TransientDetector

    /// The tonality estimator, with the previous frame's spectrum.
    private var tonality: TonalityEstimator

    /// Smoothed loudness of previous frames.
    private var loudness: LoudnessSmoother

    /// The refinement of noise targets, with the previous frame's energies.
    private var refinement: TargetRefinement

    /// The results of the psychoacoustic model.
    private(set) var analysis = BandAnalysis()

    private var model = PsychoacousticModel()

    /// The reciprocal noise of each band, for comparing short windows with long ones.
    private var inverseNoise = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)

    /// PNS decisions, with their hysteresis.
    var substitution = NoiseSubstitution()

    /// The shape of the previous window, which the current window's rising half uses.
    private var previousShape = WindowShape.sine

    /// The coefficients of the current long window, or of eight consecutive short ones.
    var coefficients: FixedArray<Float>

    /// The coefficients with the KBD window.
    ///
    /// Also scratch space for other transforms.
    var otherCoefficients: FixedArray<Float>

    private var noiseShaping: TNSAnalysis

    /// The spectrum with its quantization and coding.
    package var coder: ChannelCoder

    /// Creates the state before the first block.
    ///
    /// - Parameters:
    ///   - frameLength: The number of lines of a long window.
    ///   - hasLongWindow: Whether windows span four blocks (AAC-ELD) instead of two.
    init(frameLength: Int, blockLength: Int, hasLongWindow: Bool) {
        self.frameLength = frameLength
        self.blockLength = blockLength
        history = hasLongWindow ? 7 * blockLength / 4 : 0
        retainedCount = hasLongWindow ? 2 * blockLength : 0
        start = retainedCount
        samples = FixedArray(repeating: 0, count: retainedCount + 6 * blockLength)
        coefficients = FixedArray(repeating: 0, count: frameLength)
        otherCoefficients = FixedArray(repeating: 0, count: frameLength)
        transients = TransientDetector(blockLength: blockLength)
        tonality = TonalityEstimator(frameLength: frameLength)
        loudness = LoudnessSmoother(frameLength: frameLength)
        refinement = TargetRefinement(frameLength: frameLength)
        noiseShaping = TNSAnalysis(frameLength: frameLength)
        coder = ChannelCoder(lineCount: frameLength)
    }

    /// Appends a block.
    ///
    /// It becomes the look-ahead or, with low delay, completes the current window.
    mutating func append(_ block: Span<Float>, lowDelay: Bool) {
        guard !lowDelay else { return appendWithoutLookAhead(block) }
        advance()
        do {
            var samples = samples.mutableSpan
            Self.copy(block.extracting(0..<blockLength), to: start + 2 * blockLength, in: &samples)
        }
        transients.append(samples.span.extracting(newestBlock))
    }

    /// Advances by a block.
    ///
    /// The caller must then store the block's samples.
    private mutating func advance() {
        start += blockLength
        guard start + 3 * blockLength > samples.count else { return }
        var samples = samples.mutableSpan
        let (first, count) = (start - retainedCount, retainedCount + 2 * blockLength)
        // Bounds of all accesses below.
        precondition(count & 3 == 0 && first >= 0 && first <= samples.count - count)
        var index = 0
        while index < count {
            unsafe samples.store(samples.vector(unchecked: first &+ index), unchecked: index)
            index &+= 4
        }
        start = retainedCount
    }

    /// The samples of the newest block, with the preceding ones that transient detection needs.
    private var newestBlock: Range<Int> { start + 2 * blockLength - transients.lead..<start + 3 * blockLength }

    /// The samples of the current window.
    var window: Range<Int> { start - history..<start + 2 * blockLength }

    /// Appends a copy of the newest block to `blocks`, if it is the look-ahead.
    func appendNewestBlock(to blocks: inout ContiguousArray<Float>) {
        let samples = samples.span
        for index in start + 2 * blockLength..<start + 3 * blockLength { blocks.append(samples[index]) }
    }

    /// Copies a block; its length must be a multiple of 16.
    private static func copy(_ block: Span<Float>, to first: Int, in samples: inout MutableSpan<Float>) {
        // Bounds of all accesses below.
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

    /// Appends a block that completes the current window, and predicts the look-ahead.
    ///
    /// The block replaces its own prediction. The prediction of the next block is its mirror image: level and spectrum continue, and an
    /// attack near the end becomes an attack near the start of the next window.
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

    /// Whether tools depend on transients.
    ///
    /// Not in AAC-ELD, which has one window shape and tries TNS in every frame.
    private var detectsTransients: Bool { history == 0 }

    /// Clears the decision history.
    ///
    /// - Parameter keepsLoudness: Whether to keep the smoothed loudness of previous frames.
    mutating func resetHistory(keepsLoudness: Bool) {
        interruptBands()
        if !keepsLoudness { loudness.reset() }
        substitution.reset()
        // The prediction of errors uses the noise bands of the previous frame.
        coder.spectrum.replacements.clear()
    }

    /// Discards the history of the bands of long windows.
    mutating func interruptBands() {
        tonality.interrupt()
        refinement.interrupt()
        substitution.interrupt()
    }

    mutating func resetWindowShape() { previousShape = .sine }

    mutating func clearSamples() {
        samples.fill(0)
        start = retainedCount
        transients.reset()
    }

    // MARK: Filter bank

    /// Computes the coefficients of the current window with the sine shape, or with the shape of the previous window.
    mutating func transform(_ sequence: WindowSequence, keepsShape: Bool, filterBank: inout EncoderFilterBank) {
        let window = window
        var target = coefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(window), sequence: sequence, previousShape: previousShape, shape: keepsShape ? previousShape : .sine,
            into: &target)
    }

    /// Returns how many more bits eight short windows would need than a long one for the newest two blocks.
    ///
    /// Overwrites the coefficients of both shapes. Call it before ``transform(_:keepsShape:filterBank:)``.
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

    /// Computes the coefficients of the second window shape.
    mutating func transformOtherShape(_ sequence: WindowSequence, filterBank: inout EncoderFilterBank) {
        let window = window
        var target = otherCoefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(window), sequence: sequence, previousShape: previousShape, shape: .kaiserBesselDerived,
            into: &target)
    }

    /// Computes the coefficients of the KBD shape, and returns the number of bits that it would save.
    ///
    /// Short windows do not have noise targets yet, and need none: the shape changes how far low-frequency energy leaks into distant lines.
    ///
    /// - Parameters:
    ///   - layout: The previous frame's bands, whose noise targets are used to estimate long windows.
    ///   - noiseScale: The ratio of noise energy to noise target.
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

    /// Returns the sums over lines of log2 of the energy ratio of sine to the other shape, both energies with noise.
    @inline(__always)
    private func energyRatios(in lines: Range<Int>, inverseNoise: Float) -> SIMD4<Float> {
        let one = SIMD4<Float>(repeating: 1)
        let (sine, other) = (coefficients.span, otherCoefficients.span)
        // Bounds of all accesses below, in fours.
        precondition(lines.count & 3 == 0 && lines.lowerBound >= 0 && lines.upperBound <= min(sine.count, other.count))
        return PortableMath.sumOfLog2(lines) { line in
            let (a, b) = unsafe (sine.vector(unchecked: line), other.vector(unchecked: line))
            return (one + a * a * inverseNoise) / (one + b * b * inverseNoise)
        }
    }

    /// The noise energy per line of short windows: 18 dB below their loudness.
    ///
    /// A difference of 27 dB leads to the same decisions.
    ///
    /// Measured in Windows.md#window-shape-of-short-windows.
    private var typicalShortNoise: Float {
        var amplitudes = SIMD4<Float>(repeating: 0)
        let coefficients = coefficients.span
        for line in stride(from: 0, to: coefficients.count, by: 4) { amplitudes += coefficients.vector(at: line).magnitudes }
        let mean = amplitudes.laneSum / Float(coefficients.count)
        return mean * mean / 64 + 1
    }

    /// Sets the frame's window shape.
    ///
    /// Call ``transformOtherShape(_:filterBank:)`` before setting a shape other than sine.
    mutating func setShape(_ shape: WindowShape) {
        coder.stream.info.windowShape = shape
        previousShape = shape
        guard shape != .sine else { return }
        coefficients.copy(otherCoefficients)
    }

    // MARK: Psychoacoustics

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
        let preEchoExcesses = layout.sequence == .eightShort ? transients.onsetPreEchoExcesses() : SIMD8(repeating: 0)
        model.allocateNoise(
            &analysis, layout: layout, allocation: allocation, tables: tables, smoother: &loudness, preEchoExcesses: preEchoExcesses)
    }

    /// Refines the noise targets of a long window by the temporal structure of its signal.
    ///
    /// Overwrites the coefficients of the other shape. Call it after ``setShape(_:)``.
    mutating func refineNoiseTargets(
        layout: borrowing BandLayout, filterBank: inout EncoderFilterBank, tables: borrowing EncoderTables,
        weights: TargetRefinement.Weights, interval: Int
    ) {
        guard layout.sequence != .eightShort else { return refinement.interrupt() }
        if refinement.startFrame(interval: interval) {
            let window = window
            var short = otherCoefficients.mutableSpan
            filterBank.analyze(
                samples.span.extracting(window), sequence: .eightShort, previousShape: .sine, shape: .sine, into: &short)
            refinement.measureFluctuation(short.span, layout: layout)
        }
        var targets = coder.spectrum.noiseTargets.mutableSpan
        refinement.refine(
            &targets, spectrum: coefficients.span, energies: analysis.energy.span, barks: tables.psychoacoustics.long.bark.span,
            weights: weights, layout: layout)
    }

    /// The assumed tonality of short windows, which are chosen where the signal is not tonal.
    private static let shortTonality: Float = 0.2

    /// Copies the coefficients to the spectrum, in bitstream order.
    mutating func orderLines(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        guard layout.sequence == .eightShort else { return coder.spectrum.lines.copy(coefficients) }
        var lines = coder.spectrum.lines.mutableSpan
        layout.interleave(coefficients.span, into: &lines, bands: tables.bands)
    }

    // MARK: Tools

    /// Applies TNS if it saves bits.
    ///
    /// AAC-LC tries it only for isolated attacks, AAC-LD and AAC-ELD for every signal.
    ///
    /// Measured in LowDelay.md#temporal-noise-shaping.
    mutating func shapeNoise(layout: borrowing BandLayout, tables: borrowing EncoderTables, noiseScale: Float) {
        coder.stream.tns = nil
        guard layout.sequence != .eightShort, tables.syntax.isLowDelay || transients.hasIsolatedAttack
        else { return }
        do {
            var spectrum = coefficients.mutableSpan
            coder.stream.tns = noiseShaping.analyze(
                &spectrum, noiseTargets: coder.spectrum.noiseTargets.span, noiseScale: noiseScale,
                countsSpreading: tables.syntax.isLowDelay, layout: layout, design: tables.noiseShaping)
        }
        guard coder.stream.tns != nil else { return }
        orderLines(layout: layout, tables: tables)
        noiseShaping.lowerTargets(of: &coder.spectrum, energiesBefore: analysis.energy.span, layout: layout)
    }

    /// Marks the bands that use PNS, if it is permitted, and sets the bands with energy restoration.
    mutating func substituteNoise(layout: borrowing BandLayout, ranges: BandRanges, isPermitted: Bool, noiseScale: Float) {
        coder.spectrum.replacements.clear()
        coder.restoration = ranges.restoration
        guard ranges.firstNoiseBand < layout.count, coder.stream.tns == nil, layout.sequence != .eightShort else {
            return substitution.interrupt()
        }
        substitution.decide(
            analysis, noiseScale: noiseScale, spectralFlatness: transients.highFrequencyFlatness, firstBand: ranges.firstNoiseBand,
            layout: layout,
            into: &coder.spectrum.replacements)
        // The history advances in any case.
        if !isPermitted { coder.spectrum.replacements.clear() }
    }
}
