// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioConversion
internal import AudioContainers
internal import AudioPrimitives
internal import CLinnetAudioTypes
public import Foundation

/// Converts audio: PCM sample formats, rates and channels, PCM to packets, and packets to PCM or to packets of another codec.
///
/// Make settings before the first conversion; an encoder's bit rate can be changed at any time. A converter belongs to one thread at a
/// time. Its input block may use the converter's properties.
open class AVAudioConverter: NSObject {
    /// The input format.
    public let inputFormat: AVAudioFormat
    /// The output format, including the packet length.
    public private(set) var outputFormat: AVAudioFormat

    var settings = ConversionSettings() {
        didSet {
            // A started stream keeps its settings until it is reset.
            if !hasBegun { converter = nil }
        }
    }

    private var converter: AudioConverter?
    /// Whether input has been requested.
    private(set) var hasBegun = false
    private var transfer = BufferTransfer()

    /// Creates a converter; `nil` for an unsupported format or conversion.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        inputFormat = fromFormat
        outputFormat = toFormat
        super.init()
        guard let converter = try? currentEngine() else { return nil }
        var description = toFormat.streamDescription.pointee
        if !description.isLinearPCM {
            description.mFramesPerPacket = UInt32(converter.framesPerOutputPacket)
            outputFormat = AVAudioFormat(unchecked: description, channelLayout: toFormat.channelLayout)
            outputFormat.magicCookie = converter.outputMagicCookie.map { Data($0) }
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

    /// The number of damaged input packets of the stream, which are concealed without an error.
    ///
    /// Not part of Apple's API.
    public var damagedPacketCount: Int { converter?.damagedPacketCount ?? 0 }

    /// Discards all input, so that a new stream can be converted.
    public func reset() {
        hasBegun = false
        converter = nil
        transfer = BufferTransfer()
    }

    // MARK: Conversion

    /// Converts a PCM buffer without sample rate conversion.
    ///
    /// - Parameters:
    ///   - outputBuffer: A buffer of ``outputFormat`` with capacity for all input frames.
    ///   - inputBuffer: A buffer of ``inputFormat``.
    /// - Throws: An error if the formats differ, need a codec or have different rates, or if the capacity is too small.
    public func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        try check(outputBuffer)
        guard inputFormat.sampleRate == outputFormat.sampleRate else {
            throw NSError(avfaudio: kAudio_ParamError, "use convert(to:error:withInputFrom:) for sample rate conversion")
        }
        guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
            throw NSError(
                avfaudio: kAudioConverterErr_InvalidOutputSize,
                "the output capacity is \(outputBuffer.frameCapacity) frames; the input has \(inputBuffer.frameLength)")
        }
        let engine = try NSError.asAVFAudio { try currentEngine() }
        hasBegun = true
        outputBuffer.frameLength = 0
        try append(inputBuffer, to: engine)
        transfer.read(Int(inputBuffer.frameLength), from: engine, into: outputBuffer)
    }

    /// Fills a buffer, calling a block for input as often as necessary.
    ///
    /// - Parameters:
    ///   - outputBuffer: A buffer of ``outputFormat``. It is filled to its capacity if there is enough input.
    ///   - outError: Receives the error if the result is ``AVAudioConverterOutputStatus/error``.
    ///   - inputBlock: Returns the next buffer of ``inputFormat``, which is converted completely.
    /// - Returns: Why filling stopped.
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

    /// Returns the status of a completed output.
    private func status(isFull: Bool, isEmpty: Bool, _ engine: AudioConverter) -> AVAudioConverterOutputStatus {
        if isFull { return .haveData }
        guard engine.isFinished else { return .inputRanDry }
        return isEmpty ? .endOfStream : .haveData
    }

    /// Requests input once.
    ///
    /// Returns false without input now, or at the end.
    ///
    /// - Parameters:
    ///   - engine: The converter that receives the input.
    ///   - outputFrames: The number of output frames that need the input.
    ///   - inputBlock: The block to call.
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
            // An empty buffer counts as no data now, because requesting again might never end.
            guard let buffer, buffer.hasContents else { return false }
            try append(buffer, to: engine)
            return true
        case .noDataNow: return false
        }
    }

    /// Passes an input buffer to the converter.
    private func append(_ buffer: AVAudioBuffer, to engine: AudioConverter) throws {
        guard buffer.format.hasMemoryLayout(of: inputFormat) else {
            throw NSError(
                avfaudio: kAudio_ParamError, "the input format \(buffer.format) differs from the converter's inputFormat \(inputFormat)")
        }
        try NSError.asAVFAudio {
            switch buffer {
            case let buffer as AVAudioPCMBuffer: try transfer.append(buffer, to: engine)
            case let buffer as AVAudioCompressedBuffer: for packet in buffer.packets { try engine.append(packet: packet.span) }
            default: break
            }
        }
    }

    /// Throws if a buffer does not have the output format.
    private func check(_ buffer: AVAudioBuffer) throws {
        guard !buffer.format.hasMemoryLayout(of: outputFormat) else { return }
        throw NSError(
            avfaudio: kAudio_ParamError, "the output format \(buffer.format) differs from the converter's outputFormat \(outputFormat)")
    }
}

extension AVAudioBuffer {
    fileprivate var hasContents: Bool {
        switch self {
        case let buffer as AVAudioPCMBuffer: buffer.frameLength > 0
        case let buffer as AVAudioCompressedBuffer: buffer.packetCount > 0
        default: false
        }
    }
}
#endif
