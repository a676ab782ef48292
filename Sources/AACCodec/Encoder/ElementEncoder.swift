// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// Encodes one channel, a pair or the low-frequency channel, frame by frame.
///
/// A frame has four phases: ``analyze(_:filterBank:quality:keepsSine:)`` makes lines and noise targets of the signal; the rate control plans
/// by what ``prepare(quality:)`` says;
/// ``code(quality:effort:)`` makes values of them; ``write(to:tables:)`` makes bits. History moves in the first, once a frame.
struct ElementEncoder: ~Copyable {
    /// What kind of element this is, and its tag.
    let kind: ChannelElement
    private let instanceTag: Int

    private var first = ChannelState()
    private var second = ChannelState()
    private var layout = BandLayout()
    private var planner = WindowPlanner()
    /// Whether the newest window but one is exposed.
    private var followsAttack = false
    private var stereo = MidSideStereo()
    private var intensity = IntensityStereo()

    /// Makes an encoder before its first block.
    init(kind: ChannelElement, instanceTag: Int) {
        self.kind = kind
        self.instanceTag = instanceTag
    }

    /// Takes the next block of a channel of the element, 0 or 1.
    mutating func append(_ block: Span<Float>, channel: Int) {
        if channel == 0 { first.append(block) } else { second.append(block) }
    }

    // MARK: Signal to lines and targets

    /// Moves on by one frame of which only the samples and the window sequence will be needed.
    mutating func skip() { _ = nextSequence() }

    /// Forgets what decisions remember of the frames before, apart from samples, window sequence and window shape.
    mutating func forget(keepsLoudness: Bool = false) {
        first.forget(keepsLoudness: keepsLoudness)
        second.forget(keepsLoudness: keepsLoudness)
        stereo.interrupt()
        intensity.interrupt()
    }

    /// Forgets all but the samples, of which as many will come as decisions look back at, and the loudness if it is kept.
    mutating func restart(keepsLoudness: Bool = false) {
        forget(keepsLoudness: keepsLoudness)
        planner = WindowPlanner()
        followsAttack = false
        layout = BandLayout()
        first.previousShape = .sine
        second.previousShape = .sine
    }

    private mutating func nextSequence() -> WindowSequence {
        kind == .lowFrequency ? .onlyLong : planner.advance(attackAhead: hasAttackAhead())
    }

    /// Divides the frame, transforms it, and says how much noise goes where; `keepsSine` leaves no choice of window shape.
    mutating func analyze(_ tables: borrowing EncoderTables, filterBank: inout FilterBank, quality: Float, keepsSine: Bool) {
        let sequence = nextSequence()
        first.transform(sequence, filterBank: &filterBank)
        if kind == .pair { second.transform(sequence, filterBank: &filterBank) }
        if keepsSine {
            useShape(.sine)
        } else {
            useShape(chooseShape(sequence, tables: tables, filterBank: &filterBank, quality: quality))
        }
        layOut(sequence, tables: tables)
        first.evaluate(layout: layout, tables: tables)
        if kind == .lowFrequency { return scaleNoise(by: LowFrequencyChannel.noiseFactor(layout: layout, law: tables.law)) }
        first.shapeNoise(layout: layout, tables: tables, quality: quality)
        guard kind == .pair else { return first.substituteNoise(tables, quality: quality, layout: layout) }
        second.evaluate(layout: layout, tables: tables)
        second.shapeNoise(layout: layout, tables: tables, quality: quality)
        replaceBands(tables, quality: quality)
        decideMidSide(quality: quality, effort: tables.effort)
    }

    /// Chooses between left and right and middle and side for each band of a pair.
    private mutating func decideMidSide(quality: Float, effort: SearchEffort) {
        guard effort.codesStereoBothWays else {
            return stereo.decide(&first.coder.spectrum, &second.coder.spectrum, noiseScale: quality, layout: layout)
        }
        let separateCosts = bandCosts(quality: quality, effort: effort.forComparison)
        stereo.convertAll(&first.coder.spectrum, &second.coder.spectrum, layout: layout)
        let jointCosts = bandCosts(quality: quality, effort: effort.forComparison)
        stereo.revert(
            &first.coder.spectrum, &second.coder.spectrum, separateCosts: separateCosts.span, jointCosts: jointCosts.span, layout: layout)
    }

    /// Returns what each band costs in both channels, in bits, distortion included at its price.
    private mutating func bandCosts(quality: Float, effort: SearchEffort) -> [120 of Float] {
        var result = [120 of Float](repeating: 0)
        var costs = result.mutableSpan
        first.coder.addCosts(quality: quality, layout: layout, effort: effort, to: &costs)
        second.coder.addCosts(quality: quality, layout: layout, effort: effort, to: &costs)
        return result
    }

    /// Bits that the Kaiser-Bessel shape has to save before it takes the place of the sine.
    private static let shapeMargin: Float = 12

    /// Chooses the window shape by the bits it takes; pairs have one for both channels, short windows and bass the sine.
    private mutating func chooseShape(
        _ sequence: WindowSequence, tables: borrowing EncoderTables, filterBank: inout FilterBank, quality: Float
    ) -> WindowShape {
        let isComparable = sequence != .eightShort && layout.sequence != .eightShort && layout.count > 0
        guard tables.effort.choosesWindowShape && isComparable && kind != .lowFrequency else { return .sine }
        var saved = first.tryOtherShape(sequence, filterBank: &filterBank, layout: layout, quality: quality)
        if kind == .pair {
            saved += second.tryOtherShape(sequence, filterBank: &filterBank, layout: layout, quality: quality)
        }
        return saved > Self.shapeMargin ? .kaiserBesselDerived : .sine
    }

    private mutating func useShape(_ shape: WindowShape) {
        first.use(shape)
        if kind == .pair { second.use(shape) }
    }

    /// Finds the bands of a pair that need no lines.
    private mutating func replaceBands(_ tables: borrowing EncoderTables, quality: Float) {
        first.substituteNoise(tables, quality: quality, layout: layout)
        second.substituteNoise(tables, quality: quality, layout: layout)
        guard tables.firstIntensityBand < layout.count else { return }
        if layout.sequence == .eightShort {
            intensity.interrupt()
        } else {
            intensity.decide(
                left: first.coder.spectrum, right: &second.coder.spectrum, noiseScale: quality, firstBand: tables.firstIntensityBand,
                layout: layout)
        }
    }

    /// Noise of a long window against its signal at the rates where block switching matters: -15 dB.
    private static let typicalNoiseToSignal: Float = 0.03

    /// Exposure beyond which short windows pay, in decibel steps of 64 samples.
    private static let exposureLimit: Float = 60

    /// Whether the newest window wants short ones; after short ones it may not, since a long one could begin where they end.
    private mutating func hasAttackAhead() -> Bool {
        let isExposed = exposure(followsShort: false) > Self.exposureLimit
        defer { followsAttack = isExposed }
        return isExposed && (!followsAttack || exposure(followsShort: true) > Self.exposureLimit)
    }

    private func exposure(followsShort: Bool) -> Float {
        let ofFirst = first.transients.preEchoExposure(noiseToSignal: Self.typicalNoiseToSignal, followsShort: followsShort)
        guard kind == .pair else { return ofFirst }
        return max(ofFirst, second.transients.preEchoExposure(noiseToSignal: Self.typicalNoiseToSignal, followsShort: followsShort))
    }

    private mutating func layOut(_ sequence: WindowSequence, tables: borrowing EncoderTables) {
        if sequence == .eightShort {
            let grouping = groupWindows()
            layout.setShort(
                lengths: grouping.lengths, groupCount: grouping.groupCount, bands: tables.bands, bandCount: tables.shortBandCount)
        } else {
            let count = kind == .lowFrequency ? LowFrequencyChannel.bandCount(tables.bands) : tables.longBandCount
            layout.setLong(sequence, bands: tables.bands, bandCount: count)
        }
    }

    private mutating func groupWindows() -> WindowGrouping {
        var energies = [64 of Float](repeating: 0)
        var lines = [8 of Float](repeating: 0)
        Self.addEnergies(first.coefficients.span, to: &energies)
        if kind == .pair { Self.addEnergies(second.coefficients.span, to: &energies) }
        var logEnergies = energies.mutableSpan
        for place in stride(from: 0, to: 64, by: 4) {
            logEnergies.store(PortableMath.log2(logEnergies.vector(at: place) + SIMD4(repeating: 1)), at: place)
        }
        for region in 0..<8 {
            lines[region] = Float(Self.regionBorders.span[region + 1] - Self.regionBorders.span[region]) * (kind == .pair ? 2 : 1)
        }
        return WindowGrouping(logEnergies: energies.span, linesPerRegion: lines.span)
    }

    /// Lines of a short window at which the regions of grouping begin.
    private static let regionBorders: [9 of Int] = [0, 4, 8, 16, 24, 36, 52, 76, 108]

    private static func addEnergies(_ coefficients: Span<Float>, to energies: inout [64 of Float]) {
        for window in 0..<8 {
            for region in 0..<WindowGrouping.regionCount {
                let lines = window * 128 + regionBorders.span[region]..<window * 128 + regionBorders.span[region + 1]
                energies[window * 8 + region] += PortableMath.sumOfSquares(coefficients, lines) / Float(lines.count)
            }
        }
    }

    private mutating func scaleNoise(by factor: Float) {
        for band in 0..<layout.count { first.coder.spectrum.noiseTargets[band] *= factor }
    }

    // MARK: Lines to values and bits

    /// Gets the frame ready, before the phases that follow; returns what its bits will be in proportion to, at a quality.
    mutating func prepare(quality: Float) -> Float {
        let bits = first.coder.prepare(quality: quality, layout: layout)
        return kind == .pair ? bits + second.coder.prepare(quality: quality, layout: layout) : bits
    }

    /// What they will be in proportion to at another.
    mutating func entropy(quality: Float) -> Float {
        let bits = first.coder.entropy(quality: quality, layout: layout)
        return kind == .pair ? bits + second.coder.entropy(quality: quality, layout: layout) : bits
    }

    /// Makes quantised values for a quality.
    mutating func code(quality: Float, effort: SearchEffort) {
        first.coder.code(quality: quality, layout: layout, effort: effort)
        if kind == .pair { second.coder.code(quality: quality, layout: layout, effort: effort) }
    }

    /// Makes them again, with scale factors that are higher by so many, for a frame that took too many bits.
    mutating func coarsen(by steps: Int, quality: Float, effort: SearchEffort) {
        first.coder.coarsen(by: steps, quality: quality, layout: layout, effort: effort)
        if kind == .pair { second.coder.coarsen(by: steps, quality: quality, layout: layout, effort: effort) }
    }

    /// Writes the element, its identifier included; returns where it stands.
    func write(to sink: inout some BitSink, tables: borrowing EncoderTables) -> ElementSpan {
        (kind == .pair ? SyntacticElementID.channelPair : kind == .single ? .singleChannel : .lowFrequency).write(to: &sink)
        let start = sink.bitCount
        sink.write(UInt32(instanceTag), count: 4)
        guard kind == .pair else {
            first.coder.stream.write(to: &sink, bands: tables.bands, hasCommonWindow: false)
            return ElementSpan(coverage: .singleChannel, bits: start..<sink.bitCount)
        }
        sink.write(true)
        first.coder.stream.info.write(to: &sink, bands: tables.bands)
        stereo.mask(layout: layout).write(to: &sink, info: first.coder.stream.info)
        first.coder.stream.write(to: &sink, bands: tables.bands, hasCommonWindow: true)
        let secondStart = sink.bitCount
        second.coder.stream.write(to: &sink, bands: tables.bands, hasCommonWindow: true)
        return ElementSpan(coverage: .channelPair(secondChannelBit: secondStart), bits: start..<sink.bitCount)
    }
}
