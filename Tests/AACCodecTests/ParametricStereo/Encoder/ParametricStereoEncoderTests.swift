// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct ParametricStereoEncoderTests {
    /// The encoder's core downmix of noise that moves from one channel to the other.
    private static func core(coreFrameLength: Int, frameCount: Int, envelopeCount: Int) -> [Float] {
        var random = SeededRandom(seed: 811)
        let layout = SlotLayout(coreFrameLength: coreFrameLength)
        let encoder = ParametricStereoEncoder(StereoCodingSettings(bandCount: 20, envelopeCount: envelopeCount), layout)
        var core: [Float] = []
        for frame in 0..<frameCount {
            var (left, right) = ([Float](), [Float]())
            for index in 0..<2 * coreFrameLength {
                let pan = Float((2 * coreFrameLength * frame + index) % 9000) / 9000
                let value = Float.random(in: -8000...8000, using: &random)
                left.append(value * pan)
                right.append(value * (1 - pan) + .random(in: -500...500, using: &random))
            }
            encoder.append(left: left.span, right: right.span, framesToSegment: 100) { samples in
                for index in samples.indices { core.append(samples[index]) }
            }
            encoder.planFrame(isIndependent: frame % 8 == 0)
        }
        return core
    }

    @Test func `the downmix with frames of 960 is delayed by two time slots relative to 1024`() {
        let reference = Self.core(coreFrameLength: 1024, frameCount: 15, envelopeCount: 2)
        let found = Self.core(coreFrameLength: 960, frameCount: 16, envelopeCount: 2)
        #expect(reference.count == found.count)
        #expect(found[..<64].allSatisfy { $0 == 0 })
        #expect(found[64...].elementsEqual(reference[..<(found.count - 64)]))
        let delay = ParametricStereoEncoder.priming(SlotLayout(coreFrameLength: 960)) - 4 * 960
        #expect(delay == ParametricStereoEncoder.priming(SlotLayout(coreFrameLength: 1024)) - 4 * 1024 + 128)
    }

    @Test(arguments: [1, 2, 4], [1024, 960]) func `parameters describe where a tone is panned`(envelopeCount: Int, coreFrameLength: Int)
        throws
    {
        let layout = SlotLayout(coreFrameLength: coreFrameLength)
        let settings = StereoCodingSettings(bandCount: 20, envelopeCount: envelopeCount)
        let encoder = ParametricStereoEncoder(settings, layout)
        var random = SeededRandom(seed: 812)
        var header: ParametricStereoHeader?
        var data = ParametricStereoData()
        var envelopes = StereoEnvelopes()
        var next = StereoEnvelopes()
        for frame in 0..<12 {
            let right = (0..<2 * coreFrameLength).map { _ in Float.random(in: -4000...4000, using: &random) }
            // 10 dB, index 4 of default quantization.
            let left = right.map { $0 * 3.162 }
            encoder.append(left: left.span, right: right.span, framesToSegment: 100) { _ in }
            encoder.planFrame(isIndependent: frame % 4 == 0)
            var reader = BitReader(encoder.payload.bytes)
            let isRead = data.read(from: &reader, after: header)
            try #require(isRead)
            header = data.header
            if next.decode(data, after: envelopes, qmfSlotCount: layout.qmfSlotCount) {
                swap(&envelopes, &next)
            } else {
                envelopes.repeatLast(qmfSlotCount: layout.qmfSlotCount)
            }
            guard frame >= 8 else { continue }
            for band in 8..<20 {
                let level = envelopes.levels[34 * (envelopes.count - 1) + band]
                #expect(abs(Int(level) - 4) <= 1, "frame \(frame), band \(band)")
            }
        }
    }
}
