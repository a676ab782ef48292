// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import AACCodec
package import AudioContainers
package import AudioPrimitives
internal import AudioToolbox
internal import MPEG4Audio

/// Encodes AAC with an encoder of the system, in software or in hardware.
///
/// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
///
/// After an error of ``encode(_:)`` the packets that are complete, and the frames that the system has not taken are kept for the next call, which fails without a new buffer as
/// long as the system does.
package final class SystemPacketEncoder: AudioPacketEncoder {
    /// The configuration of the stream, from the system's magic cookie.
    package let codecConfiguration: CodecConfiguration
    /// The sample rate of the input, in hertz.
    package let sampleRate: Int
    /// The number of channels of the input.
    package let channelCount: Int
    /// The number of sample frames in a packet.
    package let framesPerPacket: Int
    /// The number of decoded sample frames before the first input sample.
    package let primingFrames: Int
    /// The number of bytes that no packet exceeds.
    package let maximumPacketByteCount: Int
    /// The target bit rate; `nil` with a variable one.
    package private(set) var bitRate: Int?

    private let converter: SystemConverter
    private let input: SystemEncoderInput
    private var packetCount = 0
    /// The packets that are not passed on yet; after an error there may be some.
    private var packets: [AccessUnit] = []
    private var isFinished = false
    /// Whether the system has said that the stream has ended.
    private var isDrained = false

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - configuration: The format of the input and the parameters of the stream; the system decides about effort, bandwidth and signalling.
    ///   - isHardware: Whether the encoder is in hardware.
    /// - Throws: `CodecError.systemCodec` if the system refuses a step;
    ///   `CodecError.unsupportedBitRate` with the bit rates that it has for the format;
    ///   `CodecError.unsupportedChannelLayout` if the speakers of more than two channels are not those of AAC.
    package init(_ configuration: AACEncoderConfiguration, isHardware: Bool) throws(CodecError) {
        sampleRate = configuration.sampleRate
        channelCount = configuration.channelCount
        // All that the configuration decides comes before the first question.
        converter = try SystemConverter(
            configuration.systemFormatID, sampleRate: sampleRate, channelCount: channelCount,
            framesPerPacket: configuration.systemFramesPerPacket, isHardware: isHardware)
        if channelCount > 2 { try converter.setChannels(SystemChannels(configuration)) }
        let rateControl = configuration.rateControl
        try converter.setRateControl(rateControl)
        switch rateControl {
        case .constant(let bitRate), .average(let bitRate):
            try converter.setBitRate(bitRate)
            self.bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
        case .variable: bitRate = nil
        }
        maximumPacketByteCount = try converter.number(kAudioConverterPropertyMaximumOutputPacketSize, "largest packet")
        framesPerPacket = try converter.framesPerPacket()
        primingFrames = try converter.primeInfo().leading
        let cookie = try converter.bytes(kAudioConverterCompressionMagicCookie, "magic cookie")
        let formatID = configuration.profile.formatID
        codecConfiguration = try CodecConfiguration(magicCookie: cookie, formatID: formatID).signaling(formatID, sampleRate: sampleRate)
        input = SystemEncoderInput(channelCount: channelCount)
    }

    /// The bit rates that the system accepts for the sample rate and the channels.
    package var applicableBitRates: [ClosedRange<Int>] { (try? converter.applicableBitRates()) ?? [] }

    /// Encodes a buffer.
    package func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        guard !isFinished else { throw .finished }
        guard buffer.channelCount == channelCount else {
            throw .channelCountMismatch(expected: channelCount, found: buffer.channelCount)
        }
        // What an earlier error left.
        if input.waitingFrameCount > 0 { try drain() }
        input.append(buffer)
        try drain()
        return takePackets()
    }

    /// Encodes the remaining samples and ends the stream; a call after an error goes on.
    package func finish() throws(CodecError) -> EncodedTail {
        isFinished = true
        input.isAtEnd = true
        if !isDrained { try drain() }
        isDrained = true
        return EncodedTail(units: takePackets(), gapless: gapless)
    }

    /// The frames of the packets so far: no more of them are valid than the system has taken, and than it says.
    private var gapless: GaplessInfo {
        let total = packetCount * framesPerPacket
        let priming = min(primingFrames, total)
        let trailing = (try? converter.primeInfo().trailing) ?? 0
        let remainder = min(max(total - priming - input.takenFrameCount, trailing, 0), total - priming)
        return GaplessInfo(primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
    }

    /// Changes the target bit rate from the next packet on.
    package func setBitRate(_ bitRate: Int) throws(CodecError) {
        guard self.bitRate != nil else { throw .variableBitRate }
        try converter.setBitRate(bitRate)
        self.bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
    }

    /// Discards all input and history.
    package func reset() {
        converter.reset()
        input.reset()
        packetCount = 0
        packets = []
        isFinished = false
        isDrained = false
    }

    /// Takes packets until the system waits for input, or the stream ends.
    private func drain() throws(CodecError) {
        while let payload = try converter.nextPacket(from: input, byteCount: maximumPacketByteCount) {
            let time = MediaTime(value: Int64(packetCount * framesPerPacket), timescale: Int32(sampleRate))
            packetCount += 1
            packets.append(AccessUnit(payload: payload, presentationTime: time, duration: framesPerPacket))
        }
    }

    /// Removes and returns the packets that are complete.
    private func takePackets() -> [AccessUnit] {
        defer { packets = [] }
        return packets
    }
}

extension AACEncoderConfiguration {
    /// The code of the system's codec; AAC-ELD with SBR at dual rate has a code of its own.
    fileprivate var systemFormatID: FourCharCode {
        profile == .enhancedLowDelay && settings.lowDelaySBR == .dualRate ? "aacf" : profile.formatID
    }

    /// The number of sample frames in a packet, if the configuration differs from the usual one.
    fileprivate var systemFramesPerPacket: Int? {
        guard settings.frameLength != AACEncoderSettings.defaultFrameLength else { return nil }
        let hasDoubleRate = [.highEfficiency, .highEfficiencyV2].contains(profile) || systemFormatID == "aacf"
        return settings.frameLength * (hasDoubleRate ? 2 : 1)
    }
}

extension CodecConfiguration {
    /// Returns the configuration with SBR and parametric stereo signalled, where the format has them and the cookie does not say so.
    fileprivate func signaling(_ formatID: FourCharCode, sampleRate: Int) -> CodecConfiguration {
        guard case .aac(var config) = self, config.objectType == .aacLC else { return self }
        let hasStereo = formatID == .mpeg4HighEfficiencyAACv2
        if config.extensionConfig.hasSBR == nil {
            // Implicit signalling gives the rate of the core.
            guard hasStereo || formatID == .mpeg4HighEfficiencyAAC, config.sampleRate * 2 == sampleRate else { return self }
            config.extensionConfig = .backwardCompatible(sampleRate: sampleRate, hasParametricStereo: hasStereo)
        } else if hasStereo, config.extensionConfig.hasParametricStereo != true, let rate = config.extensionConfig.sampleRate {
            config.extensionConfig =
                config.extensionConfig.signaling == .hierarchical
                ? .hierarchical(sampleRate: rate, hasParametricStereo: true)
                : .backwardCompatible(sampleRate: rate, hasParametricStereo: true)
        }
        return .aac(config)
    }
}
#endif
