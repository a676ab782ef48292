// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct SyntaxRoundTripTests {
    /// The complete content of a pair, in comparable form.
    private func description(_ pair: borrowing ChannelPairElement) -> [String] {
        let flags = pair.midSide.flags
        let mask = (0..<128).map { flags[$0] ? "1" : "0" }.joined()
        return ["\(pair.instanceTag) \(pair.hasCommonWindow) \(pair.midSide.kind) \(mask)"] + description(pair.first)
            + description(pair.second)
    }

    private func description(_ stream: borrowing IndividualChannelStream) -> [String] {
        let info = stream.info
        var lines = ["\(stream.globalGain) \(info.windowSequence) \(info.windowShape) \(info.maxSFB) \(info.groupCount)"]
        lines.append("\((0..<info.groupCount).map { info.groupLengths[$0] })")
        for group in 0..<info.groupCount {
            let range = group * ICSInfo.bandStride..<group * ICSInfo.bandStride + info.maxSFB
            lines.append("\(range.map { stream.codebooks[$0] }) \(range.map { stream.codebooks[$0] == 0 ? 0 : stream.scaleFactors[$0] })")
        }
        if let pulse = stream.pulse {
            lines.append("\(pulse.startBand) \((0..<pulse.count).map { "\(pulse.offsets[$0]) \(pulse.amplitudes[$0])" })")
        }
        if let tns = stream.tns {
            for window in 0..<(info.isShort ? 8 : 1) {
                let filterCount = tns.filterCounts[window]
                lines.append("\(filterCount) \(filterCount > 0 ? tns.resolutions[window] : 0)")
                for index in 0..<Int(filterCount) {
                    let filter = tns[window, index]
                    let coefficients = (0..<Int(filter.order)).map { filter.coefficients[$0] }
                    lines.append("\(filter.length) \(filter.isDownward) \(filter.isCompressed) \(coefficients)")
                }
            }
        }
        lines.append("\(stream.quantized.indices.map { stream.quantized[$0] })")
        return lines
    }

    @Test(arguments: [1024, 960]) func pairsRoundTrip(frameLength: Int) throws {
        var random = SeededRandom(seed: 42)
        for round in 0..<120 {
            let bands = ScaleFactorBands(samplingFrequencyIndex: round % 13, frameLength: frameLength)
            let pair = RandomSyntax.pair(bands, &random)
            var writer = BitWriter()
            var counter = BitCounter()
            pair.write(to: &writer, bands: bands)
            pair.write(to: &counter, bands: bands)
            #expect(counter.bitCount == writer.bitCount)
            var reader = BitReader(writer.bytes)
            // Previous content must not remain.
            var read = RandomSyntax.pair(bands, &random)
            try read.read(from: &reader, bands: bands, syntax: .lowComplexity)
            #expect(reader.bitPosition == writer.bitCount)
            #expect(description(read) == description(pair), "round \(round)")
        }
    }

    @Test func singleChannelsRoundTrip() throws {
        var random = SeededRandom(seed: 43)
        for round in 0..<100 {
            let bands = ScaleFactorBands(samplingFrequencyIndex: round % 13, frameLength: 1024)
            var element = ChannelPairElement(frameLength: bands.frameLength)
            element.instanceTag = Int.random(in: 0...15, using: &random)
            element.first = RandomSyntax.stream(info: RandomSyntax.info(bands, &random), bands: bands, allowsIntensity: false, &random)
            var writer = BitWriter()
            element.writeSingle(to: &writer, bands: bands)
            var reader = BitReader(writer.bytes)
            var read = ChannelPairElement(frameLength: bands.frameLength)
            try read.readSingle(from: &reader, bands: bands, syntax: .lowComplexity)
            #expect(reader.bitPosition == writer.bitCount)
            #expect(read.instanceTag == element.instanceTag)
            #expect(description(read.first) == description(element.first))
        }
    }

    @Test func predictionDataRoundTrip() throws {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        var info = ICSInfo()
        info.maxSFB = 49
        info.mainPrediction = MainPredictionData(resetGroup: 30, usedBands: 0xA5_1234_5678)
        var writer = BitWriter()
        info.write(to: &writer, bands: bands, syntax: .generalAudio(.main), isCommon: false)
        var reader = BitReader(writer.bytes)
        let main = try ICSInfo(reading: &reader, bands: bands, syntax: .generalAudio(.main), isCommon: false)
        #expect(reader.bitPosition == writer.bitCount)
        #expect(main.mainPrediction?.resetGroup == 30)
        #expect(main.mainPrediction?.usedBands == 0xA5_1234_5678 & (1 << 40 - 1))

        info.mainPrediction = nil
        info.secondLongTermPrediction = LongTermPredictionData(lag: 2047, gainIndex: 5, usedBands: 0x12_3456_789A)
        writer.reset()
        info.write(to: &writer, bands: bands, syntax: .generalAudio(.longTermPrediction), isCommon: true)
        reader = BitReader(writer.bytes)
        let longTerm = try ICSInfo(reading: &reader, bands: bands, syntax: .generalAudio(.longTermPrediction), isCommon: true)
        #expect(reader.bitPosition == writer.bitCount)
        #expect(longTerm.longTermPrediction == nil)
        #expect(longTerm.secondLongTermPrediction?.lag == 2047)
        #expect(longTerm.secondLongTermPrediction?.usedBands == 0x12_3456_789A)
    }

    @Test func groupingRoundTripsForAllBitPatterns() {
        for bits in UInt32(0)...127 {
            var info = ICSInfo()
            info.windowSequence = .eightShort
            info.setGrouping(bits)
            #expect(info.grouping == bits)
            #expect((0..<info.groupCount).reduce(0) { $0 + Int(info.groupLengths[$1]) } == 8)
        }
    }

    @Test func fillElementsOfEveryLengthRoundTrip() throws {
        for byteCount in 0...FillElement.maximumByteCount {
            var writer = BitWriter()
            FillElement.writePadding(byteCount: byteCount, to: &writer)
            let bitCount = writer.bitCount
            writer.write(0xABCD, count: 16)
            var reader = BitReader(writer.bytes)
            #expect(reader.read(3) == UInt32(SyntacticElementID.fill.rawValue))
            let element = try FillElement(reading: &reader)
            #expect(reader.bitPosition == bitCount)
            #expect(element.payload.count == 8 * byteCount)
            #expect(element.type == (byteCount == 0 ? nil : .fillData))
        }
    }

    @Test func paddingFillsExactlyTheRequestedBits() throws {
        for bitCount in 7...5000 {
            var counter = BitCounter()
            let rest = FillElement.writePadding(bitCount: bitCount, to: &counter)
            #expect(counter.bitCount + rest == bitCount)
            #expect(rest < 8)
        }
    }

    @Test func dataStreamsOfEveryLengthRoundTrip() throws {
        for byteCount in [0, 1, 254, 255, 256, 510] {
            for isAligned in [false, true] {
                let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                var writer = BitWriter()
                DataStreamElement.write(instanceTag: 9, isAligned: isAligned, bytes: bytes.span, to: &writer)
                var reader = BitReader(writer.bytes)
                #expect(reader.read(3) == UInt32(SyntacticElementID.dataStream.rawValue))
                let element = try DataStreamElement(reading: &reader)
                #expect(element.instanceTag == 9)
                #expect(reader.bitPosition == writer.bitCount)
                var data = BitReader(writer.bytes)
                data.skip(element.payload.lowerBound)
                #expect((0..<byteCount).map { _ in UInt8(data.read(8)) } == bytes)
            }
        }
    }
}
