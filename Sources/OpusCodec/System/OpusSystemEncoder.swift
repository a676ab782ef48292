// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox

/// The encoder on Apple platforms.
typealias OpusLibraryEncoder = OpusSystemEncoder

/// An Opus encoder based on the system codec.
///
/// Tested only with a model of Core Audio; see Documentation/Internals/Apple.md.
final class OpusSystemEncoder {
    /// The mapping, with one stream.
    let mapping: OpusChannelMapping
    /// The target bit rate chosen by the system.
    private(set) var bitRate: Int
    let maximumPacketByteCount: Int
    /// Whether the system analyses frames after a packet.
    static let looksAhead = false

    private let ratio: Int
    private let converter: SystemConverter
    private let input: SystemEncoderInput
    /// Whether the input or the system already has the frames of the packet, after a failed call.
    private var hasFrames = false
    /// The number of packets that the system has frames for but has not output.
    private var owedPacketCount = 0

    /// The maximum number of packets that the system may hold back.
    private static let maximumDelay = 16

    /// Creates an encoder for a validated configuration.
    ///
    /// - Throws: `CodecError.unsupportedChannelCount`, `CodecError.unsupportedFrameLength`, `CodecError.unsupportedBitRate`,
    ///   `CodecError.unsupportedSystemSetting` for unsupported parameters, or `CodecError.systemCodec` if the system rejects a step.
    init(_ configuration: OpusEncoderConfiguration, mapping: OpusChannelMapping) throws(CodecError) {
        guard mapping.channelCount <= 2 else { throw .unsupportedChannelCount(mapping.channelCount, allowed: [1, 2]) }
        try configuration.checkSystemSettings()
        self.mapping = mapping
        ratio = OpusConfiguration.sampleRate / configuration.sampleRate
        converter = try configuration.makeSystemConverter()
        try converter.setBitRateMode(configuration.bitRateMode)
        try converter.setBitRate(configuration.bitRate)
        bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
        maximumPacketByteCount = try converter.number(kAudioConverterPropertyMaximumOutputPacketSize, "largest packet")
        input = SystemEncoderInput(channelCount: mapping.channelCount)
    }

    /// Returns the delay before the first decoded sample, in input sample frames.
    ///
    /// Every Opus encoder has a delay (RFC 7845 4.2). If the system does not report it, the delay of libopus is assumed.
    func lookAhead() throws(CodecError) -> Int {
        let leading = (try? converter.primeInfo().leading) ?? 0
        return leading > 0 ? leading : 312 / ratio
    }

    /// The bit rates that the system accepts for the sample rate and the channels.
    var applicableBitRates: [ClosedRange<Int>] { (try? converter.applicableBitRates()) ?? [] }

    func setBitRate(_ bitRate: Int) throws(CodecError) {
        try converter.setBitRate(bitRate)
        self.bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
    }

    func reset() {
        converter.reset()
        input.reset()
        hasFrames = false
        owedPacketCount = 0
    }

    /// Encodes a packet.
    ///
    /// After an error, repeat the call with the same samples, which reach the system only once.
    ///
    /// - Parameters:
    ///   - first: The index of the packet's first sample.
    ///   - packet: Receives the packet, with room for the maximum size.
    /// - Returns: The packet size in bytes, or 0 if the system has not output one yet.
    func encode(_ samples: [Float], from first: Int, frameCount: Int, into packet: inout [UInt8]) throws(CodecError) -> Int {
        if !hasFrames {
            input.append(samples[first..<first + frameCount * mapping.channelCount])
            owedPacketCount += 1
            hasFrames = true
        }
        let payload = try converter.nextPacket(from: input, byteCount: maximumPacketByteCount)
        guard let payload else {
            guard owedPacketCount <= Self.maximumDelay else { throw .systemCodec(step: "no packet for \(owedPacketCount)", status: 0) }
            hasFrames = false
            return 0
        }
        hasFrames = false
        owedPacketCount -= 1
        for index in payload.indices { packet[index] = payload[index] }
        return payload.count
    }
}

extension SystemConverter {
    /// Sets the bit rate mode, before ``setBitRate(_:)``.
    ///
    /// If the system does not support the variable mode, its default mode is kept.
    fileprivate func setBitRateMode(_ mode: OpusEncoderConfiguration.BitRateMode) throws(CodecError) {
        let (value, name): (UInt32, String) =
            switch mode {
            case .variable: (UInt32(kAudioCodecBitRateControlMode_LongTermAverage), "variable")
            case .constrained: (UInt32(kAudioCodecBitRateControlMode_VariableConstrained), "constrained")
            case .constant: (UInt32(kAudioCodecBitRateControlMode_Constant), "constant")
            }
        guard set(kAudioCodecPropertyBitRateControlMode, [value]) != 0, mode != .variable else { return }
        throw .unsupportedSystemSetting("bit rate mode", value: name, allowed: "variable")
    }
}

extension OpusEncoderConfiguration {
    /// Validates that settings without system support have their defaults.
    fileprivate func checkSystemSettings() throws(CodecError) {
        let usual = OpusEncoderConfiguration(channelCount: channelCount)
        let settings: [(name: String, value: String, allowed: String)] = [
            ("application", "\(application)", "\(usual.application)"), ("signal", "\(signal)", "\(usual.signal)"),
            ("complexity", "\(complexity)", "\(usual.complexity)"),
            ("forward error correction", "\(usesForwardErrorCorrection)", "\(usual.usesForwardErrorCorrection)"),
            ("expected packet loss", "\(expectedPacketLoss)", "\(usual.expectedPacketLoss)"),
            ("discontinuous transmission", "\(usesDiscontinuousTransmission)", "\(usual.usesDiscontinuousTransmission)"),
        ]
        for setting in settings where setting.value != setting.allowed {
            throw .unsupportedSystemSetting(setting.name, value: setting.value, allowed: setting.allowed)
        }
    }

    /// Creates a converter for the frame duration.
    fileprivate func makeSystemConverter() throws(CodecError) -> SystemConverter {
        let ratio = OpusConfiguration.sampleRate / sampleRate
        let wanted = frameDuration.rawValue / ratio
        var failure: CodecError?
        do throws(CodecError) {
            let converter = try SystemConverter(
                .opus, sampleRate: sampleRate, channelCount: channelCount, framesPerPacket: wanted, isHardware: false)
            if try converter.framesPerPacket() == wanted { return converter }
        } catch {
            failure = error
        }
        // Finds out whether only the duration or every request is rejected.
        let usual = try? SystemConverter(.opus, sampleRate: sampleRate, channelCount: channelCount, isHardware: false).framesPerPacket()
        if let failure, usual ?? wanted == wanted { throw failure }
        throw .unsupportedFrameLength(frameDuration.rawValue, allowed: usual.map { [$0 * ratio] } ?? [])
    }
}
#endif
