// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import CFDKAAC
internal import MPEG4Audio

/// The encoder behind a handle.
final class FDKEncoder {
    /// The parameters as the caller set them last.
    private(set) var parameters: EncoderParameters

    /// The parameters that ``stream`` was made with.
    private var streamParameters: EncoderParameters

    /// The encoder and its transport; `nil` before the first initialisation.
    private(set) var stream: EncoderStream?

    /// The actions before the next unit: flags of `AACENC_CTRLFLAGS`.
    private(set) var control = AACENC_INIT_ALL.rawValue

    /// Makes an encoder with default parameters.
    init(_ parameters: EncoderParameters) {
        self.parameters = parameters
        streamParameters = parameters
    }

    /// Sets a parameter, which takes effect with the next initialisation or unit.
    func set(_ parameter: AACENC_PARAM, _ value: UInt32) -> AACENC_ERROR {
        if parameter == AACENC_CONTROL_STATE {
            control = value
            return AACENC_OK
        }
        return parameters.set(parameter, value)
    }

    /// Applies changed parameters: the bit rate to the running encoder, others by starting anew.
    ///
    /// - Throws: ``EncoderFailure`` if the parameters are refused; the running encoder then remains.
    func initialize() throws(EncoderFailure) {
        if let stream, control & Self.restartFlags == 0 {
            // The other flags ask for nothing that is done here.
            control = 0
            if parameters == streamParameters { return }
            var others = parameters
            others.bitRate = streamParameters.bitRate
            if others == streamParameters, parameters.bitRateMode == 0 {
                try stream.setBitRate(of: parameters)
                streamParameters = parameters
                return
            }
        }
        stream = try EncoderStream.make(parameters)
        streamParameters = parameters
        control = 0
    }

    /// The flags that make the encoder start anew.
    private static let restartFlags = AACENC_INIT_CONFIG.rawValue | AACENC_INIT_STATES.rawValue

    /// Returns a parameter; one that the encoder chose itself once it is initialised.
    func get(_ parameter: AACENC_PARAM) -> UInt32 {
        if parameter == AACENC_CONTROL_STATE { return control }
        guard let stream, parameters == streamParameters else { return parameters.get(parameter) }
        return stream.get(parameter) ?? parameters.get(parameter)
    }
}

/// An encoder and its transport, from the first sample to the end of the stream.
final class EncoderStream {
    let encoder: AACEncoder
    private var transport: Transport
    private let channelCount: Int
    private let parameters: EncoderParameters
    /// The bit rate in use, with that of the transport; 0 if it varies.
    private var bitRate: Int
    /// A unit that did not fit into the caller's buffer.
    private var pending: [UInt8]?
    /// Bytes that the next unit carries beside the audio.
    private var data: [UInt8] = []
    private var isFinished = false

    /// Makes a stream of an encoder.
    private init(_ parameters: EncoderParameters, _ encoder: AACEncoder, _ transport: Transport) {
        self.parameters = parameters
        self.encoder = encoder
        self.transport = transport
        channelCount = encoder.configuration.channelCount
        let channels = EncoderParameters.configuration(mode: parameters.channelMode)
        bitRate = encoder.bitRate == nil ? 0 : channels.map { parameters.resolvedBitRate($0) } ?? 0
    }

    /// Makes an encoder from parameters.
    static func make(_ parameters: EncoderParameters) throws(EncoderFailure) -> EncoderStream {
        let configuration = try parameters.resolve()
        let encoder: AACEncoder
        do throws(CodecError) {
            encoder = try AACEncoder(configuration)
        } catch {
            throw EncoderFailure(code: AACENC_INIT_AAC_ERROR)
        }
        do throws(ContainerError) {
            return EncoderStream(parameters, encoder, try Transport(parameters, encoder.audioSpecificConfig))
        } catch {
            throw EncoderFailure(code: AACENC_INIT_TP_ERROR)
        }
    }

    /// Changes the bit rate to that of other parameters, within the limits.
    func setBitRate(of parameters: EncoderParameters) throws(EncoderFailure) {
        guard let channels = EncoderParameters.configuration(mode: parameters.channelMode) else {
            throw EncoderFailure(code: AACENC_INVALID_CONFIG)
        }
        let coded = min(parameters.codedBitRate(channels), encoder.configuration.settings.peakBitRate ?? .max)
        do throws(CodecError) {
            try encoder.setBitRate(coded)
            bitRate = parameters.resolvedBitRate(channels)
        } catch {
            throw EncoderFailure(code: AACENC_INVALID_CONFIG)
        }
    }

    /// The parameters that the encoder chose itself; `nil` for others.
    func get(_ parameter: AACENC_PARAM) -> UInt32? {
        switch parameter {
        case AACENC_BITRATE: encoder.bitRate == nil ? nil : UInt32(bitRate)
        case AACENC_BANDWIDTH: UInt32(encoder.bandwidth)
        case AACENC_PEAK_BITRATE: parameters.peakBitRate > 0 ? UInt32(max(Int(parameters.peakBitRate), bitRate)) : nil
        case AACENC_TRANSMUX: UInt32(parameters.resolvedTransport.rawValue)
        case AACENC_SIGNALING_MODE: encoder.profile.hasReplication ? UInt32(parameters.resolvedSignaling) : nil
        case AACENC_HEADER_PERIOD: UInt32(parameters.resolvedHeaderPeriod)
        case AACENC_SBR_RATIO: sbrRatio
        case AACENC_GRANULE_LENGTH: UInt32(encoder.configuration.settings.frameLength)
        default: nil
        }
    }

    /// The rate of SBR's core: 1 for that of the output, 2 for half of it; 0 without SBR.
    private var sbrRatio: UInt32 {
        switch encoder.configuration.settings.lowDelaySBR {
        case .singleRate: 1
        case .dualRate: 2
        default: encoder.profile.hasReplication ? 2 : 0
        }
    }

    /// The configuration that a decoder needs before the first unit.
    var decoderConfiguration: [UInt8] { transport.decoderConfiguration }

    /// Encodes at most one unit.
    ///
    /// Samples are taken up to the end of the block after the unit, so that a caller who passes a unit's worth each time has none left.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples, or `nil` to end the stream.
    ///   - data: The bytes that the unit carries beside the audio, as data stream elements before all others.
    ///   - output: The memory for the unit.
    /// - Returns: The samples taken, the bytes written, and whether the data are in a unit; `isEnd` once the stream has ended and all units are out.
    /// - Throws: ``EncoderFailure`` if the memory is too small; the unit is kept for the next call.
    func encode(
        _ samples: UnsafeBufferPointer<Int16>?, data: [UInt8], output: UnsafeMutableRawBufferPointer
    ) throws(EncoderFailure) -> (taken: Int, written: Int, takesData: Bool, isEnd: Bool) {
        var taken = 0
        // Units of AAC-LD and AAC-ELD have no data stream elements.
        let isNew = pending == nil && !encoder.profile.isLowDelay
        self.data = encoder.profile.isLowDelay ? [] : data
        if let samples = unsafe samples {
            if isFinished, !samples.isEmpty { restart() }
            if pending == nil {
                taken = try unsafe take(samples, from: 0)
                if try complete() { taken += try unsafe take(samples, from: taken) }
            }
        } else if pending == nil {
            if !isFinished { encoder.finishInput() }
            isFinished = true
            guard try complete() else { return (0, 0, false, true) }
        }
        let takesData = isNew && pending != nil
        return (taken, try unsafe deliver(to: output), takesData, false)
    }

    /// Takes samples until the encoder's block is full; returns how many.
    private func take(_ samples: UnsafeBufferPointer<Int16>, from first: Int) throws(EncoderFailure) -> Int {
        // Incomplete sample frames stay with the caller.
        let count = (samples.count - first) / channelCount * channelCount
        guard count > 0 else { return 0 }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(samples)[2 * first..<2 * (first + count)])
        do throws(CodecError) {
            return try unsafe encoder.take(bytes.bytes, format: PCMFormat(.int16, channelCount: channelCount)) * channelCount
        } catch {
            throw EncoderFailure(code: AACENC_ENCODE_ERROR)
        }
    }

    /// Encodes the next unit into ``pending``; returns whether there is one.
    private func complete() throws(EncoderFailure) -> Bool {
        guard encoder.hasNextUnit else { return false }
        let elements = DataStreamElements(data)
        encoder.reserve(bits: 8 * elements.bytes.count)
        guard var unit = encoder.nextUnit() else { return false }
        elements.prepend(to: &unit)
        do throws(ContainerError) {
            pending = try transport.wrap(unit)
        } catch {
            throw EncoderFailure(code: AACENC_ENCODE_ERROR)
        }
        return true
    }

    /// Copies the pending unit to the caller's memory; returns its size, 0 if there is none.
    private func deliver(to output: UnsafeMutableRawBufferPointer) throws(EncoderFailure) -> Int {
        guard let bytes = pending else { return 0 }
        guard bytes.count <= output.count else { throw EncoderFailure(code: AACENC_ENCODE_ERROR) }
        unsafe output.copyBytes(from: bytes)
        pending = nil
        return bytes.count
    }

    /// Begins a new stream after the end of one.
    private func restart() {
        encoder.reset()
        isFinished = false
    }
}
