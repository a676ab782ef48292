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

    /// The same with another window, or divided by the root of their noise targets.
    private var scratchLines = [1024 of Float](repeating: 0)

    /// The inverse of the noise target of each line, 0 above the bands.
    private var inverseNoise = [1024 of Float](repeating: 0)

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
        var target = scratchLines.mutableSpan
        filterBank.analyze(
            samples.span.extracting(0..<2048), sequence: sequence, previousShape: previousShape, shape: .kaiserBesselDerived,
            into: &target)
        var saved = SIMD4<Float>(repeating: 0)
        let one = SIMD4<Float>(repeating: 1)
        let sine = coefficients.span
        let other = scratchLines.span
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
        for line in stride(from: 0, to: 1024, by: 4) { target.store(scratchLines.span.vector(at: line), at: line) }
    }

    /// Orders the lines, and shares noise out over their bands.
    mutating func evaluate(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        orderLines(layout: layout, tables: tables)
        if layout.sequence == .eightShort {
            tonality.interrupt()
            for band in 0..<layout.count { analysis.tonality[band] = Self.shortTonality }
            var energies = analysis.energy.mutableSpan
            PsychoacousticModel.measureEnergies(coder.lines.values.span, layout: layout, into: &energies)
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
        coder.noise = analysis.noise
    }

    /// Puts coefficients in the order they are sent.
    private mutating func orderLines(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        var lines = coder.lines.values.mutableSpan
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
        coder.replacements.clear()
        guard tables.firstNoiseBand < layout.count, coder.stream.tns == nil, layout.sequence != .eightShort else {
            return substitution.interrupt()
        }
        substitution.decide(
            analysis, quality: quality, evenness: transients.trebleEvenness, firstBand: tables.firstNoiseBand, layout: layout,
            into: &coder.replacements)
    }

    // MARK: Temporal noise shaping

    /// Replaces lines by what temporal noise shaping leaves of them, where it pays.
    mutating func shapeNoise(layout: borrowing BandLayout, tables: borrowing EncoderTables, quality: Float) {
        coder.stream.tns = nil
        guard !transients.isEven else { return }
        let isShort = layout.sequence == .eightShort
        let range = tables.noiseShaping.range(isShort: isShort, bands: tables.bands, bandCount: layout.bandsPerGroup)
        weighLines(layout: layout, tables: tables)
        var data = TNSData()
        var isUsed = false
        var firstWindow = 0
        for group in 0..<layout.groupCount {
            let windows = firstWindow..<firstWindow + Int(layout.groupLengths[group])
            firstWindow = windows.upperBound
            let found = tables.noiseShaping.findFilter(
                scratchLines.span, windows: windows, range: range, isShort: isShort, bands: tables.bands)
            guard found.filter.order > 0 else { continue }
            isUsed = true
            for window in windows {
                data.windows[window].filterCount = 1
                data.windows[window].resolution = 4
                data.windows[window].filters[0] = found.filter
            }
        }
        guard isUsed, applyFilters(data, range: range, tables: tables, quality: quality) else { return }
        coder.stream.tns = data
        orderLines(layout: layout, tables: tables)
        lowerTargets(layout: layout)
    }

    /// Filters the lines if that takes bits away: a tone is predictable too, but what is left of it lies in bands that had next to nothing.
    private mutating func applyFilters(_ data: TNSData, range: Range<Int>, tables: borrowing EncoderTables, quality: Float) -> Bool {
        var filtered = scratchLines.mutableSpan
        for line in stride(from: 0, to: 1024, by: 4) { filtered.store(coefficients.span.vector(at: line), at: line) }
        for window in 0..<8 where data.windows[window].filterCount > 0 {
            let start = window * 128
            let lines = start + range.lowerBound..<start + range.upperBound
            tables.noiseShaping.apply(data.windows[window].filters[0], to: &filtered, in: lines)
        }
        var saved = SIMD4<Float>(repeating: 0)
        let one = SIMD4<Float>(repeating: 1)
        for line in stride(from: 0, to: 1024, by: 4) {
            let weights = inverseNoise.span.vector(at: line) / quality
            let (before, after) = (coefficients.span.vector(at: line), scratchLines.span.vector(at: line))
            saved += PortableMath.log2((one + before * before * weights) / (one + after * after * weights))
        }
        guard saved.laneSum > 0 else { return false }
        var target = coefficients.mutableSpan
        for line in stride(from: 0, to: 1024, by: 4) { target.store(scratchLines.span.vector(at: line), at: line) }
        return true
    }

    /// Divides lines by the root of their noise target, so that prediction looks at what matters; the inverse targets stay.
    private mutating func weighLines(layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        let isShort = layout.sequence == .eightShort
        var weighted = scratchLines.mutableSpan
        var inverses = inverseNoise.mutableSpan
        var window = 0
        for group in 0..<layout.groupCount {
            for _ in 0..<Int(layout.groupLengths[group]) {
                for sfb in 0..<layout.bandsPerGroup {
                    let band = group * layout.bandsPerGroup + sfb
                    let inverse = Float(layout.width(band)) / coder.noise[band]
                    let weight = inverse.squareRoot()
                    let first = isShort ? window * 128 + Int(tables.bands.shortOffsets[sfb]) : Int(tables.bands.longOffsets[sfb])
                    let end = isShort ? window * 128 + Int(tables.bands.shortOffsets[sfb + 1]) : Int(tables.bands.longOffsets[sfb + 1])
                    for line in stride(from: first, to: end, by: 4) {
                        weighted.store(coefficients.span.vector(at: line) * weight, at: line)
                        inverses.store(SIMD4(repeating: inverse), at: line)
                    }
                }
                window += 1
            }
        }
    }

    /// Lowers the noise targets of bands that lost energy: the decoder's filter raises their noise again.
    private mutating func lowerTargets(layout: borrowing BandLayout) {
        var rest = [120 of Float](repeating: 0)
        var energies = rest.mutableSpan
        PsychoacousticModel.measureEnergies(coder.lines.values.span, layout: layout, into: &energies)
        for band in 0..<layout.count {
            let gain = min(max(analysis.energy[band] / max(energies[band], 1), 1), 64)
            coder.noise[band] *= PortableMath.exp2(-Self.gainShare * PortableMath.log2(gain))
        }
    }

    /// How much of the gain of shaping is spent on lower noise: all of it would keep the noise's energy.
    private static let gainShare: Float = 0.5
}
