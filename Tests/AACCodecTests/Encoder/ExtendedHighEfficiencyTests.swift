// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

/// xHE-AAC: access units, rate control and immediate playout frames.
@Suite struct ExtendedHighEfficiencyTests {
    private static func configuration(
        _ rate: Int, _ channelCount: Int, _ rateControl: AACEncoderConfiguration.RateControl,
        effort: AACEncoderConfiguration.Effort = .fast
    ) -> AACEncoderConfiguration {
        var configuration = AACEncoderConfiguration(
            sampleRate: rate, channelCount: channelCount, rateControl: rateControl, effort: effort)
        configuration.profile = .extendedHighEfficiency
        return configuration
    }

    private struct Stream {
        let units: [AccessUnit]
        let gapless: GaplessInfo
        let configuration: AudioSpecificConfig

        /// Encodes interleaved 16-bit samples.
        init(_ samples: [UInt8], _ configuration: AACEncoderConfiguration) throws {
            let encoder = try AACEncoder(configuration)
            self.configuration = encoder.audioSpecificConfig
            var units = try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: configuration.channelCount))
            gapless = encoder.finish { units.append($0) }
            self.units = units
        }

        /// Decodes from an access unit on, and returns interleaved samples.
        func decoded(from first: Int = 0) throws -> [Float] {
            let decoder = try USACDecoder(AudioSpecificConfig(parsing: configuration.serialized()))
            var samples: [Float] = []
            for unit in units[first...] {
                let buffer = try decoder.decode(unit)
                for frame in 0..<buffer.frameCount {
                    for channel in 0..<buffer.channelCount { samples.append(buffer.channel(channel)[frame]) }
                }
            }
            return samples
        }

        /// Returns the noise level of each access unit of one channel; `nil` in short windows.
        func noiseLevels() throws -> [Int?] {
            let usac = try #require(configuration.usac)
            let channel = try #require(usac.elements.first { $0.kind != .extension })
            var data = CoreElementData(channel, coreRate: usac.coreSampleRate, frameLength: usac.coreFrameLength)
            var contexts = FixedArray(count: 1) { _ in SpectralContext(frameLength: usac.coreFrameLength) }
            return try units.map { unit in
                var reader = BitReader(unit.payload)
                let isIndependent = reader.readFlag()
                for element in usac.elements {
                    if element.kind == .extension {
                        _ = try ExtensionElement(reading: &reader, element)
                    } else {
                        try data.read(from: &reader, isIndependent: isIndependent, contexts: &contexts)
                    }
                }
                return data.channels[0].windows.isShort ? nil : data.channels[0].noiseLevel
            }
        }

        /// The indices of immediate playout frames.
        var accessPoints: [Int] { units.indices.filter { units[$0].payload[0] & 0xC0 == 0xC0 } }
    }

    @Test(
        "The decoded stream is the input, after the delay of AAC-LC",
        arguments: [(16_000, 1), (24_000, 2), (44_100, 1), (48_000, 2)], AACEncoderConfiguration.Effort.allCases)
    func roundTrip(format: (rate: Int, channelCount: Int), effort: AACEncoderConfiguration.Effort) throws {
        let input = chordBytes(sampleRate: format.rate, channelCount: format.channelCount, frameCount: 9_000)
        let bitRate = format.rate * format.channelCount * 3
        let stream = try Stream(input, Self.configuration(format.rate, format.channelCount, .average(bitRate: bitRate), effort: effort))
        #expect(stream.gapless.primingFrames == 2112 && stream.gapless.validFrames == 9_000)
        #expect(stream.configuration.objectType == .usac && stream.configuration.channelCount == format.channelCount)
        let wanted = stride(from: 0, to: input.count, by: 2).map {
            Float(Int16(truncatingIfNeeded: Int(input[$0]) | Int(input[$0 + 1]) << 8)) / 32_768
        }
        let output = try stream.decoded().dropFirst(2112 * format.channelCount).prefix(wanted.count)
        #expect(output.count == wanted.count && signalToNoise(wanted, Array(output)) > 25)
    }

    @Test("Decoding can start at each interval, and only noise filling differs from the whole stream", arguments: [1, 2], [false, true])
    func accessPoints(channelCount: Int, hasNoise: Bool) throws {
        let input = chordBytes(sampleRate: 48_000, channelCount: channelCount, frameCount: 40_000)
        var configuration = Self.configuration(48_000, channelCount, .average(bitRate: 64_000 * channelCount))
        configuration.settings.accessPointInterval = 0.2
        configuration.settings.usesNoiseSubstitution = hasNoise
        let stream = try Stream(input, configuration)
        #expect(stream.configuration.usac?.elements[1].hasNoiseFilling == hasNoise)
        #expect(stream.accessPoints == [0, 8, 16, 24, 32, 40])
        let whole = try stream.decoded()
        for first in stream.accessPoints {
            let part = try stream.decoded(from: first)
            let same = whole.suffix(part.count)
            #expect(hasNoise ? signalToNoise(Array(same), part) > 30 : part.elementsEqual(same), "from access unit \(first)")
        }
    }

    @Test(
        "High constant rates and low peaks keep access points, and the size of access units costs no quality",
        arguments: [
            (48_000, 1, 192_000, nil), (24_000, 2, 192_000, nil), (32_000, 1, 160_000, nil), (16_000, 1, 64_000, nil),
            (48_000, 2, 128_000, 160_000),
        ])
    func limitedUnits(rate: Int, channelCount: Int, bitRate: Int, peak: Int?) throws {
        let input = chordBytes(sampleRate: rate, channelCount: channelCount, frameCount: 40_000)
        var configuration = Self.configuration(
            rate, channelCount, peak == nil ? .constant(bitRate: bitRate) : .average(bitRate: bitRate))
        configuration.settings.peakBitRate = peak
        configuration.settings.accessPointInterval = 8.1 * 1024 / Double(rate)
        configuration.settings.usesNoiseSubstitution = false
        let stream = try Stream(input, configuration)
        #expect(stream.accessPoints == [0, 8, 16, 24, 32, 40])
        let limit = Double(peak ?? 6144 * channelCount * rate / 1024) * 1024 / Double(rate)
        #expect(stream.units.allSatisfy { Double(8 * $0.payload.count) <= limit })
        if peak == nil {
            let meanRate = Double(8 * stream.units.reduce(0) { $0 + $1.payload.count } * rate) / Double(stream.units.count * 1024)
            #expect(abs(meanRate / Double(bitRate) - 1) < 0.04)
        }
        let wanted = stride(from: 0, to: input.count, by: 2).map {
            Float(Int16(truncatingIfNeeded: Int(input[$0]) | Int(input[$0 + 1]) << 8)) / 32_768
        }
        let whole = try stream.decoded()
        let output = Array(whole.dropFirst(2112 * channelCount).prefix(wanted.count))
        for start in stride(from: 0, to: output.count - 2048, by: 2048) {
            let part = start..<start + 2048
            #expect(signalToNoise(Array(wanted[part]), Array(output[part])) > 25, "from sample \(start)")
        }
        for first in stream.accessPoints {
            let part = try stream.decoded(from: first)
            #expect(part.elementsEqual(whole.suffix(part.count)), "from access unit \(first)")
        }
    }

    @Test(
        "Low bit rates use SBR, and the decoded stream is the input after the delay of HE-AAC",
        arguments: [
            (48_000, 1, AACEncoderConfiguration.RateControl.average(bitRate: 24_000)), (44_100, 2, .average(bitRate: 48_000)),
            (32_000, 2, .average(bitRate: 32_000)), (48_000, 2, .variable(quality: 0)),
        ])
    func enhancedSBR(format: (rate: Int, channelCount: Int, rateControl: AACEncoderConfiguration.RateControl)) throws {
        let input = chordBytes(sampleRate: format.rate, channelCount: format.channelCount, frameCount: 40_000)
        var configuration = Self.configuration(format.rate, format.channelCount, format.rateControl)
        configuration.settings.accessPointInterval = 0.2
        let stream = try Stream(input, configuration)
        #expect(stream.configuration.usac?.sbrRatio == .twoToOne && stream.configuration.usac?.sampleRate == format.rate)
        #expect(stream.gapless.primingFrames == 5186 && stream.gapless.validFrames == 40_000)
        let interval = format.rate / 5 / 2048
        #expect(stream.accessPoints == Array(stride(from: 0, to: stream.units.count, by: interval)))
        let wanted = stride(from: 0, to: input.count, by: 2).map {
            Float(Int16(truncatingIfNeeded: Int(input[$0]) | Int(input[$0 + 1]) << 8)) / 32_768
        }
        let whole = try stream.decoded()
        let output = whole.dropFirst(5186 * format.channelCount).prefix(wanted.count)
        #expect(output.count == wanted.count && signalToNoise(wanted, Array(output)) > 15)
        for first in stream.accessPoints.dropFirst() {
            // The noise differs.
            let part = try stream.decoded(from: first)
            #expect(signalToNoise(Array(whole.suffix(part.count)), part) > 20, "from access unit \(first)")
        }
    }

    @Test(
        "A crossfade to another configuration starts with the end of the previous output, with and without SBR",
        arguments: [24_000, 64_000])
    func crossfade(bitRate: Int) throws {
        // Four and a half periods in 2048 samples, so that an earlier frame has other samples.
        let input = (0..<24_000).flatMap { index in
            let sample = Int16(16_000 * CircularFunctions.sinePi(Double(9 * index) / 2048))
            return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        func stream(_ identifier: UInt16) throws -> Stream {
            var configuration = Self.configuration(48_000, 1, .average(bitRate: bitRate))
            configuration.streamIdentifier = identifier
            return try Stream(input, configuration)
        }
        let (first, second) = (try stream(1), try stream(2))
        var unit = second.units[0]
        // The flag follows the header of the extension element and the configuration.
        var reader = BitReader(unit.payload)
        reader.skip(3)
        if reader.read(8) == 255 { reader.skip(16) }
        reader.skip(8 * reader.readEscapedValue(4, 4, 8))
        unit.payload[reader.bitPosition / 8] |= 0x80 >> UInt8(reader.bitPosition % 8)
        let (decoder, other) = (try USACDecoder(first.configuration), try USACDecoder(first.configuration))
        for unit in first.units[..<6] { _ = (try decoder.decode(unit), try other.decode(unit)) }
        let (found, wanted) = (try decoder.decode(unit).channel(0)[0], try other.decode(first.units[6]).channel(0)[0])
        #expect(abs(wanted) > 0.2 && abs(found - wanted) < 0.02, "\(found) instead of \(wanted)")
    }

    @Test("High bit rates and a set bandwidth exclude SBR")
    func withoutSBR() throws {
        func ratio(
            _ rateControl: AACEncoderConfiguration.RateControl, _ channelCount: Int, bandwidth: Int? = nil
        ) throws -> USACConfig.SBRRatio? {
            var configuration = Self.configuration(48_000, channelCount, rateControl)
            configuration.settings.bandwidth = bandwidth
            return try AACEncoder(configuration).audioSpecificConfig.usac?.sbrRatio
        }
        #expect(try ratio(.average(bitRate: 57_000), 2) == .twoToOne && ratio(.average(bitRate: 58_000), 2) == USACConfig.SBRRatio.none)
        #expect(try ratio(.constant(bitRate: 27_000), 1) == .twoToOne && ratio(.average(bitRate: 28_000), 1) == USACConfig.SBRRatio.none)
        #expect(try ratio(.variable(quality: 10), 2) == .twoToOne && ratio(.variable(quality: 11), 2) == USACConfig.SBRRatio.none)
        #expect(try ratio(.variable(quality: 8), 1) == .twoToOne && ratio(.variable(quality: 9), 1) == USACConfig.SBRRatio.none)
        #expect(try ratio(.average(bitRate: 40_000), 2, bandwidth: 12_000) == USACConfig.SBRRatio.none)
        // A stream keeps its SBR.
        let encoder = try AACEncoder(Self.configuration(48_000, 2, .average(bitRate: 48_000)))
        try encoder.setBitRate(40_000)
        #expect(throws: CodecError.unsupportedBitRate(64_000, allowed: encoder.bitRates)) { try encoder.setBitRate(64_000) }
        #expect(encoder.bitRates == 20_000...57_999 && encoder.bitRate == 40_000)
        #expect(try AACEncoder(Self.configuration(48_000, 2, .average(bitRate: 64_000))).bitRates == 58_000...576_000)
    }

    @Test(
        "Every signal gives access units that decode, within the limits of decoders and of a constant rate",
        arguments: 0..<RandomDamage.signalBatchCount)
    func limits(batch: Int) throws {
        for seed in batch * RandomDamage.signalBatchSize..<(batch + 1) * RandomDamage.signalBatchSize {
            try checkLimits(seed: seed)
        }
    }

    private func checkLimits(seed: Int) throws {
        var random = RandomDamage.generator(seed)
        let channelCount = random.integer(in: 1..<3)
        let rate = random.element(of: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
        let limits = AACEncoderConfiguration.bitRates(sampleRate: rate, channelCount: channelCount)
        let bitRate = random.element(of: [limits.lowerBound, 24_000 * channelCount, 64_000 * channelCount, limits.upperBound])
        let isConstant = seed % 2 == 0
        var configuration = Self.configuration(
            rate, channelCount,
            isConstant
                ? .constant(bitRate: bitRate) : seed % 4 == 1 ? .average(bitRate: bitRate) : .variable(quality: seed % 8 == 3 ? 0 : 100),
            effort: random.element(of: AACEncoderConfiguration.Effort.allCases))
        configuration.settings.accessPointInterval = random.element(of: [0, 0.1, 2])
        configuration.settings.invalidSamples = .silence
        // Few signals are long, because most failures need few access units.
        let frameCount = random.integer(in: 1..<(seed % 32 > 29 ? 24_000 : 2_000))
        let encoder = try AACEncoder(configuration)
        let length = try #require(encoder.audioSpecificConfig.usac?.frameLength)
        let signal = random.hostileSignal(sampleRate: rate, channelCount: channelCount, frameCount: frameCount)
        var units = try encoder.encode(signal)
        let gapless = encoder.finish { units.append($0) }
        #expect(gapless.validFrames == frameCount && length * units.count >= frameCount + gapless.primingFrames, "seed \(seed)")
        #expect(units.first.map { $0.payload[0] & 0xC0 } == 0xC0, "seed \(seed)")
        let decoder = try USACDecoder(AudioSpecificConfig(parsing: encoder.audioSpecificConfig.serialized()))
        let nominal = Double(bitRate) * Double(length) / Double(rate)
        let reservoir = max(8, Double(6144 * channelCount) - nominal)
        var surplus = reservoir / 2
        for (index, unit) in units.enumerated() {
            let output = try decoder.decode(unit)
            #expect(output.frameCount == length && output.hasOnlyNumbers, "seed \(seed), access unit \(index)")
            #expect(unit.payload.count <= 768 * channelCount, "seed \(seed), access unit \(index)")
            guard isConstant else { continue }
            surplus += nominal - Double(8 * unit.payload.count)
            let format = "\(rate) Hz, \(channelCount) channels, \(bitRate) bit/s"
            #expect(
                surplus > -1 && surplus < reservoir + 1, "seed \(seed), access unit \(index), \(format): \(surplus) of \(reservoir) bits")
        }
    }

    @Test("Noise keeps the energy of bands without values")
    func noiseEnergy() throws {
        var random = SeededRandom(seed: 3)
        let input = (0..<24_000).map { _ in Int16(random.integer(in: -4000..<4001)) }
        let bytes = input.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let output = try Stream(bytes, Self.configuration(48_000, 1, .average(bitRate: 32_000))).decoded()
        /// Returns the energy of the differences of adjacent samples. High frequencies dominate it.
        func energy(_ samples: some Sequence<Float>) -> Float {
            let samples = Array(samples)
            return zip(samples, samples.dropFirst()).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        let ratio = energy(output.dropFirst(6000).prefix(16_000)) / energy(input.dropFirst(4000).prefix(16_000).map { Float($0) / 32_768 })
        // Up to the bandwidth of 18.5 kHz.
        #expect((0.3...0.9).contains(ratio), "\(ratio)")
    }

    @Test("Noise does not fill the gaps between pulses", arguments: [false, true])
    func noiseBetweenPulses(hasNoise: Bool) throws {
        var random = SeededRandom(seed: 8)
        // Three detuned sawtooths, or the same with noise that makes their level even.
        let input = (0..<48_000).map { index in
            let sawtooths = [220, 221, 222].reduce(0) { $0 + ($1 * index % 48_000 - 24_000) / 10 }
            return Int16(sawtooths + (hasNoise ? random.integer(in: -2000..<2001) : 0))
        }
        let bytes = input.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let stream = try Stream(bytes, Self.configuration(48_000, 1, .average(bitRate: 48_000), effort: .balanced))
        let levels = try stream.noiseLevels().dropFirst(4).dropLast(4).compactMap { $0 }
        #expect(levels.count > 20)
        let noisyCount = levels.count { $0 > 0 }
        #expect(hasNoise ? 10 * noisyCount > 9 * levels.count : noisyCount == 0, "\(levels)")
    }

    @Test("Formats and settings that xHE-AAC lacks are refused")
    func refusals() {
        func error(_ change: (inout AACEncoderConfiguration) -> Void) -> CodecError? {
            var configuration = Self.configuration(48_000, 2, .average(bitRate: 96_000))
            change(&configuration)
            do { _ = try AACEncoder(configuration) } catch { return error }
            return nil
        }
        #expect(error { _ in } == nil)
        #expect(error { $0.sampleRate = 8000 } != nil)
        #expect(error { $0.sampleRate = 96_000 } != nil)
        #expect(error { $0.channelCount = 6 } != nil)
        #expect(error { $0.settings.frameLength = 960 } == .unsupportedFrameLength(960, allowed: [1024]))
        #expect(error { $0.settings.lowDelay = true } == .lowDelayProfile(.extendedHighEfficiency))
    }
}
