// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// Spectral band replication of all elements of a stream, and parametric stereo of a mono one.
struct BandReplication: ~Copyable {
    /// What the configuration says.
    struct Terms {
        /// The sample rate of the core in hertz.
        var coreRate = 0
        /// Samples of a core frame, 1024 or 960.
        var coreFrameLength = 1024
        /// Whether the stream may have it.
        var isPermitted = false
        /// Whether the stream has it from the first unit on.
        var isAnnounced = false
        /// Whether the output has the rate of the core.
        var isDownsampled = false
        /// Whether a mono stream may turn out to be stereo.
        var permitsStereo = false

        /// Terms that exclude it.
        init() {}

        /// The terms of a configuration (ISO/IEC 14496-3:2009, 1.6.5 and 1.6.6).
        init(_ configuration: AudioSpecificConfig, coreFrameLength: Int) {
            let extensionConfig = configuration.extensionConfig
            coreRate = configuration.sampleRate
            self.coreFrameLength = coreFrameLength
            isPermitted = extensionConfig.hasSBR != false
            isAnnounced = extensionConfig.hasSBR == true
            isDownsampled = isAnnounced && extensionConfig.sampleRate == configuration.sampleRate
            permitsStereo = extensionConfig.hasParametricStereo != false
        }
    }

    /// Floats from one channel to the next in ``samples``.
    static let channelStride = 2048

    /// What the configuration says.
    var terms = Terms()
    /// Goes up each time it starts, and the output changes with it.
    private(set) var version = 0
    /// Whether two channels come out of a mono stream, alike until parametric stereo begins.
    private(set) var isStereo = false
    /// Whether the last payload of an element had a checksum, one bit an element.
    private(set) var isChecked: UInt8 = 0
    /// Samples of each channel at ±32768.
    private var samples = [16384 of Float](repeating: 0)
    /// A decoder for each element of the layout; none while there is no replication.
    private(set) var elements: [SBRElementDecoder] = []
    /// A decoder for each independently switched coupling channel, made when the first one comes.
    private var couplingElements: [SBRElementDecoder] = []
    /// Their samples.
    private var couplingSamples = [4096 of Float](repeating: 0)

    /// Makes one that has not started.
    init() {}

    /// Whether it has started; then all channels have passed through it since.
    var isActive: Bool { !elements.isEmpty }

    /// Sample frames of a unit that come out.
    var frameLength: Int { terms.isDownsampled ? terms.coreFrameLength : 2 * terms.coreFrameLength }

    /// The rate of what comes out in hertz.
    var sampleRate: Int { terms.isDownsampled ? terms.coreRate : 2 * terms.coreRate }

    /// Sample frames by which the output is later than that of the core alone (ISO/IEC 14496-3:2009, 4.6.18).
    var delay: Int { terms.isDownsampled ? 481 : 962 }

    /// Starts for a layout, or goes back to the beginning of a stream.
    mutating func start(_ layout: ElementLayout) {
        elements = (0..<layout.slotCount).map { place in
            SBRElementDecoder(
                coreRate: terms.coreRate, coreFrameLength: terms.coreFrameLength,
                channelCount: layout.slots[place].element.channelCount, isDownsampled: terms.isDownsampled)
        }
        couplingElements = []
        isStereo = terms.permitsStereo && layout.slotCount == 1 && layout.channelCount == 1
        version += 1
    }

    /// Reads the payload of an element, extension type included; it takes effect with the next frame.
    mutating func read(_ payload: Range<Int>, of place: Int, from reader: inout BitReader) {
        guard payload.count >= 4 else { return }
        reader.skip(payload.lowerBound - reader.bitPosition)
        let type = ExtensionType(rawValue: UInt8(reader.read(4)))
        let hasChecksum = type == .checkedSpectralBandReplication
        let bit: UInt8 = 1 << UInt8(place)
        isChecked = hasChecksum ? isChecked | bit : isChecked & ~bit
        _ = elements[place].read(from: &reader, end: payload.upperBound, isChecked: hasChecksum)
    }

    /// Makes the output of an element from a frame of its core.
    mutating func synthesize(_ place: Int, slot: ElementLayout.Slot, core: Span<Float>, coreStride: Int) {
        let element = elements[place]
        element.beginFrame()
        var output = samples.mutableSpan
        let first = slot.firstChannel
        for channel in first..<first + slot.element.channelCount {
            let input = core.extracting(channel * coreStride..<channel * coreStride + terms.coreFrameLength)
            if isStereo {
                element.synthesizeStereo(core: input, into: &output, left: 0, right: Self.channelStride)
            } else {
                element.synthesize(channel - first, core: input, into: &output, at: channel * Self.channelStride)
            }
        }
    }

    /// Reads the payload of a coupling channel.
    mutating func readCoupling(_ payload: Range<Int>, of index: Int, from reader: inout BitReader) {
        guard payload.count >= 4 else { return }
        makeCouplingElements()
        reader.skip(payload.lowerBound - reader.bitPosition)
        let type = ExtensionType(rawValue: UInt8(reader.read(4)))
        _ = couplingElements[index].read(from: &reader, end: payload.upperBound, isChecked: type == .checkedSpectralBandReplication)
    }

    /// Makes the output of a coupling channel from a frame of its core.
    mutating func synthesizeCoupling(_ index: Int, core: Span<Float>) {
        makeCouplingElements()
        let element = couplingElements[index]
        element.beginFrame()
        var output = couplingSamples.mutableSpan
        element.synthesize(0, core: core, into: &output, at: index * Self.channelStride)
    }

    private mutating func makeCouplingElements() {
        guard couplingElements.isEmpty else { return }
        couplingElements = (0..<CouplingState.capacity).map { _ in
            SBRElementDecoder(
                coreRate: terms.coreRate, coreFrameLength: terms.coreFrameLength, channelCount: 1, isDownsampled: terms.isDownsampled)
        }
    }

    /// Adds a coupling channel to a channel of the output.
    mutating func addCoupling(_ index: Int, factor: Float, toChannel channel: Int) {
        let (source, target, count) = (index * Self.channelStride, channel * Self.channelStride, frameLength)
        let input = couplingSamples.span
        var output = samples.mutableSpan
        for frame in stride(from: 0, to: count, by: 4) {
            output.store(output.vector(at: target + frame) + input.vector(at: source + frame) * factor, at: target + frame)
        }
    }

    /// Writes the samples that come out; see ``ChannelMixer``.
    func mix(_ mixer: ChannelMixer, channelCount: Int, into output: inout MutableSpan<Float>, stride: Int) {
        mixer.mix(
            samples.span, inputStride: Self.channelStride, channelCount: channelCount, into: &output, outputStride: stride,
            frameCount: frameLength)
    }
}

extension DecoderState {
    /// The number of channels behind band replication.
    var outputChannelCount: Int { replication.isStereo ? 2 : layout.channelCount }

    /// Sample frames of a unit that come out.
    var outputFrameLength: Int { replication.isActive ? replication.frameLength : bands.frameLength }

    /// Starts band replication if it is announced and the layout known, or if a payload of it has come.
    mutating func startReplication(hasPayload: Bool) {
        guard replication.terms.isPermitted, !replication.isActive, layout.slotCount > 0 else { return }
        if hasPayload || replication.terms.isAnnounced { replication.start(layout) }
    }

    /// Reads the payloads that the last unit brought, and leaves the reader where it is.
    mutating func readReplication() {
        var hasPayload = false
        for place in 0..<layout.slotCount where !elements[place].bandReplication.isEmpty { hasPayload = true }
        startReplication(hasPayload: hasPayload)
        guard replication.isActive else { return }
        let position = reader.bitPosition
        for place in 0..<layout.slotCount where !elements[place].bandReplication.isEmpty {
            replication.read(elements[place].bandReplication, of: place, from: &reader)
        }
        for index in 0..<coupling.count where coupling.elements[index].isIndependentlySwitched {
            replication.readCoupling(coupling.bandReplication[index], of: index, from: &reader)
        }
        reader.skip(position - reader.bitPosition)
    }

    /// Brings the samples of all elements through band replication.
    mutating func replicate() {
        guard replication.isActive else { return }
        for place in 0..<layout.slotCount {
            replication.synthesize(place, slot: layout.slots[place], core: samples.span, coreStride: Self.channelStride)
        }
    }
}
