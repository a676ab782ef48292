// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Testing
import TransformCoding

@Suite struct BlockSwitchingTests {
    /// Half a second of harmonics up to a limit at 48 kHz, with amplitudes proportional to k^-tilt and a peak of 1.
    private static func saw(hertz: Double, tilt: Double, to limit: Double) -> [Double] {
        var result = [Double](repeating: 0, count: 24_000)
        for partial in 1...Int(limit / hertz) {
            let amplitude = PortableMath.power(Double(partial), -tilt)
            for index in result.indices {
                let cycles = Double(partial) * hertz * Double(index) / 48_000
                result[index] += amplitude * CircularFunctions.sinePi(2 * (cycles - cycles.rounded(.down)) + 0.5)
            }
        }
        let peak = result.map(\.magnitude).max() ?? 1
        return result.map { $0 / peak }
    }

    /// Encodes half a second of stereo at 48 kHz, and returns the fraction of frames with short windows.
    private static func shareOfShort(
        left: [Double], right: [Double], bitRate: Int = 96_000, effort: AACEncoderConfiguration.Effort = .balanced
    ) throws -> Double {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitRate: bitRate))
        configuration.settings.effort = effort
        let encoder = try AACEncoder(configuration)
        let samples = zip(left, right).flatMap { left, right in [left, right].map { Int16(15_000 * $0) } }
        var (count, short) = (0, 0)
        let body = { (accessUnit: AccessUnit) in
            // id_syn_ele is 1 and common_window set; window_sequence follows ics_reserved_bit.
            try #require(accessUnit.payload[0] >> 5 == 1 && accessUnit.payload[0] & 1 == 1)
            count += 1
            if accessUnit.payload[1] >> 5 & 3 == 2 { short += 1 }
        }
        try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: 2), body)
        _ = try encoder.finish(body)
        return Double(short) / Double(count)
    }

    @Test("Two detuned 98 Hz sawtooths per channel use long windows at 64 kbit/s despite exposed 10 ms pulses")
    func detunedSaws() throws {
        let saws = [98.196, 97.706, 97.804, 98.392].map { Self.saw(hertz: $0, tilt: 0.7, to: 8000) }
        let left = zip(saws[0], saws[1]).map { 0.6 * $0 + 0.3 * $1 }
        let right = zip(saws[2], saws[3]).map { 0.6 * $0 - 0.2 * $1 }
        // Start and end are attacks. Refined noise targets (`balanced`) use more short windows, at the same distance.
        #expect(try Self.shareOfShort(left: left, right: right, bitRate: 64_000, effort: .fast) < 0.4)
    }

    @Test("Clicks 25 ms apart use short windows")
    func clicks() throws {
        let train = Self.saw(hertz: 40, tilt: 0.1, to: 12_000)
        #expect(try Self.shareOfShort(left: train, right: train) > 0.7)
    }
}
