// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct RepeatedDescriptionTests {
    /// Returns a LOAS frame whose `StreamMuxConfig` has `audioMuxVersion` 1.
    private static func frame(sampleRate: Int, payload: [UInt8]) -> [UInt8] {
        var config = StreamMuxConfig(
            AudioSpecificConfig(sampleRate: sampleRate, channelConfiguration: ChannelConfiguration(channelCount: 2)))
        config.audioMuxVersion = 1
        var writer = BitWriter()
        AudioMuxElement(streamMuxConfig: config, payloads: [payload]).write(to: &writer, config: config)
        let byteCount = writer.bitCount / 8
        return [0x56, 0xE0 | UInt8(byteCount >> 8), UInt8(byteCount & 0xFF)] + writer.bytes
    }

    @Test("Follows a StreamMuxConfig that repeats, changes and returns")
    func changes() {
        let rates = [32_000, 32_000, 48_000, 48_000, 32_000, 32_000]
        let payloads = rates.indices.map { index in (0..<30 + index).map { UInt8(truncatingIfNeeded: 37 * $0 + index) } }
        let bytes = zip(rates, payloads).flatMap { Self.frame(sampleRate: $0, payload: $1) }
        let events = streamEvents(of: LOASParser(), bytes)
        #expect(events.accessUnits.map(\.accessUnit.payload) == payloads)
        #expect(events.configurations.map(\.sampleRate) == [32_000, 48_000, 32_000])
        #expect(events.skips.isEmpty && events.covers(bytes.count))
    }
}
