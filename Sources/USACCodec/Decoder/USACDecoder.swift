// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio
internal import TransformCoding

/// Decodes unified speech and audio coding, the codec of xHE-AAC, one access unit after the other, to 32-bit floating point.
///
/// Each unit decodes to ``framesPerPacket`` sample frames, from the first one on. Decoding may begin at any unit; at one that carries an audio pre-roll
/// the output is whole from the first frame on. Units from untrusted sources are safe to decode: damage never traps, and is concealed. A decoder is
/// used by one thread at a time. ISO/IEC 23003-3.
public final class USACDecoder {
    /// The configuration that the decoder was made of.
    public let audioSpecificConfig: AudioSpecificConfig
    /// The configuration in force; one within an audio pre-roll replaces it.
    package private(set) var configuration: USACConfig
    /// The speakers of the output in the order of WAV files; nil if they are unknown.
    public private(set) var channelLayout: ChannelLayout?
    /// All that changes from unit to unit.
    private var state: USACDecoderState
    /// The decoded channel of each channel of the output.
    private var channelOrder: [Int] = []
    /// Whether units can have a pre-roll.
    private var hasPreRolls = false
    /// Whether the next unit begins a stream, or follows a seek or damage, so that its pre-roll is to be used.
    private var isStarting = true
    /// Whether a unit has been damaged since the last one that refers to no other.
    private var isFadingIn = false
    /// The readers of the current unit and of those within its pre-roll.
    private var readers = UnitReaders()
    /// The first samples that the configuration before leaves for a new one.
    private var crossfade = FixedArray<Float>(repeating: 0, count: USACConfig.maximumChannelCount * crossfadeLength)
    /// Whether ``crossfade`` is to be used.
    private var isCrossfading = false

    /// The samples of a crossfade.
    private static let crossfadeLength = 128

    /// Creates a decoder for a stream.
    ///
    /// - Parameter configuration: The configuration of the stream.
    /// - Throws: `CodecError.unsupportedObjectType`.
    public convenience init(_ configuration: AudioSpecificConfig) throws(CodecError) {
        guard let usac = configuration.usac else { throw .unsupportedObjectType(configuration.objectType.rawValue) }
        self.init(usac, of: configuration)
    }

    /// Creates a decoder for a configuration.
    private init(_ configuration: USACConfig, of audioSpecificConfig: AudioSpecificConfig) {
        self.audioSpecificConfig = audioSpecificConfig
        self.configuration = configuration
        state = USACDecoderState(configuration)
        updateLayout()
    }

    /// The sample rate of the output, in hertz.
    public private(set) var sampleRate = 0

    /// The number of channels of the output.
    public var channelCount: Int { channelOrder.count }

    /// The number of sample frames that a unit decodes to: 768, 1024, 2048 or 4096.
    public private(set) var framesPerPacket = 0

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var frameLength: Int { framesPerPacket }

    /// Discards the history, as after a seek in the stream; the pre-roll of the next unit is used.
    public func reset() {
        state = USACDecoderState(configuration)
        isStarting = true
        isFadingIn = false
    }

    /// Decodes a unit to a new buffer.
    ///
    /// After an error the decoder continues with the next unit. For a stream, ``decode(_:into:)`` conceals damage and allocates nothing.
    ///
    /// - Parameter unit: The access unit.
    /// - Returns: ``framesPerPacket`` sample frames.
    /// - Throws: `CodecError` if the unit is damaged.
    public func decode(_ unit: AccessUnit) throws(CodecError) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: framesPerPacket, frameCount: 0)
        if let damage = unit.payload.withSpan({ decode($0, into: &buffer) }).damage { throw damage }
        return buffer
    }

    /// Decodes a unit.
    ///
    /// A damaged unit is concealed, and its damage returned.
    ///
    /// - Parameters:
    ///   - unit: The bytes of the unit.
    ///   - buffer: The buffer for the output. One with the sample rate, the channel count and the capacity of the output keeps its storage, so
    ///     that nothing is allocated; any other is replaced.
    /// - Returns: The damage, and whether the format has changed.
    public func decode(_ unit: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult {
        var damage: CodecError?
        do throws(CodecError) {
            try decodeUnit(unit)
            isStarting = false
            if !state.isFinite {
                // Filters of damaged coefficients can grow without bound, and would stay so.
                state = USACDecoderState(configuration)
                throw .invalidSpectrum
            }
        } catch {
            damage = error
            isStarting = true
            isFadingIn = true
            isCrossfading = false
            state.conceal()
        }
        let hasNewFormat = deliver(into: &buffer, fadesIn: damage == nil && isFadingIn)
        if damage == nil { isFadingIn = false }
        return DecodeResult(damage: damage, byteCount: unit.count, hasNewFormat: hasNewFormat)
    }

    /// Conceals a unit that did not arrive.
    ///
    /// - Parameter buffer: The buffer for the output, as in ``decode(_:into:)``.
    /// - Returns: An outcome without damage.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        state.conceal()
        isStarting = true
        isFadingIn = true
        return DecodeResult(byteCount: 0, hasNewFormat: deliver(into: &buffer, fadesIn: false))
    }

    // MARK: Units

    /// Decodes a unit, after its pre-roll where that is to be used.
    private func decodeUnit(_ unit: Span<UInt8>) throws(CodecError) {
        guard !unit.isEmpty else { throw .emptyAccessUnit }
        guard unit.count <= UnitReaders.maximumByteCount else {
            throw .accessUnitTooLong(byteCount: unit.count, maximum: UnitReaders.maximumByteCount)
        }
        readers.outer.load(unit)
        if let preRoll = preRoll() { try use(preRoll) }
        readers.outer.skip(-readers.outer.bitPosition)
        try state.decode(&readers.outer)
    }

    /// Returns the pre-roll of the unit that was loaded, if it has one.
    private func preRoll() -> AudioPreRoll? {
        guard hasPreRolls else { return nil }
        readers.outer.skip(1)
        guard let element = try? ExtensionElement(reading: &readers.outer, configuration.elements[0]), !element.payload.isEmpty else {
            return nil
        }
        return AudioPreRoll(reading: &readers.outer, element.payload)
    }

    /// Adopts the configuration of a pre-roll if it is another one, and decodes its units if the stream begins here.
    private func use(_ preRoll: AudioPreRoll) throws(CodecError) {
        if !preRoll.configuration.isEmpty, let next = try newConfiguration(of: preRoll) {
            keepForCrossfade(next, isWanted: preRoll.isCrossfaded)
            configuration = next
            updateLayout()
        } else if !isStarting {
            return
        }
        state = USACDecoderState(configuration)
        isFadingIn = false
        var position = preRoll.firstUnit
        for _ in 0..<preRoll.unitCount {
            guard let bits = preRoll.unit(at: position, from: &readers.outer) else { return isFadingIn = true }
            position = bits.upperBound
            readers.loadInner(bits)
            do throws(CodecError) {
                try state.decode(&readers.inner)
            } catch {
                isFadingIn = true
            }
        }
    }

    /// Returns the configuration of a pre-roll, if it is not the one in force.
    private func newConfiguration(of preRoll: AudioPreRoll) throws(CodecError) -> USACConfig? {
        readers.loadInner(preRoll.configuration)
        let next = try USACConfig(reading: &readers.inner)
        return next == configuration ? nil : next
    }

    /// Keeps what the configuration in force leaves for the next frame, for a crossfade to another of the same format.
    private func keepForCrossfade(_ next: USACConfig, isWanted: Bool) {
        isCrossfading =
            isWanted && !isStarting && next.sampleRate == configuration.sampleRate && next.channelCount == configuration.channelCount
        guard isCrossfading else { return }
        state.drain()
        for channel in 0..<channelCount {
            let samples = state.samples(ofChannel: channel)
            for index in 0..<Self.crossfadeLength { crossfade[channel * Self.crossfadeLength + index] = samples[index] }
        }
    }

    // MARK: Output

    /// Derives the format and the layout of the output, and the order of its channels, from the configuration, and whether there are pre-rolls.
    ///
    /// Each access to a part of the configuration would count references.
    private func updateLayout() {
        (sampleRate, framesPerPacket) = (configuration.sampleRate, configuration.frameLength)
        let first = configuration.elements.first
        hasPreRolls = first?.kind == .extension && first?.extensionType == .audioPreRoll
        channelOrder = Array(0..<configuration.channelCount)
        channelLayout = configuration.channelLayout?.inWAVOrder
        guard let coded = configuration.channelLayout, let order = coded.inWAVOrder.permutation(from: coded) else { return }
        channelOrder = order
    }

    /// Writes the output to the buffer, which is replaced if it does not fit; returns whether it was.
    private func deliver(into buffer: inout PCMBuffer, fadesIn: Bool) -> Bool {
        let fits = buffer.sampleRate == sampleRate && buffer.channelCount == channelCount && buffer.frameCapacity >= framesPerPacket
        if !fits { buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: framesPerPacket) }
        buffer.frameCount = framesPerPacket
        let unit = Float(1) / 32768
        for channel in 0..<channelCount {
            let source = channelOrder[channel]
            let samples = state.samples(ofChannel: source)
            var output = buffer.mutableChannel(channel)
            for index in 0..<framesPerPacket { output[index] = samples[index] * unit }
            if isCrossfading {
                for index in 0..<Self.crossfadeLength {
                    let share = Float(index) / Float(Self.crossfadeLength)
                    let old = crossfade[source * Self.crossfadeLength + index] * unit
                    output[index] = old * (1 - share) + output[index] * share
                }
            }
            if fadesIn {
                let step = 1 / Float(framesPerPacket)
                for index in 0..<framesPerPacket { output[index] *= Float(index) * step }
            }
        }
        isCrossfading = false
        return !fits
    }
}

/// The former name of ``/AudioPrimitives/DecodeResult``.
@available(*, deprecated, renamed: "DecodeResult")
public typealias USACDecodedUnit = DecodeResult
