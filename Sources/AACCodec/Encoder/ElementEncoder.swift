// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

/// Encodes one syntactic element (SCE, CPE or LFE), frame by frame.
///
/// Call the stages of a frame in this order:
///
/// 1. ``analyze(_:filterBank:effort:noiseScale:forcesSineWindow:)`` chooses the window sequence, transforms the block and computes noise
///   targets.
/// 2. ``decideTools(_:effort:noiseScale:isTrial:)`` decides TNS, PNS, intensity and M/S stereo.
/// 3. ``prepare(noiseScale:)`` and ``entropy(noiseScale:)`` compute the perceptual entropy for rate control.
/// 4. ``quantize(noiseScale:effort:)`` quantizes; ``requantizeCoarser(by:noiseScale:effort:)`` requantizes a frame that exceeds its bit
///   limit.
/// 5. ``write(to:tables:)`` writes the element.
///
/// Only stages 1 and 2 advance the history, so quantization can be repeated. In a trial,
/// ``startAnalysisBySynthesis(_:tables:noiseScale:)`` and ``finishAnalysisBySynthesis(_:noiseScale:tables:filterBank:)`` run between stages
/// 1 and 2: they adjust the noise targets and restore everything else.
package struct ElementEncoder: ~Copyable {
    package let kind: ChannelElement

    /// `element_instance_tag`.
    let instanceTag: Int

    /// The left channel of a pair, or the only channel.
    package var first: ChannelState

    /// The right channel.
    ///
    /// Unused except in pairs.
    package var second: ChannelState

    /// The scale factor bands of the current frame, shared by both channels.
    package private(set) var layout = BandLayout()

    /// The number of bands of the last long window; `nil` without history.
    private var lastLongBandCount: Int?

    /// Whether both channels of the current frame carry the same signal, up to its sign.
    private var isDualMono = false

    var planner = WindowPlanner()

    /// The number of frames that keep the window shape.
    private var framesUntilComparison = 0

    /// Whether the window before the newest one is exposed to pre-echo.
    var previousWindowHasPreEcho = false

    var midSide = MidSideStereo()

    var intensity = IntensityStereo()

    #if !hasFeature(Embedded) || LINNET_USAC
    package private(set) var prediction = PredictiveStereo()
    #endif

    /// Whether noise may replace lines of the frame.
    ///
    /// A frame of xHE-AAC has noise in all bands or in none.
    var fillsNoise = true

    private var windowEnergies = WindowGrouping.Energies()

    /// Rate-distortion cost, in bits, of each band of both channels coded as L/R.
    private var leftRightCosts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// Rate-distortion cost, in bits, of each band of both channels coded as M/S.
    private var midSideCosts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// Whether the window ends with the newest block (no look-ahead).
    private let lowDelay: Bool

    /// Creates an encoder for the first frame of a stream.
    ///
    /// - Parameters:
    ///   - instanceTag: `element_instance_tag`, unique among elements of the same kind.
    ///   - frameLength: The number of lines of a long window.
    ///   - blockLength: The number of samples per block; `2 * frameLength` for dual-rate AAC-ELD.
    ///   - lowDelay: Whether the window ends with the newest block.
    ///   - hasLongWindow: Whether windows span four blocks (AAC-ELD) instead of two.
    init(kind: ChannelElement, instanceTag: Int, frameLength: Int, blockLength: Int, lowDelay: Bool, hasLongWindow: Bool) {
        self.kind = kind
        self.instanceTag = instanceTag
        self.lowDelay = lowDelay
        first = ChannelState(frameLength: frameLength, blockLength: blockLength, hasLongWindow: hasLongWindow)
        second = ChannelState(frameLength: frameLength, blockLength: blockLength, hasLongWindow: hasLongWindow)
    }

    /// Appends a block of one channel.
    ///
    /// The block becomes the look-ahead unless `lowDelay` is set.
    ///
    /// - Parameter channel: 0 or 1, within the element.
    mutating func append(_ block: Span<Float>, channel: Int) {
        if channel == 0 { first.append(block, lowDelay: lowDelay) } else { second.append(block, lowDelay: lowDelay) }
    }

    // MARK: History

    /// Skips a frame without coding it, keeping its window sequence for the next one.
    mutating func skip(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) {
        _ = nextSequence(tables, filterBank: &filterBank)
    }

    /// Clears the decision history.
    ///
    /// Keeps samples, window sequence and window shape.
    ///
    /// - Parameter keepsLoudness: Whether to keep the smoothed loudness of previous frames.
    mutating func resetHistory(keepsLoudness: Bool = false) {
        framesUntilComparison = 0
        lastLongBandCount = nil
        first.resetHistory(keepsLoudness: keepsLoudness)
        second.resetHistory(keepsLoudness: keepsLoudness)
        midSide.interrupt()
        intensity.interrupt()
    }

    /// Clears all history except samples, which the lead-in blocks overwrite.
    ///
    /// - Parameter keepsLoudness: Whether to keep the smoothed loudness of previous frames.
    mutating func restart(keepsLoudness: Bool = false) {
        resetHistory(keepsLoudness: keepsLoudness)
        planner = WindowPlanner()
        previousWindowHasPreEcho = false
        layout = BandLayout()
        first.resetWindowShape()
        second.resetWindowShape()
    }

    /// Clears all history and samples, as before the first block.
    mutating func startStream(keepsLoudness: Bool = false) {
        restart(keepsLoudness: keepsLoudness)
        first.clearSamples()
        second.clearSamples()
    }

    // MARK: Analysis

    /// Chooses the window sequence and shape, transforms the frame and computes its noise targets.
    ///
    /// - Parameters:
    ///   - effort: Controls how often window shapes are compared and targets are measured.
    ///   - noiseScale: The expected ratio of noise energy to noise target.
    mutating func analyze(
        _ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank, effort: SearchEffort, noiseScale: Float,
        forcesSineWindow: Bool
    ) {
        let sequence = nextSequence(tables, filterBank: &filterBank)
        let keepsShape = framesUntilComparison > 0 && !forcesSineWindow && canCompareShapes(sequence, effort: effort)
        first.transform(sequence, keepsShape: keepsShape, filterBank: &filterBank)
        if kind == .pair { second.transform(sequence, keepsShape: keepsShape, filterBank: &filterBank) }
        if keepsShape {
            framesUntilComparison -= 1
        } else {
            let shape = chooseShape(
                sequence, forcesSineWindow: forcesSineWindow, tables: tables, filterBank: &filterBank, effort: effort,
                noiseScale: noiseScale)
            first.setShape(shape)
            if kind == .pair { second.setShape(shape) }
        }
        isDualMono = kind == .pair && MidSideStereo.isDualMono(first.coefficients.span, second.coefficients.span)
        let channel = tables.rateDependent.channel(isDualMono: isDualMono)
        setLayout(sequence, ranges: channel.ranges, tables: tables)
        first.computeNoiseTargets(channel.noiseAllocation, layout: layout, tables: tables)
        if kind == .pair { second.computeNoiseTargets(channel.noiseAllocation, layout: layout, tables: tables) }
        if let weights = channel.refinement, kind != .lowFrequency {
            let interval = effort.fluctuationInterval
            first.refineNoiseTargets(layout: layout, filterBank: &filterBank, tables: tables, weights: weights, interval: interval)
            if kind == .pair {
                second.refineNoiseTargets(layout: layout, filterBank: &filterBank, tables: tables, weights: weights, interval: interval)
            }
        }
        guard kind == .lowFrequency else { return }
        let factor = LowFrequencyChannel.noiseFactor(
            layout: layout, frameLength: first.frameLength, noiseAllocation: channel.noiseAllocation)
        for band in 0..<layout.count { first.coder.spectrum.noiseTargets[band] *= factor }
    }

    /// The number of bits that the Kaiser-Bessel derived (KBD) shape must save to replace sine.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    private static let shapeMargin: Float = 12

    /// Returns the window shape that needs fewer bits, common to both channels.
    ///
    /// The shape is always sine for long windows after short ones, for short windows of a single channel, and in low-frequency channels.
    private mutating func chooseShape(
        _ sequence: WindowSequence, forcesSineWindow: Bool, tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank,
        effort: SearchEffort, noiseScale: Float
    ) -> WindowShape {
        framesUntilComparison = 0
        guard !forcesSineWindow, tables.syntax != .enhancedLowDelay else { return .sine }
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if tables.syntax == .lowDelay { return chooseOverlap(filterBank: &filterBank) }
        #endif
        guard canCompareShapes(sequence, effort: effort) else { return .sine }
        framesUntilComparison = effort.shapeInterval - 1
        var saved = first.tryOtherShape(sequence, filterBank: &filterBank, layout: layout, noiseScale: noiseScale)
        if kind == .pair {
            saved += second.tryOtherShape(sequence, filterBank: &filterBank, layout: layout, noiseScale: noiseScale)
        }
        return saved > Self.shapeMargin ? .kaiserBesselDerived : .sine
    }

    private func canCompareShapes(_ sequence: WindowSequence, effort: SearchEffort) -> Bool {
        let isComparable = sequence == .eightShort ? kind == .pair : layout.sequence != .eightShort && layout.count > 0
        return effort.choosesWindowShape && isComparable && kind != .lowFrequency
    }

    /// Returns the low overlap shape if the newest block has an attack, so that the next window does not spread noise before it.
    private mutating func chooseOverlap(filterBank: inout EncoderFilterBank) -> WindowShape {
        let hasAttack = first.transients.hasNewAttack || kind == .pair && second.transients.hasNewAttack
        guard hasAttack else { return .sine }
        first.transformOtherShape(.onlyLong, filterBank: &filterBank)
        if kind == .pair { second.transformOtherShape(.onlyLong, filterBank: &filterBank) }
        return .kaiserBesselDerived
    }

    /// Sets the frame's scale factor bands, after grouping the windows of a short sequence.
    private mutating func setLayout(_ sequence: WindowSequence, ranges: BandRanges, tables: borrowing EncoderTables) {
        if sequence == .eightShort {
            windowEnergies.clear()
            windowEnergies.add(first.coefficients.span)
            if kind == .pair { windowEnergies.add(second.coefficients.span) }
            let grouping = WindowGrouping(&windowEnergies)
            layout.setShort(
                lengths: grouping.lengths, groupCount: grouping.groupCount, bands: tables.bands, bandCount: ranges.shortBandCount)
        } else {
            let count = kind == .lowFrequency ? LowFrequencyChannel.bandCount(tables.bands) : ranges.longBandCount
            layout.setLong(sequence, bands: tables.bands, bandCount: count)
            startBands(count)
        }
    }

    /// Discards the history of the bands if the last long window had another number of them.
    ///
    /// That history would have gaps, and older values that depend on where the encoder started.
    private mutating func startBands(_ count: Int) {
        defer { lastLongBandCount = count }
        guard let lastLongBandCount, count != lastLongBandCount else { return }
        first.interruptBands()
        second.interruptBands()
        intensity.interrupt()
    }

    // MARK: Tools

    /// Decides the frame's coding tools and applies them to its spectrum.
    ///
    /// Low-frequency channels use none.
    ///
    /// - Parameters:
    ///   - effort: Controls the search for panned bands and the comparison of L/R with M/S.
    ///   - noiseScale: The expected ratio of noise energy to noise target.
    ///   - isTrial: Whether to omit prediction.
    @inline(never)
    mutating func decideTools(_ tables: borrowing EncoderTables, effort: SearchEffort, noiseScale: Float, isTrial: Bool = false) {
        guard kind != .lowFrequency else { return }
        first.shapeNoise(layout: layout, tables: tables, noiseScale: noiseScale)
        if kind == .pair { second.shapeNoise(layout: layout, tables: tables, noiseScale: noiseScale) }
        let channel = tables.rateDependent.channel(isDualMono: isDualMono)
        let ranges = channel.ranges
        #if !hasFeature(Embedded) || LINNET_USAC
        decideNoiseFilling(ranges)
        #endif
        first.substituteNoise(layout: layout, ranges: ranges, isPermitted: fillsNoise, noiseScale: noiseScale)
        guard kind == .pair else { return }
        second.substituteNoise(layout: layout, ranges: ranges, isPermitted: fillsNoise, noiseScale: noiseScale)
        if ranges.keepsCommonLines { NoiseSubstitution.keepCommonLines(&first.coder.spectrum, &second.coder.spectrum, layout: layout) }
        decideIntensity(firstBand: ranges.firstIntensityBand, noiseScale: noiseScale)
        if !ranges.permitsPrediction { panBands(interval: effort.panningInterval, noiseScale: noiseScale) }
        #if !hasFeature(Embedded) || LINNET_USAC
        if ranges.permitsPrediction { prediction.startFrame(first.coder.spectrum, second.coder.spectrum) }
        #endif
        // A decoder adds its own noise to left and right, or to mid and side.
        decideMidSide(
            noiseScale: noiseScale, effort: effort, combinesTargets: channel.combinesTargets,
            fillsMidSide: ranges.permitsPrediction)
        #if !hasFeature(Embedded) || LINNET_USAC
        guard ranges.permitsPrediction, !isTrial, !isDualMono else { return }
        prediction.decide(
            &first.coder.spectrum, &second.coder.spectrum, usesMidSide: midSide.usesMidSide.span, noiseScale: noiseScale,
            triesSide: effort.lowersValues, layout: layout)
        #endif
    }

    /// Marks the bands of a pair that use intensity stereo.
    private mutating func decideIntensity(firstBand: Int, noiseScale: Float) {
        guard firstBand < layout.count else { return }
        guard layout.sequence != .eightShort else { return intensity.interrupt() }
        intensity.decide(
            left: first.coder.spectrum, right: &second.coder.spectrum, noiseScale: noiseScale, firstBand: firstBand, layout: layout)
    }

    /// Codes amplitude-panned bands as one spectrum.
    ///
    /// Not with TNS, which would filter the copy again.
    private mutating func panBands(interval: Int, noiseScale: Float) {
        guard !isDualMono, first.coder.stream.tns == nil, second.coder.stream.tns == nil else { return }
        intensity.panBands(
            &first.coder.spectrum, &second.coder.spectrum, energies: (first.analysis.energy.span, second.analysis.energy.span),
            noiseScale: noiseScale, interval: interval, layout: layout)
    }

    /// Chooses between L/R and M/S for each band of a pair.
    private mutating func decideMidSide(noiseScale: Float, effort: SearchEffort, combinesTargets: Bool, fillsMidSide: Bool) {
        guard effort.codesStereoBothWays else {
            return midSide.decide(
                &first.coder.spectrum, &second.coder.spectrum, noiseScale: noiseScale, layout: layout, combinesTargets: combinesTargets,
                fillsMidSide: fillsMidSide)
        }
        leftRightCosts.fill(0)
        midSideCosts.fill(0)
        var separate = leftRightCosts.mutableSpan
        var joint = midSideCosts.mutableSpan
        first.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &separate)
        second.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &separate)
        midSide.convertAll(&first.coder.spectrum, &second.coder.spectrum, layout: layout)
        first.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &joint)
        second.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &joint)
        midSide.revert(
            &first.coder.spectrum, &second.coder.spectrum, leftRightCosts: separate.span, midSideCosts: joint.span, layout: layout)
    }

    // MARK: Quantization

    /// Prepares quantization and returns the perceptual entropy of the frame at a noise scale, in bits.
    mutating func prepare(noiseScale: Float) -> Float {
        let bits = first.coder.prepare(noiseScale: noiseScale, layout: layout)
        return kind == .pair ? bits + second.coder.prepare(noiseScale: noiseScale, layout: layout) : bits
    }

    /// Returns the perceptual entropy of the frame at another noise scale, in bits.
    func entropy(noiseScale: Float) -> Float {
        let bits = first.coder.entropy(noiseScale: noiseScale, layout: layout)
        return kind == .pair ? bits + second.coder.entropy(noiseScale: noiseScale, layout: layout) : bits
    }

    /// Returns the perceptual entropies of the frame at three noise scales, in bits.
    func entropies(noiseScales: SIMD3<Float>) -> SIMD3<Float> {
        let bits = first.coder.entropies(noiseScales: noiseScales, layout: layout)
        return kind == .pair ? bits + second.coder.entropies(noiseScales: noiseScales, layout: layout) : bits
    }

    /// Quantizes the frame.
    ///
    /// - Parameter noiseScale: The ratio of noise energy to noise target.
    @inline(never)
    mutating func quantize(noiseScale: Float, effort: SearchEffort) {
        first.coder.code(noiseScale: noiseScale, layout: layout, effort: effort)
        if kind == .pair { second.coder.code(noiseScale: noiseScale, layout: layout, effort: effort) }
    }

    /// Requantizes the frame at another noise scale, reusing the measurements of the first pass.
    ///
    /// - Parameter noiseScale: The ratio of noise energy to noise target.
    mutating func requantize(noiseScale: Float, effort: SearchEffort) {
        first.coder.recode(noiseScale: noiseScale, layout: layout, effort: effort)
        if kind == .pair { second.coder.recode(noiseScale: noiseScale, layout: layout, effort: effort) }
    }

    /// Requantizes the frame with higher scale factors.
    ///
    /// - Parameters:
    ///   - steps: The amount to add to every scale factor, or `nil` to code no lines.
    ///   - noiseScale: The ratio of noise energy to noise target.
    mutating func requantizeCoarser(by steps: Int?, noiseScale: Float, effort: SearchEffort) {
        first.coder.requantizeCoarser(by: steps, noiseScale: noiseScale, layout: layout, effort: effort)
        if kind == .pair { second.coder.requantizeCoarser(by: steps, noiseScale: noiseScale, layout: layout, effort: effort) }
    }
}
