// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct USACConfigTests {
    /// Configurations of encoder streams and constructed streams, with all element types except LFE.
    static let samples = [
        "f94020212cc00c00ae4000050002000b2084534b00",
        "f94623012cc00c00ae4000050002000a20845b0b00",
        "f94623212cc01c00ae40000500020009d204568b00",
        "f94623412cc00008600572000028001000510422d858",
        "f94623612cc008086005720000280010005908228058",
        "f94623812cc00008600572000028001000510422d858",
        "f94623812cc008086005720000280010004ef0232c58",
        "f94643222cc04c00ae40000500020009cb845b0b00",
        "f94643222cc04c00ae4000050002000ab404528b00",
        "f94643222cc04c00ae4000050002000ab484554b00",
        "f94643222cc04c00ae4009a50002000a31845e0b00",
        "f94643222cc05c00ae40000500020009f70462cb00",
        "f94643223cc0d3c7496f30000004926c4081020305ae44030c81081081020484000200600044208000080810b4c321040000606004c00ae40000540020809404a00b11a72c",
        "f94643422cc0400818015c80000a00040013f408bc1600",
        "f94643622cc0480818015c80000a000400138308d19600",
        "f94643622cc0500818015c80000a000400139708b61600",
        "f94643822cc0400818015c80000a00040013ee08c59600",
        "f94643822cc04008450003002b900001400080027dc11892c0",
        "f94824212cc00c00ae4000050002000a20845b0b00",
        "f94824213e4e056162630fee40c000",
        "f94824612cc00008600572000028001000510422d658",
        "f94824612cc00008600572000028001000510422d858",
        "f94844022cc04c00ae4000050002000a5d0450cb00",
        "f94844022cc05c00ae40000500020009fb045d4b00",
        "f94844220400",
        "f94844222cc04c00ae40000500020009fb045d4b00",
        "f94844222cc05c00ae40000500020009c0845b0b00",
        "f94844281000",
        "f94844422cc0400818015c80000a00040013f608ba9600",
        "f94844622cc04008450003002b900001400080027ec11762c0",
        "f94844622cc0440818015c80000a000400138108b61600",
        "f948a425204400",
        "f94a25612cc00008600572000028001000510422d858",
        "f94a25612cc00208600572000028001000510422d858",
        "f94a45022cc04c00ae40000500020009dc845b4b00",
        "f94a45222cc05c00ae4000050002000a708450cb00",
        "f94a45622cc04208450003002b900001400080027d611782c0",
        "f94c26012cc00c00ae4000050002000a14045a8b00",
        "f94c26012cc00c00ae4000050002000a20845acb00",
        "f94c26212cc00c00ae4000050002000a20845acb00",
        "f94c26212cc00c00ae4000050002000a9004534b00",
        "f94c46222cc04c00ae40000500020009c20468cb00",
        "f94c46222cc04c00ae40000500020009f3845d4b00",
        "f94c46222cc05c00ae40000500020009f3845dcb00",
        "f94c46222cc05c00ae4000050002000a3f04580b00",
        "f94e27212cc00c00ae4000050002000a20845acb00",
        "f95028012cc00c00ae4000050002000a7904584b00",
        "f95028212cc00c00ae4000050002000a21045a8b00",
        "f95249222cc04c00ae40000500020009c204684b00",
        "f95e015f903f00afc8210000",
        "f95e01900030010000",
    ]

    private static func bytes(_ digits: String) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).map { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
    }

    /// Returns a configuration as bytes, zero-padded at the end.
    private static func written(_ config: USACConfig) -> [UInt8] {
        var writer = BitWriter()
        config.write(to: &writer)
        writer.alignToByte()
        return writer.bytes
    }

    @Test("Configurations round-trip bit-exactly", arguments: samples)
    func sample(digits: String) throws {
        let bytes = Self.bytes(digits)
        let usac = try #require(try AudioSpecificConfig(parsing: bytes).usac)
        var reader = BitReader(bytes)
        // Skip object type, sample rate and channels.
        reader.skip(5 + 6)
        if reader.read(4) == 15 { reader.skip(24) }
        reader.skip(4)
        var counter = BitCounter()
        usac.write(to: &counter)
        var expected = BitWriter()
        for _ in 0..<counter.bitCount { expected.write(reader.readFlag()) }
        expected.alignToByte()
        #expect(Self.written(usac) == expected.bytes)
        #expect(reader.bitsRemaining < 8)
    }

    @Test("Random valid configurations round-trip bit-exactly")
    func random() throws {
        var readCount = 0
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            // 48 kHz, one of five frame lengths, stereo, one to three elements, then random bits.
            var writer = BitWriter()
            writer.write(3, count: 5)
            writer.write(UInt32.random(in: 0..<5, using: &random), count: 3)
            writer.write(2, count: 5)
            writer.write(UInt32.random(in: 0..<3, using: &random), count: 4)
            for _ in 0..<600 { writer.write(UInt32.random(in: 0..<2, using: &random), count: 1) }
            guard let config = try? USACConfig(parsing: writer.bytes) else { continue }
            readCount += 1
            let bytes = Self.written(config)
            let again = try USACConfig(parsing: bytes)
            #expect(again == config && Self.written(again) == bytes, "seed \(seed)")
            var (first, second) = (BitReader(writer.bytes), BitReader(bytes))
            var counter = BitCounter()
            config.write(to: &counter)
            var equalCount = 0
            for _ in 0..<counter.bitCount where first.readFlag() == second.readFlag() { equalCount += 1 }
            #expect(equalCount == counter.bitCount, "seed \(seed)")
        }
        #expect(readCount >= 100, "\(readCount)")
    }

    @Test("An encoder's configuration states loudness, peak and stream, and survives", arguments: [1, 2])
    func creation(channelCount: Int) throws {
        let loudness = LoudnessInfoSet(integrated: -16.1, truePeak: -0.98, isMeasured: true)
        let config = USACConfig(
            sampleRate: 48_000, channelCount: channelCount, hasNoiseFilling: true, loudness: loudness, streamIdentifier: 0x1234)
        let parsed = try #require(try AudioSpecificConfig(parsing: AudioSpecificConfig(config).serialized()).usac)
        #expect(parsed == config && parsed.streamIdentifier == 0x1234 && parsed.hasAudioPreRoll)
        // Steps of a quarter and of 1/32 dB.
        #expect(parsed.loudness?.integratedLoudness == -16 && parsed.loudness?.peak == 20 - 671.0 / 32)
        let measurement = try #require(parsed.loudness?.programme.first?.measurements.first)
        #expect(measurement.method == 1 && measurement.system == 2 && measurement.reliability == 3)
        #expect(config.bytes.count <= 20 && Self.written(config) == config.bytes)
        #expect(config.levelFields.count == 2)
    }

    @Test("Stated loudness is unverified, and silence is a ceiling")
    func reliability() {
        func written(_ set: LoudnessInfoSet) -> LoudnessInfo.Measurement? {
            USACConfig(sampleRate: 44_100, channelCount: 2, hasNoiseFilling: false, loudness: set).loudness?.programme.first?.measurements
                .first
        }
        let stated = written(LoudnessInfoSet(integrated: -23, truePeak: nil, isMeasured: false))
        #expect(stated == LoudnessInfo.Measurement(method: 1, value: -23, system: 2, reliability: 1))
        let silence = written(LoudnessInfoSet(integrated: nil, truePeak: nil, isMeasured: true))
        #expect(silence == LoudnessInfo.Measurement(method: 1, value: -57.75, system: 2, reliability: 2))
    }

    @Test("Loudness and peaks without a code have the nearest one")
    func limitedLoudness() {
        #expect([Double.infinity, -.infinity, .nan, 1e30, -23].map { LoudnessInfo.code(loudness: $0) } == [255, 0, 0, 255, 139])
        #expect([Double.infinity, -.infinity, 1e30, -1].map { LoudnessInfo.code(peak: $0) } == [1, 0xFFF, 1, 672])
    }
}
