// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioConversion
internal import AudioContainers
internal import AudioPrimitives
internal import CLinnetAudioTypes
public import Foundation

/// Converts audio: samples, rates and channels of PCM, PCM to packets of a codec, packets to PCM or to those of another codec.
///
/// Settings are made before the first conversion, the bit rate of an encoder at any time. A converter belongs to one thread at a time; its
/// input block may use the converter's properties.
open class AVAudioConverter: NSObject {
    /// The format of the input.
    public let inputFormat: AVAudioFormat
    /// The format of the output, with the length of its packets.
    public private(set) var outputFormat: AVAudioFormat

    /// The settings of the conversion.
    var settings = ConversionSettings() {
        didSet {
            // A stream that has begun keeps its settings until it is reset.
            if !hasBegun { converter = nil }
        }
    }

    private var converter: AudioConverter?
    /// Whether input has been asked for.
    private(set) var hasBegun = false
    private var transfer = BufferTransfer()

    /// Creates a converter; nil if a format or the conversion is not supported.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        inputFormat = fromFormat
        outputFormat = toFormat
        super.init()
        guard let converter = try? currentEngine() else { return nil }
        var description = toFormat.streamDescription.pointee
        if !description.isLinearPCM {
            description.mFramesPerPacket = UInt32(converter.framesPerOutputPacket)
            outputFormat = AVAudioFormat(unchecked: description, channelLayout: toFormat.channelLayout)
            outputFormat.magicCookie = converter.outputConfiguration?.magicCookie.map { Data($0) }
        }
    }

    /// Returns the converter for the settings.
    func currentEngine() throws -> AudioConverter {
        if let converter { return converter }
        let new = try AudioConverter(
            from: try inputFormat.converterInput(cookie: settings.magicCookie), to: try outputFormat.converterOutput(settings),
            options: settings.options(from: inputFormat, to: outputFormat))
        converter = new
        return new
    }

    /// Discards all input, so that a new stream can be converted.
    public func reset() {
        hasBegun = false
        converter = nil
        transfer = BufferTransfer()
    }

    // MARK: Conversion

    /// Converts a buffer of PCM without rate conversion.
    ///
    /// - Parameters:
    ///   - outputBuffer: A buffer of ``outputFormat`` with room for as many frames as the input has.
    ///   - inputBuffer: A buffer of ``inputFormat``.
    /// - Throws: An error if the formats differ, need a codec or have different rates, or there is no room.
    public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        try check(outputBuffer)
        guard inputFormat.sampleRate == outputFormat.sampleRate else {
            throw NSError(avfaudio: kAudio_ParamError, "rate conversion needs convert(to:error:withInputFrom:)")
        }
        guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
            throw NSError(
                avfaudio: kAudioConverterErr_InvalidOutputSize,
                "the output has room for \(outputBuffer.frameCapacity) frames, and the input has \(inputBuffer.frameLength)")
        }
        let engine = try NSError.asAVFAudio { try currentEngine() }
        hasBegun = true
        outputBuffer.frameLength = 0
        try append(inputBuffer, to: engine)
        transfer.read(Int(inputBuffer.frameLength), from: engine, into: outputBuffer)
    }

    /// Fills a buffer, and calls a block for input as often as is needed.
    ///
    /// - Parameters:
    ///   - outputBuffer: A buffer of ``outputFormat``; it is filled to its capacity, as far as there is input.
    ///   - outError: Receives the error where the result is ``AVAudioConverterOutputStatus/error``.
    ///   - inputBlock: Returns the next buffer of ``inputFormat``, which is converted whole.
    /// - Returns: The reason for which filling stopped.
    @discardableResult
    public func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer, withInputFrom inputBlock: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        do {
            try check(outputBuffer)
            let engine = try currentEngine()
            hasBegun = true
            if let buffer = outputBuffer as? AVAudioPCMBuffer { return try fill(buffer, engine, inputBlock) }
            guard let buffer = outputBuffer as? AVAudioCompressedBuffer else { return .error }
            return try fill(buffer, engine, inputBlock)
        } catch {
            outError?.pointee = NSError(avfaudio: error)
            return .error
        }
    }

    /// Fills a buffer with frames.
    private func fill(
        _ buffer: AVAudioPCMBuffer, _ engine: AudioConverter, _ inputBlock: AVAudioConverterInputBlock
    ) throws -> AVAudioConverterOutputStatus {
        buffer.frameLength = 0
        let wanted = Int(buffer.frameCapacity)
        var hasInput = true
        while hasInput, engine.availableFrameCount < wanted {
            hasInput = try supply(engine, outputFrames: wanted - engine.availableFrameCount, inputBlock)
        }
        transfer.read(wanted, from: engine, into: buffer)
        return status(isFull: Int(buffer.frameLength) == wanted, isEmpty: buffer.frameLength == 0, engine)
    }

    /// Fills a buffer with packets.
    private func fill(
        _ buffer: AVAudioCompressedBuffer, _ engine: AudioConverter, _ inputBlock: AVAudioConverterInputBlock
    ) throws -> AVAudioConverterOutputStatus {
        buffer.packetCount = 0
        buffer.byteLength = 0
        let wanted = Int(buffer.packetCapacity)
        while true {
            let isFull = try !transfer.appendPackets(from: engine, to: buffer)
            if isFull || Int(buffer.packetCount) == wanted { return .haveData }
            let missing = wanted - Int(buffer.packetCount)
            if try !supply(engine, outputFrames: missing * engine.framesPerOutputPacket, inputBlock) {
                return status(isFull: false, isEmpty: buffer.packetCount == 0, engine)
            }
        }
    }

    /// Returns the status of an output that is complete, as far as there is input.
    private func status(isFull: Bool, isEmpty: Bool, _ engine: AudioConverter) -> AVAudioConverterOutputStatus {
        if isFull { return .haveData }
        guard engine.isFinished else { return .inputRanDry }
        return isEmpty ? .endOfStream : .haveData
    }

    /// Asks for input once; returns false if there is none now, or no more.
    ///
    /// - Parameters:
    ///   - engine: The converter that receives the input.
    ///   - outputFrames: The frames of output that the input is needed for.
    ///   - inputBlock: The block to ask.
    private func supply(
        _ engine: AudioConverter, outputFrames: Int, _ inputBlock: AVAudioConverterInputBlock
    ) throws -> Bool {
        guard !engine.isFinished else { return false }
        var status = AVAudioConverterInputStatus.haveData
        let frames = (Double(outputFrames) * inputFormat.sampleRate / outputFormat.sampleRate).rounded(.up)
        let framesPerPacket = Double(max(1, engine.decoder?.framesPerPacket ?? 1))
        let buffer = inputBlock(AVAudioPacketCount(max(1, (frames / framesPerPacket).rounded(.up))), &status)
        switch status {
        case .endOfStream:
            try engine.finish()
            return true
        case .haveData:
            // Nothing is nothing now: asking again could go on for ever.
            guard let buffer, buffer.hasContents else { return false }
            try append(buffer, to: engine)
            return true
        case .noDataNow: return false
        }
    }

    /// Passes a buffer of the input format on.
    private func append(_ buffer: AVAudioBuffer, to engine: AudioConverter) throws {
        guard buffer.format.hasMemoryLayout(of: inputFormat) else {
            throw NSError(
                avfaudio: kAudio_ParamError, "the input's format \(buffer.format) is not the converter's inputFormat \(inputFormat)")
        }
        try NSError.asAVFAudio {
            switch buffer {
            case let buffer as AVAudioPCMBuffer: try transfer.append(buffer, to: engine)
            case let buffer as AVAudioCompressedBuffer: for packet in buffer.packets { try engine.append(packet: packet.span) }
            default: break
            }
        }
    }

    /// Throws if an output buffer has not the output format.
    private func check(_ buffer: AVAudioBuffer) throws {
        guard !buffer.format.hasMemoryLayout(of: outputFormat) else { return }
        throw NSError(
            avfaudio: kAudio_ParamError, "the output's format \(buffer.format) is not the converter's outputFormat \(outputFormat)")
    }
}

extension AVAudioBuffer {
    /// Whether the buffer has frames or packets.
    fileprivate var hasContents: Bool {
        switch self {
        case let buffer as AVAudioPCMBuffer: buffer.frameLength > 0
        case let buffer as AVAudioCompressedBuffer: buffer.packetCount > 0
        default: false
        }
    }
}
#endif
