// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct AACDecoderTests {
    static func accessUnit(_ pair: borrowing ChannelPairElement, _ bands: ScaleFactorBands) -> [UInt8] {
        var writer = BitWriter()
        writer.write(UInt32(SyntacticElementID.channelPair.rawValue), count: 3)
        pair.write(to: &writer, bands: bands)
        writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
        return writer.bytes
    }

    static func decoder(_ rate: Int = 44_100, channels: Int = 2, uses960: Bool = false) throws -> AACDecoder {
        try AACDecoder(
            AudioSpecificConfig(
                sampleRate: rate, channelConfiguration: ChannelConfiguration(rawValue: channels),
                generalAudio: GASpecificConfig(usesShortFrame: uses960)))
    }

    static var emptyBuffer: PCMBuffer { PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0) }

    @Test(arguments: [(3, false), (4, true), (8, false)].selectedCases)
    func outputMatchesTheFormulasOfTheStandard(index: Int, uses960: Bool) throws {
        var random = SeededRandom(seed: UInt64(7 + index))
        let bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: uses960 ? 960 : 1024)
        let decoder = try Self.decoder(SamplingFrequencyIndex.standardRates[index], uses960: uses960)
        var model = NaiveDecoder(bands: bands)
        var buffer = Self.emptyBuffer
        for round in 0..<10 {
            let pair = RandomSyntax.quietPair(bands, &random)
            let accessUnit = Self.accessUnit(pair, bands)
            let result = decoder.decode(accessUnit.span, into: &buffer)
            #expect(result.damage == nil)
            let expected = model.decode(pair)
            for channel in 0..<2 {
                let decoded = buffer.channel(channel).map(Double.init)
                let peak = expected[channel].reduce(1e-9) { max($0, abs($1)) }
                let error = zip(decoded, expected[channel]).reduce(0) { max($0, abs($1.0 * 32768 - $1.1)) }
                // Single precision over sums of a thousand lines, and ringing filters.
                #expect(error < 4e-6 * peak, "round \(round) channel \(channel)")
            }
        }
    }

    @Test(arguments: [false, true]) func longTermPredictionMatchesTheFormulasOfTheStandard(uses960: Bool) throws {
        var random = SeededRandom(seed: 21)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 8, frameLength: uses960 ? 960 : 1024)
        let decoder = try AACDecoder(
            AudioSpecificConfig(
                objectType: .aacLTP, sampleRate: 16_000, channelConfiguration: ChannelConfiguration(rawValue: 2),
                generalAudio: GASpecificConfig(usesShortFrame: uses960)))
        var model = NaiveDecoder(bands: bands)
        var buffer = Self.emptyBuffer
        var predictedCopyCount = 0
        for round in 0..<8 {
            var pair = RandomSyntax.quietPair(bands, &random)
            pair.first.tns = nil
            pair.second.tns = nil
            if !pair.first.info.isShort {
                // Short lags reach into the aliased half frame.
                let lags: [UInt16] = [5, 700, 1500, 1900]
                let data = LongTermPredictionData(lag: lags[round % 4], gainIndex: UInt8(round % 6), usedBands: 0b1011_0111)
                if pair.hasCommonWindow {
                    // A band with both tools depends on the order of intensity stereo and prediction.
                    pair.second.codebooks[4] = 15
                    pair.second.scaleFactors[4] = 6
                    for line in Int(bands.longOffsets[4])..<Int(bands.longOffsets[5]) { pair.second.quantized[line] = 0 }
                    predictedCopyCount += 1
                }
                pair.first.info.longTermPrediction = data
                if pair.hasCommonWindow { pair.first.info.secondLongTermPrediction = data }
                pair.second.info.longTermPrediction = pair.second.info.isShort ? nil : data
            }
            var writer = BitWriter()
            writer.write(UInt32(SyntacticElementID.channelPair.rawValue), count: 3)
            pair.write(to: &writer, bands: bands, syntax: .generalAudio(.longTermPrediction))
            writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
            if pair.second.info.isShort { pair.second.info.longTermPrediction = nil }
            if pair.first.info.isShort { pair.second.info.longTermPrediction = nil }
            let accessUnit = writer.bytes
            let result = decoder.decode(accessUnit.span, into: &buffer)
            #expect(result.damage == nil)
            let expected = model.decode(pair)
            for channel in 0..<2 {
                let decoded = buffer.channel(channel).map(Double.init)
                let peak = expected[channel].reduce(1e-9) { max($0, abs($1)) }
                let error = zip(decoded, expected[channel]).reduce(0) { max($0, abs($1.0 * 32768 - $1.1)) }
                #expect(error < 1e-5 * peak, "round \(round) channel \(channel)")
            }
        }
        #expect(predictedCopyCount > 0)
    }

    @Test func damageIsConcealedWithinThreeAccessUnits() throws {
        var random = SeededRandom(seed: 99)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        let accessUnits = (0..<12).map { _ in Self.accessUnit(RandomSyntax.quietPair(bands, &random), bands) }
        let sound = try Self.decoder()
        let damaged = try Self.decoder()
        var (expected, found) = (Self.emptyBuffer, Self.emptyBuffer)
        for (index, accessUnit) in accessUnits.enumerated() {
            let soundResult = sound.decode(accessUnit.span, into: &expected)
            #expect(soundResult.damage == nil)
            if index == 5 || index == 6 {
                let part = Array(accessUnit.prefix(accessUnit.count / 3))
                let result = damaged.decode(part.span, into: &found)
                #expect(result.damage != nil)
                #expect(found.samples.allSatisfy { abs($0) < 100 })
                continue
            }
            let damagedResult = damaged.decode(accessUnit.span, into: &found)
            #expect(damagedResult.damage == nil)
            // The first intact access unit overlaps with concealed samples.
            if index != 7 { #expect(expected.samples == found.samples, "unit \(index)") }
        }
    }

    @Test func lossesFadeToSilence() throws {
        var random = SeededRandom(seed: 5)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        let decoder = try Self.decoder()
        var buffer = Self.emptyBuffer
        for _ in 0..<3 {
            let pair = RandomSyntax.quietPair(bands, &random, sequence: .onlyLong)
            let accessUnit = Self.accessUnit(pair, bands)
            _ = decoder.decode(accessUnit.span, into: &buffer)
        }
        func energy() -> Float { buffer.samples.reduce(0) { $0 + $1 * $1 } }
        var energies = [energy()]
        for _ in 0..<10 {
            _ = decoder.conceal(into: &buffer)
            energies.append(energy())
        }
        #expect(energies[1] > 0)
        #expect(energies[6] < energies[1] / 8)
        #expect(energies[9] == 0 && energies[10] == 0)
    }

    @Test("A lost access unit and a reset leave no spans and tools of the previous access unit")
    func contentsAfterLoss() throws {
        var random = SeededRandom(seed: 8)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        let decoder = try Self.decoder()
        var buffer = Self.emptyBuffer
        let accessUnit = Self.accessUnit(RandomSyntax.quietPair(bands, &random), bands)
        for isLost in [true, false] {
            _ = decoder.decode(accessUnit.span, into: &buffer)
            #expect(decoder.elementSpans.count == 1 && decoder.codingTools.count == 1)
            if isLost { decoder.conceal(into: &buffer) } else { decoder.reset() }
            #expect(decoder.elementSpans.isEmpty && decoder.codingTools.isEmpty, "lost: \(isLost)")
        }
    }

    @Test func everyConfigurationMapsElementsToSpeakers() throws {
        var random = SeededRandom(seed: 11)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        for configuration in ChannelConfiguration.all {
            for loud in 0..<configuration.channelCount {
                // Only one channel has a signal.
                var writer = BitWriter()
                var channel = 0
                for element in configuration.elements {
                    var pair = ChannelPairElement(frameLength: 1024)
                    let source = RandomSyntax.quietPair(bands, &random, sequence: .onlyLong)
                    if channel == loud { pair.first = RandomSyntax.copy(source.first) }
                    if element == .pair && channel + 1 == loud {
                        pair.second = RandomSyntax.copy(source.first)
                    }
                    let id: SyntacticElementID = element == .pair ? .channelPair : element == .single ? .singleChannel : .lowFrequency
                    writer.write(UInt32(id.rawValue), count: 3)
                    if element == .pair {
                        pair.write(to: &writer, bands: bands)
                    } else {
                        pair.writeSingle(to: &writer, bands: bands)
                    }
                    channel += element.channelCount
                }
                writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
                let decoder = try AACDecoder(AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: configuration))
                var buffer = Self.emptyBuffer
                let accessUnit = writer.bytes
                let result = decoder.decode(accessUnit.span, into: &buffer)
                #expect(result.damage == nil)
                let active = (0..<buffer.channelCount).filter { output in buffer.channel(output).contains { $0 != 0 } }
                let speakers = active.map { decoder.channelLayout?.speakers[$0] }
                // Encoders in practice write ordinary 7.1 with configuration 7.
                let expected = ChannelConfiguration(rawValue: configuration.rawValue == 7 ? 12 : configuration.rawValue)
                #expect(speakers == [expected?.layout.speakers[loud]])
            }
        }
    }

    @Test func followsChangesOfAnInBandLayout() throws {
        var random = SeededRandom(seed: 12)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        let decoder = try AACDecoder(AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: nil))
        var buffer = Self.emptyBuffer
        let end: [UInt8] = [0xE0]
        let endResult = decoder.decode(end.span, into: &buffer)
        #expect(endResult.damage == .missingChannelLayout)
        #expect(decoder.channelCount == 0 && buffer.frameCount == 0)
        for frontPairs in [1, 2, 1] {
            var program = ProgramConfigElement(samplingFrequencyCode: 4)
            program.front = (0..<frontPairs).map { ProgramConfigElement.Element(isPair: true, instanceTag: 5 + $0) }
            for round in 0..<2 {
                var writer = BitWriter()
                writer.write(UInt32(SyntacticElementID.programConfig.rawValue), count: 3)
                program.write(to: &writer, alignedTo: 0)
                for tag in (0..<frontPairs).reversed() {
                    var pair = RandomSyntax.quietPair(bands, &random)
                    pair.instanceTag = 5 + tag
                    writer.write(UInt32(SyntacticElementID.channelPair.rawValue), count: 3)
                    pair.write(to: &writer, bands: bands)
                }
                writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
                let accessUnit = writer.bytes
                let result = decoder.decode(accessUnit.span, into: &buffer)
                #expect(result.damage == nil)
                #expect(result.hasNewFormat == (round == 0))
                #expect(buffer.channelCount == 2 * frontPairs)
            }
        }
    }

    @Test func aChangedCommentOfTheProgramKeepsTheSignal() throws {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var program = ProgramConfigElement(samplingFrequencyCode: 3)
        program.front = [ProgramConfigElement.Element(isPair: true, instanceTag: 0)]
        func output(_ comments: [String]) throws -> [Float] {
            var random = SeededRandom(seed: 12)
            let decoder = try AACDecoder(AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: nil))
            var buffer = Self.emptyBuffer
            return try comments.flatMap { comment in
                program.comment = Array(comment.utf8)
                var writer = BitWriter()
                writer.write(UInt32(SyntacticElementID.programConfig.rawValue), count: 3)
                program.write(to: &writer, alignedTo: 0)
                var pair = RandomSyntax.quietPair(bands, &random)
                pair.instanceTag = 0
                writer.write(UInt32(SyntacticElementID.channelPair.rawValue), count: 3)
                pair.write(to: &writer, bands: bands)
                writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
                let accessUnit = writer.bytes
                try #require(decoder.decode(accessUnit.span, into: &buffer).damage == nil)
                return buffer.channel(0)
            }
        }
        #expect(try output(["A", "A", "B"]) == output(["A", "A", "A"]))
    }

    @Test func downmixToMonoIncludesChannelsWithoutSpeakers() throws {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var random = SeededRandom(seed: 11)
        var writer = BitWriter()
        for tag in 0..<2 {
            let pair = RandomSyntax.quietPair(bands, &random)
            writer.write(UInt32(SyntacticElementID.singleChannel.rawValue), count: 3)
            writer.write(UInt32(tag), count: 4)
            pair.first.write(to: &writer, bands: bands, hasCommonWindow: false)
        }
        writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
        let accessUnit = writer.bytes
        var options = AACDecoderOptions()
        var outputs: [PCMBuffer] = []
        for downmix in [AACDecoderOptions.Downmix.none, .mono] {
            options.downmix = downmix
            let decoder = try AACDecoder(AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: nil), options: options)
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 1024)
            #expect(decoder.decode(accessUnit.span, into: &buffer).damage == nil)
            #expect(decoder.channelLayout == (downmix == .none ? nil : ChannelLayout([.center])))
            outputs.append(buffer)
        }
        try #require(outputs[0].channelCount == 2 && outputs[1].channelCount == 1)
        let mean = zip(outputs[0].channel(0), outputs[0].channel(1)).map { ($0 + $1) / 2 }
        #expect(mean.contains { $0 != 0 } && zip(mean, outputs[1].channel(0)).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test func downmixUsesTheGainsOfTheStandard() {
        let layout = ChannelLayout([.center, .left, .right, .sideLeft, .sideRight, .lowFrequency])
        let mixer = ChannelMixer(mixing: layout, toMono: false, matrix: .init(index: 1, isPseudoSurround: false))
        var input = [Float](repeating: 0, count: 6 * 1024)
        for channel in 0..<6 { input[channel * 1024] = 32768 * Float(channel + 1) }
        var output = [Float](repeating: 9, count: 2 * 1024)
        var span = output.mutableSpan
        let strides = ChannelMixer.Strides(input: 1024, output: 1024)
        mixer.mix(input.span, channelCount: 6, into: &span, strides: strides, frameCount: 1024)
        let norm: Float = 1 / (1 + 0.70710678 + 0.5)
        #expect(abs(output[0] - norm * (2 + 0.70710678 * 1 + 0.5 * 4)) < 1e-5)
        #expect(abs(output[1024] - norm * (3 + 0.70710678 * 1 + 0.5 * 5)) < 1e-5)
        #expect(output[1] == 0)
    }
}
