// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import AACCodec
package import AudioContainers
package import AudioPrimitives
internal import AudioToolbox
internal import MPEG4Audio

/// Encodes AAC with a system encoder, in software or hardware.
///
/// Tested only with a model of Core Audio; see Documentation/Internals/Apple.md.
///
/// After an error of ``encode(_:)``, completed packets and unconsumed frames are kept for the next call, which fails without consuming its
/// buffer as long as the system does.
package final class SystemPacketEncoder: AudioPacketEncoder {
    /// The stream's configuration, from the system's magic cookie.
    package let codecConfiguration: CodecConfiguration
    /// The input sample rate, in hertz.
    package let sampleRate: Int
    package let channelCount: Int
    package let framesPerPacket: Int
    /// The number of decoded frames before the first input frame.
    package let primingFrames: Int
    package let maximumPacketByteCount: Int
    /// The target bit rate, or `nil` for a variable bit rate.
    package private(set) var bitRate: Int?

    private let converter: SystemConverter
    private let input: SystemEncoderInput
    private var packetCount = 0
    /// Packets that were not returned yet, for example because of an error.
    private var packets: [AccessUnit] = []
    private var isFinished = false
    /// Whether the system has signaled the end of the stream.
    private var isDrained = false

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The input format and the stream's parameters. The system determines effort, bandwidth and signaling.
    /// - Throws: `CodecError.systemCodec` if the system rejects a step. `CodecError.unsupportedBitRate` has the system's bit rates for the
    ///   format. `CodecError.unsupportedChannelLayout` is for more than two channels in a layout that AAC does not have.
    package init(_ configuration: AACEncoderConfiguration, isHardware: Bool) throws(CodecError) {
        sampleRate = configuration.sampleRate
        channelCount = configuration.channelCount
        // Apply the whole configuration before reading any property.
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

    /// The bit rates that the system supports for the sample rate and channels.
    package var applicableBitRates: [ClosedRange<Int>] { (try? converter.applicableBitRates()) ?? [] }

    package func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        guard !isFinished else { throw .finished }
        guard buffer.channelCount == channelCount else {
            throw .channelCountMismatch(expected: channelCount, found: buffer.channelCount)
        }
        // Retry the input that remained after an earlier error.
        if input.waitingFrameCount > 0 { try drain() }
        input.append(buffer)
        try drain()
        return dequeuePackets()
    }

    /// Encodes the remaining samples and ends the stream.
    ///
    /// Call it again to continue after an error.
    package func finish() throws(CodecError) -> EncodedTail {
        isFinished = true
        input.isAtEnd = true
        if !isDrained { try drain() }
        isDrained = true
        return EncodedTail(accessUnits: dequeuePackets(), gapless: gapless)
    }

    /// The gapless information of the packets so far.
    ///
    /// Valid frames are limited to the consumed input and the system's own value.
    private var gapless: GaplessInfo {
        let total = packetCount * framesPerPacket
        let priming = min(primingFrames, total)
        let trailing = (try? converter.primeInfo().trailing) ?? 0
        let remainder = min(max(total - priming - input.takenFrameCount, trailing, 0), total - priming)
        return GaplessInfo(primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
    }

    /// Changes the target bit rate, starting with the next packet.
    package func setBitRate(_ bitRate: Int) throws(CodecError) {
        guard self.bitRate != nil else { throw .variableBitRate }
        try converter.setBitRate(bitRate)
        self.bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
    }

    package func reset() {
        converter.reset()
        input.reset()
        packetCount = 0
        packets = []
        isFinished = false
        isDrained = false
    }

    /// Gets packets until the system needs input or the stream ends.
    private func drain() throws(CodecError) {
        while let payload = try converter.nextPacket(from: input, byteCount: maximumPacketByteCount) {
            let time = MediaTime(value: Int64(packetCount * framesPerPacket), timescale: Int32(sampleRate))
            packetCount += 1
            packets.append(AccessUnit(payload: payload, presentationTime: time, duration: framesPerPacket))
        }
    }

    /// Removes and returns the completed packets.
    private func dequeuePackets() -> [AccessUnit] {
        defer { packets = [] }
        return packets
    }
}

extension AACEncoderConfiguration {
    /// The system's format ID.
    ///
    /// AAC-ELD with dual-rate SBR has its own.
    fileprivate var systemFormatID: FourCharCode {
        profile == .enhancedLowDelay && settings.lowDelaySBR == .dualRate ? "aacf" : profile.formatID
    }

    /// The number of sample frames per packet, or `nil` for the default.
    fileprivate var systemFramesPerPacket: Int? {
        guard settings.frameLength != AACEncoderSettings.defaultFrameLength else { return nil }
        let hasDoubleRate = [.highEfficiency, .highEfficiencyV2].contains(profile) || systemFormatID == "aacf"
        return settings.frameLength * (hasDoubleRate ? 2 : 1)
    }
}

extension CodecConfiguration {
    /// Returns the configuration with SBR and parametric stereo signaled, if the format has them but the cookie does not signal them.
    fileprivate func signaling(_ formatID: FourCharCode, sampleRate: Int) -> CodecConfiguration {
        guard case .aac(var config) = self, config.objectType == .aacLC else { return self }
        let hasStereo = formatID == .mpeg4HighEfficiencyAACv2
        if config.extensionConfig.hasSBR == nil {
            // Implicit signaling states the core sample rate.
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
