// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding

/// The SBR decoders of all elements of a stream, with parametric stereo for a mono stream (ISO/IEC 14496-3:2009, 4.6.18 and 8.6.4).
package struct SBRDecoderState: ~Copyable {
    /// The use of SBR according to the stream configuration.
    package struct Configuration {
        /// The core sample rate, in hertz.
        var coreRate: Int
        /// The core's frame length, 1024 or 960.
        var coreFrameLength: Int
        /// Whether the stream may contain SBR.
        var isPermitted = false
        /// Whether the stream contains SBR from the first access unit on.
        var isAnnounced = false
        /// Whether the output has the core sample rate (downsampled SBR, ISO/IEC 14496-3:2009, 4.6.18.4.3).
        var isDownsampled = false
        /// Whether a mono stream may contain parametric stereo.
        var permitsStereo = false
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        /// Low delay SBR of AAC-ELD; `nil` for other types.
        var lowDelay: ELDSpecificConfig.LowDelaySBR?
        /// The AAC-ELD filter bank.
        ///
        /// AAC-ELD v2 uses the filter bank of low delay MPEG Surround.
        var bank = QMFBank.lowDelay
        #else
        /// Not used.
        var bank: QMFBank { .standard }
        /// Always `nil`: small builds omit low delay.
        var lowDelay: ELDSpecificConfig.LowDelaySBR? { nil }
        #endif

        /// Derives the use of SBR from the stream configuration (ISO/IEC 14496-3:2009, 1.6.5 and 1.6.6).
        package init(_ configuration: AudioSpecificConfig, coreFrameLength: Int) {
            let extensionConfig = configuration.extensionConfig
            coreRate = configuration.sampleRate
            self.coreFrameLength = coreFrameLength
            // AAC-LD cannot contain SBR.
            isPermitted = extensionConfig.hasSBR != false && configuration.objectType != .aacLD
            isAnnounced = isPermitted && extensionConfig.hasSBR == true
            isDownsampled = isAnnounced && extensionConfig.sampleRate == configuration.sampleRate
            permitsStereo = extensionConfig.hasParametricStereo != false
            #if !hasFeature(Embedded) || LINNET_LOW_DELAY
            guard let sbr = configuration.enhancedLowDelay?.sbr else { return }
            (lowDelay, isPermitted, isAnnounced, isDownsampled, permitsStereo) = (sbr, true, true, !sbr.isDualRate, false)
            if configuration.lowDelaySurround != nil { bank = .lowDelaySurround }
            #endif
        }
    }

    let configuration: Configuration
    /// The number of starts.
    ///
    /// The output format may change with each.
    private(set) var version = 0
    /// Whether a mono stream decodes to two channels.
    ///
    /// They are equal until parametric stereo starts.
    private(set) var isStereo = false
    /// Whether each element's last payload had a checksum, one bit each.
    private(set) var isChecked: UInt8 = 0
    /// Whether a payload of the last access unit could not be decoded.
    var hasLoss = false
    /// The output of each channel with a full scale of ±32768; empty before the start.
    private var samples = FixedArray<Float>(repeating: 0, count: 0)
    /// One decoder per layout element; empty before the start.
    private(set) var elements: [SBRElementDecoder] = []
    /// One decoder per independently switched coupling channel, created with the first one.
    private var couplingElements: [SBRElementDecoder] = []
    /// The output of the coupling channels; empty before the first one.
    private var couplingSamples = FixedArray<Float>(repeating: 0, count: 0)

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// Whether SBR has started.
    ///
    /// All channels then pass through it.
    var isActive: Bool { !elements.isEmpty }

    /// Output frames per access unit.
    var frameLength: Int { configuration.isDownsampled ? configuration.coreFrameLength : 2 * configuration.coreFrameLength }

    /// The output sample rate, in hertz.
    var sampleRate: Int { configuration.isDownsampled ? configuration.coreRate : 2 * configuration.coreRate }

    /// The output delay relative to the core alone, in output sample frames (ISO/IEC 14496-3:2009, 4.6.18).
    var delay: Int {
        if configuration.lowDelay != nil { return configuration.isDownsampled ? 32 : 64 }
        return configuration.isDownsampled ? 481 : 962
    }

    /// Starts SBR for a layout, or resets it to the start of a stream.
    mutating func start(_ layout: ElementLayout) {
        var headers = (configuration.lowDelay?.headers ?? [])[...]
        isStereo = configuration.permitsStereo && layout.slots.count == 1 && layout.channelCount == 1
        let count = (isStereo ? 2 : layout.channelCount) * frameLength
        if samples.count < count { samples = FixedArray(repeating: 0, count: count) }
        elements = layout.slots.indices.map { index in
            let element = layout.slots[index].element
            let own = element == .lowFrequency ? nil : headers.popFirst()
            return SBRElementDecoder(
                coreRate: configuration.coreRate, coreFrameLength: configuration.coreFrameLength, channelCount: element.channelCount,
                isDownsampled: configuration.isDownsampled, permitsStereo: isStereo,
                lowDelayHeaders: configuration.lowDelay.map { _ in own.map { [SBRHeader($0)] } ?? [] }, lowDelayBank: configuration.bank)
        }
        couplingElements = []
        version += 1
    }

    /// Parses an element's payload, including the extension type.
    ///
    /// It takes effect with the next frame.
    mutating func read(_ payload: Range<Int>, of index: Int, from reader: inout BitReader) {
        guard payload.count >= 4 else { return }
        reader.skip(payload.lowerBound - reader.bitPosition)
        let type = ExtensionType(rawValue: UInt8(reader.read(4)))
        let hasChecksum = type == .checkedSpectralBandReplication
        let bit: UInt8 = 1 << UInt8(index)
        isChecked = hasChecksum ? isChecked | bit : isChecked & ~bit
        _ = elements[index].read(from: &reader, end: payload.upperBound, isChecked: hasChecksum)
        if elements[index].hasLoss { hasLoss = true }
    }

    /// Reads the SBR data of all elements of an AAC-ELD access unit, which are contiguous.
    ///
    /// - Throws: `CodecError.truncated`.
    mutating func readLowDelay(_ layout: ElementLayout, from reader: inout BitReader) throws(CodecError) {
        guard let lowDelay = configuration.lowDelay else { return }
        for index in layout.slots.indices where layout.slots[index].element != .lowFrequency {
            elements[index].readLowDelay(from: &reader, isChecked: lowDelay.hasChecksum)
            if elements[index].hasLoss { hasLoss = true }
        }
        guard reader.hasOverrun else { return }
        for element in elements { element.discard() }
        throw .truncated(byteCount: reader.bitCount / 8)
    }

    mutating func synthesize(_ index: Int, slot: ElementLayout.Slot, core: Span<Float>) {
        let element = elements[index]
        element.startFrame()
        let (first, frameLength) = (slot.firstChannel, frameLength)
        var output = samples.mutableSpan
        for channel in first..<first + slot.element.channelCount {
            let input = core.extracting(channel * configuration.coreFrameLength..<(channel + 1) * configuration.coreFrameLength)
            if isStereo {
                element.synthesizeStereo(core: input, into: &output, left: 0, right: frameLength)
            } else {
                element.synthesize(channel - first, core: input, into: &output, at: channel * frameLength)
            }
        }
    }

    /// Starts the next frame of all elements without synthesizing it.
    func startFrames() {
        for element in elements + couplingElements { element.startFrame() }
    }

    /// Adds the level fields of the payload read last of an element, or of a coupling channel.
    func addGainFields(of index: Int, ofCoupling isCoupling: Bool, isSilent: SIMD2<UInt8>, to fields: inout GainFields) {
        let list = isCoupling ? couplingElements : elements
        guard index < list.count else { return }
        list[index].addGainFields(isSilent: isSilent, chain: 2 * (isCoupling ? elements.count + index : index), to: &fields)
    }

    /// Extends the spectrum of the mono core of AAC-ELD v2, and passes its time slots to MPEG Surround.
    func extend(_ core: Span<Float>, into surround: LowDelaySurroundDecoder) {
        elements[0].startFrame()
        elements[0].extend(core, into: surround)
    }

    /// Parses the payload of a coupling channel.
    mutating func readCoupling(_ payload: Range<Int>, of index: Int, from reader: inout BitReader) {
        guard payload.count >= 4 else { return }
        makeCouplingElements()
        reader.skip(payload.lowerBound - reader.bitPosition)
        let type = ExtensionType(rawValue: UInt8(reader.read(4)))
        _ = couplingElements[index].read(from: &reader, end: payload.upperBound, isChecked: type == .checkedSpectralBandReplication)
        if couplingElements[index].hasLoss { hasLoss = true }
    }

    /// Synthesizes the output of a coupling channel from a core frame.
    mutating func synthesizeCoupling(_ index: Int, core: Span<Float>) {
        makeCouplingElements()
        let element = couplingElements[index]
        element.startFrame()
        let first = index * frameLength
        var output = couplingSamples.mutableSpan
        element.synthesize(0, core: core, into: &output, at: first)
    }

    /// Creates the coupling channels' decoders if necessary.
    private mutating func makeCouplingElements() {
        guard couplingElements.isEmpty else { return }
        couplingSamples = FixedArray(repeating: 0, count: CouplingState.capacity * frameLength)
        couplingElements = (0..<CouplingState.capacity).map { _ in
            SBRElementDecoder(
                coreRate: configuration.coreRate, coreFrameLength: configuration.coreFrameLength, channelCount: 1,
                isDownsampled: configuration.isDownsampled, permitsStereo: false)
        }
    }

    /// Adds a coupling channel to an output channel, with a gain.
    mutating func addCoupling(_ index: Int, factor: Float, toChannel channel: Int) {
        let (source, target, count) = (index * frameLength, channel * frameLength, frameLength)
        let input = couplingSamples.span
        var output = samples.mutableSpan
        for frame in stride(from: 0, to: count, by: 4) {
            output.store(output.vector(at: target + frame) + input.vector(at: source + frame) * factor, at: target + frame)
        }
    }

    func mix(_ mixer: ChannelMixer, channelCount: Int, into output: inout MutableSpan<Float>, stride: Int) {
        let strides = ChannelMixer.Strides(input: frameLength, output: stride)
        mixer.mix(samples.span, channelCount: channelCount, into: &output, strides: strides, frameCount: frameLength)
    }
}

extension SBRHeader {
    /// Creates the header from its encoded form in a configuration.
    fileprivate init(_ header: ELDSpecificConfig.Header) {
        var writer = BitWriter(byteCapacity: 8)
        writer.write(header.bits, count: header.bitCount)
        var reader = BitReader(writer.bytes)
        self.init(reading: &reader)
    }
}
