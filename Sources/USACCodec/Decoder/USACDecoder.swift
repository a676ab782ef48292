// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio
package import TransformCoding

/// A decoder for unified speech and audio coding (USAC), the codec of xHE-AAC, with 32-bit floating-point output.
///
/// Each access unit, including the first, decodes to ``framesPerPacket`` sample frames. Decoding can start at any access unit. If it
/// contains an audio pre-roll, the output is complete from its first frame. Decoding untrusted access units is safe: damage never
/// traps and is concealed. Use a decoder on one thread at a time. ISO/IEC 23003-3.
public final class USACDecoder {
    /// The configuration that was passed to the initializer.
    public let audioSpecificConfig: AudioSpecificConfig
    /// The active configuration.
    ///
    /// A configuration in an audio pre-roll replaces it.
    package private(set) var configuration: USACConfig
    /// The output channel layout, in WAV order; `nil` if it is unknown.
    public private(set) var channelLayout: ChannelLayout?
    /// All state that changes between access units.
    private var state: USACDecoderState
    private var channelOrder: [Int] = []
    /// Whether access units can contain a pre-roll.
    private var hasPreRolls = false
    /// Whether the next access unit starts a stream or follows a seek or damage, so that its pre-roll is decoded.
    private var isStarting = true
    /// Whether the last access unit was damaged or missing.
    private var isConcealing = false
    /// Whether the first frame of a new state lacks the previous ones.
    private var isFadingIn = false
    /// The readers of the current access unit and of those in its pre-roll.
    private var readers = UnitReaders()
    /// The first overlap samples of the previous state, for a crossfade to a new one.
    private var crossfade = FixedArray<Float>(repeating: 0, count: USACConfig.maximumChannelCount * crossfadeLength)
    /// Whether to apply ``crossfade``.
    private var isCrossfading = false

    /// The length of a crossfade, in samples.
    private static let crossfadeLength = 128

    /// Creates a decoder for a stream.
    ///
    /// - Parameter configuration: The stream's configuration.
    /// - Throws: `CodecError.unsupportedObjectType` if the configuration is not for USAC.
    public convenience init(_ configuration: AudioSpecificConfig) throws(CodecError) {
        guard let usac = configuration.usac else { throw .unsupportedObjectType(configuration.objectType.rawValue) }
        self.init(usac, of: configuration)
    }

    private init(_ configuration: USACConfig, of audioSpecificConfig: AudioSpecificConfig) {
        self.audioSpecificConfig = audioSpecificConfig
        self.configuration = configuration
        state = USACDecoderState(configuration)
        updateLayout()
    }

    /// The output sample rate, in hertz.
    public private(set) var sampleRate = 0

    /// The output channel count.
    public var channelCount: Int { channelOrder.count }

    /// The number of sample frames per access unit: 768, 1024, 2048 or 4096.
    public private(set) var framesPerPacket = 0

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var frameLength: Int { framesPerPacket }

    /// Discards the history, as after a seek, and a configuration from an audio pre-roll.
    ///
    /// The pre-roll of the next access unit is decoded.
    public func reset() {
        // Access units before the change have no configuration of their own.
        if let original = audioSpecificConfig.usac, original != configuration {
            configuration = original
            updateLayout()
        }
        state = USACDecoderState(configuration)
        isStarting = true
        isConcealing = false
        isFadingIn = false
    }

    /// Decodes an access unit to a new buffer.
    ///
    /// After an error, decoding continues with the next access unit. For streams use ``decode(_:into:)``, which conceals damage and does
    /// not allocate memory.
    ///
    /// - Parameter accessUnit: The access unit.
    /// - Returns: ``framesPerPacket`` sample frames.
    /// - Throws: `CodecError` if the access unit is damaged.
    public func decode(_ accessUnit: AccessUnit) throws(CodecError) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: framesPerPacket, frameCount: 0)
        if let damage = accessUnit.payload.withSpan({ decode($0, into: &buffer) }).damage { throw damage }
        return buffer
    }

    /// Decodes an access unit to an existing buffer.
    ///
    /// Conceals damage and reports it in the result.
    ///
    /// - Parameters:
    ///   - accessUnit: The bytes of the access unit.
    ///   - buffer: The output buffer. It is reused without allocation if it has the output's sample rate and channel count, and sufficient
    ///     capacity. Otherwise it is replaced.
    /// - Returns: The damage, if any, and whether the format has changed.
    public func decode(_ accessUnit: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult {
        var damage: CodecError?
        do throws(CodecError) {
            try decodeUnit(accessUnit)
            isStarting = false
            if !state.isFinite {
                // Filters with damaged coefficients can diverge and would not recover.
                state = USACDecoderState(configuration)
                isFadingIn = true
                throw .invalidSpectrum
            }
        } catch {
            damage = error
            isStarting = true
            isCrossfading = false
            state.conceal()
        }
        isConcealing = damage != nil
        let hasNewFormat = deliver(into: &buffer, fadesIn: damage == nil && isFadingIn)
        if damage == nil { isFadingIn = false }
        return DecodeResult(damage: damage, byteCount: accessUnit.count, hasNewFormat: hasNewFormat)
    }

    /// Conceals a lost access unit.
    ///
    /// - Parameter buffer: The output buffer, as in ``decode(_:into:)``.
    /// - Returns: A result without damage.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        state.conceal()
        isStarting = true
        isConcealing = true
        return DecodeResult(byteCount: 0, hasNewFormat: deliver(into: &buffer, fadesIn: false))
    }

    // MARK: Access units

    /// Decodes an access unit, after its pre-roll if that applies.
    private func decodeUnit(_ accessUnit: Span<UInt8>) throws(CodecError) {
        guard !accessUnit.isEmpty else { throw .emptyAccessUnit }
        guard accessUnit.count <= UnitReaders.maximumByteCount else {
            throw .accessUnitTooLong(byteCount: accessUnit.count, maximum: UnitReaders.maximumByteCount)
        }
        readers.outer.load(accessUnit)
        if let preRoll = preRoll() { try use(preRoll) }
        readers.outer.skip(-readers.outer.bitPosition)
        try state.decode(&readers.outer)
    }

    /// Parses an access unit and its pre-roll without decoding them, and returns their level fields.
    ///
    /// Use another decoder to decode the stream.
    ///
    /// - Throws: `CodecError` if the access unit is damaged.
    package func gainFields(of accessUnit: Span<UInt8>) throws(CodecError) -> GainFields {
        guard !accessUnit.isEmpty else { throw .emptyAccessUnit }
        guard accessUnit.count <= UnitReaders.maximumByteCount else {
            throw .accessUnitTooLong(byteCount: accessUnit.count, maximum: UnitReaders.maximumByteCount)
        }
        readers.outer.load(accessUnit)
        let preRoll = preRoll()
        let inner = try preRoll.map { (preRoll) throws(CodecError) in try gainFields(of: preRoll) } ?? []
        readers.outer.skip(-readers.outer.bitPosition)
        var fields = try state.gainFields(&readers.outer)
        fields.preRoll = inner
        fields.configuration = preRoll?.configuration ?? 0..<0
        return fields
    }

    /// Returns the level fields of the access units in a pre-roll, or an obstacle if they are unreadable or have another configuration.
    private func gainFields(of preRoll: AudioPreRoll) throws(CodecError) -> [GainFields] {
        var obstacle = GainFields()
        obstacle.obstacle = .preRoll
        if !preRoll.configuration.isEmpty, try newConfiguration(of: preRoll) != nil { return [obstacle] }
        var state = USACDecoderState(configuration)
        var position = preRoll.firstUnit
        var units: [GainFields] = []
        for _ in 0..<preRoll.accessUnitCount {
            guard let bits = preRoll.accessUnit(at: position, from: &readers.outer) else { return [obstacle] }
            position = bits.upperBound
            readers.loadInner(bits)
            do throws(CodecError) {
                var fields = try state.gainFields(&readers.inner)
                fields.advance(by: bits.lowerBound)
                units.append(fields)
            } catch {
                return [obstacle]
            }
        }
        return units
    }

    /// Returns the pre-roll of the loaded access unit, if any.
    private func preRoll() -> AudioPreRoll? {
        guard hasPreRolls else { return nil }
        readers.outer.skip(1)
        guard let element = try? ExtensionElement(reading: &readers.outer, configuration.elements[0]), !element.payload.isEmpty else {
            return nil
        }
        return AudioPreRoll(reading: &readers.outer, element.payload)
    }

    /// Adopts the configuration of a pre-roll if it differs, and decodes its access units if the stream starts here.
    private func use(_ preRoll: AudioPreRoll) throws(CodecError) {
        let next = preRoll.configuration.isEmpty ? nil : try newConfiguration(of: preRoll)
        guard next != nil || isStarting else { return }
        keepForCrossfade(next ?? configuration, isWanted: isConcealing || preRoll.isCrossfaded && !isStarting)
        if let next {
            configuration = next
            updateLayout()
        }
        state = USACDecoderState(configuration)
        isFadingIn = false
        var position = preRoll.firstUnit
        for _ in 0..<preRoll.accessUnitCount {
            guard let bits = preRoll.accessUnit(at: position, from: &readers.outer) else { return isFadingIn = true }
            position = bits.upperBound
            readers.loadInner(bits)
            do throws(CodecError) {
                try state.decode(&readers.inner)
            } catch {
                isFadingIn = true
            }
        }
    }

    /// Returns the configuration of a pre-roll if it differs from the active one.
    private func newConfiguration(of preRoll: AudioPreRoll) throws(CodecError) -> USACConfig? {
        readers.loadInner(preRoll.configuration)
        let next = try USACConfig(reading: &readers.inner)
        return next == configuration ? nil : next
    }

    /// Stores the overlap samples of the current state for a crossfade to a state with the same format.
    private func keepForCrossfade(_ next: USACConfig, isWanted: Bool) {
        isCrossfading =
            isWanted && next.sampleRate == configuration.sampleRate && next.channelCount == configuration.channelCount
        guard isCrossfading else { return }
        state.drain()
        for channel in 0..<channelCount {
            let samples = state.samples(ofChannel: channel)
            for index in 0..<Self.crossfadeLength { crossfade[channel * Self.crossfadeLength + index] = samples[index] }
        }
    }

    // MARK: Output

    /// Derives output format, channel layout, channel order and the presence of pre-rolls from the configuration.
    ///
    /// They are cached because each access to a part of the configuration would count references.
    private func updateLayout() {
        (sampleRate, framesPerPacket) = (configuration.sampleRate, configuration.frameLength)
        let first = configuration.elements.first
        hasPreRolls = first?.kind == .extension && first?.extensionType == .audioPreRoll
        channelOrder = Array(0..<configuration.channelCount)
        channelLayout = configuration.channelLayout?.inWAVOrder
        guard let coded = configuration.channelLayout, let order = coded.inWAVOrder.permutation(from: coded) else { return }
        channelOrder = order
    }

    /// Writes the output to the buffer, which is replaced if it does not fit.
    ///
    /// Returns whether it was replaced.
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
            if fadesIn {
                let step = 1 / Float(framesPerPacket)
                for index in 0..<framesPerPacket { output[index] *= Float(index) * step }
            }
            if isCrossfading {
                for index in 0..<Self.crossfadeLength {
                    let share = Float(index) / Float(Self.crossfadeLength)
                    let old = crossfade[source * Self.crossfadeLength + index] * unit
                    output[index] = old * (1 - share) + output[index] * share
                }
            }
        }
        isCrossfading = false
        return !fits
    }
}

/// The former name of ``/AudioPrimitives/DecodeResult``.
@available(*, deprecated, renamed: "DecodeResult")
public typealias USACDecodedUnit = DecodeResult
