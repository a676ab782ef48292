// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Darwin)
package import AACCodec
package import AudioContainers
package import AudioPrimitives
internal import AudioToolbox

/// Encodes AAC by an encoder of the system, in software or in hardware.
///
/// Not yet tested on a device.
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
    /// The target bit rate.
    package private(set) var bitRate: Int?

    private let converter: SystemConverter
    private let input: SystemEncoderInput
    private var framesIn = 0
    private var packetCount = 0
    private var isFinished = false

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - configuration: The format of the input and the parameters of the stream; effort, bandwidth and the quality of a variable rate are the system's.
    ///   - isHardware: Whether the encoder is in hardware.
    /// - Throws: ``AudioConversionError/Code/systemCodec(step:status:)`` if the system refuses a step.
    package init(_ configuration: AACEncoderConfiguration, isHardware: Bool) throws(AudioConversionError) {
        let formatID = AudioEncoderConfiguration.aac(configuration).formatID
        sampleRate = configuration.sampleRate
        channelCount = configuration.channelCount
        converter = try SystemConverter(formatID, sampleRate: sampleRate, channelCount: channelCount, isHardware: isHardware)
        switch configuration.rateControl {
        case .constant(let bitRate), .average(let bitRate): try converter.setBitRate(bitRate)
        case .variable: break
        }
        bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
        maximumPacketByteCount = try converter.number(kAudioConverterPropertyMaximumOutputPacketSize, "largest packet")
        framesPerPacket = try converter.framesPerPacket()
        primingFrames = try converter.primingFrames()
        let cookie = try converter.bytes(kAudioConverterCompressionMagicCookie, "magic cookie")
        codecConfiguration = try CodecConfiguration(magicCookie: cookie, formatID: formatID)
        input = SystemEncoderInput(channelCount: channelCount)
    }

    /// The bit rates that the system accepts for the sample rate and the channels.
    package var applicableBitRates: [ClosedRange<Int>] { (try? converter.applicableBitRates()) ?? [] }

    /// Encodes a buffer.
    package func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        guard !isFinished else { throw AudioConversionError(.finished) }
        guard buffer.channelCount == channelCount else {
            throw AudioConversionError(.channelCountMismatch(expected: channelCount, found: buffer.channelCount))
        }
        framesIn += buffer.frameCount
        input.set(buffer)
        try drain(body)
    }

    /// Encodes the remaining samples and ends the stream.
    package func finish(_ body: (AccessUnit) throws -> Void) throws -> GaplessInfo {
        if !isFinished {
            isFinished = true
            input.isAtEnd = true
            try drain(body)
        }
        let remainder = packetCount * framesPerPacket - primingFrames - framesIn
        return GaplessInfo(primingFrames: primingFrames, validFrames: framesIn, remainderFrames: max(0, remainder))
    }

    /// Changes the target bit rate from the next packet on.
    package func setBitRate(_ bitRate: Int) throws(AudioConversionError) {
        try converter.setBitRate(bitRate)
        self.bitRate = try converter.number(kAudioConverterEncodeBitRate, "bit rate")
    }

    /// Discards all input and history.
    package func reset() {
        converter.reset()
        input.isAtEnd = false
        framesIn = 0
        packetCount = 0
        isFinished = false
    }

    /// Takes packets until the system waits for input, or the stream ends.
    private func drain(_ body: (AccessUnit) throws -> Void) throws {
        while let payload = try converter.nextPacket(from: input, byteCount: maximumPacketByteCount) {
            let time = MediaTime(value: Int64(packetCount * framesPerPacket), timescale: Int32(sampleRate))
            packetCount += 1
            try body(AccessUnit(payload: payload, presentationTime: time, duration: framesPerPacket))
        }
    }
}
#endif
