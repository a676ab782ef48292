// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import USACCodec

@Suite struct AccessPointTests {
    /// A stream with an audio pre-roll in every 45th access unit.
    private static let vector = USACVector("fd-48k-st-rap")

    @Test("Decoding from any pre-roll yields the samples of the whole stream", arguments: [0, 45, 90])
    func start(first: Int) throws {
        let whole = try USACDecoder(Self.vector.configuration)
        for accessUnit in Self.vector.accessUnits[..<first] { _ = try whole.decode(AccessUnit(accessUnit)) }
        let part = try USACDecoder(Self.vector.configuration)
        // The same decoder again after a seek. Its history must have no effect.
        let seeking = try USACDecoder(Self.vector.configuration)
        for accessUnit in Self.vector.accessUnits[..<7] { _ = try seeking.decode(AccessUnit(accessUnit)) }
        seeking.reset()
        for accessUnit in Self.vector.accessUnits[first..<min(first + 5, Self.vector.accessUnits.count)] {
            let expected = try whole.decode(AccessUnit(accessUnit))
            #expect(try part.decode(AccessUnit(accessUnit)) == expected)
            #expect(try seeking.decode(AccessUnit(accessUnit)) == expected)
        }
    }

    @Test("Access units without a pre-roll need previous ones")
    func others() throws {
        let whole = try USACDecoder(Self.vector.configuration)
        for accessUnit in Self.vector.accessUnits[..<44] { _ = try whole.decode(AccessUnit(accessUnit)) }
        let part = try USACDecoder(Self.vector.configuration)
        let accessUnit = AccessUnit(Self.vector.accessUnits[44])
        #expect(try whole.decode(accessUnit) != (try? part.decode(accessUnit)))
    }

    @Test("A seek restores the configuration of the stream after one from a pre-roll")
    func restoredConfiguration() throws {
        let configurations = [1, 2].map { USACConfig(sampleRate: 16_000 * ($0 + 1), channelCount: $0, hasNoiseFilling: false) }
        let units = try configurations.map { configuration in
            var writer = USACUnitWriter(configuration, interval: 4)
            var frames = RandomFrame(seed: 3)
            return try (0..<5).map { _ in
                frames.fill(&writer.data)
                return try writer.writeUnit()
            }
        }
        let decoder = try USACDecoder(AudioSpecificConfig(configurations[0]))
        let first = try decoder.decode(AccessUnit(units[0][0]))
        // The fifth access unit has a pre-roll with the other configuration.
        #expect(try decoder.decode(AccessUnit(units[1][4])).channelCount == 2)
        #expect(decoder.sampleRate == 48_000)
        decoder.reset()
        #expect(decoder.channelCount == 1 && decoder.sampleRate == 32_000)
        #expect(decoder.channelLayout == ChannelLayout([.center]))
        #expect(try decoder.decode(AccessUnit(units[0][0])) == first)
    }
}
