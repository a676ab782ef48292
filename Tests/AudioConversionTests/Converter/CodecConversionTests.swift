// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

struct CodecConversionTests {
    /// Returns a 440 Hz tone in 16 bits on all channels.
    static func tone(_ format: AudioFormat, frameCount: Int) -> [UInt8] {
        (0..<frameCount).flatMap { frame in
            let value = 0.4 * SineTable.sine(Double(frame) * 440 / Double(format.sampleRate))
            return (0..<format.channelCount).flatMap { _ in ReferenceSamples.bytes(value, format.encoding) }
        }
    }

    /// Returns the packets of an input in memory and their gapless information.
    static func encode(_ bytes: [UInt8], _ converter: AudioConverter) throws -> (packets: [AccessUnit], gapless: GaplessInfo) {
        try converter.append(bytes.span.bytes)
        try converter.finish()
        var packets: [AccessUnit] = []
        while let packet = converter.nextPacket() { packets.append(packet) }
        return (packets, try #require(converter.outputGapless))
    }

    @Test(
        "A round trip through a codec keeps the length of the input",
        arguments: PacketCodecTests.configurations.filter { $0.channelCount <= 2 }, [(44_100, 2), (48_000, 1), (8000, 1)])
    func roundTrip(configuration: AudioEncoderConfiguration, source: (rate: Int, channelCount: Int)) throws {
        let input = AudioFormat(.int16, sampleRate: source.rate, channelCount: source.channelCount)
        let frameCount = source.rate / 5 + 7
        let bytes = Self.tone(input, frameCount: frameCount)
        let encoder = try AudioConverter(from: .pcm(input), to: .packets(configuration))
        let (packets, gapless) = try Self.encode(bytes, encoder)
        #expect(packets.allSatisfy { $0.payload.count <= encoder.maximumOutputPacketByteCount })
        #expect(gapless.primingFrames == encoder.outputPrimingFrames)
        var options = AudioConverterOptions()
        options.inputGapless = gapless
        let stream = try #require(encoder.outputConfiguration)
        let decoder = try AudioConverter(from: .packets(stream), to: .pcm(input), options: options)
        for packet in packets { try decoder.append(packet: packet.payload.span) }
        try decoder.finish()
        var result: [UInt8] = []
        decoder.read(.max, into: &result)
        // Two sample rate conversions round the length twice.
        let exact = configuration.sampleRate == source.rate
        #expect(abs(result.count / input.bytesPerFrame - frameCount) <= (exact ? 0 : source.rate / configuration.sampleRate + 1))
        // After its start, the tone reappears at the same position.
        let first = frameCount / 2
        let errors = (first..<first + source.rate / 20).map { frame -> Double in
            let index = frame * input.bytesPerFrame
            return ReferenceSamples.value(result[index..<index + 2], .int16) - ReferenceSamples.value(bytes[index..<index + 2], .int16)
        }
        let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        #expect(power < 0.08 * (configuration == .ilbc(.milliseconds20) || configuration == .ilbc(.milliseconds30) ? 0.3 : 0.01))
    }

    @Test("Transcodes between codecs")
    func transcoding() throws {
        let input = AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)
        let bytes = Self.tone(input, frameCount: 30_000)
        let first = try AudioConverter(from: .pcm(input), to: .packets(.aac(AACEncoderConfiguration(sampleRate: 44_100, channelCount: 2))))
        let (packets, gapless) = try Self.encode(bytes, first)
        var options = AudioConverterOptions()
        options.inputGapless = gapless
        let stream = try #require(first.outputConfiguration)
        let second = try AudioConverter(from: .packets(stream), to: .packets(.ilbc(.milliseconds30)), options: options)
        for packet in packets { try second.append(packet) }
        try second.finish()
        #expect(second.outputGapless?.validFrames == (2 * 30_000 * 8000 + 44_100) / (2 * 44_100))
        #expect(second.damagedPacketCount == 0)
        #expect(second.availablePacketCount * 240 == second.outputGapless?.totalFrames)
    }

    @Test("Damaged and lost packets keep the length and are counted")
    func damage() throws {
        let input = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        let encoder = try AudioConverter(
            from: .pcm(input), to: .packets(.aac(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))))
        let (packets, gapless) = try Self.encode(Self.tone(input, frameCount: 20_000), encoder)
        var options = AudioConverterOptions()
        options.inputGapless = gapless
        let stream = try #require(encoder.outputConfiguration)
        let decoder = try AudioConverter(from: .packets(stream), to: .pcm(input), options: options)
        for (index, packet) in packets.enumerated() {
            switch index {
            case 5: try decoder.append(packet: Array(packet.payload.prefix(3)).span)
            case 9: try decoder.appendLostPacket()
            default: try decoder.append(packet: packet.payload.span)
            }
        }
        try decoder.finish()
        #expect(decoder.availableFrameCount == 20_000)
        #expect(decoder.damagedPacketCount == 1 && decoder.firstDamage != nil)
    }

    @Test("All raw data blocks of an access unit are decoded, and those after a damaged one concealed")
    func severalBlocks() throws {
        let input = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        let encoder = try AudioConverter(
            from: .pcm(input), to: .packets(.aac(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))))
        let (packets, _) = try Self.encode(Self.tone(input, frameCount: 20_000), encoder)
        let stream = try #require(encoder.outputConfiguration)
        let single = try AudioConverter(from: .packets(stream), to: .pcm(input))
        for packet in packets { try single.append(packet) }
        let expected = single.drain().samples
        for damaged in [false, true] {
            let several = try AudioConverter(from: .packets(stream), to: .pcm(input))
            for start in stride(from: 0, to: packets.count, by: 4) {
                let blocks = packets[start..<min(start + 4, packets.count)].map(\.payload)
                let payload = damaged && start == 4 ? blocks[0] + blocks[1].prefix(3) : Array(blocks.joined())
                var unit = DemuxedAccessUnit(accessUnit: packets[start], byteRange: 0..<payload.count)
                unit.accessUnit.payload = payload
                unit.rawDataBlockCount = blocks.count
                try several.append(unit)
            }
            let samples = several.drain().samples
            #expect(samples.count == expected.count && (samples == expected) == !damaged)
            #expect(several.damagedPacketCount == (damaged ? 1 : 0))
        }
    }

    @Test("Too many leading frames are refused")
    func leadingFrames() {
        let format = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        var options = AudioConverterOptions()
        options.primeMethod = .pre(leadingFrames: .max)
        #expect(throws: CodecError.invalidLeadingFrames(.max)) {
            try AudioConverter(from: .pcm(format), to: .pcm(format), options: options)
        }
    }

    @Test("A stream with unsignaled SBR keeps the output sample rate, and the delay on request")
    func implicitSBR() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 48_000))
        configuration.profile = .highEfficiency
        configuration.signaling = .implicit
        let input = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        let encoder = try AudioConverter(from: .pcm(input), to: .packets(.aac(configuration)))
        let (packets, gapless) = try Self.encode(Self.tone(input, frameCount: 20_000), encoder)
        let stream = try #require(encoder.outputConfiguration)
        #expect(stream.sampleRate == 24_000)
        var options = AudioConverterOptions()
        options.primeMethod = .none
        options.inputGapless = gapless
        let decoder = try AudioConverter(from: .packets(stream), to: .pcm(input), options: options)
        for packet in packets { try decoder.append(packet: packet.payload.span) }
        try decoder.finish()
        #expect(decoder.availableFrameCount == gapless.totalFrames)
    }

    /// Returns the Core Audio description of a converter's output.
    private static func description(_ converter: AudioConverter) throws -> StreamDescription {
        try #require(converter.outputConfiguration).streamDescription(
            sampleRate: converter.outputSampleRate, channelCount: converter.outputChannelCount,
            framesPerPacket: converter.framesPerOutputPacket)
    }

    @Test("Descriptions are complete before the first input")
    func descriptions() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 32_000))
        configuration.profile = .highEfficiencyV2
        let input = AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)
        let converter = try AudioConverter(from: .pcm(input), to: .packets(.aac(configuration)))
        let description = try Self.description(converter)
        #expect(description.formatID == .mpeg4HighEfficiencyAACv2 && description.framesPerPacket == 2048)
        let speech = try Self.description(AudioConverter(from: .pcm(input), to: .packets(.ilbc(.milliseconds20))))
        #expect(speech.bytesPerPacket == 38 && speech.framesPerPacket == 160)
    }

    @Test("An invalid encoder parameter throws the codec's error")
    func refusal() {
        let input = AudioConverter.Input.pcm(AudioFormat(.int16, sampleRate: 44_100, channelCount: 2))
        let error = #expect(throws: CodecError.self) {
            try AudioConverter(from: input, to: .packets(.aac(AACEncoderConfiguration(sampleRate: 44_101, channelCount: 2))))
        }
        #expect(error == .unsupportedSampleRate(44_101, allowed: AACEncoderConfiguration.sampleRates))
    }

    @Test("A decoder accepts the output's magic cookie", arguments: PacketCodecTests.configurations)
    func magicCookies(configuration: AudioEncoderConfiguration) throws {
        let input = AudioFormat(.int16, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
        let converter = try AudioConverter(from: .pcm(input), to: .packets(configuration))
        let description = try Self.description(converter)
        let restored = try CodecConfiguration(
            magicCookie: converter.outputMagicCookie ?? [], formatID: description.formatID, bytesPerPacket: description.bytesPerPacket)
        #expect(restored == converter.outputConfiguration)
        if case .aac(let bare) = restored {
            #expect(try CodecConfiguration(magicCookie: bare.serialized(), formatID: .mpeg4AAC) == restored)
        }
    }

    @Test("An invalid cookie throws with the codec and its size")
    func damagedCookies() {
        for formatID in [FourCharCode.mpeg4AAC, .opus, .appleLossless, .iLBC] {
            let error = #expect(throws: CodecError.self) { try CodecConfiguration(magicCookie: [3, 2, 1], formatID: formatID) }
            #expect(error == .invalidMagicCookie(formatID, byteCount: 3))
        }
        let error = #expect(throws: CodecError.self) { try CodecConfiguration(magicCookie: [], formatID: .flac) }
        #expect(error == .unsupportedCodec(.flac))
    }

    @Test("The bit rate can be changed within the applicable ones")
    func bitRates() throws {
        let input = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        let converter = try AudioConverter(
            from: .pcm(input), to: .packets(.aac(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))))
        let range = try #require(converter.applicableBitRates.first)
        try converter.setBitRate(range.lowerBound)
        #expect(converter.encoder?.bitRate == range.lowerBound)
        let error = #expect(throws: CodecError.self) { try converter.setBitRate(range.upperBound + 1) }
        #expect(error == .unsupportedBitRate(range.upperBound + 1, allowed: range))
        #expect(converter.encoder?.bitRate == range.lowerBound)
    }
}
