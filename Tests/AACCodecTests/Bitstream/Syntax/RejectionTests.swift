// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

/// Violates each rule that an access unit is checked for.
@Suite struct RejectionTests {
    private let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)

    /// The error from reading one channel from these bits, followed by zeros.
    private func error(_ fields: [(UInt32, Int)], syntax: Syntax = .lowComplexity, padding: Int = 4000) -> CodecError? {
        var writer = BitWriter()
        for (value, count) in [(0, 4)] + fields { writer.write(value, count: count) }
        for _ in 0..<padding { writer.write(0, count: 1) }
        var reader = BitReader(writer.bytes)
        var element = ChannelPairElement(frameLength: 1024)
        do throws(CodecError) {
            try element.readSingle(from: &reader, bands: bands, syntax: syntax)
            return nil
        } catch {
            return error
        }
    }

    /// Global gain, and the `ics_info` of a long window with `maxSFB` bands.
    private func long(gain: UInt32 = 100, maxSFB: UInt32) -> [(UInt32, Int)] { [(gain, 8), (0, 1), (0, 2), (0, 1), (maxSFB, 6), (0, 1)] }

    /// The codeword of a scale factor difference.
    private func difference(_ value: Int) -> (UInt32, Int) {
        (ScaleFactorCodebook.codes[value + 60], Int(ScaleFactorCodebook.lengths[value + 60]))
    }

    @Test func validBitsAreAccepted() { #expect(error(long(maxSFB: 0)) == nil) }

    @Test func reservedBit() { #expect(error([(100, 8), (1, 1)]) == .reservedBitSet) }

    @Test func tooManyBands() {
        #expect(error(long(maxSFB: 50)) == .tooManyBands(50, available: 49))
        #expect(error([(100, 8), (0, 1), (2, 2), (0, 1), (15, 4)]) == .tooManyBands(15, available: 14))
    }

    @Test func predictionInLowComplexity() {
        #expect(error([(100, 8), (0, 1), (0, 2), (0, 1), (4, 6), (1, 1)]) == .unsupportedTool(.mainPrediction))
    }

    @Test func predictorResetGroup() {
        let fields: [(UInt32, Int)] = [(100, 8), (0, 1), (0, 2), (0, 1), (4, 6), (1, 1), (1, 1), (31, 5)]
        #expect(error(fields, syntax: .generalAudio(.main)) == .predictorResetGroupOutOfRange(31))
    }

    @Test func reservedCodebook() { #expect(error(long(maxSFB: 4) + [(12, 4)]) == .reservedCodebook) }

    @Test func misplacedIntensity() { #expect(error(long(maxSFB: 4) + [(15, 4)]) == .misplacedIntensity(codebook: 15)) }

    @Test func emptySection() { #expect(error(long(maxSFB: 4) + [(1, 4), (0, 5)]) == .emptySection) }

    @Test func sectionTooLong() {
        #expect(error(long(maxSFB: 4) + [(1, 4), (5, 5)]) == .sectionTooLong(end: 5, bandCount: 4))
        #expect(error(long(maxSFB: 4) + [(1, 4), (31, 5), (31, 5)]) == .sectionTooLong(end: 31, bandCount: 4))
    }

    @Test func scaleFactorOutOfRange() {
        #expect(error(long(gain: 250, maxSFB: 1) + [(1, 4), (1, 5), difference(6)]) == .scaleFactorOutOfRange(256))
        #expect(error(long(gain: 5, maxSFB: 1) + [(1, 4), (1, 5), difference(-6)]) == .scaleFactorOutOfRange(-1))
    }

    @Test func noiseEnergyOutOfRange() {
        #expect(error(long(gain: 0, maxSFB: 1) + [(13, 4), (1, 5), (0, 9)]) == .noiseEnergyOutOfRange(-346))
    }

    @Test func intensityPositionOutOfRange() {
        var stream = IndividualChannelStream(frameLength: 1024)
        stream.info.maxSFB = 2
        var writer = BitWriter()
        let fields: [(UInt32, Int)] = [(100, 8), (15, 4), (2, 5), difference(60), difference(60)]
        for (value, count) in fields { writer.write(value, count: count) }
        var reader = BitReader(writer.bytes + [0, 0, 0])
        var context = IndividualChannelStream.Context(syntax: .lowComplexity)
        (context.hasCommonWindow, context.allowsIntensity) = (true, true)
        var reordering = ReorderedSpectrum(isUsed: false)
        #expect(throws: CodecError.intensityPositionOutOfRange(120)) {
            try stream.read(from: &reader, bands: bands, context: context, reordering: &reordering)
        }
    }

    @Test func pulses() {
        let short: [(UInt32, Int)] = [(100, 8), (0, 1), (2, 2), (0, 1), (0, 4), (127, 7)]
        #expect(error(short + [(1, 1)]) == .pulsesInShortWindows)
        #expect(error(long(maxSFB: 0) + [(1, 1), (0, 2), (49, 6)]) == .pulseStartOutOfRange(band: 49, bandCount: 49))
        let four: [(UInt32, Int)] = [(1, 1), (3, 2), (48, 6)] + [(UInt32, Int)](repeating: (31 << 4, 9), count: 4)
        #expect(error(long(maxSFB: 0) + four) == .pulseOutOfRange(line: 1052, lineCount: 1024))
    }

    @Test func pulseBeyondTheMaximumValue() {
        var stream = IndividualChannelStream(frameLength: 1024)
        stream.quantized[0] = -8190
        stream.pulse = PulseData()
        stream.pulse?.amplitudes[0] = 2
        #expect(throws: CodecError.quantizedValueOutOfRange(-8192)) { try stream.applyPulses(bands: bands) }
    }

    @Test func filterOrder() {
        let fields: [(UInt32, Int)] = [(0, 1), (1, 1), (1, 2), (0, 1), (10, 6), (13, 5)]
        #expect(error(long(maxSFB: 0) + fields) == .filterOrderOutOfRange(13, maximum: 12))
        let main = fields.dropLast() + [(21, 5)]
        #expect(error(long(maxSFB: 0) + main, syntax: .generalAudio(.main)) == .filterOrderOutOfRange(21, maximum: 20))
    }

    @Test func gainControl() {
        #expect(error(long(maxSFB: 0) + [(0, 1), (0, 1), (1, 1)]) == .unsupportedTool(.gainControl))
    }

    @Test func truncation() {
        let bits = long(maxSFB: 49) + [(1, 4), (31, 5), (18, 5)]
        #expect(error(bits, padding: 9) == .truncated(byteCount: 6))
    }

    @Test func reservedMidSideMask() {
        var writer = BitWriter()
        let fields: [(UInt32, Int)] = [(0, 4), (1, 1), (0, 1), (0, 2), (0, 1), (4, 6), (0, 1), (3, 2)]
        for (value, count) in fields { writer.write(value, count: count) }
        var reader = BitReader(writer.bytes)
        var pair = ChannelPairElement(frameLength: 1024)
        #expect(throws: CodecError.reservedMidSideMask) { try pair.read(from: &reader, bands: bands, syntax: .lowComplexity) }
    }

    @Test func fillElementLongerThanTheUnit() throws {
        let decoder = try AACDecoderTests.decoder()
        var buffer = AACDecoderTests.emptyBuffer
        // Identifier 6, count 15, further count 255: 269 bytes.
        let accessUnit: [UInt8] = [0b1101_1111, 0b1111_1110, 0]
        let result = decoder.decode(accessUnit.span, into: &buffer)
        #expect(result.damage == .elementTooLong(byteCount: 269))
    }

    @Test func elementsNotInTheLayout() throws {
        var single = BitWriter()
        single.write(0, count: 3)
        single.write(7, count: 4)
        let decoder = try AACDecoderTests.decoder()
        var buffer = AACDecoderTests.emptyBuffer
        let accessUnits: [([UInt8], CodecError)] = [
            (single.bytes + [0], .unexpectedElement(id: 0, tag: 7)), ([0xE0], .missingChannels(found: 0, expected: 1)),
            ([], .emptyAccessUnit),
            ([UInt8](repeating: 0, count: 24_577), .accessUnitTooLong(byteCount: 24_577, maximum: 24_576)),
        ]
        for (accessUnit, expected) in accessUnits {
            let result = decoder.decode(accessUnit.span, into: &buffer)
            #expect(result.damage == expected)
        }
    }

    @Test func duplicateElements() throws {
        var program = ProgramConfigElement(samplingFrequencyCode: 4)
        program.front = [ProgramConfigElement.Element(isPair: false, instanceTag: 3)]
        let decoder = try AACDecoder(
            AudioSpecificConfig(
                sampleRate: 44_100, channelConfiguration: nil, generalAudio: GASpecificConfig(programConfig: program)))
        var single = ChannelPairElement(frameLength: 1024)
        single.instanceTag = 3
        var writer = BitWriter()
        for _ in 0..<2 {
            writer.write(0, count: 3)
            single.writeSingle(to: &writer, bands: bands)
        }
        var buffer = AACDecoderTests.emptyBuffer
        let accessUnit = writer.bytes
        let result = decoder.decode(accessUnit.span, into: &buffer)
        #expect(result.damage == .duplicateElement(id: 0, tag: 3))
    }

    @Test func unsupportedConfigurations() throws {
        let config = AudioSpecificConfig(
            objectType: .aacSSR, sampleRate: 44_100, channelConfiguration: ChannelConfiguration(rawValue: 2))
        #expect(throws: CodecError.unsupportedObjectType(3)) { try AACDecoder(config) }
        var program = ProgramConfigElement(samplingFrequencyCode: 4)
        program.front = (0..<9).map { ProgramConfigElement.Element(isPair: false, instanceTag: $0) }
        let wide = AudioSpecificConfig(
            sampleRate: 44_100, channelConfiguration: nil, generalAudio: GASpecificConfig(programConfig: program))
        #expect(throws: CodecError.tooManyChannels(9, maximum: 8)) { try AACDecoder(wide) }
    }
}
