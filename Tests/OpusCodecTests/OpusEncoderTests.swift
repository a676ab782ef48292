// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import OpusCodec
import TestSupport
import Testing

@Suite struct OpusEncoderTests {
    @Test("Lengths are exact for all rates, frame durations and channel counts", arguments: 0..<60)
    func exactLengths(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let rate = OpusEncoderConfiguration.sampleRates[seed % 5]
        let duration = OpusFrameDuration.allCases[seed / 5 % 6]
        let channelCount = Int.random(in: 1...8, using: &random)
        var configuration = OpusEncoderConfiguration(sampleRate: rate, channelCount: channelCount)
        configuration.frameDuration = duration
        configuration.complexity = 0
        configuration.application = OpusEncoderConfiguration.Application.allCases.randomElement(using: &random) ?? .audio
        configuration.bitRateMode = OpusEncoderConfiguration.BitRateMode.allCases.randomElement(using: &random) ?? .variable
        let frameCount = Int.random(in: 1...rate / 4, using: &random)
        let signal = OpusSignals.tones(sampleRate: rate, channelCount: channelCount, frameCount: frameCount)
        let (accessUnits, gapless, stream) = try OpusSignals.encode(signal, configuration, seed: UInt64(seed))
        #expect(gapless.validFrames == frameCount * 48_000 / rate)
        #expect(gapless.primingFrames == Int(stream.preSkip))
        #expect(gapless.totalFrames == accessUnits.count * duration.rawValue)
        #expect(gapless.remainderFrames < duration.rawValue)
        for (index, accessUnit) in accessUnits.enumerated() {
            #expect(accessUnit.presentationTime == MediaTime(value: Int64(index * duration.rawValue), timescale: 48_000))
            #expect(try OpusPacket(accessUnit.payload).duration == accessUnit.duration && accessUnit.duration == duration.rawValue)
        }
        #expect(Set(accessUnits.map(\.payload.count)).count == 1 || configuration.bitRateMode != .constant)
        let decoded = try OpusSignals.decode(accessUnits, stream)
        #expect(decoded.count == channelCount && decoded.allSatisfy { $0.count == gapless.totalFrames })
    }

    @Test("Pre-skip equals the delay, so the decoded signal aligns with the input", arguments: OpusEncoderConfiguration.sampleRates)
    func alignment(rate: Int) throws {
        let configuration = OpusEncoderConfiguration(sampleRate: rate, channelCount: 1, bitRate: 128_000)
        let signal = OpusSignals.tones(sampleRate: rate, channelCount: 1, frameCount: rate)
        let (accessUnits, gapless, stream) = try OpusSignals.encode(signal, configuration)
        var options = OpusDecoderOptions()
        options.sampleRate = rate
        let decoded = try OpusSignals.decode(accessUnits, stream, options: options)[0]
        let ratio = 48_000 / rate
        let aligned = Array(decoded[gapless.primingFrames / ratio..<gapless.primingFrames / ratio + rate])
        // The encoder converges during the first packets.
        #expect(OpusSignals.ratio(Array(signal.samples[rate / 4..<rate]), Array(aligned[(rate / 4)...])) > 20)
    }

    @Test("Channel mappings of the library are as expected", arguments: 1...8)
    func mappings(channelCount: Int) throws {
        let encoder = try OpusEncoder(OpusEncoderConfiguration(channelCount: channelCount))
        #expect(try encoder.opusConfiguration.mapping == OpusChannelMapping(channelCount: channelCount))
        #expect(encoder.delay == 312)
        var lowDelay = OpusEncoderConfiguration(channelCount: channelCount)
        lowDelay.application = .lowDelay
        #expect(try OpusEncoder(lowDelay).delay == 120)
    }

    @Test("Each channel reaches its speaker", arguments: 1...8, [OpusDecoderOptions.ChannelOrder.wav, .bitstream])
    func speakers(channelCount: Int, order: OpusDecoderOptions.ChannelOrder) throws {
        let signal = OpusSignals.tones(sampleRate: 48_000, channelCount: channelCount, frameCount: 24_000)
        let layout = try OpusChannelMapping(channelCount: channelCount).channelLayout.inWAVOrder
        var configuration = OpusEncoderConfiguration(channelCount: channelCount, bitRate: 96_000 * channelCount)
        // The low-frequency channel is only coded up to 120 Hz, so its tone is missing.
        configuration.inputLayout = layout
        let (accessUnits, _, stream) = try OpusSignals.encode(signal, configuration)
        var options = OpusDecoderOptions()
        options.channelOrder = order
        let decoder = try OpusDecoder(stream, options: options)
        #expect(decoder.channelLayout == (order == .wav ? layout : stream.channelLayout))
        let decoded = try OpusSignals.decode(accessUnits, stream, options: options)
        for (channel, speaker) in try #require(decoder.channelLayout).speakers.enumerated() where speaker != .lowFrequency {
            let input = try #require(layout.speakers.firstIndex(of: speaker))
            let powers = (0..<channelCount).map {
                OpusSignals.power(of: OpusSignals.frequency(ofChannel: $0), in: Array(decoded[channel][4800...]), sampleRate: 48_000)
            }
            #expect(powers.firstIndex(of: powers.max() ?? 0) == input)
        }
    }

    @Test("Samples in memory, in any format, produce the same packets as a buffer")
    func formats() throws {
        let signal = OpusSignals.tones(sampleRate: 48_000, channelCount: 2, frameCount: 5000)
        var integers: [Int16] = []
        var rounded = signal
        for frame in 0..<5000 {
            for channel in 0..<2 {
                let value = Int16((signal.channel(channel)[frame] * 32_768).rounded())
                integers.append(value)
                rounded.samples[rounded.range(ofChannel: channel).lowerBound + frame] = Float(value) / 32_768
            }
        }
        let configuration = OpusEncoderConfiguration(channelCount: 2)
        let encoder = try OpusEncoder(configuration)
        var accessUnits: [AccessUnit] = []
        try encoder.encode(integers.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { accessUnits.append($0) }
        _ = try encoder.finish { accessUnits.append($0) }
        #expect(try accessUnits == OpusSignals.encode(rounded, configuration).accessUnits)
        // Reset and repeat.
        encoder.reset()
        var again: [AccessUnit] = []
        try encoder.encode(integers.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { again.append($0) }
        _ = try encoder.finish { again.append($0) }
        #expect(again == accessUnits)
    }

    @Test("Bit rates are kept", arguments: [12_000, 64_000, 256_000, 510_000])
    func bitRates(bitRate: Int) throws {
        var configuration = OpusEncoderConfiguration(channelCount: 2, bitRate: bitRate)
        configuration.bitRateMode = .constant
        let signal = OpusSignals.syllables(sampleRate: 48_000, channelCount: 2, frameCount: 48_000, seed: 3)
        let (accessUnits, _, _) = try OpusSignals.encode(signal, configuration)
        #expect(accessUnits.allSatisfy { $0.payload.count == bitRate / 400 })
        let encoder = try OpusEncoder(configuration)
        try encoder.setBitRate(32_000)
        var changed: [AccessUnit] = []
        try encoder.encode(signal) { changed.append($0) }
        #expect(changed.allSatisfy { $0.payload.count == 80 } && encoder.configuration.bitRate == 32_000)
        #expect(throws: CodecError.unsupportedBitRate(511_000, allowed: 6000...510_000)) { try encoder.setBitRate(511_000) }
    }

    @Test("Silence needs one byte per packet with discontinuous transmission")
    func discontinuousTransmission() throws {
        var configuration = OpusEncoderConfiguration(sampleRate: 16_000, channelCount: 1, bitRate: 16_000)
        configuration.application = .voice
        configuration.usesDiscontinuousTransmission = true
        let silence = PCMBuffer(sampleRate: 16_000, channelCount: 1, frameCapacity: 32_000)
        let (accessUnits, gapless, stream) = try OpusSignals.encode(silence, configuration)
        #expect(accessUnits.filter { $0.payload.count <= 2 }.count > accessUnits.count / 2)
        #expect(try OpusSignals.decode(accessUnits, stream)[0].count == gapless.totalFrames)
    }

    @Test("Encoder without input outputs one packet, all of it priming and padding")
    func empty() throws {
        let encoder = try OpusEncoder(OpusEncoderConfiguration(channelCount: 1))
        var count = 0
        let gapless = try encoder.finish { _ in count += 1 }
        let delay = encoder.delay
        #expect(count == 1)
        #expect(gapless == GaplessInfo(primingFrames: delay, validFrames: 0, remainderFrames: encoder.framesPerPacket - delay))
        let buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 10)
        #expect(throws: CodecError.finished) { try encoder.encode(buffer) { _ in } }
    }

    @Test("Out-of-range parameters throw with their limits")
    func refused() {
        func expect(_ error: CodecError, channelCount: Int = 2, _ change: (inout OpusEncoderConfiguration) -> Void) {
            var configuration = OpusEncoderConfiguration(channelCount: channelCount)
            change(&configuration)
            #expect(throws: error) { try OpusEncoder(configuration) }
        }
        expect(.unsupportedSampleRate(44_100, allowed: OpusEncoderConfiguration.sampleRates)) { $0.sampleRate = 44_100 }
        expect(.unsupportedChannelCount(9, allowed: Array(1...8)), channelCount: 9) { _ in }
        expect(.unsupportedChannelCount(3, allowed: [1, 2]), channelCount: 3) { $0.mappingFamily = 0 }
        expect(.unsupportedBitRate(5999, allowed: 6000...510_000)) { $0.bitRate = 5999 }
        expect(.unsupportedComplexity(11, allowed: 0...10)) { $0.complexity = 11 }
        expect(.unsupportedPacketLoss(101, allowed: 0...100)) { $0.expectedPacketLoss = 101 }
        expect(.unsupportedBitDepth(25, allowed: Array(8...24))) { $0.sourceBitDepth = 25 }
        let odd = ChannelLayout([.center, .lowFrequency])
        expect(.unsupportedChannelLayout(odd, allowed: ChannelLayout([.left, .right]))) { $0.inputLayout = odd }
    }

    @Test("Samples that are not finite throw, or are encoded as zero")
    func invalidSamples() throws {
        var signal = OpusSignals.tones(sampleRate: 48_000, channelCount: 2, frameCount: 3000)
        signal.samples[signal.range(ofChannel: 1).lowerBound + 2000] = .nan
        var configuration = OpusEncoderConfiguration(channelCount: 2)
        #expect(throws: CodecError.invalidSample(channel: 1, frame: 2000)) {
            try OpusEncoder(configuration).encode(signal) { _ in }
        }
        configuration.invalidSamples = .silence
        let accessUnits = try OpusSignals.encode(signal, configuration).accessUnits
        signal.samples[signal.range(ofChannel: 1).lowerBound + 2000] = 0
        #expect(try OpusSignals.encode(signal, configuration).accessUnits == accessUnits)
        let mono = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 10)
        #expect(throws: CodecError.channelCountMismatch(expected: 2, found: 1)) {
            try OpusEncoder(configuration).encode(mono) { _ in }
        }
    }

    @Test("Input in another format is refused")
    func foreignInput() throws {
        let encoder = try OpusEncoder(OpusEncoderConfiguration(channelCount: 2))
        let buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 10)
        #expect(throws: CodecError.sampleRateMismatch(expected: 48_000, found: 44_100)) { try encoder.encode(buffer) }
        let bytes: [UInt8] = [0, 0]
        #expect(throws: CodecError.channelCountMismatch(expected: 2, found: 0)) {
            try encoder.encode(bytes.span.bytes, format: PCMFormat(.int16, channelCount: 0))
        }
    }
}
