// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import ILBCCodec
import TestSupport
import Testing

@Suite struct ILBCDecoderTests {
    @Test(
        "Random frames decode, and a stream recovers after them", arguments: ILBCMode.allCases,
        0..<5 as Range<UInt64>)
    func anyBytes(mode: ILBCMode, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let frames = try mode.encode(SpeechLikeSignal.vowel(8000, pitch: 120, seed: seed))
        for isEnhanced in [false, true] {
            var (decoder, clean) = (ILBCDecoder(mode: mode, isEnhanced: isEnhanced), ILBCDecoder(mode: mode, isEnhanced: isEnhanced))
            for _ in 0..<200 {
                let samples = decoder.decodedSamples(of: RandomFrames.bytes(mode: mode, random: &random))
                #expect(samples.allSatisfy { $0.isFinite }, "seed \(seed)")
            }
            let decoded = frames.map { decoder.decodedSamples(of: $0) }
            let wanted = frames.map { clean.decodedSamples(of: $0) }
            // Filter memories decay within half a second.
            let (last, wantedLast) = (decoded.suffix(3).flatMap { $0 }, wanted.suffix(3).flatMap { $0 })
            #expect(SignalDistance.signalToNoise(wantedLast, last) > 40, "seed \(seed)")
        }
    }

    @Test(
        "Repeated extreme frames stay finite", arguments: ILBCMode.allCases, [UInt8(0), 0x55, 0xAA, 0xFE, 0xFF])
    func constantBytes(mode: ILBCMode, byte: UInt8) {
        var decoder = ILBCDecoder(mode: mode)
        var bytes = [UInt8](repeating: byte, count: mode.bytesPerFrame)
        // No empty frame indicator, and the loudest state at a valid position
        var frame = FrameParameters(mode: mode)
        frame.unpack(bytes)
        frame.isEmpty = false
        frame.stateBlock = 1
        frame.stateScale = 63
        bytes = frame.packed()
        for _ in 0..<500 {
            let samples = decoder.decodedSamples(of: bytes)
            #expect(samples.allSatisfy { $0.isFinite })
        }
    }

    @Test("Wrong frame sizes throw", arguments: ILBCMode.allCases)
    func wrongLength(mode: ILBCMode) {
        var decoder = ILBCDecoder(mode: mode)
        for count in [0, 1, 37, 39, 49, 51, 76, 100] {
            let error = CodecError.wrongFrameLength(byteCount: count, mode: mode)
            #expect(throws: error) { try decoder.decode([UInt8](repeating: 0, count: count)) }
            #expect(error.description.contains("\(count) bytes"))
        }
    }

    @Test("Conceals empty frames and invalid start state positions", arguments: ILBCMode.allCases)
    func emptyFrames(mode: ILBCMode) throws {
        let frames = try mode.encode(SpeechLikeSignal.vowel(4000, pitch: 140, seed: 1))
        var invalid = FrameParameters(mode: mode)
        invalid.unpack(frames[5])
        invalid.stateBlock = 0
        var late = invalid
        late.stateBlock = mode.subblockCount
        // In 20 ms frames, the 2-bit position cannot be 4.
        let candidates = [mode.emptyFrame, invalid.packed()] + (mode == .milliseconds30 ? [late.packed()] : [])
        let wanted = try mode.decode(Array(frames.prefix(5)) + [nil])
        for candidate in candidates { #expect(try mode.decode(Array(frames.prefix(5)) + [candidate]) == wanted) }
    }

    @Test("The enhancer delays by 40 or 80 samples and preserves the waveform", arguments: ILBCMode.allCases)
    func enhancerDelay(mode: ILBCMode) throws {
        let frames = try mode.encode(SpeechLikeSignal.mixed(40_000, seed: 3))
        let delay = ILBCDecoder(mode: mode).delay
        #expect(delay == (mode == .milliseconds20 ? 40 : 80))
        #expect(ILBCDecoder(mode: mode, isEnhanced: false).delay == 0)
        let plain = try mode.decode(frames)
        let enhanced = try mode.decode(frames, isEnhanced: true)
        #expect(plain.count == enhanced.count)
        #expect(SignalDistance.segmental(plain, Array(enhanced.dropFirst(delay))) > 10)
    }

    @Test("The high-pass filter removes DC offset", arguments: ILBCMode.allCases)
    func outputFilter(mode: ILBCMode) {
        var filter = HighPassFilter.output()
        var samples = [Float](repeating: 1000, count: 4000)
        filter.filter(&samples)
        // The coefficients leave one hundredth.
        #expect(samples.suffix(100).allSatisfy { abs($0) < 12 })
    }
}
