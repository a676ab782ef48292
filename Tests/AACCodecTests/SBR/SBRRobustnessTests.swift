// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct SBRRobustnessTests {
    /// Feeds payloads to a decoder, and checks that all output is finite.
    struct Harness {
        let decoder: SBRElementDecoder
        let channelCount: Int
        private var output = [Float](repeating: 0, count: 4096)
        private(set) var intactCount = 0

        init(channelCount: Int, frameLength: Int, rate: Int) {
            self.channelCount = channelCount
            decoder = SBRElementDecoder(
                coreRate: rate, coreFrameLength: frameLength, channelCount: channelCount, isDownsampled: false)
        }

        mutating func decode(_ payload: [UInt8]?, isChecked: Bool, _ random: inout SeededRandom) -> Bool {
            if let payload {
                var reader = BitReader(payload)
                if decoder.read(from: &reader, end: 8 * payload.count, isChecked: isChecked) { intactCount += 1 }
            }
            decoder.startFrame()
            let core = random.samples(decoder.coreFrameLength, amplitude: 32_768)
            let (decoder, channelCount) = (decoder, channelCount)
            var span = output.mutableSpan
            for channel in 0..<channelCount {
                if channelCount == 1 {
                    decoder.synthesizeStereo(core: core.span, into: &span, left: 0, right: 2048)
                } else {
                    decoder.synthesize(channel, core: core.span, into: &span, at: 2048 * channel)
                }
            }
            return output.allSatisfy { $0.isFinite }
        }
    }

    @Test(arguments: [(1, 1024), (2, 1024), (1, 960), (2, 960)])
    func `random bits never trap and produce finite output`(channelCount: Int, frameLength: Int) {
        for seed in UInt64(0)..<4 {
            var random = SeededRandom(seed: 41 + seed)
            var harness = Harness(channelCount: channelCount, frameLength: frameLength, rate: 22_050)
            for frame in 0..<40 {
                let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect(
                    harness.decode(frame % 5 == 4 ? nil : bytes, isChecked: frame % 9 == 8, &random),
                    "seed \(41 + seed), frame \(frame)")
            }
        }
    }

    @Test(arguments: [(1, 16), (2, 16), (1, 15), (2, 15)])
    func `payloads with flipped bits never trap and produce finite output`(channelCount: Int, slotCount: Int) {
        for seed in UInt64(0)..<4 {
            var random = SeededRandom(seed: 51 + seed)
            var generator = RandomSBR(seed: 61 + seed, channelCount: channelCount, rate: 44_100, slotCount: slotCount)
            var stereo = RandomStereo(seed: 71 + seed)
            var harness = Harness(channelCount: channelCount, frameLength: 64 * slotCount, rate: 22_050)
            for frame in 0..<40 {
                if frame % 10 == 9 { generator.changeHeader() }
                let mode = Int.random(in: 0...5, using: &random)
                let data = stereo.data(mode: mode, hasHeader: Bool.random(using: &random) || frame == 0, hasPhases: true)
                var writer = BitWriter()
                writer.write(frame % 3 == 0)
                if frame % 3 == 0 { generator.header.write(to: &writer) }
                let payload = generator.payload()
                payload.write(
                    to: &writer, header: generator.header, tables: generator.tables, stereo: channelCount == 1 ? data.bits : nil)
                var bytes = writer.bytes
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let bit = Int.random(in: 0..<8 * bytes.count, using: &random)
                    bytes[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                }
                #expect(
                    harness.decode(frame % 7 == 6 ? nil : bytes, isChecked: false, &random),
                    "seed \(seed), frame \(frame)")
            }
            #expect(harness.intactCount > 0)
        }
    }

    @Test func `an access unit with a damaged payload is decoded, and reports the lost high band`() throws {
        let stream = RandomHighEfficiencyStream(
            seed: 3, channelCount: 1, coreRate: 22_050, options: .init(frameCount: 12, isChecked: true))
        let decoder = try AACDecoder(
            AudioSpecificConfig(sampleRate: 22_050, channelConfiguration: ChannelConfiguration(rawValue: 1)))
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        for (index, intact) in stream.accessUnits.enumerated() {
            var accessUnit = intact
            if index == 5 { accessUnit[accessUnit.count - 4] ^= 1 }
            let result = decoder.decode(accessUnit.span, into: &buffer)
            #expect(result.damage == nil && result.lacksHighBand == (index == 5), "unit \(index)")
        }
    }

    @Test func `payloads with an invalid header count as lost, payloads before any header do not`() throws {
        var invalid = SBRHeader()
        invalid.bands.startFrequency = 15
        invalid.bands.stopFrequency = 0
        try #require(FrequencyBandTables(header: invalid, rate: 44_100) == nil)
        let decoder = SBRElementDecoder(coreRate: 22_050, coreFrameLength: 1024, channelCount: 1, isDownsampled: false)
        var losses: [Bool] = []
        for hasHeader in [false, true, false] {
            var writer = BitWriter()
            writer.write(hasHeader)
            if hasHeader { invalid.write(to: &writer) }
            for _ in 0..<10 { writer.write(0, count: 8) }
            let bytes = writer.bytes
            var reader = BitReader(bytes)
            #expect(!decoder.read(from: &reader, end: 8 * bytes.count, isChecked: false))
            losses.append(decoder.hasLoss)
            decoder.startFrame()
        }
        #expect(losses == [false, true, true])
    }

    @Test func `non-finite or extreme samples have no lasting effect`() throws {
        var random = SeededRandom(seed: 81)
        var generator = RandomSBR(seed: 82, channelCount: 1, rate: 44_100)
        let decoder = SBRElementDecoder(coreRate: 22_050, coreFrameLength: 1024, channelCount: 1, isDownsampled: false)
        var output = [Float](repeating: 0, count: 4096)
        for frame in 0..<12 {
            var writer = BitWriter()
            writer.write(frame == 0)
            if frame == 0 { generator.header.write(to: &writer) }
            generator.payload().write(to: &writer, header: generator.header, tables: generator.tables, stereo: nil)
            let bytes = writer.bytes
            var reader = BitReader(bytes)
            #expect(decoder.read(from: &reader, end: 8 * bytes.count, isChecked: false))
            decoder.startFrame()
            var core = random.samples(1024, amplitude: 1000)
            if frame == 3 { core = core.map { $0 < 0 ? .nan : $0 < 500 ? 1e38 : -.infinity } }
            var span = output.mutableSpan
            decoder.synthesizeStereo(core: core.span, into: &span, left: 0, right: 2048)
            #expect(output.allSatisfy { $0.isFinite })
        }
        #expect(output.allSatisfy { abs($0) < 1e6 })
    }

    @Test func `a header applies even if its levels are relative to lost ones`() throws {
        let generator = RandomSBR(seed: 95, channelCount: 1, rate: 44_100)
        let decoder = SBRElementDecoder(coreRate: 22_050, coreFrameLength: 1024, channelCount: 1, isDownsampled: false)
        let silence = [Float](repeating: 0, count: 1024)
        var output = [Float](repeating: 0, count: 2048)
        var energies: [Float] = []
        for frame in 0..<4 {
            var payload = SBRPayload(channelCount: 1, slotCount: 16)
            payload.channels[0].envelopesInTime = frame < 2 ? 1 : 0
            payload.channels[0].envelopeDifferences[0] = 30
            payload.channels[0].noiseDifferences[0] = 3
            var writer = BitWriter()
            writer.write(frame == 0)
            if frame == 0 { generator.header.write(to: &writer) }
            payload.write(to: &writer, header: generator.header, tables: generator.tables, stereo: nil)
            let bytes = writer.bytes
            var reader = BitReader(bytes)
            #expect(decoder.read(from: &reader, end: 8 * bytes.count, isChecked: false))
            decoder.startFrame()
            var span = output.mutableSpan
            decoder.synthesize(0, core: silence.span, into: &span, at: 0)
            energies.append(output.reduce(0) { $0 + $1 * $1 })
        }
        #expect(energies[0] == 0 && energies[1] == 0 && energies[2] > 0 && energies[3] > 1000)
    }

    @Test func `lost payloads fade out the high band, and the next payload restores it`() throws {
        let generator = RandomSBR(seed: 91, channelCount: 1, rate: 44_100)
        let decoder = SBRElementDecoder(coreRate: 22_050, coreFrameLength: 1024, channelCount: 1, isDownsampled: false)
        var output = [Float](repeating: 0, count: 2048)
        let silence = [Float](repeating: 0, count: 1024)
        func energy(_ hasPayload: Bool, hasHeader: Bool = true) -> Float {
            if hasPayload {
                // Only noise and sinusoids, in one envelope.
                var payload = SBRPayload(channelCount: 1, slotCount: 16)
                payload.channels[0].envelopeDifferences[0] = 30
                payload.channels[0].noiseDifferences[0] = 3
                var writer = BitWriter()
                writer.write(hasHeader)
                if hasHeader { generator.header.write(to: &writer) }
                payload.write(to: &writer, header: generator.header, tables: generator.tables, stereo: nil)
                let bytes = writer.bytes
                var reader = BitReader(bytes)
                #expect(decoder.read(from: &reader, end: 8 * bytes.count, isChecked: false))
            }
            decoder.startFrame()
            var span = output.mutableSpan
            decoder.synthesize(0, core: silence.span, into: &span, at: 0)
            return output.reduce(0) { $0 + $1 * $1 }
        }
        _ = energy(true)
        let full = energy(true)
        #expect(full > 1000)
        let lost = (0..<14).map { _ in energy(false) }
        for index in 2..<13 { #expect(lost[index] <= lost[index - 1]) }
        #expect(lost[13] == 0)
        _ = energy(true, hasHeader: false)
        let back = energy(true)
        #expect(back > full / 2 && back < full * 2)
    }
}
