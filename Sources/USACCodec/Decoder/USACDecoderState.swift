// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

private struct ElementParts: BitwiseCopyable {
    let isExtension: Bool
    let hasSBR: Bool
    let hasSurround: Bool

    init(_ configuration: USACElementConfig) {
        isExtension = configuration.kind == .extension
        hasSBR = configuration.sbr != nil
        hasSurround = configuration.surround != nil
    }
}

/// The state of a decoder for one configuration, allocated once.
struct USACDecoderState: ~Copyable {
    let configuration: USACConfig
    /// The parts of the elements, in order.
    ///
    /// They contain no references, so decoding does not count any.
    private let parts: FixedArray<ElementParts>
    /// The core decoders of the elements with channels, in order.
    private var cores: FixedArray<CoreElement>
    private var filterBank: CoreFilterBank
    private let dequantizer: LineDequantizer
    /// The samples of the core channels, full scale ±32768.
    private var coreSamples: FixedArray<Float>
    /// The enhanced SBR decoders of the elements with channels, in order; empty without enhanced SBR.
    private var sbrElements: FixedArray<EnhancedSBRElement>
    /// The MPEG Surround decoders of pairs that use it, in order.
    private var surrounds: FixedArray<SurroundElement>
    /// The output samples of enhanced SBR, full scale ±32768; empty without enhanced SBR.
    private var outputSamples: FixedArray<Float>
    /// The number of consecutive losses.
    private var lossCount = 0

    init(_ configuration: USACConfig) {
        self.configuration = configuration
        parts = FixedArray(count: configuration.elements.count) { ElementParts(configuration.elements[$0]) }
        let elements = configuration.elements.filter { $0.kind != .extension }
        let (rate, length) = (configuration.coreSampleRate, configuration.coreFrameLength)
        cores = FixedArray(count: elements.count) { CoreElement(elements[$0], coreRate: rate, frameLength: length) }
        filterBank = CoreFilterBank(frameLength: length)
        dequantizer = LineDequantizer(ScaleFactorBands(coreRate: rate, frameLength: length))
        let hasSBR = configuration.sbrRatio != .none
        sbrElements = FixedArray(count: hasSBR ? elements.count : 0) {
            EnhancedSBRElement(
                elements[$0].sbr ?? USACSBRConfig(), channelCount: max(1, elements[$0].sbrChannelCount),
                outputCount: elements[$0].channelCount, stream: configuration)
        }
        let layout = SlotLayout(coreFrameLength: length, analysisBandCount: length / (configuration.sbrRatio == .fourToOne ? 64 : 32))
        let mixed = hasSBR ? elements.indices.filter { elements[$0].surround != nil } : []
        surrounds = FixedArray(count: mixed.count) {
            SurroundElement(
                elements[mixed[$0]].surround ?? MPEGSurround212Config(), stereoConfigIndex: elements[mixed[$0]].stereoConfigIndex,
                element: mixed[$0], layout: layout)
        }
        outputSamples = FixedArray(repeating: 0, count: hasSBR ? configuration.channelCount * configuration.frameLength : 0)
        coreSamples = FixedArray(repeating: 0, count: elements.reduce(0) { $0 + $1.coreChannelCount } * length)
    }

    /// Decodes a frame at the reader's position.
    ///
    /// - Throws: `CodecError` if the frame is damaged. Call ``conceal()`` then.
    mutating func decode(_ reader: inout BitReader) throws(CodecError) {
        try parse(&reader)
        lossCount = 0
        var samples = coreSamples.mutableSpan
        var first = 0
        for index in 0..<cores.count {
            cores[index].decode(dequantizer: dequantizer, filterBank: &filterBank, into: &samples, at: first)
            first += cores[index].channelCount * filterBank.frameLength
        }
        startFrames()
        extendBands()
    }

    /// Reads a frame, which takes effect with ``startFrames()``.
    ///
    /// - Throws: `CodecError` if the frame is damaged.
    private mutating func parse(_ reader: inout BitReader) throws(CodecError) {
        do throws(CodecError) {
            try read(&reader)
        } catch {
            invalidateContexts()
            throw error
        }
    }

    /// Marks the values to which later frames refer as unknown.
    private mutating func invalidateContexts() {
        for index in 0..<cores.count { cores[index].invalidateContexts() }
    }

    private mutating func startFrames() {
        for index in 0..<sbrElements.count where cores[index].configuration.sbr != nil { sbrElements[index].startFrame() }
        for index in 0..<surrounds.count { surrounds[index].synthesis.startFrame() }
    }

    /// Returns the level fields of the frame at the reader's position, and advances like ``decode(_:)`` without a signal.
    ///
    /// - Throws: `CodecError` if the frame is damaged.
    mutating func gainFields(_ reader: inout BitReader) throws(CodecError) -> GainFields {
        try parse(&reader)
        var fields = GainFields()
        for index in 0..<cores.count {
            let isSilent = cores[index].addGainFields(to: &fields)
            if index < sbrElements.count, cores[index].configuration.sbr != nil {
                sbrElements[index].addGainFields(isSilent: isSilent, chain: 2 * index, to: &fields)
            }
        }
        startFrames()
        return fields
    }

    /// Extends the spectra of all elements with enhanced SBR, if used.
    private mutating func extendBands() {
        var (core, target, mixed) = (0, 0, 0)
        for index in 0..<sbrElements.count {
            let count = cores[index].channelCount
            if mixed < surrounds.count && surrounds[mixed].element == index {
                surrounds[mixed].load(coreSamples.span.extracting(core..<core + count * configuration.coreFrameLength))
                mix(mixed, at: target)
                mixed += 1
                target += 2 * configuration.frameLength
            } else {
                for channel in 0..<count {
                    let first = core + channel * configuration.coreFrameLength
                    sbrElements[index].extend(
                        channel, core: coreSamples.span.extracting(first..<first + configuration.coreFrameLength))
                    synthesize(channel, ofElement: index, at: target)
                    target += configuration.frameLength
                }
            }
            core += count * configuration.coreFrameLength
        }
    }

    /// Synthesizes the samples of a channel after enhanced SBR.
    private mutating func synthesize(_ channel: Int, ofElement index: Int, at target: Int) {
        var output = outputSamples.mutableSpan
        sbrElements[index].element.synthesize(channel, into: &output, at: target)
    }

    /// Extends the spectrum of a pair that uses MPEG Surround.
    ///
    /// - Parameter mixed: The index of the pair in ``surrounds``.
    private mutating func mix(_ mixed: Int, at target: Int) {
        let index = surrounds[mixed].element
        if surrounds[mixed].stereoConfigIndex == 3 {
            surrounds[mixed].decodeCore()
            for channel in 0..<2 {
                surrounds[mixed].storeOutput(channel, bandCount: sbrElements[index].element.settings.lowBandCount)
                sbrElements[index].extend(channel, qmfSlots: surrounds[mixed].outputQMFSlots)
                synthesize(channel, ofElement: index, at: target + channel * configuration.frameLength)
            }
            return
        }
        surrounds[mixed].extendDownmix(by: &sbrElements[index])
        surrounds[mixed].decode(after: sbrElements[index].element)
        sbrElements[index].element.channels[0].advance()
        var output = outputSamples.mutableSpan
        for channel in 0..<2 {
            surrounds[mixed].synthesize(channel, into: &output, at: target + channel * configuration.frameLength)
        }
    }

    private mutating func read(_ reader: inout BitReader) throws(CodecError) {
        let isIndependent = reader.readFlag()
        var index = 0
        for position in 0..<parts.count {
            let part = parts[position]
            if part.isExtension {
                _ = try ExtensionElement(reading: &reader, configuration.elements[position])
                continue
            }
            try cores[index].read(from: &reader, isIndependent: isIndependent)
            if part.hasSBR { try sbrElements[index].read(from: &reader, isIndependent: isIndependent) }
            if part.hasSurround {
                for surround in 0..<surrounds.count where surrounds[surround].element == index {
                    try surrounds[surround].synthesis.read(from: &reader, isIndependent: isIndependent)
                }
            }
            index += 1
        }
        guard !reader.hasOverrun else { throw .truncated(byteCount: reader.bitCount / 8) }
        guard reader.bitsRemaining < 8 else { throw .excessBits(reader.bitsRemaining) }
    }

    /// Synthesizes a frame that replaces a lost or damaged one.
    mutating func conceal() {
        lossCount += 1
        invalidateContexts()
        var samples = coreSamples.mutableSpan
        var first = 0
        for index in 0..<cores.count {
            cores[index].conceal(lossCount: lossCount, filterBank: &filterBank, into: &samples, at: first)
            first += cores[index].channelCount * filterBank.frameLength
        }
        concealBands()
    }

    /// Extends the spectra of a frame without data of enhanced SBR and MPEG Surround.
    private mutating func concealBands() {
        for index in 0..<sbrElements.count { sbrElements[index].concealFrame() }
        for index in 0..<surrounds.count { surrounds[index].synthesis.concealFrame() }
        extendBands()
    }

    /// Synthesizes the output that the previous frames contribute to the next.
    ///
    /// The state cannot decode further frames afterwards.
    mutating func drain() {
        var samples = coreSamples.mutableSpan
        var first = 0
        for index in 0..<cores.count {
            cores[index].drain(filterBank: filterBank, into: &samples, at: first)
            first += cores[index].channelCount * filterBank.frameLength
        }
        concealBands()
    }

    var isFinite: Bool { outputSamples.count > 0 ? outputSamples.span.hasFiniteSum : coreSamples.span.hasFiniteSum }

    /// Borrows the samples of an output channel, full scale ±32768.
    @_lifetime(borrow self)
    func samples(ofChannel channel: Int) -> Span<Float> {
        (outputSamples.count > 0 ? outputSamples.span : coreSamples.span).extracting(
            channel * configuration.frameLength..<(channel + 1) * configuration.frameLength)
    }
}
