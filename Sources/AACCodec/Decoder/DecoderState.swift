// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// The state of a decoder, allocated for the channels of the stream: on creation, or with the first access unit that defines the layout.
///
/// An access unit is first parsed completely into ``elements``. Only then do the spectra and the histories of tools and filter bank
/// advance.
package struct DecoderState: ~Copyable {
    /// The maximum size of an access unit in bytes: four times the 6144 bits of a channel, for eight channels.
    static let maximumByteCount = 4 * 8 * 768

    /// The maximum number of elements whose spans are kept.
    static let spanCapacity = 64

    let syntax: Syntax
    /// The scale factor bands for the sample rate and frame length.
    let bands: ScaleFactorBands

    var reconstruction = ChannelReconstruction()

    /// The channel elements of an access unit.
    var layout: ElementLayout
    /// Whether no access unit has defined the layout yet.
    var isLayoutOpen: Bool
    /// Whether program config elements define the layout.
    let acceptsProgram: Bool
    /// The number of layout changes.
    var layoutVersion = 0
    var mixer = ChannelMixer(sources: [])
    var program: ProgramConfigElement?
    /// The layout replaced by a program config element of the current access unit.
    var replacedLayout: ReplacedLayout?

    var reader = BitReader()
    /// The elements of the last access unit, in layout order.
    var elements: FixedArray<DecodedElement>
    /// Element spans of the last access unit.
    ///
    /// The first ``spanCount`` are valid. Further elements are not recorded.
    var spans = FixedArray(count: spanCapacity) { _ in ElementSpan(coverage: .none, bits: 0..<0) }
    var spanCount = 0
    /// Whether quantized lines are read; set by ``parse(_:)``.
    var needsQuantizedLines = false
    /// Whether the last access unit contains a data stream element.
    var hasAncillaryData = false
    /// The lines of each channel, in window order.
    ///
    /// Concealment repeats them.
    package var spectrum = FixedArray<Float>(repeating: 0, count: 0)
    /// The samples of each channel, with a full scale of ±32768.
    var samples = FixedArray<Float>(repeating: 0, count: 0)
    /// The filter bank; `nil` for AAC-ELD.
    var filterBank: FilterBank?
    /// The error resilience tools of AAC-LD and AAC-ELD.
    let resilience: ErrorResilience
    var reordering: ReorderedSpectrum
    /// The filter bank state of each channel.
    var overlaps = FixedArray(count: 0) { _ in OverlapState(frameLength: 0) }
    /// The window sequence of each channel's last frame.
    var sequences = FixedArray<WindowSequence>(count: 0) { _ in .onlyLong }
    var coupling = CouplingState()
    /// Whether the lines of the last access unit may need limiting.
    var needsLimit = false
    var concealment = Concealment()
    var dynamicRange: DynamicRangeControl
    /// The predictors of the Main object type.
    var mainPrediction: MainPrediction?
    /// The history of the LTP object type.
    var longTermPrediction: LongTermPrediction?
    var sbr: SBRDecoderState
    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
    /// The filter bank of AAC-ELD; `nil` for other types.
    var lowDelay: LowDelayState?
    /// Low delay MPEG Surround of AAC-ELD v2; `nil` for other streams.
    var surround: LowDelaySurroundDecoder?
    #else
    /// Always `nil`: small builds omit low delay.
    var surround: LowDelaySurroundDecoder? { nil }
    #endif

    /// Creates the state at the start of a stream.
    ///
    /// - Parameters:
    ///   - bands: The scale factor bands, which also set the frame length.
    ///   - layout: The elements of an access unit; empty if an access unit will define them.
    ///   - resilience: The error resilience tools of AAC-LD and AAC-ELD.
    ///   - options: The weights of dynamic range control.
    package init(
        syntax: Syntax, bands: ScaleFactorBands, layout: ElementLayout, sbr: SBRDecoderState.Configuration, resilience: ErrorResilience,
        options: AACDecoderOptions = AACDecoderOptions()
    ) {
        let frameLength = bands.frameLength
        self.syntax = syntax
        dynamicRange = DynamicRangeControl(boost: options.dynamicRangeBoost, cut: options.dynamicRangeCut)
        self.resilience = syntax.hasElementIDs ? ErrorResilience() : resilience
        reordering = ReorderedSpectrum(isUsed: self.resilience.hasReorderedSpectrum)
        self.bands = bands
        self.layout = layout
        self.sbr = SBRDecoderState(sbr)
        isLayoutOpen = layout.slots.isEmpty
        acceptsProgram = layout.slots.isEmpty || layout.usesTags
        elements = FixedArray(count: layout.slots.count) { _ in DecodedElement(frameLength: frameLength) }
        if syntax != .enhancedLowDelay { filterBank = FilterBank(frameLength: frameLength, hasLowOverlap: syntax == .lowDelay) }
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if syntax == .enhancedLowDelay { lowDelay = LowDelayState(frameLength: frameLength, channelCount: layout.channelCount) }
        #endif
        allocateChannels()
    }

    private mutating func allocateChannels() {
        let (channelCount, frameLength) = (layout.channelCount, frameLength)
        spectrum = FixedArray(repeating: 0, count: channelCount * frameLength)
        samples = FixedArray(repeating: 0, count: channelCount * frameLength)
        overlaps = FixedArray(count: channelCount) { _ in OverlapState(frameLength: frameLength) }
        sequences = FixedArray(count: channelCount) { _ in .onlyLong }
        switch syntax {
        case .generalAudio(.lowComplexity), .lowDelay, .enhancedLowDelay: break
        case .generalAudio(.main): mainPrediction = MainPrediction(channelCount: channelCount)
        case .generalAudio(.longTermPrediction):
            longTermPrediction = LongTermPrediction(channelCount: channelCount, frameLength: frameLength)
        }
    }

    mutating func allocateElement(_ index: Int) {
        guard index >= elements.count else { return }
        let frameLength = frameLength
        var old = FixedArray<DecodedElement>(count: 0) { _ in DecodedElement(frameLength: 0) }
        swap(&elements, &old)
        elements = FixedArray(count: index + 1) { index in
            var element = DecodedElement(frameLength: frameLength)
            if index < old.count { swap(&element, &old[index]) }
            return element
        }
    }

    /// The frame length in samples; also the channel stride of ``spectrum`` and ``samples``.
    var frameLength: Int { bands.frameLength }

    /// Returns the range of a channel in ``spectrum`` and ``samples``.
    func lineRange(ofChannel channel: Int) -> Range<Int> { channel &* frameLength..<(channel &+ 1) &* frameLength }

    /// Decodes the first raw data block of an access unit: parses it, reconstructs the spectra, and synthesizes the samples.
    ///
    /// - Throws: `CodecError` if the access unit is damaged. The signal and its history are then unchanged.
    package mutating func decode(_ accessUnit: Span<UInt8>) throws(CodecError) {
        try read(accessUnit)
        reconstructSpectra()
        controlDynamicRange()
        synthesizeSamples()
        synthesizeSBR()
        coupleSBROutput()
    }

    /// Parses the first raw data block of an access unit and its SBR payloads.
    ///
    /// - Throws: `CodecError` if the access unit is damaged. The signal and its history are then unchanged.
    mutating func read(_ accessUnit: Span<UInt8>) throws(CodecError) {
        guard !accessUnit.isEmpty else { throw .emptyAccessUnit }
        guard accessUnit.count <= Self.maximumByteCount else {
            throw .accessUnitTooLong(byteCount: accessUnit.count, maximum: Self.maximumByteCount)
        }
        reader.load(accessUnit)
        replacedLayout = nil
        sbr.hasLoss = false
        let wasOpen = isLayoutOpen
        do throws(CodecError) {
            try readBlock()
        } catch {
            restoreLayout()
            throw error
        }
        if replacedLayout != nil || wasOpen {
            layoutVersion += 1
            // A program config element can change only its comment or downmix.
            if wasOpen || replacedLayout?.layout != layout { reset() }
        }
        concealment.recordIntactUnit()
        dynamicRange.commit(programTag: program?.instanceTag)
        readSBRPayloads()
    }

    /// Returns the length of the first raw data block in bytes, or `nil` if it is damaged or incomplete.
    mutating func blockByteCount(_ bytes: Span<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return nil }
        reader.load(bytes.extracting(first: Self.maximumByteCount))
        replacedLayout = nil
        let wasOpen = isLayoutOpen
        defer {
            isLayoutOpen = wasOpen
            restoreLayout()
        }
        do throws(CodecError) {
            try readBlock()
        } catch {
            return nil
        }
        return reader.bitPosition / 8
    }

    /// Reads one block from the current reader position.
    ///
    /// Parsing changes ``elements``, ``coupling`` and, with a program config element, the layout, but no signal. The reader ends at the
    /// byte boundary after the block.
    private mutating func readBlock() throws(CodecError) {
        switch syntax {
        case .generalAudio: try readRawDataBlock()
        case .lowDelay, .enhancedLowDelay: try readLowDelayBlock()
        }
    }

    /// Writes the output with a full scale of ±1; channel `c` starts at `c * stride`.
    func mix(into output: inout MutableSpan<Float>, stride: Int) {
        if let surround { return surround.surround.mix(mixer, into: &output, stride: stride) }
        if sbr.isActive {
            return sbr.mix(mixer, channelCount: outputChannelCount, into: &output, stride: stride)
        }
        let strides = ChannelMixer.Strides(input: frameLength, output: stride)
        mixer.mix(samples.span, channelCount: layout.channelCount, into: &output, strides: strides, frameCount: frameLength)
    }

    /// Clears all history, as at the start of a stream.
    mutating func reset() {
        allocateChannels()
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        lowDelay?.reset()
        #endif
        coupling.discardSamples()
        reconstruction.noise = NoiseSynthesis()
        concealment = Concealment()
        dynamicRange.reset()
        if sbr.isActive { sbr.start(layout) }
        surround?.surround.reset()
    }
}
