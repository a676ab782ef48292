// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct HarmonicDetectorTests {
    private static let tuning = SBRTuning(bitRate: 48_000, sampleRate: 48_000, channelCount: 2, coreFrameLength: 1024)

    private static func harmonics(_ signal: SubbandSignal, frames: Int, _ tuning: SBRTuning) -> [UInt64] {
        var detector = HarmonicDetector()
        var found: [UInt64] = []
        signal.forEachFrame(frames) { tonality in
            detector.detect(tonality, tuning: tuning)
            found.append(detector.harmonics)
        }
        return found
    }

    @Test func `a tone missing in its patch becomes a sinusoid in its band only`() throws {
        let tuning = try #require(Self.tuning)
        let bands = tuning.tables.high
        for band in stride(from: 1, to: bands.count - 1, by: 3) {
            let middle = (Double(bands[band]) + Double(bands[band + 1])) / 2
            var signal = SubbandSignal.noise(300)
            signal.tones = [(middle * 375, 12_000)]
            for found in Self.harmonics(signal, frames: 3, tuning) { #expect(found == 1 << UInt64(band), "band \(band)") }
        }
    }

    @Test func `noise and silence have no sinusoids`() throws {
        let tuning = try #require(Self.tuning)
        #expect(Self.harmonics(.noise(1000), frames: 6, tuning).allSatisfy { $0 == 0 })
        #expect(Self.harmonics(SubbandSignal(), frames: 3, tuning).allSatisfy { $0 == 0 })
    }

    @Test func `tones with tonal patches need no sinusoids`() throws {
        let tuning = try #require(Self.tuning)
        // Tones in all source subbands, and one in the high band.
        var signal = SubbandSignal.tones(in: 0..<tuning.tables.crossoverSubband, 3000)
        signal.tones.append((Double(tuning.tables.high[3]) * 375 + 128, 3000))
        #expect(Self.harmonics(signal, frames: 3, tuning).allSatisfy { $0 >> 3 & 1 == 0 })
    }

    @Test func `a sinusoid continues in more noise than it starts in`() throws {
        let tuning = try #require(Self.tuning)
        let band = 4
        let middle = (Double(tuning.tables.high[band]) + Double(tuning.tables.high[band + 1])) / 2
        var kept = 0
        for noise in stride(from: 4_000.0, through: 40_000, by: 2_000) {
            var signal = SubbandSignal.noise(noise)
            signal.tones = [(middle * 375, 12_000)]
            let fresh = Self.harmonics(signal, frames: 1, tuning)[0] >> UInt64(band) & 1
            var detector = HarmonicDetector()
            detector.resetHistory()
            var continued: UInt64 = 0
            signal.forEachFrame(1) { tonality in
                detector.detect(tonality, tuning: tuning)
                continued = detector.harmonics >> UInt64(band) & 1
            }
            #expect(continued >= fresh)
            if continued > fresh { kept += 1 }
        }
        #expect(kept > 0)
    }

    @Test(
        "Stereo xHE-AAC has no sinusoids from 44 kbit/s", arguments: [(40_000, true, true), (48_000, true, false), (48_000, false, true)])
    func rates(bitRate: Int, isEnhanced: Bool, hasSines: Bool) throws {
        let tuning = try #require(
            SBRTuning(bitRate: bitRate, sampleRate: 48_000, channelCount: 2, coreFrameLength: 1024, isEnhanced: isEnhanced))
        let band = tuning.tables.high.count / 2
        let frequency = Double(tuning.tables.high[band] + tuning.tables.high[band + 1]) / 2 * 375
        var left = SBRChannelEncoder(tuning)
        var right = SBRChannelEncoder(tuning)
        var coder = SBRPayloadCoder(channelCount: 2, tuning: tuning)
        var bank = QMFAnalysis64(tuning.layout)
        var qmfSlots = SubbandSlots(tuning.layout)
        var random = SeededRandom(seed: 4)
        left.resetHistory()
        right.resetHistory()
        for frame in 0..<6 {
            let samples = (0..<2048).map { index in
                Float(
                    12_000 * sin(2 * Double.pi * frequency * Double(2048 * frame + index) / 48_000)
                        + .random(in: -300...300, using: &random))
            }
            bank.analyze(samples.span, into: &qmfSlots)
            left.append(qmfSlots)
            right.append(qmfSlots)
            SBRChannelEncoder.analyze(&left, &right, tuning: tuning, endsFixed: false)
            coder.code(left, right, isIndependent: frame == 0)
        }
        for channel in 0..<2 {
            let found = coder.payload.channels[channel].harmonics
            #expect(found == (hasSines ? 1 << UInt64(band) : 0), "channel \(channel)")
        }
    }
}
