// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct EnhancedSBRDataTests {
    /// The state on which the next frame depends.
    private struct State: ~Copyable {
        let configuration: USACSBRConfig
        var reader: SBRReader
        var reading: SBRReading
        var prediction = PredictionData()
        var lastVector: UInt8 = 0
        var tailCount = 0

        init(_ element: USACElementConfig, _ stream: USACConfig) {
            configuration = element.sbr ?? USACSBRConfig()
            let bandCount = stream.sbrRatio == .fourToOne ? 16 : stream.sbrRatio == .eightToThree ? 24 : 32
            let slotCount = SlotLayout(coreFrameLength: stream.coreFrameLength, analysisBandCount: bandCount).slotCount
            let channelCount = max(1, element.sbrChannelCount)
            reader = SBRReader(
                rate: stream.sampleRate, slotCount: slotCount, channelCount: channelCount,
                variant: stream.sbrRatio == .fourToOne ? .enhancedQuadruple : .enhanced)
            reading = SBRReading(channelCount: channelCount, slotCount: slotCount)
        }

        /// Reads the data of a frame and returns the rewritten data.
        mutating func rewrite(_ bits: inout BitReader, isIndependent: Bool) throws -> BitWriter {
            let configuration = configuration
            let info = EnhancedSBRInfo(reading: &bits, isIndependent: isIndependent, hasPVC: configuration.hasPVC)
            var header = try #require(info.hasHeader ? SBRHeader(info.header ?? configuration.defaultHeader) : reader.header)
            if let fields = info.fields {
                (header.usesCoarseAmplitudes, header.bands.crossoverBand) = (fields.usesCoarseAmplitudes, fields.crossoverBand)
                prediction.mode = reader.channelCount == 1 ? fields.predictionMode : 0
            }
            var (writer, next) = (BitWriter(), prediction)
            let (lastVector, start) = (lastVector, tailCount)
            info.write(to: &writer, isIndependent: isIndependent, hasPVC: configuration.hasPVC)
            let isIntact = reader.read(&reading, header: header, from: &bits, end: bits.bitCount) { (payload, bits, tables) in
                payload.syntax.isIndependent = isIndependent
                payload.syntax.hasTemporalShapes = configuration.hasInterTES
                payload.syntax.variant = .enhanced
                let isValid = payload.readEnhanced(
                    from: &bits, header: header, tables: tables, isHarmonic: configuration.isHarmonic, prediction: &next, start: start,
                    lastVector: lastVector)
                payload.writeEnhanced(
                    to: &writer, header: header, tables: tables, isHarmonic: configuration.isHarmonic, prediction: next,
                    lastVector: lastVector)
                return isValid
            }
            try #require(isIntact)
            reader.commit(reading)
            prediction = next
            self.lastVector = next.mode > 0 ? next.vectors[15] : 0
            tailCount = next.mode > 0 ? next.tailCount : 0
            return writer
        }
    }

    @Test(
        "Rewritten enhanced SBR data is bit-identical in each access unit",
        arguments: USACVector.all.indices.filter { USACVector.all[$0].name.hasPrefix("sbr") })
    func roundTrip(index: Int) throws {
        let vector = USACVector.all[index]
        let config = try #require(vector.configuration.usac)
        let element = try #require(config.elements.first { $0.kind != .extension })
        var data = CoreElementData(element, coreRate: config.coreSampleRate, frameLength: config.coreFrameLength)
        var contexts = FixedArray(count: element.coreChannelCount) { _ in SpectralContext(frameLength: config.coreFrameLength) }
        var state = State(element, config)
        for (number, accessUnit) in vector.accessUnits.enumerated() {
            var reader = BitReader(accessUnit)
            let isIndependent = reader.readFlag()
            for other in config.elements.prefix(while: { $0.kind == .extension }) { _ = try ExtensionElement(reading: &reader, other) }
            try data.read(from: &reader, isIndependent: isIndependent, contexts: &contexts)
            var original = reader
            let writer = try state.rewrite(&reader, isIndependent: isIndependent)
            let bitCount = reader.bitPosition - original.bitPosition
            guard state.prediction.mode == 0 else {
                // Vectors have several forms. The shortest is written.
                #expect(writer.bitCount <= bitCount, "\(vector.name), unit \(number)")
                continue
            }
            #expect(writer.bitCount == bitCount, "\(vector.name), unit \(number)")
            var written = BitReader(writer.bytes)
            var isEqual = true
            while original.bitPosition < reader.bitPosition { isEqual = original.readFlag() == written.readFlag() && isEqual }
            #expect(isEqual, "\(vector.name), unit \(number)")
        }
    }
}
