// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox

/// The encoder on Apple's systems.
typealias OpusLibraryEncoder = OpusSystemEncoder

/// An encoder of the system.
///
/// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
final class OpusSystemEncoder {
    /// The mapping, which has one stream.
    let mapping: OpusChannelMapping
    /// The target bit rate that the system has chosen.
    private(set) var bitRate: Int
    /// The number of bytes that no packet exceeds.
    let maximumPacketByteCount: Int
    /// Whether frames after those of a packet are passed for its analysis.
    static let looksAhead = false

    private let ratio: Int
    private let converter: SystemConverter
    private let input: SystemEncoderInput
    /// Whether the frames of the packet are with the input or the system, after a call that failed.
    private var hasFrames = false
    /// The number of packets that the system has frames for, and has not made.
    private var owedPacketCount = 0

    /// The most packets that the system may hold back.
    private static let longestDelay = 16

    /// Creates an encoder for a configuration that has been checked.
    ///
    /// - Throws: `CodecError.unsupportedChannelCount`, `CodecError.unsupportedFrameLength`, `CodecError.unsupportedBitRate`,
    ///   `CodecError.unsupportedSystemSetting` for what the system does not have; `CodecError.systemCodec` if it refuses a step.
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

    /// The number of sample frames of the input before the first decoded one.
    ///
    /// No encoder of Opus has none (RFC 7845 4.2): where the system does not tell them, they are those of libopus.
    func lookAhead() throws(CodecError) -> Int {
        let leading = (try? converter.primeInfo().leading) ?? 0
        return leading > 0 ? leading : 312 / ratio
    }

    /// The bit rates that the system accepts for the sample rate and the channels.
    var applicableBitRates: [ClosedRange<Int>] { (try? converter.applicableBitRates()) ?? [] }

    /// Changes the target bit rate.
    func setBitRate(_ bitRate: Int) throws(CodecError) {
        try converter.setBitRate(bitRate)
        self.bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
    }

    /// Discards all history.
    func reset() {
        converter.reset()
        input.reset()
        hasFrames = false
        owedPacketCount = 0
    }

    /// Encodes a packet; after an error the call is repeated with the same samples, which are passed on once.
    ///
    /// - Parameters:
    ///   - samples: The samples, frame by frame.
    ///   - first: The index of the first sample of the packet.
    ///   - frameCount: The number of sample frames of a packet.
    ///   - packet: The buffer for the packet, with room for the largest one.
    /// - Returns: The number of bytes of the packet; 0 if the system has not made one yet.
    func encode(_ samples: [Float], from first: Int, frameCount: Int, into packet: inout [UInt8]) throws(CodecError) -> Int {
        if !hasFrames {
            input.append(samples[first..<first + frameCount * mapping.channelCount])
            owedPacketCount += 1
            hasFrames = true
        }
        let payload = try converter.nextPacket(from: input, byteCount: maximumPacketByteCount)
        guard let payload else {
            guard owedPacketCount <= Self.longestDelay else { throw .systemCodec(step: "no packet for \(owedPacketCount)", status: 0) }
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
    /// Sets the mode of the rate control; to be called before ``setBitRate(_:)``.
    ///
    /// A variable bit rate whose mean is near the target takes any mode that the encoder has.
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
    /// Checks that settings which the system's encoder does not have are at their defaults.
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

    /// Creates a converter whose packets have the frame duration.
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
        // Whether the duration is refused, or anything.
        let usual = try? SystemConverter(.opus, sampleRate: sampleRate, channelCount: channelCount, isHardware: false).framesPerPacket()
        if let failure, usual ?? wanted == wanted { throw failure }
        throw .unsupportedFrameLength(frameDuration.rawValue, allowed: usual.map { [$0 * ratio] } ?? [])
    }
}
#endif
