// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import CFDKAAC
internal import MPEG4Audio

/// The encoder that a handle refers to.
final class FDKEncoder {
    /// The parameters most recently set by the caller.
    private(set) var parameters: EncoderParameters

    /// The parameters that ``stream`` was created with.
    private var streamParameters: EncoderParameters

    /// The encoder and its transport; `nil` before the first initialization.
    private(set) var stream: EncoderStream?

    /// Pending actions before the next access unit: flags of `AACENC_CTRLFLAGS`.
    private(set) var control = AACENC_INIT_ALL.rawValue

    init(_ parameters: EncoderParameters) {
        self.parameters = parameters
        streamParameters = parameters
    }

    /// Sets a parameter, which takes effect at the next initialization or access unit.
    func set(_ parameter: AACENC_PARAM, _ value: UInt32) -> AACENC_ERROR {
        if parameter == AACENC_CONTROL_STATE {
            control = value
            return AACENC_OK
        }
        return parameters.set(parameter, value)
    }

    /// Applies changed parameters: a bit rate to the running encoder, others by a restart.
    ///
    /// - Throws: ``EncoderFailure`` if the parameters are rejected; the running encoder is unchanged.
    func initialize() throws(EncoderFailure) {
        if let stream, control & Self.restartFlags == 0 {
            // The other flags require no action.
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

    private static let restartFlags = AACENC_INIT_CONFIG.rawValue | AACENC_INIT_STATES.rawValue

    /// Returns a parameter.
    ///
    /// After initialization, a value that the encoder chose replaces the default.
    func get(_ parameter: AACENC_PARAM) -> UInt32 {
        if parameter == AACENC_CONTROL_STATE { return control }
        guard let stream, parameters == streamParameters else { return parameters.get(parameter) }
        return stream.get(parameter) ?? parameters.get(parameter)
    }
}

/// An encoder and its transport, for one stream.
final class EncoderStream {
    let encoder: AACEncoder
    private var transport: Transport
    private let channelCount: Int
    private let parameters: EncoderParameters
    /// The current bit rate, including the transport; 0 if it is variable.
    private var bitRate: Int
    /// An access unit that did not fit in the caller's buffer.
    private var pending: [UInt8]?
    /// Ancillary data for the next access unit.
    private var data: [UInt8] = []
    private var isFinished = false

    private init(_ parameters: EncoderParameters, _ encoder: AACEncoder, _ transport: Transport) {
        self.parameters = parameters
        self.encoder = encoder
        self.transport = transport
        channelCount = encoder.configuration.channelCount
        let channels = EncoderParameters.configuration(mode: parameters.channelMode)
        bitRate = encoder.bitRate == nil ? 0 : channels.map { parameters.resolvedBitRate($0) } ?? 0
    }

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

    /// Applies the bit rate of `parameters`, within the limits.
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

    /// Returns a parameter that the encoder chose; `nil` for others.
    func get(_ parameter: AACENC_PARAM) -> UInt32? {
        switch parameter {
        case AACENC_BITRATE: encoder.bitRate == nil ? nil : UInt32(bitRate)
        case AACENC_BANDWIDTH: UInt32(encoder.bandwidth)
        case AACENC_PEAK_BITRATE: parameters.peakBitRate > 0 ? UInt32(max(Int(parameters.peakBitRate), bitRate)) : nil
        case AACENC_TRANSMUX: UInt32(parameters.resolvedTransport.rawValue)
        case AACENC_SIGNALING_MODE: encoder.profile.hasSBR ? UInt32(parameters.resolvedSignaling) : nil
        case AACENC_HEADER_PERIOD: UInt32(parameters.resolvedHeaderPeriod)
        case AACENC_SBR_RATIO: sbrRatio
        case AACENC_GRANULE_LENGTH: UInt32(encoder.configuration.settings.frameLength)
        default: nil
        }
    }

    /// The SBR ratio: 1 for a core at the output rate, 2 for half of it, 0 without SBR.
    private var sbrRatio: UInt32 {
        switch encoder.configuration.settings.lowDelaySBR {
        case .singleRate: 1
        case .dualRate: 2
        default: encoder.sbrDelay > 0 ? 2 : 0
        }
    }

    /// The configuration that a decoder needs before the first access unit.
    var decoderConfiguration: [UInt8] { transport.decoderConfiguration }

    /// Encodes at most one access unit.
    ///
    /// Reads samples up to the end of the block that follows the access unit. A caller that passes one access unit's samples per call
    /// therefore has no samples left over.
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples; `nil` ends the stream.
    ///   - data: Ancillary data, written as data stream elements at the start of the access unit.
    ///   - output: The memory for the access unit.
    /// - Returns: The numbers of samples read and bytes written, and whether an access unit contains the data. `written` is `nil` if the
    ///   memory is too small; the next call returns the same access unit. `isEnd` is true after the last access unit of an ended stream.
    /// - Throws: ``EncoderFailure`` if the samples cannot be encoded.
    func encode(
        _ samples: UnsafeBufferPointer<Int16>?, data: [UInt8], output: UnsafeMutableRawBufferPointer
    ) throws(EncoderFailure) -> (taken: Int, written: Int?, takesData: Bool, isEnd: Bool) {
        var taken = 0
        // AAC-LD, AAC-ELD and xHE-AAC have no data stream elements.
        let allowsData = !encoder.profile.isLowDelay && encoder.profile != .extendedHighEfficiency
        let isNew = pending == nil && allowsData
        self.data = allowsData ? data : []
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
        return (taken, unsafe deliver(to: output), takesData, false)
    }

    /// Reads samples until the encoder's block is full.
    ///
    /// Returns their number.
    private func take(_ samples: UnsafeBufferPointer<Int16>, from first: Int) throws(EncoderFailure) -> Int {
        // The caller keeps incomplete sample frames.
        let count = (samples.count - first) / channelCount * channelCount
        guard count > 0 else { return 0 }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(samples)[2 * first..<2 * (first + count)])
        do throws(CodecError) {
            return try unsafe encoder.take(bytes.bytes, format: PCMFormat(.int16, channelCount: channelCount)) * channelCount
        } catch {
            throw EncoderFailure(code: AACENC_ENCODE_ERROR)
        }
    }

    /// Encodes the next access unit into ``pending``.
    ///
    /// Returns whether there is one.
    private func complete() throws(EncoderFailure) -> Bool {
        guard encoder.hasNextUnit else { return false }
        let elements = DataStreamElements(data)
        encoder.reserve(bits: 8 * elements.bytes.count)
        guard var accessUnit = encoder.nextUnit() else { return false }
        elements.prepend(to: &accessUnit)
        do throws(ContainerError) {
            pending = try transport.wrap(accessUnit)
        } catch {
            throw EncoderFailure(code: AACENC_ENCODE_ERROR)
        }
        return true
    }

    /// Copies the pending access unit to the caller's memory.
    ///
    /// Returns its size, 0 without one, or `nil` if it does not fit.
    private func deliver(to output: UnsafeMutableRawBufferPointer) -> Int? {
        guard let bytes = pending else { return 0 }
        guard bytes.count <= output.count else { return nil }
        unsafe output.copyBytes(from: bytes)
        pending = nil
        return bytes.count
    }

    /// Starts a new stream after the end of the previous one.
    private func restart() {
        encoder.reset()
        isFinished = false
    }
}
