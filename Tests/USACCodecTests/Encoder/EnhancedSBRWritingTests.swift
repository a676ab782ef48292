// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct EnhancedSBRWritingTests {
    /// The coded fields of a frame.
    private struct Fields: Equatable {
        var isCoupled: Bool
        var channels: [Channel]

        struct Channel: Equatable {
            var grid: SBRGrid
            var boundaries: EnvelopeBoundaries
            var directions: [UInt8]
            var inverseFiltering: SIMD8<UInt8>
            var envelopes: [Int8]
            var noiseFloors: [Int8]
            var temporalShapes: SIMD8<UInt8>
            var patching: [Int]
            var harmonics: UInt64

            init(_ data: borrowing SBRChannelData) {
                grid = data.grid
                boundaries = data.boundaries
                directions = [data.envelopesInTime, data.noiseFloorsInTime]
                inverseFiltering = data.inverseFiltering
                envelopes = data.envelopeDifferences.values
                noiseFloors = data.noiseDifferences.values
                temporalShapes = data.temporalShapes
                patching = [data.isTransposed ? 1 : 0, data.isOversampled ? 1 : 0, data.pitch]
                harmonics = data.harmonics
            }
        }

        init(_ payload: borrowing SBRPayload) {
            isCoupled = payload.isCoupled
            channels = []
            for channel in 0..<payload.channelCount { channels.append(Channel(payload.channels[channel])) }
        }
    }

    private static func bits(_ payload: borrowing SBRPayload, _ generator: RandomSBR, isHarmonic: Bool = false) -> BitWriter {
        var writer = BitWriter()
        payload.writeEnhanced(
            to: &writer, header: generator.header, tables: generator.tables, isHarmonic: isHarmonic, prediction: PredictionData(),
            lastVector: 0)
        return writer
    }

    /// Reads a frame's data after its header, and returns its fields.
    private static func read(
        _ reader: inout BitReader, _ syntax: SBRPayload.Syntax, _ generator: RandomSBR, isHarmonic: Bool = false
    ) -> Fields? {
        var payload = SBRPayload(channelCount: generator.channelCount, slotCount: 16)
        payload.syntax = syntax
        var prediction = PredictionData()
        let isValid = payload.readEnhanced(
            from: &reader, header: generator.header, tables: generator.tables, isHarmonic: isHarmonic, prediction: &prediction, start: 0,
            lastVector: 0)
        return isValid ? Fields(payload) : nil
    }

    /// Sets the fields that AAC lacks.
    private static func setTools(_ payload: inout SBRPayload, isHarmonic: Bool, _ random: inout SeededRandom) {
        for channel in 0..<payload.channelCount {
            if payload.syntax.hasTemporalShapes {
                for index in 0..<payload.channels[channel].boundaries.count {
                    payload.channels[channel].temporalShapes[index] = UInt8.random(in: 0...3, using: &random)
                }
            }
            guard isHarmonic else { continue }
            if channel == 1 && payload.isCoupled {
                payload.channels[1].isTransposed = payload.channels[0].isTransposed
                (payload.channels[1].isOversampled, payload.channels[1].pitch) = (
                    payload.channels[0].isOversampled, payload.channels[0].pitch
                )
            } else if Bool.random(using: &random) {
                payload.channels[channel].isTransposed = true
                payload.channels[channel].isOversampled = Bool.random(using: &random)
                payload.channels[channel].pitch = Int.random(in: 0...127, using: &random)
            }
        }
    }

    @Test("All fields survive writing and reading", arguments: 0..<32 as Range<UInt64>)
    func fields(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let rate = [24_000, 32_000, 44_100, 48_000][Int(seed % 4)]
        var generator = RandomSBR(seed: seed, channelCount: 1 + Int(seed / 4 % 2), rate: rate)
        generator.maximumFixedCount = 8
        let isHarmonic = seed / 8 % 2 == 1
        for frame in 0..<16 {
            // After a new header, the first differences are in frequency direction.
            if frame % 4 == 0 { generator.changeHeader() }
            var payload = generator.payload()
            payload.syntax.variant = .enhanced
            payload.syntax.isIndependent = frame % 4 == 0
            payload.syntax.hasTemporalShapes = seed / 16 == 1
            Self.setTools(&payload, isHarmonic: isHarmonic, &random)
            let (writer, syntax) = (Self.bits(payload, generator, isHarmonic: isHarmonic), payload.syntax)
            var reader = BitReader(writer.bytes)
            let found = Self.read(&reader, syntax, generator, isHarmonic: isHarmonic)
            #expect(found == Fields(payload) && reader.bitPosition == writer.bitCount, "seed \(seed), frame \(frame)")
        }
    }

    @Test("Headers and frames with predicted envelopes survive writing and reading", arguments: 0..<16 as Range<UInt64>)
    func predictedEnvelopes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var generator = RandomSBR(seed: seed, channelCount: 1, rate: 48_000)
        var last: UInt8 = 0
        for frame in 0..<8 {
            let isIndependent = frame % 4 == 0
            generator.changeHeader()
            var info = EnhancedSBRInfo()
            info.hasHeader = isIndependent || frame % 4 == 1
            if info.hasHeader && Bool.random(using: &random) { info.header = USACSBRHeaderFields(generator.header) }
            if info.hasHeader || frame % 4 == 2 {
                info.fields = EnhancedSBRInfo.Fields(
                    usesCoarseAmplitudes: Bool.random(using: &random), crossoverBand: Int.random(in: 0...15, using: &random),
                    isFlattened: Bool.random(using: &random), predictionMode: Int.random(in: 0...2, using: &random))
            }
            var data = PredictionData()
            (data.mode, data.isBrief) = (Int.random(in: 1...2, using: &random), Bool.random(using: &random))
            data.noisePosition = Int.random(in: 0..<16, using: &random)
            data.tailCount = Int.random(in: 0...3, using: &random)
            for slot in 0..<16 { data.vectors[slot] = slot % 5 == 0 ? .random(in: 0..<128, using: &random) : data.vectors[slot - 1] }
            let payload = Self.predicted(&data, generator, isIndependent: isIndependent, &random)
            var writer = BitWriter()
            info.write(to: &writer, isIndependent: isIndependent, hasPVC: true)
            payload.writeEnhanced(
                to: &writer, header: generator.header, tables: generator.tables, isHarmonic: true, prediction: data, lastVector: last)
            var reader = BitReader(writer.bytes)
            #expect(EnhancedSBRInfo(reading: &reader, isIndependent: isIndependent, hasPVC: true) == info, "seed \(seed), frame \(frame)")
            var found = SBRPayload(channelCount: 1, slotCount: 16)
            found.syntax = payload.syntax
            var foundData = PredictionData()
            foundData.mode = data.mode
            let isValid = found.readEnhanced(
                from: &reader, header: generator.header, tables: generator.tables, isHarmonic: true, prediction: &foundData, start: 2,
                lastVector: last)
            #expect(isValid && foundData == data && Fields(found) == Fields(payload), "seed \(seed), frame \(frame)")
            #expect(reader.bitPosition == writer.bitCount, "seed \(seed), frame \(frame)")
            last = data.vectors[15]
        }
    }

    /// Returns a frame with noise floors and sinusoids, whose first time slot is 2.
    private static func predicted(
        _ data: inout PredictionData, _ generator: RandomSBR, isIndependent: Bool, _ random: inout SeededRandom
    ) -> SBRPayload {
        var payload = SBRPayload(channelCount: 1, slotCount: 16)
        payload.syntax.variant = .enhanced
        payload.syntax.isIndependent = isIndependent
        setTools(&payload, isHarmonic: true, &random)
        let boundaries = EnvelopeBoundaries(from: 2, middle: data.noisePosition, to: 16 + data.tailCount)
        payload.channels[0].boundaries = boundaries
        for index in 0..<boundaries.noiseCount {
            let isInTime = (index > 0 || !isIndependent) && Bool.random(using: &random)
            if isInTime { payload.channels[0].noiseFloorsInTime |= 1 << UInt8(index) }
            for band in 0..<generator.tables.noise.count {
                let range: ClosedRange<Int8> = band == 0 && !isInTime ? 0...28 : -2...2
                payload.channels[0].noiseDifferences[5 * index + band] = .random(in: range, using: &random)
            }
        }
        for band in 0..<generator.tables.noise.count { payload.channels[0].inverseFiltering[band] = .random(in: 0...3, using: &random) }
        guard Bool.random(using: &random) else { return payload }
        payload.channels[0].harmonics = 1 << UInt64.random(in: 0..<UInt64(generator.tables.high.count), using: &random)
        if Bool.random(using: &random) { data.sinePosition = Int.random(in: 0..<16, using: &random) }
        return payload
    }

    @Test("Access units carry SBR with its headers, and immediate playout frames a stand-in and the last one", arguments: [1, 2], [3, 4])
    func accessUnits(channelCount: Int, seed: UInt64) throws {
        var generator = RandomSBR(seed: seed, channelCount: channelCount, rate: 48_000)
        let sbr = USACSBRConfig(defaultHeader: USACSBRHeaderFields(generator.header))
        let configuration = USACConfig(sampleRate: 48_000, channelCount: channelCount, hasNoiseFilling: false, sbr: sbr)
        #expect(try USACConfig(parsing: configuration.bytes) == configuration && configuration.sbrRatio == .twoToOne)
        let silence = EnhancedSBRData(generator.header, tables: generator.tables, channelCount: channelCount)
        var writer = USACUnitWriter(configuration, sbr: silence, interval: 5)
        var frames = RandomFrame(seed: seed)
        var data = CoreElementData(configuration.elements[1], coreRate: 24_000, frameLength: 1024)
        var contexts = FixedArray(count: channelCount) { _ in SpectralContext(frameLength: 1024) }
        var (header, units): (SBRHeader?, [[UInt8]]) = (nil, [])
        var lines: [[Int16]] = []
        var replaced: [(generator: RandomSBR, ends: [Int])] = []
        for number in 0..<30 {
            let isIndependent = [0, 4].contains(number % 5)
            // Also in a frame that depends on others.
            if number > 0 && (isIndependent || number % 5 == 1) { generator.changeHeader() }
            var payload = generator.payload()
            writer.sbr?.header = generator.header
            payload.syntax.isIndependent = isIndependent
            writer.sbr?.set(payload, tables: generator.tables)
            frames.fill(&writer.data)
            let unit = try writer.writeUnit()
            var reader = BitReader(unit)
            #expect(reader.readFlag() == isIndependent, "unit \(number)")
            let preRoll = Self.preRoll(reader)
            #expect(number % 5 == 0 ? preRoll?.count == 2 : preRoll == nil, "unit \(number)")
            if number > 0, let preRoll {
                #expect(preRoll[1] == units.last, "unit \(number)")
                var standIn = BitReader(preRoll[0])
                #expect(standIn.readFlag() && !standIn.readFlag(), "unit \(number)")
                var scratch = FixedArray(count: channelCount) { _ in SpectralContext(frameLength: 1024) }
                try data.read(from: &standIn, isIndependent: true, contexts: &scratch)
                for channel in 0..<channelCount {
                    let pairs = zip(data.channels[channel].lines.values, lines[(number - 2) * channelCount + channel])
                    #expect(pairs.allSatisfy { $0 == $1 || $0 == 0 }, "unit \(number)")
                }
                _ = EnhancedSBRInfo(reading: &standIn, isIndependent: true, hasPVC: false)
                let silence = Self.read(&standIn, payload.syntax, replaced[number - 2].generator)
                #expect(silence?.channels.map(\.boundaries.end) == replaced[number - 2].ends, "unit \(number): envelopes have a gap")
            }
            _ = try ExtensionElement(reading: &reader, configuration.elements[0])
            try data.read(from: &reader, isIndependent: isIndependent, contexts: &contexts)
            let info = EnhancedSBRInfo(reading: &reader, isIndependent: isIndependent, hasPVC: false)
            if info.hasHeader { header = SBRHeader(info.header ?? sbr.defaultHeader) }
            if let fields = info.fields {
                header?.usesCoarseAmplitudes = fields.usesCoarseAmplitudes
                header?.bands.crossoverBand = fields.crossoverBand
            }
            #expect(header == generator.header && (number > 0 || info.header == nil), "unit \(number)")
            #expect(info.hasHeader == (isIndependent || number % 5 == 1), "unit \(number)")
            let syntax = payload.syntax
            #expect(Self.read(&reader, syntax, generator) == Fields(payload), "unit \(number)")
            _ = try ExtensionElement(reading: &reader, configuration.elements[2])
            #expect(reader.bitsRemaining < 8 && !reader.hasOverrun, "unit \(number)")
            units.append(unit)
            replaced.append((generator, Fields(payload).channels.map(\.boundaries.end)))
            for channel in 0..<channelCount { lines.append(data.channels[channel].lines.values) }
        }
    }

    /// Returns the access units of a pre-roll, if there is one.
    private static func preRoll(_ reader: BitReader) -> [[UInt8]]? {
        var reader = reader
        guard reader.readFlag() else { return nil }
        reader.skip(1)
        if reader.read(8) == 255 { reader.skip(16) }
        reader.skip(8 * reader.readEscapedValue(4, 4, 8) + 2)
        return (0..<reader.readEscapedValue(2, 4, 0)).map { _ in
            (0..<reader.readEscapedValue(16, 16, 0)).map { _ in UInt8(reader.read(8)) }
        }
    }
}
