// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

/// Encodes one element, frame by frame: a single channel, a pair or a low-frequency channel.
///
/// The stages of a frame, in order:
///
/// 1. ``analyze(_:filterBank:noiseScale:keepsSine:)``: window decision, filter bank and psychoacoustic model.
/// 2. ``decideTools(_:effort:noiseScale:)``: temporal noise shaping, noise substitution, intensity and middle/side stereo.
/// 3. ``prepare(noiseScale:)`` and ``entropy(noiseScale:)``: the perceptual entropy, for the rate control.
/// 4. ``quantize(noiseScale:effort:)``, and ``coarsen(by:noiseScale:effort:)`` for a frame that takes too many bits.
/// 5. ``write(to:tables:)``: the bitstream.
///
/// History changes only in the first two. With the most effort ``beginTrial(_:tables:noiseScale:)`` and
/// ``finishTrial(_:noiseScale:tables:filterBank:)`` are between these; what they change but the noise targets, they restore.
package struct ElementEncoder: ~Copyable {
    /// The kind of the element.
    package let kind: ChannelElement

    /// The number that distinguishes elements of a kind (`element_instance_tag`).
    private let instanceTag: Int

    /// The only channel, or the left one.
    package var first: ChannelState

    /// The right channel.
    package var second: ChannelState

    /// The bands of the current frame, common to both channels.
    package private(set) var layout = BandLayout()

    /// Whether the channels of a pair are equal in the current frame.
    private var areEqual = false

    /// The choice of window sequences.
    var planner = WindowPlanner()

    /// Whether the window before the newest one is exposed to pre-echo.
    var followsAttack = false

    /// Middle/side stereo.
    var midSide = MidSideStereo()

    /// Intensity stereo.
    var intensity = IntensityStereo()

    /// The energies of short windows, for their grouping.
    private var windowEnergies = WindowGrouping.Energies()

    /// The cost of each band of both channels as left and right, in bits, distortion included.
    private var separateCosts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The same as middle and side.
    private var jointCosts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// Whether a frame's window ends with the newest block.
    private let lowDelay: Bool

    /// Makes the encoder of an element before its first block.
    ///
    /// - Parameters:
    ///   - kind: The kind of the element.
    ///   - instanceTag: The number that distinguishes elements of a kind.
    ///   - frameLength: The lines of a long window.
    ///   - blockLength: The samples of a block; twice as many in AAC-ELD at dual rate.
    ///   - lowDelay: Whether a frame's window ends with the newest block.
    ///   - hasLongWindow: Whether the window has the length of four blocks, as in AAC-ELD, or of two.
    init(kind: ChannelElement, instanceTag: Int, frameLength: Int, blockLength: Int, lowDelay: Bool, hasLongWindow: Bool) {
        self.kind = kind
        self.instanceTag = instanceTag
        self.lowDelay = lowDelay
        first = ChannelState(frameLength: frameLength, blockLength: blockLength, hasLongWindow: hasLongWindow)
        second = ChannelState(frameLength: frameLength, blockLength: blockLength, hasLongWindow: hasLongWindow)
    }

    /// Appends a block of a channel of the element, 0 or 1; it becomes the look-ahead if there is one.
    mutating func append(_ block: Span<Float>, channel: Int) {
        if channel == 0 { first.append(block, lowDelay: lowDelay) } else { second.append(block, lowDelay: lowDelay) }
    }

    // MARK: History

    /// Advances by a frame that is not coded, of which only the window sequence is needed later.
    mutating func skip(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) {
        _ = nextSequence(tables, filterBank: &filterBank)
    }

    /// Discards the history of decisions, but not samples, window sequence and window shape.
    ///
    /// - Parameter keepsLoudness: Whether the loudness of the frames before is kept.
    mutating func resetHistory(keepsLoudness: Bool = false) {
        first.resetHistory(keepsLoudness: keepsLoudness)
        second.resetHistory(keepsLoudness: keepsLoudness)
        midSide.interrupt()
        intensity.interrupt()
    }

    /// Discards all history but the samples, which the blocks of a lead-in replace.
    ///
    /// - Parameter keepsLoudness: Whether the loudness of the frames before is kept.
    mutating func restart(keepsLoudness: Bool = false) {
        resetHistory(keepsLoudness: keepsLoudness)
        planner = WindowPlanner()
        followsAttack = false
        layout = BandLayout()
        first.resetWindowShape()
        second.resetWindowShape()
    }

    /// Returns to the start of the stream, before the first block.
    mutating func startStream() {
        restart()
        first.clearSamples()
        second.clearSamples()
    }

    // MARK: Analysis

    /// Analyses the frame: chooses its window, transforms it, and computes its noise targets.
    ///
    /// - Parameters:
    ///   - noiseScale: The expected factor from noise targets to the energy of the noise.
    ///   - keepsSine: Whether the window shape has to be sine.
    mutating func analyze(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank, noiseScale: Float, keepsSine: Bool) {
        let sequence = nextSequence(tables, filterBank: &filterBank)
        first.transform(sequence, filterBank: &filterBank)
        if kind == .pair { second.transform(sequence, filterBank: &filterBank) }
        let shape = chooseShape(
            sequence, keepsSine: keepsSine, tables: tables, filterBank: &filterBank, noiseScale: noiseScale)
        first.setShape(shape)
        if kind == .pair { second.setShape(shape) }
        areEqual = kind == .pair && MidSideStereo.areEqual(first.coefficients.span, second.coefficients.span)
        let channel = tables.rateDependent.channel(areEqual: areEqual)
        setLayout(sequence, ranges: channel.ranges, tables: tables)
        first.computeNoiseTargets(channel.noiseAllocation, layout: layout, tables: tables)
        if kind == .pair { second.computeNoiseTargets(channel.noiseAllocation, layout: layout, tables: tables) }
        if let shares = channel.refinement, kind != .lowFrequency {
            first.refineNoiseTargets(layout: layout, filterBank: &filterBank, tables: tables, shares: shares)
            if kind == .pair { second.refineNoiseTargets(layout: layout, filterBank: &filterBank, tables: tables, shares: shares) }
        }
        guard kind == .lowFrequency else { return }
        let factor = LowFrequencyChannel.noiseFactor(
            layout: layout, frameLength: first.frameLength, noiseAllocation: channel.noiseAllocation)
        for band in 0..<layout.count { first.coder.spectrum.noiseTargets[band] *= factor }
    }

    /// The bits that the Kaiser-Bessel derived shape has to save before it replaces sine.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    private static let shapeMargin: Float = 12

    /// Returns the window shape that takes fewer bits, the same for both channels of a pair.
    ///
    /// It is sine for long windows after short ones, for short windows of a single channel, and in low-frequency channels.
    private mutating func chooseShape(
        _ sequence: WindowSequence, keepsSine: Bool, tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank, noiseScale: Float
    ) -> WindowShape {
        guard !keepsSine, tables.syntax != .enhancedLowDelay else { return .sine }
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if tables.syntax == .lowDelay { return chooseOverlap(filterBank: &filterBank) }
        #endif
        let isComparable = sequence == .eightShort ? kind == .pair : layout.sequence != .eightShort && layout.count > 0
        guard tables.effort.choosesWindowShape && isComparable && kind != .lowFrequency else { return .sine }
        var saved = first.tryOtherShape(sequence, filterBank: &filterBank, layout: layout, noiseScale: noiseScale)
        if kind == .pair {
            saved += second.tryOtherShape(sequence, filterBank: &filterBank, layout: layout, noiseScale: noiseScale)
        }
        return saved > Self.shapeMargin ? .kaiserBesselDerived : .sine
    }

    /// Returns the shape with low overlap where an attack lies in the newest block, so that its noise does not precede it in the next window.
    private mutating func chooseOverlap(filterBank: inout EncoderFilterBank) -> WindowShape {
        let hasAttack = first.transients.hasNewAttack || kind == .pair && second.transients.hasNewAttack
        guard hasAttack else { return .sine }
        first.transformOtherShape(.onlyLong, filterBank: &filterBank)
        if kind == .pair { second.transformOtherShape(.onlyLong, filterBank: &filterBank) }
        return .kaiserBesselDerived
    }

    /// Sets the bands of the frame.
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
        }
    }

    // MARK: Tools

    /// Decides which coding tools the frame uses, and applies them to its spectrum; low-frequency channels use none.
    ///
    /// - Parameters:
    ///   - effort: The extent of the search for panned bands, and of the comparison of stereo.
    ///   - noiseScale: The expected factor from noise targets to the energy of the noise.
    @inline(never)
    mutating func decideTools(_ tables: borrowing EncoderTables, effort: SearchEffort, noiseScale: Float) {
        guard kind != .lowFrequency else { return }
        first.shapeNoise(layout: layout, tables: tables, noiseScale: noiseScale)
        if kind == .pair { second.shapeNoise(layout: layout, tables: tables, noiseScale: noiseScale) }
        let ranges = tables.rateDependent.channel(areEqual: areEqual).ranges
        first.substituteNoise(layout: layout, ranges: ranges, noiseScale: noiseScale)
        guard kind == .pair else { return }
        second.substituteNoise(layout: layout, ranges: ranges, noiseScale: noiseScale)
        if ranges.keepsCommonLines { NoiseSubstitution.keepCommonLines(&first.coder.spectrum, &second.coder.spectrum, layout: layout) }
        decideIntensity(firstBand: ranges.firstIntensityBand, noiseScale: noiseScale)
        copyPannedBands(interval: effort.panningInterval, noiseScale: noiseScale)
        decideMidSide(noiseScale: noiseScale, effort: effort)
    }

    /// Marks the bands of a pair that are sent as intensity stereo.
    private mutating func decideIntensity(firstBand: Int, noiseScale: Float) {
        guard firstBand < layout.count else { return }
        guard layout.sequence != .eightShort else { return intensity.interrupt() }
        intensity.decide(
            left: first.coder.spectrum, right: &second.coder.spectrum, noiseScale: noiseScale, firstBand: firstBand, layout: layout)
    }

    /// Sends bands that are panned by amplitude as one spectrum; temporal noise shaping would apply to the copy again.
    private mutating func copyPannedBands(interval: Int, noiseScale: Float) {
        guard !areEqual, first.coder.stream.tns == nil, second.coder.stream.tns == nil else { return }
        intensity.copyPannedBands(
            &first.coder.spectrum, &second.coder.spectrum, energies: (first.analysis.energy.span, second.analysis.energy.span),
            noiseScale: noiseScale, interval: interval, layout: layout)
    }

    /// Chooses between left/right and middle/side for each band of a pair.
    private mutating func decideMidSide(noiseScale: Float, effort: SearchEffort) {
        guard effort.codesStereoBothWays else {
            return midSide.decide(&first.coder.spectrum, &second.coder.spectrum, noiseScale: noiseScale, layout: layout)
        }
        separateCosts.fill(0)
        jointCosts.fill(0)
        var separate = separateCosts.mutableSpan
        var joint = jointCosts.mutableSpan
        first.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &separate)
        second.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &separate)
        midSide.convertAll(&first.coder.spectrum, &second.coder.spectrum, layout: layout)
        first.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &joint)
        second.coder.addCosts(noiseScale: noiseScale, layout: layout, effort: effort, to: &joint)
        midSide.revert(
            &first.coder.spectrum, &second.coder.spectrum, separateCosts: separate.span, jointCosts: joint.span, layout: layout)
    }

    // MARK: Quantisation

    /// Prepares the quantisation of the frame, and returns its perceptual entropy at a noise scale, in bits.
    mutating func prepare(noiseScale: Float) -> Float {
        let bits = first.coder.prepare(noiseScale: noiseScale, layout: layout)
        return kind == .pair ? bits + second.coder.prepare(noiseScale: noiseScale, layout: layout) : bits
    }

    /// Returns the perceptual entropy of the frame at another noise scale, in bits.
    mutating func entropy(noiseScale: Float) -> Float {
        let bits = first.coder.entropy(noiseScale: noiseScale, layout: layout)
        return kind == .pair ? bits + second.coder.entropy(noiseScale: noiseScale, layout: layout) : bits
    }

    /// Quantises the frame.
    ///
    /// - Parameter noiseScale: The factor from noise targets to the energy of the noise.
    @inline(never)
    mutating func quantize(noiseScale: Float, effort: SearchEffort) {
        first.coder.code(noiseScale: noiseScale, layout: layout, effort: effort)
        if kind == .pair { second.coder.code(noiseScale: noiseScale, layout: layout, effort: effort) }
    }

    /// Quantises the frame again at another noise scale, from what was measured for the first one.
    ///
    /// - Parameters:
    ///   - noiseScale: The factor from noise targets to the energy of the noise.
    ///   - effort: The extent of the search.
    mutating func requantize(noiseScale: Float, effort: SearchEffort) {
        first.coder.recode(noiseScale: noiseScale, layout: layout, effort: effort)
        if kind == .pair { second.coder.recode(noiseScale: noiseScale, layout: layout, effort: effort) }
    }

    /// Quantises the frame again with higher scale factors.
    ///
    /// - Parameters:
    ///   - steps: The amount by which all scale factors are raised.
    ///   - noiseScale: The factor from noise targets to the energy of the noise.
    mutating func coarsen(by steps: Int, noiseScale: Float, effort: SearchEffort) {
        first.coder.coarsen(by: steps, noiseScale: noiseScale, layout: layout, effort: effort)
        if kind == .pair { second.coder.coarsen(by: steps, noiseScale: noiseScale, layout: layout, effort: effort) }
    }

    // MARK: Bitstream

    /// Writes the element, with its identifier where there are any.
    ///
    /// - Returns: The span of the element in the access unit.
    mutating func write(to sink: inout BitWriter, tables: borrowing EncoderTables) -> ElementSpan {
        let syntax = tables.syntax
        if syntax.hasElementIDs {
            (kind == .pair ? SyntacticElementID.channelPair : kind == .single ? .singleChannel : .lowFrequency).write(to: &sink)
        }
        let start = sink.bitCount
        guard kind == .pair else {
            if syntax != .enhancedLowDelay { sink.write(UInt32(instanceTag), count: 4) }
            first.coder.stream.write(to: &sink, bands: tables.bands, hasCommonWindow: false, syntax: syntax)
            return ElementSpan(coverage: .singleChannel, bits: start..<sink.bitCount)
        }
        let header = ChannelPairElement.Header(instanceTag: instanceTag, mask: midSide.mask(layout: layout))
        let secondStart = header.writeElement(first.coder.stream, second.coder.stream, to: &sink, bands: tables.bands, syntax: syntax)
        return ElementSpan(coverage: .channelPair(secondChannelBit: secondStart), bits: start..<sink.bitCount)
    }
}
