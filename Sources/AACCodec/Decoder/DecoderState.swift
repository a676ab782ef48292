// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// One element with channels as a unit brings it.
struct DecodedElement: ~Copyable {
    /// The pair, or in its first half the only channel.
    var pair = ChannelPairElement()

    /// The bits of the element, behind its id.
    var bits = 0..<0

    /// The bits of the payload of spectral band replication that follows, its extension type included; empty if there is none.
    var bandReplication = 0..<0
}

/// What a decoder keeps from unit to unit, all of it in place.
///
/// A unit is read whole into ``elements`` first; only then lines, and the memory of the filter bank, move on.
struct DecoderState: ~Copyable {
    /// The most channels.
    static let channelCapacity = ElementLayout.maximumChannelCount

    /// Floats from one channel to the next in ``spectrum`` and ``samples``.
    static let channelStride = 1024

    /// Bytes that no sound unit reaches: four times 6144 bits in each of eight channels.
    static let maximumByteCount = 4 * 8 * 768

    let profile: CodingProfile
    let bands: ScaleFactorBands

    var reconstruction = ChannelReconstruction()

    /// The elements that units have.
    var layout: ElementLayout
    /// Whether the layout is still to be found in the stream.
    var isLayoutOpen: Bool
    /// Goes up with each change of the layout.
    var layoutVersion = 0
    /// From coded channels to those that come out.
    var mixer = ChannelMixer(sources: [])
    /// The program config element in force, if one came.
    var program: ProgramConfigElement?
    /// What a program config element of the unit that is being read has replaced.
    var displaced: DisplacedLayout?

    var reader = BitReader()
    /// What the last unit brought, by the place of the element in the layout.
    var elements = InlineArray<8, DecodedElement> { _ in DecodedElement() }
    /// The places of the elements of the last unit; ``spanCount`` of them, those behind the capacity are left out.
    var spans = InlineArray<64, ElementSpan>(repeating: ElementSpan(coverage: .none, bits: 0..<0))
    /// Elements of the last unit, as far as they are kept.
    var spanCount = 0
    /// Lines of each channel, window after window; after a unit they stay, for concealment.
    var spectrum = [8192 of Float](repeating: 0)
    /// Samples of each channel at ±32768.
    var samples = [8192 of Float](repeating: 0)
    var filterBank: FilterBank
    var overlaps = InlineArray<8, OverlapState> { _ in OverlapState() }
    /// The window sequence of each channel's last unit.
    var sequences = [8 of WindowSequence](repeating: .onlyLong)
    var coupling = CouplingState()
    /// Whether the lines of the last unit may need a limit.
    var needsLimit = false
    var concealment = Concealment()
    /// What the Main object type predicts from.
    var mainPrediction: MainPrediction?
    /// What the LTP object type predicts from.
    var longTermPrediction: LongTermPrediction?
    var replication = BandReplication()

    /// Makes a decoder at the beginning of a stream.
    init(profile: CodingProfile, bands: ScaleFactorBands, layout: ElementLayout) {
        self.profile = profile
        self.bands = bands
        self.layout = layout
        isLayoutOpen = layout.slotCount == 0
        filterBank = FilterBank(uses960: bands.frameLength == 960)
        resetPrediction()
    }

    /// Decodes the first raw data block of a unit to ``samples``.
    mutating func decode(_ unit: Span<UInt8>) throws(AACError) {
        guard !unit.isEmpty else { throw .emptyAccessUnit }
        guard unit.count <= Self.maximumByteCount else { throw .accessUnitTooLong(byteCount: unit.count, maximum: Self.maximumByteCount) }
        reader.load(unit)
        displaced = nil
        let wasOpen = isLayoutOpen
        do throws(AACError) {
            try readBlock()
        } catch {
            restoreLayout()
            throw error
        }
        if displaced != nil || wasOpen {
            layoutVersion += 1
            reset()
        }
        concealment.noteSound()
        readReplication()
        reconstruct()
        synthesize()
        replicate()
        coupleReplicated()
    }

    /// Writes the samples that come out at full scale ±1; channel `c` begins at `c * stride`.
    func mix(into output: inout MutableSpan<Float>, stride: Int) {
        if replication.isActive {
            return replication.mix(mixer, channelCount: outputChannelCount, into: &output, stride: stride)
        }
        mixer.mix(
            samples.span, inputStride: Self.channelStride, channelCount: layout.channelCount, into: &output, outputStride: stride,
            frameCount: bands.frameLength)
    }

    /// Forgets all history, as at the beginning of a stream.
    mutating func reset() {
        spectrum = [8192 of Float](repeating: 0)
        for channel in 0..<Self.channelCapacity {
            overlaps[channel] = OverlapState()
            sequences[channel] = .onlyLong
        }
        coupling.forgetSamples()
        reconstruction.noise = NoiseSynthesis()
        concealment = Concealment()
        resetPrediction()
        if replication.isActive { replication.start(layout) }
    }

    /// Begins prediction anew, if the object type has one.
    private mutating func resetPrediction() {
        if profile == .main { mainPrediction = MainPrediction(channelCount: Self.channelCapacity) }
        guard profile == .longTermPrediction else { return }
        longTermPrediction = LongTermPrediction(channelCount: Self.channelCapacity, frameLength: bands.frameLength)
    }
}
