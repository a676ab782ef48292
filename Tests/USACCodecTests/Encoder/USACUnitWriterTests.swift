// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct USACUnitWriterTests {
    /// The parts of a channel that a reader restores.
    private struct Content: Equatable {
        var lines: [Int16]
        var scaleFactors: [UInt8]
        var tns: TNSData?

        init(_ channel: borrowing CoreChannelData) {
            lines = channel.lines.values
            tns = channel.hasTNS ? channel.tns : nil
            let windows = channel.windows
            let factors = channel.scaleFactors.values
            scaleFactors = (0..<windows.groupCount).flatMap { group in
                (0..<windows.maxSFB).map { factors[group * WindowDivision.bandStride + $0] }
            }
        }
    }

    @Test(
        "Frames survive writing and reading, and bits that decoders read ahead follow each arithmetic code",
        arguments: [(1, 16_000), (1, 44_100), (2, 24_000), (2, 48_000)], [false, true])
    func roundTrip(format: (channelCount: Int, rate: Int), hasNoiseFilling: Bool) throws {
        let configuration = USACConfig(sampleRate: format.rate, channelCount: format.channelCount, hasNoiseFilling: hasNoiseFilling)
        var writer = USACUnitWriter(configuration, interval: 5)
        var frames = RandomFrame(seed: UInt64(format.rate))
        let element = configuration.elements[1]
        var data = CoreElementData(element, coreRate: format.rate, frameLength: 1024)
        var contexts = FixedArray(count: format.channelCount) { _ in SpectralContext(frameLength: 1024) }
        for number in 0..<30 {
            frames.fill(&writer.data)
            let unit = try writer.writeUnit()
            var reader = BitReader(unit)
            let isIndependent = reader.readFlag()
            let isAccessPoint = reader.peek(1) == 1
            #expect(isAccessPoint == (number % 5 == 0) && isIndependent == [0, 4].contains(number % 5), "unit \(number)")
            _ = try ExtensionElement(reading: &reader, configuration.elements[0])
            try data.read(from: &reader, isIndependent: isIndependent, contexts: &contexts)
            let signCount = Self.lastSignCount(data)
            #expect(signCount.map { $0 + 1 + reader.bitsRemaining >= 14 } ?? true, "unit \(number)")
            _ = try ExtensionElement(reading: &reader, configuration.elements[2])
            #expect(reader.bitsRemaining < 8 && !reader.hasOverrun, "unit \(number)")
            for channel in 0..<format.channelCount {
                let (read, written) = (Content(data.channels[channel]), Content(writer.data.channels[channel]))
                #expect(read == written, "unit \(number), channel \(channel)")
            }
            let (read, written) = (data.stereo.mode, writer.data.stereo.mode)
            #expect(format.channelCount == 1 || read == written, "unit \(number)")
        }
    }

    /// Returns the number of signs after the last arithmetic code of a frame, if there is one.
    private static func lastSignCount(_ data: borrowing CoreElementData) -> Int? {
        for channel in (0..<data.channels.count).reversed() where data.channels[channel].windows.maxSFB > 0 {
            let isShort = data.channels[channel].windows.isShort
            return data.channels[channel].lines.values.suffix(isShort ? 128 : 1024).count { $0 != 0 }
        }
        return nil
    }

    @Test("Decoding from each immediate playout frame has the samples of the whole stream", arguments: [1, 2])
    func accessPoints(channelCount: Int) throws {
        let configuration = USACConfig(sampleRate: 32_000, channelCount: channelCount, hasNoiseFilling: false)
        let stream = AudioSpecificConfig(configuration)
        #expect(try AudioSpecificConfig(parsing: stream.serialized()) == stream)
        var writer = USACUnitWriter(configuration, interval: 4)
        var frames = RandomFrame(seed: 7)
        let units = try (0..<16).map { _ in
            frames.fill(&writer.data)
            return try writer.writeUnit()
        }
        let whole = try Self.decode(units[...], stream)
        for start in stride(from: 4, to: 16, by: 4) {
            #expect(units[start][0] & 0xC0 == 0xC0)
            #expect(try Self.decode(units[start...], stream) == Array(whole[start...]), "from unit \(start)")
        }
    }

    /// Returns the samples of each access unit.
    private static func decode(_ units: ArraySlice<[UInt8]>, _ configuration: AudioSpecificConfig) throws -> [[Float]] {
        let decoder = try USACDecoder(configuration)
        return try units.map { unit in
            let buffer = try decoder.decode(AccessUnit(unit))
            return (0..<buffer.channelCount).flatMap { Array(buffer.channel($0)) }
        }
    }

    @Test("An immediate playout frame that would be too long is postponed, and a longer access unit is refused")
    func limit() throws {
        let configuration = USACConfig(sampleRate: 48_000, channelCount: 1, hasNoiseFilling: false)
        var writer = USACUnitWriter(configuration, interval: 3)
        var random = SeededRandom(seed: 1)
        /// Writes a frame of noise.
        func unit(_ limit: Int, _ writer: inout USACUnitWriter) throws -> [UInt8] {
            writer.data.channels[0].windows.maxSFB = 49
            for line in 0..<1024 { writer.data.channels[0].lines[line] = Int16(Int.random(in: -limit...limit, using: &random)) }
            let bands = writer.data.bands
            let isComplete = writer.data.channels[0].completeScaleFactors(bands: bands)
            #expect(isComplete)
            return try writer.writeUnit()
        }
        // The first are more than 4000 bits long, so that two exceed the limit of 6144.
        var kinds: [UInt8] = []
        for _ in 0..<7 { kinds.append(try unit(6, &writer)[0] >> 6) }
        for _ in 0..<3 { kinds.append(try unit(1, &writer)[0] >> 6) }
        // Independent access units are 2, with pre-roll 3.
        #expect(kinds == [3, 0, 2, 2, 2, 2, 2, 2, 3, 0])
        let distance = writer.largestDistance
        #expect(distance == 8)
        var error: CodecError?
        do { _ = try unit(3000, &writer) } catch let found as CodecError { error = found }
        #expect(error.map { "\($0)".contains("768") } == true, "\(String(describing: error))")
        // The writer remains usable.
        let next = try unit(1, &writer)
        #expect(next.count <= 768)
    }

    @Test("The end of a window is the cheapest, and its cost is the written length within two bits", arguments: 0..<30 as Range<UInt64>)
    func costs(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var context = SpectralContext(frameLength: 1024)
        context.reset(lineCount: 128)
        for _ in 0..<2 {
            let used = Int.random(in: 0...64, using: &random)
            let limit = [1, 3, 40, 8191].randomElement(using: &random) ?? 1
            let lines = (0..<128).map { $0 < used ? Int16(Int.random(in: -limit...limit, using: &random)) : 0 }
            let last = (lines.lastIndex { $0 != 0 } ?? -1) / 2 + (used > 0 && lines.contains { $0 != 0 } ? 1 : 0)
            var lengths: [Int: Int] = [:]
            for pairs in last...48 {
                var copy = SpectralContext(frameLength: 1024)
                var writer = BitWriter()
                copy.adopt(context)
                SpectralArithmeticEncoder.encode(lines.span, lineCount: 96, pairCount: pairs, context: &copy, to: &writer)
                lengths[pairs] = writer.bitCount
            }
            let end = SpectralCosts.shared.end(of: lines.span, lineCount: 96, context: &context)
            let written = lengths[end.pairCount] ?? 0
            #expect(written <= (lengths.values.min() ?? 0) + 1, "seed \(seed)")
            #expect(abs(Double(written) - Double(end.cost) / Double(SpectralCosts.unitsPerBit)) <= 2, "seed \(seed)")
        }
    }

    @Test("Scale factors of empty bands bridge differences above 60, if there are enough of them")
    func emptyBands() {
        let bands = ScaleFactorBands(coreRate: 48_000, frameLength: 1024)
        /// Returns the scale factors, or nil if they cannot be coded.
        func completed(_ values: [Int?]) -> [UInt8]? {
            var channel = CoreChannelData(frameLength: 1024)
            channel.windows.maxSFB = values.count
            for (sfb, value) in values.enumerated() {
                channel.scaleFactors[sfb] = UInt8(value ?? 255)
                if value != nil { channel.lines[bands.offset(sfb, isShort: false)] = 1 }
            }
            guard channel.completeScaleFactors(bands: bands) else { return nil }
            return (0..<values.count).map { channel.scaleFactors[$0] }
        }
        #expect(completed([nil, 80, nil, nil, 90, nil]) == [80, 80, 80, 80, 90, 90])
        #expect(completed([20, nil, nil, 200]) == [20, 80, 140, 200])
        #expect(completed([200, nil, nil, 75]) == [200, 195, 135, 75])
        #expect(completed([20, nil, 200]) == nil)
        #expect(completed([nil, nil]) == [100, 100])
    }
}
