// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// One element with channels, as parsed from a unit.
struct DecodedElement {
    /// The pair; an element of one channel has it first.
    var pair = ChannelPairElement()

    /// The bits of the element, after its identifier.
    var bits = 0..<0

    /// The bits of the SBR payload that follows, extension type included; empty if there is none.
    var sbrPayload = 0..<0
}

/// The state of a decoder, allocated once.
///
/// A unit is parsed to its end into ``elements`` first; only then the spectra and the histories of the tools and of the filter bank advance.
struct DecoderState: ~Copyable {
    /// The largest number of channels.
    static let channelCapacity = ElementLayout.maximumChannelCount

    /// The distance of channels in ``spectrum`` and ``samples``, in values.
    static let channelStride = 1024

    /// The largest size of a unit in bytes: four times the 6144 bits of a channel, for eight channels.
    static let maximumByteCount = 4 * 8 * 768

    /// The object type.
    private(set) var profile = CodingProfile.lowComplexity
    /// The scale factor bands of the sample rate.
    private(set) var bands = ScaleFactorBands(samplingFrequencyIndex: 0, frameLength: 1024)

    /// The tools that turn quantised values into lines.
    var reconstruction = ChannelReconstruction()

    /// The elements of a unit.
    var layout = ElementLayout()
    /// Whether the layout is unknown until a unit tells it.
    var isLayoutOpen = true
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
    var elements = [DecodedElement](repeating: DecodedElement(), count: channelCapacity)
    /// The spans of the elements of the last unit, of which the first ``spanCount`` are in use; further elements have none.
    var spans = InlineArray<64, ElementSpan>(repeating: ElementSpan(coverage: .none, bits: 0..<0))
    /// The number of spans that are kept.
    var spanCount = 0
    /// The lines of each channel, window after window; concealment repeats them.
    var spectrum = [8192 of Float](repeating: 0)
    /// The samples of each channel at a full scale of ±32768.
    var samples = [8192 of Float](repeating: 0)
    /// The filter bank.
    var filterBank = FilterBank(frameLength: 1024)
    /// The filter bank state of each channel.
    var overlaps = FixedArray(count: channelCapacity) { _ in OverlapState(frameLength: 1024) }
    /// The window sequence of the last unit in each channel.
    var sequences = [8 of WindowSequence](repeating: .onlyLong)
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
    var sbr = SBRDecoderState()

    /// Creates a decoder at the beginning of a stream of frames of 1024.
    @inline(never)
    init() {}

    /// Sets the format of the stream, before its first unit.
    mutating func configure(profile: CodingProfile, bands: ScaleFactorBands, layout: ElementLayout) {
        self.profile = profile
        self.bands = bands
        self.layout = layout
        isLayoutOpen = layout.slotCount == 0
        if bands.frameLength != 1024 {
            filterBank = FilterBank(frameLength: bands.frameLength)
            overlaps = FixedArray(count: Self.channelCapacity) { _ in OverlapState(frameLength: bands.frameLength) }
        }
        resetPrediction()
    }

    /// Decodes the first raw data block of a unit: parses it, reconstructs the spectra, and synthesises the samples.
    ///
    /// - Throws: ``AACError`` for a damaged unit, which changes nothing but ``elements`` and ``coupling``.
    mutating func decode(_ unit: Span<UInt8>) throws(AACError) {
        guard !unit.isEmpty else { throw .emptyAccessUnit }
        guard unit.count <= Self.maximumByteCount else { throw .accessUnitTooLong(byteCount: unit.count, maximum: Self.maximumByteCount) }
        reader.load(unit)
        replacedLayout = nil
        let wasOpen = isLayoutOpen
        do throws(AACError) {
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
        do throws(AACError) {
            try readBlock()
        } catch {
            return nil
        }
        return reader.bitPosition / 8
    }

    /// Writes the output at a full scale of ±1; channel `c` begins at `c * stride`.
    func mix(into output: inout MutableSpan<Float>, stride: Int) {
        if sbr.isActive {
            return sbr.mix(mixer, channelCount: outputChannelCount, into: &output, stride: stride)
        }
        let strides = ChannelMixer.Strides(input: Self.channelStride, output: stride)
        mixer.mix(samples.span, channelCount: layout.channelCount, into: &output, strides: strides, frameCount: bands.frameLength)
    }

    /// Discards all history, as at the beginning of a stream.
    mutating func reset() {
        spectrum = [8192 of Float](repeating: 0)
        for channel in 0..<Self.channelCapacity {
            overlaps[channel].reset()
            sequences[channel] = .onlyLong
        }
        coupling.discardSamples()
        reconstruction.noise = NoiseSynthesis()
        concealment = Concealment()
        resetPrediction()
        if sbr.isActive { sbr.start(layout) }
    }

    /// Resets the prediction of the object type, if it has one.
    private mutating func resetPrediction() {
        if profile == .main { mainPrediction = MainPrediction(channelCount: Self.channelCapacity) }
        guard profile == .longTermPrediction else { return }
        longTermPrediction = LongTermPrediction(channelCount: Self.channelCapacity, frameLength: bands.frameLength)
    }
}
