// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The state of a decoder of one configuration, allocated once.
struct USACDecoderState: ~Copyable {
    /// The configuration.
    let configuration: USACConfig
    /// The core decoders of the elements with channels, in order.
    private var cores: FixedArray<CoreElement>
    /// The transforms of the core.
    private var filterBank: CoreFilterBank
    /// Inverse quantisation.
    private let dequantizer = LineDequantizer()
    /// The samples of the core channels, ±32768 at full scale.
    private var coreSamples: FixedArray<Float>
    /// Enhanced SBR of the elements with channels, in order; empty without it.
    private var replications: FixedArray<EnhancedSBRElement>
    /// The synthesis filter banks of the same elements.
    private var syntheses: FixedArray<ElementSynthesis>
    /// The samples of the output of enhanced SBR, ±32768 at full scale; empty without it.
    private var outputSamples: FixedArray<Float>
    /// The consecutive losses.
    private var lossCount = 0

    /// Makes the state at the beginning of a stream.
    ///
    /// - Parameter configuration: A configuration that ``unsupportedTool(of:)`` finds nothing in.
    init(_ configuration: USACConfig) {
        self.configuration = configuration
        let elements = configuration.elements.filter { $0.kind != .extension }
        let (rate, length) = (configuration.coreSampleRate, configuration.coreFrameLength)
        cores = FixedArray(count: elements.count) { CoreElement(elements[$0], coreRate: rate, frameLength: length) }
        filterBank = CoreFilterBank(frameLength: length)
        let hasSBR = configuration.sbrRatio != .none
        replications = FixedArray(count: hasSBR ? elements.count : 0) {
            EnhancedSBRElement(
                elements[$0].sbr ?? USACSBRConfig(), channelCount: max(1, elements[$0].sbrChannelCount), stream: configuration)
        }
        syntheses = FixedArray(count: hasSBR ? elements.count : 0) { ElementSynthesis(channelCount: elements[$0].channelCount) }
        outputSamples = FixedArray(repeating: 0, count: hasSBR ? configuration.channelCount * configuration.frameLength : 0)
        coreSamples = FixedArray(repeating: 0, count: elements.reduce(0) { $0 + $1.coreChannelCount } * length)
    }

    /// Returns the first tool of a configuration that is not supported; nil if all are.
    static func unsupportedTool(of configuration: USACConfig) -> USACError.Tool? {
        configuration.elements.contains { $0.surround != nil } ? .mpegSurround : nil
    }

    /// Decodes a frame from the reader's position.
    ///
    /// - Throws: ``USACError`` for a damaged frame, which is to be concealed then.
    mutating func decode(_ reader: inout BitReader) throws(USACError) {
        do throws(USACError) {
            try read(&reader)
        } catch {
            for index in 0..<cores.count { cores[index].invalidateContexts() }
            throw error
        }
        lossCount = 0
        var samples = coreSamples.mutableSpan
        var first = 0
        for index in 0..<cores.count {
            cores[index].decode(dequantizer: dequantizer, filterBank: &filterBank, into: &samples, at: first)
            first += cores[index].channelCount * filterBank.frameLength
        }
        for index in 0..<replications.count where cores[index].configuration.sbr != nil { replications[index].beginFrame() }
        extendBands()
    }

    /// Extends the spectra of all elements by enhanced SBR, if there is any.
    private mutating func extendBands() {
        var (core, target) = (0, 0)
        let length = configuration.coreFrameLength
        for index in 0..<replications.count {
            for channel in 0..<replications[index].channelCount {
                replications[index].extend(channel, core: coreSamples.span.extracting(core..<core + length))
                var output = outputSamples.mutableSpan
                syntheses[index].synthesize(channel, of: replications[index], into: &output, at: target)
                replications[index].advance(channel)
                core += length
                target += configuration.frameLength
            }
        }
    }

    /// Reads all elements of a frame.
    private mutating func read(_ reader: inout BitReader) throws(USACError) {
        let isIndependent = reader.readFlag()
        var index = 0
        for element in configuration.elements {
            if element.kind == .extension {
                _ = try ExtensionElement(reading: &reader, element)
                continue
            }
            try cores[index].read(from: &reader, isIndependent: isIndependent)
            if element.sbr != nil { try replications[index].read(from: &reader, isIndependent: isIndependent) }
            index += 1
        }
        guard !reader.hasOverrun else { throw .truncated(availableBits: reader.bitCount, neededBits: reader.bitPosition) }
        guard reader.bitsRemaining < 8 else { throw .excessBits(reader.bitsRemaining) }
    }

    /// Synthesises a frame in place of one that is lost or damaged.
    mutating func conceal() {
        lossCount += 1
        var samples = coreSamples.mutableSpan
        var first = 0
        for index in 0..<cores.count {
            cores[index].conceal(lossCount: lossCount, filterBank: &filterBank, into: &samples, at: first)
            first += cores[index].channelCount * filterBank.frameLength
        }
        for index in 0..<replications.count { replications[index].concealFrame() }
        extendBands()
    }

    /// Synthesises what the frame before leaves for the next, with nothing added to it; nothing else can be decoded after that.
    mutating func drain() {
        var samples = coreSamples.mutableSpan
        var first = 0
        for index in 0..<cores.count {
            cores[index].drain(filterBank: filterBank, into: &samples, at: first)
            first += cores[index].channelCount * filterBank.frameLength
        }
    }

    /// Borrows the samples of a channel of the output, ±32768 at full scale.
    @_lifetime(borrow self)
    func samples(ofChannel channel: Int) -> Span<Float> {
        (outputSamples.count > 0 ? outputSamples.span : coreSamples.span).extracting(
            channel * configuration.frameLength..<(channel + 1) * configuration.frameLength)
    }
}
