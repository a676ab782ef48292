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
        coreSamples = FixedArray(repeating: 0, count: elements.reduce(0) { $0 + $1.coreChannelCount } * length)
    }

    /// Returns the first tool of a configuration that is not supported; nil if all are.
    static func unsupportedTool(of configuration: USACConfig) -> USACError.Tool? {
        if configuration.elements.contains(where: { $0.surround != nil }) { return .mpegSurround }
        return configuration.sbrRatio != .none ? .spectralBandReplication : nil
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
        coreSamples.span.extracting(channel * configuration.frameLength..<(channel + 1) * configuration.frameLength)
    }
}
