// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio
package import TransformCoding

/// A decoder from AAC access units to 32-bit floating point samples (ISO/IEC 14496-3:2009, subpart 4).
///
/// Each access unit decodes to ``framesPerPacket`` sample frames, starting with the first access unit. The output includes the encoder's
/// priming. Access units from untrusted sources are safe to decode: damage never traps, and is concealed. Use a decoder from one thread at
/// a time.
///
/// ```swift
/// let decoder = try AACDecoder(reader.configuration)
/// var buffer = PCMBuffer(sampleRate: decoder.sampleRate, channelCount: 2, frameCapacity: decoder.framesPerPacket)
/// let outcome = decoder.decode(unit.payload.span, into: &buffer)
/// ```
public final class AACDecoder {
    /// The stream configuration.
    public let configuration: AudioSpecificConfig

    /// The channel order and channel count of the output.
    package let options: AACDecoderOptions

    /// All state that changes with each access unit.
    private var state: DecoderState

    /// Whether the last access unit was damaged or missing.
    ///
    /// Initially `true`.
    private var isDamaged = true

    /// The gain to the reference level at the end of the last access unit; `nil` before the first one with a level.
    private var levelGain: Float?

    /// The speakers of the output; `nil` if they are unknown, or until an access unit defines the layout.
    public private(set) var channelLayout: ChannelLayout?

    /// Creates a decoder for a stream.
    ///
    /// - Parameters:
    ///   - configuration: The stream configuration.
    ///   - options: The channel order and channel count of the output.
    /// - Throws: `CodecError.unsupportedObjectType` or `CodecError.tooManyChannels`.
    public convenience init(_ configuration: AudioSpecificConfig, options: AACDecoderOptions = AACDecoderOptions()) throws(CodecError) {
        // Before the decoder is allocated: Embedded Swift leaks an object whose initializer throws.
        self.init(try Setup(configuration), options)
    }

    /// The values that a decoder derives from its configuration.
    private struct Setup {
        let configuration: AudioSpecificConfig
        let syntax: Syntax
        let bands: ScaleFactorBands
        let layout: ElementLayout

        /// Validates a configuration.
        ///
        /// - Throws: `CodecError.unsupportedObjectType` or `CodecError.tooManyChannels`.
        init(_ configuration: AudioSpecificConfig) throws(CodecError) {
            guard let syntax = Syntax(configuration.objectType), let frameLength = configuration.frameLength else {
                throw .unsupportedObjectType(configuration.objectType.rawValue)
            }
            self.configuration = configuration
            self.syntax = syntax
            let index = SamplingFrequencyIndex(nearestTo: configuration.sampleRate).rawValue
            bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: frameLength)
            if let channels = configuration.channelConfiguration {
                if !syntax.hasElementIDs, channels.rawValue > 6 { throw .unsupportedChannelConfiguration(channels.rawValue) }
                layout = ElementLayout(channels)
            } else if let program = configuration.programConfig {
                layout = try ElementLayout(program)
            } else if !syntax.hasElementIDs {
                throw .unsupportedChannelConfiguration(0)
            } else {
                layout = ElementLayout()
            }
        }
    }

    private init(_ setup: Setup, _ options: AACDecoderOptions) {
        configuration = setup.configuration
        self.options = options
        state = DecoderState(
            syntax: setup.syntax, bands: setup.bands, layout: setup.layout,
            sbr: SBRDecoderState.Configuration(configuration, coreFrameLength: setup.bands.frameLength),
            resilience: configuration.errorResilience, options: options)
        state.program = configuration.programConfig
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        state.surround = configuration.lowDelaySurround.map { LowDelaySurroundDecoder($0) }
        #endif
        state.startSBR(hasPayload: false)
        updateOutput()
    }

    /// The output sample rate, in hertz.
    public var sampleRate: Int { state.sbr.isActive ? state.sbr.sampleRate : configuration.sampleRate }

    /// The output channel count; 0 until an access unit defines the layout.
    public var channelCount: Int { state.mixer.outputCount }

    /// The number of sample frames per decoded access unit.
    public var framesPerPacket: Int { state.outputFrameLength }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var frameLength: Int { framesPerPacket }

    /// The decoder delay, in output sample frames: the delay of SBR or low delay MPEG Surround, otherwise 0.
    public var delay: Int { state.surround?.surround.delay ?? (state.sbr.isActive ? state.sbr.delay : 0) }

    /// The program's level below full scale that the stream signals (`prog_ref_level`), in steps of 0.25 dB; `nil` until it does.
    package var programReferenceLevel: Int? { state.dynamicRange.referenceLevel }

    /// The element spans of the last access unit, for the ADTS checksum; empty if it was damaged or lost, and after a reset.
    public var elementSpans: [ElementSpan] { (0..<state.spanCount).map { state.spans[$0] } }

    /// The tools used in the last access unit, by element; empty if it was damaged or lost, and after a reset.
    ///
    /// Each access computes and allocates the list.
    package var codingTools: [ElementTools] { isDamaged ? [] : state.codingTools() }

    /// Discards the history, as after a seek in the stream.
    ///
    /// The first access unit fades in.
    public func reset() {
        state.reset()
        state.spanCount = 0
        isDamaged = true
        levelGain = nil
    }

    /// Decodes an access unit, or its first raw data block, into a new buffer.
    ///
    /// After an error, decoding continues with the next access unit. For streams, ``decode(_:into:)`` conceals damage and does not
    /// allocate.
    ///
    /// - Parameter accessUnit: The access unit.
    /// - Returns: ``framesPerPacket`` sample frames; none until an access unit defines the layout.
    /// - Throws: `CodecError` if the access unit is damaged.
    public func decode(_ accessUnit: AccessUnit) throws(CodecError) -> PCMBuffer {
        var buffer = PCMBuffer(
            sampleRate: sampleRate, channelCount: max(1, channelCount), frameCapacity: framesPerPacket, frameCount: 0)
        if let damage = accessUnit.payload.withSpan({ decode($0, into: &buffer) }).damage { throw damage }
        return buffer
    }

    /// Decodes an access unit, or its first raw data block, and conceals damage.
    ///
    /// The buffer is empty while the layout is unknown.
    ///
    /// - Parameters:
    ///   - accessUnit: The bytes of the access unit.
    ///   - buffer: The output buffer. It is reused without allocation if it has the output's sample rate, channel count and capacity;
    ///     otherwise it is replaced.
    /// - Returns: The damage, the number of bytes read, and whether the format has changed or the high band is lost.
    public func decode(_ accessUnit: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult {
        var damage: CodecError?
        let layoutVersion = state.layoutVersion &+ state.sbr.version
        do throws(CodecError) {
            try state.decode(accessUnit)
        } catch {
            damage = error
            state.conceal()
        }
        isDamaged = damage != nil
        if state.layoutVersion &+ state.sbr.version != layoutVersion { updateOutput() }
        let byteCount = damage == nil ? state.reader.bitPosition / 8 : accessUnit.count
        return DecodeResult(
            damage: damage, byteCount: byteCount, hasNewFormat: deliver(into: &buffer), lacksHighBand: damage == nil && state.sbr.hasLoss)
    }

    /// Returns the length of the first raw data block in `bytes`, by parsing it without decoding.
    ///
    /// ADIF has no other way to find block lengths. The call does not affect later decoding.
    ///
    /// - Parameter bytes: All available bytes from the start of the block.
    /// - Returns: The length in bytes, or `nil` if the block is damaged or incomplete.
    package func blockByteCount(_ bytes: Span<UInt8>) -> Int? { state.blockByteCount(bytes) }

    /// Parses an access unit without decoding it, and returns its level fields.
    ///
    /// Use another decoder to decode the stream.
    ///
    /// - Throws: `CodecError` if the access unit is damaged.
    package func gainFields(of accessUnit: Span<UInt8>) throws(CodecError) -> GainFields { try state.gainFields(of: accessUnit) }

    /// Parses an access unit without decoding it, and returns its contents.
    ///
    /// Use another decoder to decode the stream.
    ///
    /// - Throws: `CodecError` if the access unit is damaged.
    package func parse(_ accessUnit: Span<UInt8>) throws(CodecError) -> UnitContents { try state.parse(accessUnit) }

    /// Calls `body` with the first channel element of the access unit that was parsed last, with its pulses added.
    ///
    /// A single-channel element uses the first channel.
    package func withFirstElement<Failure: Error>(_ body: (borrowing ChannelPairElement) throws(Failure) -> Void) throws(Failure) {
        try body(state.elements[0].pair)
    }

    /// The SBR decoder of the first channel element, with the data of the access unit that was parsed last.
    ///
    /// `nil` without SBR.
    package var firstSBRElement: SBRElementDecoder? { state.sbr.elements.first }

    /// Conceals a lost access unit.
    ///
    /// - Parameter buffer: The output buffer, as in ``decode(_:into:)``.
    /// - Returns: A result without damage and with 0 bytes.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        isDamaged = true
        state.conceal()
        return DecodeResult(byteCount: 0, hasNewFormat: deliver(into: &buffer))
    }

    /// Writes the output to the buffer, replacing one that does not fit.
    ///
    /// Returns whether the buffer was replaced.
    private func deliver(into buffer: inout PCMBuffer) -> Bool {
        guard channelCount > 0 else {
            buffer.frameCount = 0
            return false
        }
        let fits = buffer.sampleRate == sampleRate && buffer.channelCount == channelCount && buffer.frameCapacity >= framesPerPacket
        if !fits { buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: framesPerPacket) }
        buffer.frameCount = framesPerPacket
        let stride = buffer.frameCapacity
        var samples = buffer.samples.mutableSpan
        state.mix(into: &samples, stride: stride)
        normalize(&samples, stride: stride)
        return !fits
    }

    /// Brings the program reference level to the requested one, with a linear transition if it changes.
    private func normalize(_ samples: inout MutableSpan<Float>, stride: Int) {
        guard options.referenceLevel != nil, let level = programReferenceLevel else { return }
        let current = options.factor(fromLevel: -Double(level) / 4)
        let start = levelGain ?? current
        let step = (current - start) / Float(framesPerPacket)
        for channel in 0..<channelCount {
            for frame in 0..<framesPerPacket { samples[channel * stride + frame] *= start + Float(frame + 1) * step }
        }
        levelGain = current
    }

    /// Updates the output layout and the mixer from the stream's layout and the options.
    private func updateOutput() {
        let count = state.outputChannelCount
        let coded =
            state.sbr.isStereo || state.surround != nil
            ? ChannelLayout([.left, .right])
            : state.program?.channelLayout ?? configuration.channelLayout ?? state.layout.impliedChannelLayout
        let known = coded?.channelCount == count ? coded : nil
        let target = options.downmix == .mono ? 1 : options.downmix == .stereo ? 2 : count
        if target < count {
            let (toMono, matrix) = (target == 1, state.program?.matrixMixdown)
            state.mixer =
                known.map { ChannelMixer(mixing: $0, toMono: toMono, matrix: matrix) } ?? ChannelMixer(mixing: count, toMono: toMono)
            channelLayout = ChannelLayout(toMono ? [.center] : [.left, .right])
        } else {
            channelLayout = options.channelOrder == .wav ? known?.inWAVOrder : known
            let order = known.flatMap { channelLayout?.permutation(from: $0) }
            state.mixer = ChannelMixer(sources: order ?? Array(0..<count))
        }
    }
}

/// The former name of ``/AudioPrimitives/DecodeResult``.
@available(*, deprecated, renamed: "DecodeResult")
public typealias DecodedUnit = DecodeResult
