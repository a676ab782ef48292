// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioContainers
import AudioPrimitives
import OpusCodec

/// The system's Opus decoder with all kinds of packets, losses, damage and multistream packets.
let opusDecoderScenarios: [Scenario] = [
    Scenario(name: "opus-decode-rates", expectation: "a stream is decoded to each sample rate, with the gain of its header") { report in
        attempt(&report) { report in
            var one = try OpusStream(channelCount: 1, frameCount: 24_000)
            try one.encodeAll()
            for sampleRate in OpusEncoderConfiguration.sampleRates {
                let output = try OpusStream.decode(one.units, one.encoder.opusConfiguration, sampleRate: sampleRate, &report)[0]
                report.check(output.count == one.units.count * sampleRate / 50, "\(output.count) frames at \(sampleRate) Hz")
                let signal = OpusStream.tones(sampleRate: sampleRate, channelCount: 1, frameCount: sampleRate / 2)
                let level = OpusStream.level(signal.channel(0), output.dropFirst(312 * sampleRate / 48_000))
                report.check(level > 12, "\(level) dB at \(sampleRate) Hz")
            }
            var configuration = one.encoder.opusConfiguration
            let plain = try OpusStream.decode(one.units, configuration, &report)[0]
            for (gain, factor) in [(1541, 2.0009), (-1541, 0.49978), (256 * 20, 10), (0, 1)] as [(Int16, Float)] {
                configuration.outputGain = gain
                let louder = try OpusStream.decode(one.units, configuration, &report)[0]
                report.check(OpusStream.level(plain.map { $0 * factor }, louder) > 60, "a gain of \(gain)/256 dB")
            }
        }
    },
    Scenario(name: "opus-decode-frames", expectation: "packets of one to six frames in all forms are decoded like single frames") {
        report in
        attempt(&report) { report in
            for isConstant in [true, false] {
                var one = try OpusStream(channelCount: 1, frameCount: 20_000) { $0.bitRateMode = isConstant ? .constant : .variable }
                try one.encodeAll()
                let units = Array(one.units.prefix(12))
                let expected = try OpusStream.decode(units, one.encoder.opusConfiguration, &report)[0]
                for count in [1, 2, 3, 6] {
                    for padding in [0, 7, 300] where padding == 0 || count != 2 {
                        let joined = stride(from: 0, to: 12, by: count).map { start in
                            AccessUnit(
                                payload: OpusStream.joined(
                                    units[start..<start + count].map(\.payload), isConstant: isConstant, padding: padding),
                                presentationTime: units[start].presentationTime, duration: 960 * count)
                        }
                        let output = try OpusStream.decode(joined, one.encoder.opusConfiguration, &report)[0]
                        report.check(output == expected, "\(count) frames in a packet, \(padding) bytes of padding: other samples")
                    }
                }
            }
        }
    },
    Scenario(name: "opus-decode-streams", expectation: "multistream packets: each channel has its stream's samples") { report in
        attempt(&report) { report in
            var (pair, single) = (try OpusStream(), try OpusStream(channelCount: 1, pitch: 700))
            try pair.encodeAll()
            try single.encodeAll()
            // Left and right in a coupled stream, the centre in another stream, and a silent channel.
            let mapping = try OpusChannelMapping(family: 1, streamCount: 2, coupledCount: 1, channels: [0, 2, 1])
            let units = zip(pair.units, single.units).map { left, right in
                AccessUnit(
                    payload: OpusStream.delimited(left.payload) + right.payload, presentationTime: left.presentationTime,
                    duration: left.duration)
            }
            let decoded = try OpusStream.decode(units, OpusConfiguration(mapping: mapping, preSkip: 312), &report)
            let expected = try OpusStream.decode(pair.units, pair.encoder.opusConfiguration, &report)
            let center = try OpusStream.decode(single.units, single.encoder.opusConfiguration, &report)
            // WAV order: left, right, centre.
            report.check(decoded == expected + center, "the channels of two streams")
            let silent = try OpusChannelMapping(family: 1, streamCount: 1, coupledCount: 1, channels: [1, 255])
            let swapped = try OpusStream.decode(pair.units, OpusConfiguration(mapping: silent, preSkip: 312), &report)
            report.check(swapped[0] == expected[1] && swapped[1].allSatisfy { $0 == 0 }, "a channel without a signal")
        }
    },
    Scenario(
        name: "opus-decode-lost",
        expectation: "a lost packet is concealed or silent with the latest duration; its redundant copy is not decoded"
    ) {
        report in
        for conceals in [true, false] {
            machine.converters.concealsEmptyFrames = conceals
            attempt(&report) { report in
                var one = try OpusStream(channelCount: 1)
                try one.encodeAll()
                let decoder = try OpusDecoder(one.encoder.opusConfiguration)
                var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: decoder.framesPerPacket)
                report.check(decoder.conceal(into: &buffer).damage == nil && buffer.frameCount == 960, "before the first packet")
                for unit in one.units.prefix(8) { _ = decoder.damage(unit.payload, &buffer) }
                let result = decoder.conceal(into: &buffer)
                let isSilent = buffer.channel(0).allSatisfy { $0 == 0 }
                report.check(result.damage == nil && buffer.frameCount == 960 && isSilent != conceals, "silent: \(isSilent)")
                let part = try decoder.conceal(duration: 480, into: &buffer)
                report.check(part.damage == nil && buffer.frameCount == 480, "a part of a packet: \(buffer.frameCount)")
                let copy = try decoder.recovered(one.units[9].payload, &buffer)
                let expected = CodecError.unsupportedSystemSetting(
                    "decoding of a lost packet", value: "from the next one", allowed: "by concealment")
                report.check(copy.damage == expected && buffer.frameCount == 960, "\(String(describing: copy.damage))")
                report.check(decoder.damage(one.units[9].payload, &buffer) == nil, "the packet after it")
            }
        }
    },
    Scenario(name: "opus-decode-damaged", expectation: "damaged packets and system errors are reported, and the length is unchanged") {
        report in
        attempt(&report) { report in
            var one = try OpusStream()
            try one.encodeAll()
            let decoder = try OpusDecoder(one.encoder.opusConfiguration)
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: decoder.framesPerPacket)
            _ = decoder.damage(one.units[0].payload, &buffer)
            let toc = one.units[0].payload[0] & 0xFC
            let payload = one.units[1].payload.dropFirst()
            let packets: [[UInt8]] = [
                [], [toc | 1, 1, 2, 3], [toc | 2, 252], [toc | 2, 200, 1], [toc | 3], [toc | 3, 0], [toc | 3, 0x42, 255, 255, 1],
                [toc | 3, 0x83, 9, 9, 1], [toc | 3, 63], [toc] + Array(repeating: 1, count: 1276),
            ]
            for packet in packets {
                let damage = decoder.damage(packet, &buffer)
                report.check(damage == .invalidOpusPacket(byteCount: packet.count), "\(packet.prefix(6)): \(String(describing: damage))")
                report.check(buffer.frameCount > 0 && buffer.frameCount % 960 == 0, "\(buffer.frameCount) frames")
            }
            report.check(decoder.damage([toc] + payload, &buffer) == nil, "a packet after damaged ones")
            machine.converters.failures = [machine.converters.failure(after: 0, count: 2, ConverterStatus.badData)]
            let damage = decoder.damage(one.units[2].payload, &buffer)
            report.check(
                damage == .systemCodec(step: "AudioConverterFillComplexBuffer", status: ConverterStatus.badData)
                    && buffer.frameCount == 960 && buffer.channel(0).allSatisfy { $0 == 0 }, "\(String(describing: damage))")
            report.check(decoder.damage(one.units[3].payload, &buffer) == nil, "a packet after an error")
        }
        attempt(&report) { report in
            // Random bytes, for one stream and for several.
            var state: UInt32 = 1
            func random(_ bound: Int) -> Int {
                state = state &* 1_664_525 &+ 1_013_904_223
                return Int(state >> 8) % bound
            }
            for channelCount in [1, 2, 6] {
                let decoder = try OpusDecoder(OpusConfiguration(mapping: OpusChannelMapping(channelCount: channelCount), preSkip: 0))
                var buffer = PCMBuffer(sampleRate: 48_000, channelCount: channelCount, frameCapacity: decoder.framesPerPacket)
                var intact = 0
                for _ in 0..<2000 {
                    let packet = (0..<random(60)).map { _ in UInt8(random(256)) }
                    intact += decoder.damage(packet, &buffer) == nil ? 1 : 0
                    report.check(buffer.frameCount > 0 && buffer.frameCount % 120 == 0, "\(packet): \(buffer.frameCount) frames")
                }
                report.note("\(channelCount) channels: \(intact) of 2000 packets of any bytes are valid")
            }
        }
        machine.converters.manufacturers = []
        do {
            _ = try OpusDecoder(OpusConfiguration(mapping: OpusChannelMapping(channelCount: 2), preSkip: 0))
            report.check(false, "a decoder without the system's")
        } catch {
            report.check(
                error as? CodecError == .systemCodec(step: "AudioConverterNew", status: ConverterStatus.format), "\(error)")
        }
    },
    Scenario(name: "opus-decode-durations", expectation: "frames of another duration: the correct count, and lost history is reported") {
        report in
        attempt(&report) { report in
            var one = try OpusStream(channelCount: 1)
            var other = try OpusStream(channelCount: 1) { $0.frameDuration = .milliseconds5 }
            try one.encodeAll()
            try other.encodeAll()
            let decoder = try OpusDecoder(one.encoder.opusConfiguration)
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: decoder.framesPerPacket)
            var reports: [Int] = []
            for (index, unit) in (one.units.prefix(3) + other.units[12..<16] + one.units[4..<6]).enumerated() {
                if decoder.damage(unit.payload, &buffer) != nil { reports.append(index) }
                report.check(buffer.frameCount == unit.duration, "\(buffer.frameCount) frames of \(unit.duration)")
                // Without history, the tone's level recovers only after some packets.
                report.check(![6, 8].contains(index) || buffer.channel(0).contains { $0.magnitude > 0.1 }, "packet \(index) is silent")
            }
            report.check(reports == [3, 7], "reports of packets \(reports)")
            // A seek discards the history anyway.
            decoder.reset()
            report.check(decoder.damage(other.units[12].payload, &buffer) == nil, "a report after a seek")
        }
    },
]

extension OpusStream {
    /// Returns a packet of several frames (RFC 6716 3.2).
    ///
    /// - Parameters:
    ///   - packets: Packets of one frame each.
    ///   - isConstant: Whether all frames have the same size.
    ///   - padding: The padding in bytes, which requires a code 3 packet.
    fileprivate static func joined(_ packets: [[UInt8]], isConstant: Bool, padding: Int) -> [UInt8] {
        let contents = packets[0][0] & 0xFC
        let frames = packets.map { Array($0.dropFirst()) }
        let sizes = frames.dropLast().flatMap { size($0.count) }
        if padding == 0, frames.count == 1 { return packets[0] }
        if padding == 0, frames.count == 2 { return [contents | (isConstant ? 1 : 2)] + (isConstant ? [] : sizes) + frames[0] + frames[1] }
        let flags = UInt8(frames.count) | (isConstant ? 0 : 0x80) | (padding > 0 ? 0x40 : 0)
        let count = padding == 0 ? [] : padding < 255 ? [UInt8(padding)] : [255, UInt8(padding - 254)]
        return [contents | 3, flags] + count + (isConstant ? [] : sizes) + frames.flatMap { $0 } + Array(repeating: 0, count: padding)
    }

    /// Returns a self-delimiting packet of one frame (RFC 6716, Appendix B).
    fileprivate static func delimited(_ packet: [UInt8]) -> [UInt8] { [packet[0]] + size(packet.count - 1) + packet.dropFirst() }

    /// Returns a frame size in one or two bytes (RFC 6716 3.2.1).
    private static func size(_ count: Int) -> [UInt8] {
        count < 252 ? [UInt8(count)] : [UInt8(252 + count % 4), UInt8((count - 252 - count % 4) / 4)]
    }
}
#endif
