// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct CouplingTests {
    private let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)

    /// A coupling channel for the pair with tag 0: into both channels with one gain or two, or into one of them.
    static func coupling(_ round: Int, _ sequence: WindowSequence, _ random: inout SeededRandom) -> CouplingChannelElement {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        var element = CouplingChannelElement(frameLength: bands.frameLength)
        element.stream = RandomSyntax.copy(RandomSyntax.quietPair(bands, &random, sequence: sequence).first)
        element.stream.pulse = nil
        element.isIndependentlySwitched = round % 5 == 4
        element.targets[0].isPair = true
        element.targets[0].isLeft = round % 4 == 1 || round % 4 == 3
        element.targets[0].isRight = round % 4 == 2 || round % 4 == 3
        element.isAfterTNS = round % 2 == 0
        element.hasGainSigns = round % 3 == 0
        element.gainScale = round % 4
        for list in 1..<element.gainListCount {
            element.isCommon[list] = element.isIndependentlySwitched || round % 2 == 0
            for band in 0..<128 {
                let gain = element.isCommon[list] ? 3 : Int.random(in: -4...10, using: &random)
                element.gains[list * ICSInfo.bandCapacity + band] = Int16(gain)
            }
        }
        return element
    }

    static func accessUnit(
        _ pair: borrowing ChannelPairElement, _ coupling: borrowing CouplingChannelElement, _ program: ProgramConfigElement,
        _ bands: ScaleFactorBands
    ) -> [UInt8] {
        var writer = BitWriter()
        writer.write(UInt32(SyntacticElementID.programConfig.rawValue), count: 3)
        program.write(to: &writer, alignedTo: 0)
        writer.write(UInt32(SyntacticElementID.channelPair.rawValue), count: 3)
        pair.write(to: &writer, bands: bands)
        writer.write(UInt32(SyntacticElementID.couplingChannel.rawValue), count: 3)
        coupling.write(to: &writer, bands: bands)
        writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
        return writer.bytes
    }

    @Test func elementsRoundTrip() throws {
        var random = SeededRandom(seed: 8)
        for round in 0..<40 {
            let element = Self.coupling(round, round % 2 == 0 ? .onlyLong : .eightShort, &random)
            var writer = BitWriter()
            element.write(to: &writer, bands: bands)
            var reader = BitReader(writer.bytes)
            var read = Self.coupling(round + 1, .onlyLong, &random)
            try read.read(from: &reader, bands: bands, syntax: .lowComplexity)
            #expect(reader.bitPosition == writer.bitCount)
            #expect(read.gainListCount == element.gainListCount)
            for list in 0..<read.gainListCount {
                for group in 0..<element.stream.info.groupCount {
                    for sfb in 0..<element.stream.info.maxSFB where element.stream.codebooks[group * 16 + sfb] != 0 {
                        let band = group * 16 + sfb
                        #expect(read.factor(list: list, band: band) == element.factor(list: list, band: band))
                    }
                }
            }
        }
    }

    @Test func linesAreMixedWithTheGainsOfTheElement() throws {
        var random = SeededRandom(seed: 9)
        var program = ProgramConfigElement(samplingFrequencyCode: 4)
        program.front = [ProgramConfigElement.Element(isPair: true, instanceTag: 0)]
        for round in 0..<24 where round % 5 != 4 {
            var pair = RandomSyntax.quietPair(bands, &random, sequence: .onlyLong)
            pair.instanceTag = 0
            pair.second.info.windowSequence = .onlyLong
            guard pair.hasCommonWindow else { continue }
            var element = Self.coupling(round, .onlyLong, &random)
            // Decoding is linear apart from coupling, so the difference from a decoder without coupling is the coupled channel.
            let with = try decode(Self.accessUnit(pair, element, program, bands))
            var expected = [Float](repeating: 0, count: 1024)
            try lines(of: element.stream, into: &expected)
            element.stream.quantized.fill(0)
            let without = try decode(Self.accessUnit(pair, element, program, bands))
            let lists = element.gainListCount
            let hasLeft = element.targets[0].isLeft || !element.targets[0].isRight
            let hasRight = element.targets[0].isRight || !element.targets[0].isLeft
            for (channel, isTarget, list) in [(0, hasLeft, 0), (1, hasRight, lists - 1)] {
                for band in 0..<element.stream.info.maxSFB {
                    let factor = isTarget && element.stream.codebooks[band] != 0 ? element.factor(list: list, band: band) : 0
                    for line in Int(bands.longOffsets[band])..<Int(bands.longOffsets[band + 1]) where element.isAfterTNS {
                        let difference = with[channel * 1024 + line] - without[channel * 1024 + line]
                        let bound = 1e-3 * max(1, abs(with[channel * 1024 + line]))
                        #expect(
                            abs(difference - factor * expected[line]) <= bound,
                            "round \(round) channel \(channel) line \(line) \(difference) \(factor) \(expected[line])")
                    }
                }
            }
        }
    }

    /// A decoder whose access units define the layout.
    private func makeState() -> DecoderState {
        let configuration = AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: nil)
        return DecoderState(
            syntax: .lowComplexity, bands: bands, layout: ElementLayout(), sbr: .init(configuration, coreFrameLength: bands.frameLength),
            resilience: ErrorResilience())
    }

    /// The lines of a pair after all tools.
    private func decode(_ accessUnit: [UInt8]) throws -> [Float] {
        var state = makeState()
        try state.decode(accessUnit.span)
        return (0..<2048).map { state.spectrum[$0] }
    }

    /// The lines of a single channel.
    private func lines(of stream: borrowing IndividualChannelStream, into target: inout [Float]) throws {
        var single = ChannelPairElement(frameLength: bands.frameLength)
        single.first = RandomSyntax.copy(stream)
        var writer = BitWriter()
        writer.write(UInt32(SyntacticElementID.singleChannel.rawValue), count: 3)
        single.writeSingle(to: &writer, bands: bands)
        writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
        let bytes = writer.bytes
        var state = makeState()
        try state.decode(bytes.span)
        for line in 0..<1024 { target[line] = state.spectrum[line] }
    }

    /// An access unit with a coupling channel before its other elements.
    private func accessUnit(_ accessUnit: [UInt8], after element: borrowing CouplingChannelElement, _ bands: ScaleFactorBands) -> [UInt8] {
        var writer = BitWriter()
        writer.write(UInt32(SyntacticElementID.couplingChannel.rawValue), count: 3)
        element.write(to: &writer, bands: bands)
        for byte in accessUnit { writer.write(UInt32(byte), count: 8) }
        return writer.bytes
    }

    private func decode(_ accessUnits: [[UInt8]], _ configuration: AudioSpecificConfig) throws -> [[Float]] {
        let decoder = try AACDecoder(configuration)
        var buffer = AACDecoderTests.emptyBuffer
        return accessUnits.map { accessUnit in
            #expect(decoder.decode(accessUnit.span, into: &buffer).damage == nil)
            return buffer.channel(0)
        }
    }

    @Test func samplesAreMixedAfterSBR() throws {
        let stream = RandomHighEfficiencyStream(seed: 5, channelCount: 2, coreRate: 24_000, options: .init(frameCount: 8))
        let bands = ScaleFactorBands(samplingFrequencyIndex: stream.coreIndex, frameLength: 1024)
        var random = SeededRandom(seed: 10)
        var coupled: [[UInt8]] = []
        var alone: [[UInt8]] = []
        for accessUnit in stream.accessUnits {
            var element = CouplingChannelElement(frameLength: bands.frameLength)
            element.isIndependentlySwitched = true
            element.isAfterTNS = true
            element.targets[0].isPair = true
            element.stream = RandomSyntax.copy(RandomSyntax.quietPair(bands, &random, sequence: .onlyLong).first)
            element.stream.info.windowSequence = .onlyLong
            element.stream.pulse = nil
            coupled.append(self.accessUnit(accessUnit, after: element, bands))
            var writer = BitWriter()
            writer.write(UInt32(SyntacticElementID.singleChannel.rawValue), count: 3)
            writer.write(0, count: 4)
            element.stream.write(to: &writer, bands: bands, hasCommonWindow: false)
            writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
            alone.append(writer.bytes)
        }
        let pair = AudioSpecificConfig(sampleRate: 24_000, channelConfiguration: ChannelConfiguration(rawValue: 2))
        var single = AudioSpecificConfig(sampleRate: 24_000, channelConfiguration: ChannelConfiguration(rawValue: 1))
        single.extensionConfig = .backwardCompatible(sampleRate: 48_000, hasParametricStereo: false)
        let with = try decode(coupled, pair)
        let without = try decode(stream.accessUnits, pair)
        // A channel with SBR but without a payload is only upsampled to the output sample rate.
        let expected = try decode(alone, single)
        var (error, energy) = (0.0, 0.0)
        for frame in with.indices {
            #expect(with[frame].count == 2048 && expected[frame].count == 2048)
            for index in 0..<2048 {
                let difference = with[frame][index] - without[frame][index]
                error += pow(Double(difference - expected[frame][index]), 2)
                energy += pow(Double(expected[frame][index]), 2)
            }
        }
        #expect(energy > 0 && error < 1e-8 * energy)
    }
}
