// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// The state of a decoder, allocated for the channels of the stream: at its creation, or at the first unit if that defines the layout.
///
/// A unit is parsed to its end into ``elements`` first; only then the spectra and the histories of the tools and of the filter bank advance.
package struct DecoderState: ~Copyable {
    /// The largest size of a unit in bytes: four times the 6144 bits of a channel, for eight channels.
    static let maximumByteCount = 4 * 8 * 768

    /// The largest number of elements whose spans are kept.
    static let spanCapacity = 64

    /// The syntax of the units.
    let syntax: Syntax
    /// The scale factor bands of the sample rate and frame length.
    let bands: ScaleFactorBands

    /// The tools that turn quantised values into lines.
    var reconstruction = ChannelReconstruction()

    /// The elements of a unit.
    var layout: ElementLayout
    /// Whether the layout is unknown until a unit tells it.
    var isLayoutOpen: Bool
    /// The number of changes of the layout.
    var layoutVersion = 0
    /// Puts decoded channels into the order of the output, or mixes them down.
    var mixer = ChannelMixer(sources: [])
    /// The program config element in force, if there is one.
    var program: ProgramConfigElement?
    /// The layout that a program config element of the current unit has replaced.
    var replacedLayout: ReplacedLayout?

    /// The reader of the current unit.
    var reader = BitReader()
    /// The elements of the last unit, in the order of the layout.
    var elements: FixedArray<DecodedElement>
    /// The spans of the elements of the last unit, of which the first ``spanCount`` are in use; further elements have none.
    var spans = FixedArray(count: spanCapacity) { _ in ElementSpan(coverage: .none, bits: 0..<0) }
    /// The number of spans that are kept.
    var spanCount = 0
    /// The lines of each channel, window after window; concealment repeats them.
    package var spectrum = FixedArray<Float>(repeating: 0, count: 0)
    /// The samples of each channel at a full scale of ±32768.
    var samples = FixedArray<Float>(repeating: 0, count: 0)
    /// The filter bank; nil in AAC-ELD.
    var filterBank: FilterBank?
    /// The error-resilient tools of AAC-LD and AAC-ELD.
    let resilience: ErrorResilience
    /// The workspace of reordered codewords.
    var reordering: ReorderedSpectrum
    /// The filter bank state of each channel.
    var overlaps = FixedArray(count: 0) { _ in OverlapState(frameLength: 0) }
    /// The window sequence of the last unit in each channel.
    var sequences = FixedArray<WindowSequence>(count: 0) { _ in .onlyLong }
    /// The coupling channels.
    var coupling = CouplingState()
    /// Whether the lines of the last unit may have to be limited.
    var needsLimit = false
    /// The concealment of lost and damaged units.
    var concealment = Concealment()
    /// The predictors of the Main object type.
    var mainPrediction: MainPrediction?
    /// The history of the LTP object type.
    var longTermPrediction: LongTermPrediction?
    /// The SBR decoders.
    var sbr: SBRDecoderState
    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
    /// The filter bank of AAC-ELD, which has no other.
    var lowDelay: LowDelayState?
    /// Low delay MPEG Surround of AAC-ELD v2; nil for other streams.
    var surround: LowDelaySurroundDecoder?
    #else
    /// Nil: small builds have no low delay.
    var surround: LowDelaySurroundDecoder? { nil }
    #endif

    /// Makes the state at the beginning of a stream.
    ///
    /// - Parameters:
    ///   - bands: The scale factor bands, whose frame length is that of the stream.
    ///   - layout: The elements of a unit; without elements if a unit tells them.
    ///   - sbr: The use of SBR.
    ///   - resilience: The error-resilient tools of AAC-LD and AAC-ELD.
    package init(
        syntax: Syntax, bands: ScaleFactorBands, layout: ElementLayout, sbr: SBRDecoderState.Configuration, resilience: ErrorResilience
    ) {
        let frameLength = bands.frameLength
        self.syntax = syntax
        self.resilience = syntax.hasElementIDs ? ErrorResilience() : resilience
        reordering = ReorderedSpectrum(isUsed: self.resilience.hasReorderedSpectrum)
        self.bands = bands
        self.layout = layout
        self.sbr = SBRDecoderState(sbr)
        isLayoutOpen = layout.slots.isEmpty
        elements = FixedArray(count: layout.slots.count) { _ in DecodedElement(frameLength: frameLength) }
        if syntax != .enhancedLowDelay { filterBank = FilterBank(frameLength: frameLength, hasLowOverlap: syntax == .lowDelay) }
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if syntax == .enhancedLowDelay { lowDelay = LowDelayState(frameLength: frameLength, channelCount: layout.channelCount) }
        #endif
        allocateChannels()
    }

    /// Makes the state of the channels of the layout.
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

    /// Makes room for the element at an index of the layout.
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

    /// The samples of a frame of one channel, and the distance of channels in ``spectrum`` and ``samples``.
    var frameLength: Int { bands.frameLength }

    /// Returns the range of a channel in ``spectrum`` and ``samples``.
    func lineRange(ofChannel channel: Int) -> Range<Int> { channel &* frameLength..<(channel &+ 1) &* frameLength }

    /// Decodes the first raw data block of a unit: parses it, reconstructs the spectra, and synthesises the samples.
    ///
    /// - Throws: `CodecError` for a damaged unit, which changes nothing but ``elements`` and ``coupling``.
    package mutating func decode(_ unit: Span<UInt8>) throws(CodecError) {
        guard !unit.isEmpty else { throw .emptyAccessUnit }
        guard unit.count <= Self.maximumByteCount else { throw .accessUnitTooLong(byteCount: unit.count, maximum: Self.maximumByteCount) }
        reader.load(unit)
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
            reset()
        }
        concealment.recordIntactUnit()
        readSBRPayloads()
        reconstructSpectra()
        synthesizeSamples()
        synthesizeSBR()
        coupleSBROutput()
    }

    /// Returns the length of the first raw data block in some bytes, in bytes; `nil` if it is damaged or not complete.
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

    /// Reads one block from the reader's position.
    ///
    /// Parsing changes ``elements``, ``coupling`` and, with a program config element, the layout, but no signal. The reader is left at the byte
    /// boundary after the block.
    private mutating func readBlock() throws(CodecError) {
        switch syntax {
        case .generalAudio: try readRawDataBlock()
        case .lowDelay, .enhancedLowDelay: try readLowDelayBlock()
        }
    }

    /// Writes the output at a full scale of ±1; channel `c` begins at `c * stride`.
    func mix(into output: inout MutableSpan<Float>, stride: Int) {
        if let surround { return surround.surround.mix(mixer, into: &output, stride: stride) }
        if sbr.isActive {
            return sbr.mix(mixer, channelCount: outputChannelCount, into: &output, stride: stride)
        }
        let strides = ChannelMixer.Strides(input: frameLength, output: stride)
        mixer.mix(samples.span, channelCount: layout.channelCount, into: &output, strides: strides, frameCount: frameLength)
    }

    /// Discards all history, as at the beginning of a stream.
    mutating func reset() {
        allocateChannels()
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        lowDelay?.reset()
        #endif
        coupling.discardSamples()
        reconstruction.noise = NoiseSynthesis()
        concealment = Concealment()
        if sbr.isActive { sbr.start(layout) }
        surround?.surround.reset()
    }
}
