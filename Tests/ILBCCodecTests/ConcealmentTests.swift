// SPDX-License-Identifier: Apache-2.0

import ILBCCodec
import TestSupport
import Testing

/// Concealment, judged by the largest step between samples (clicks), the level, and the distance from a decoder without losses.
@Suite struct ConcealmentTests {
    /// Returns a vowel decoded with some frames lost, and with all frames.
    private func decode(_ mode: ILBCMode, pitch: Float, lost: Range<Int>) throws -> (damaged: [Float], intact: [Float]) {
        let frames = try mode.encode(SpeechLikeSignal.vowel(24_000, pitch: pitch, seed: UInt64(pitch)))
        let damaged = frames.enumerated().map { lost.contains($0.offset) ? nil : $0.element }
        return (try mode.decode(damaged, isEnhanced: true), try mode.decode(frames, isEnhanced: true))
    }

    /// Returns the largest step between adjacent samples.
    private func maximumStep(_ samples: some Collection<Float>) -> Float {
        zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
    }

    @Test("Losses in a vowel cause no clicks", arguments: selectedCases(ILBCMode.allCases, [1, 2, 10]))
    func clicks(mode: ILBCMode, count: Int) throws {
        for pitch in [Float(80), 120, 200, 300] {
            let (damaged, intact) = try decode(mode, pitch: pitch, lost: 20..<20 + count)
            let length = mode.samplesPerFrame
            let after = 20 * length..<(20 + count + 3) * length
            // A glottal pulse is the largest step of a vowel. A loss must stay below 1.5 times that step.
            #expect(maximumStep(damaged[after]) < 1.5 * maximumStep(intact), "\(pitch) Hz")
            #expect(SignalDistance.level(damaged[after]) < 1.3 * SignalDistance.level(intact[after]))
        }
    }

    @Test(
        "A single loss in a vowel preserves level and approximate waveform",
        arguments: selectedCases(ILBCMode.allCases, [Float(100), 160, 250]))
    func singleLoss(mode: ILBCMode, pitch: Float) throws {
        let (damaged, intact) = try decode(mode, pitch: pitch, lost: 20..<21)
        let length = mode.samplesPerFrame
        let range = 20 * length..<21 * length
        let ratio = SignalDistance.level(damaged[range]) / SignalDistance.level(intact[range])
        #expect((0.6...1.3).contains(ratio), "\(ratio)")
        #expect(SignalDistance.signalToNoise(intact[range], damaged[range]) > 3)
    }

    @Test("A long loss fades out within 200 ms and the filter memory", arguments: ILBCMode.allCases)
    func decay(mode: ILBCMode) throws {
        let (damaged, intact) = try decode(mode, pitch: 120, lost: 20..<35)
        let start = 20 * mode.samplesPerFrame
        let levels = (0..<6).map { SignalDistance.level(damaged[start + 320 * $0..<start + 320 * ($0 + 1)]) }
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 < $0 * 1.02 }, "\(levels)")
        #expect(levels[5] < 0.1 * SignalDistance.level(intact), "\(levels)")
    }

    @Test(
        "Recovers within two frames after a loss",
        arguments: selectedCases(ILBCMode.allCases, [1, 2, 10]))
    func recovery(mode: ILBCMode, count: Int) throws {
        for pitch in [Float(90), 150, 240] {
            let (damaged, intact) = try decode(mode, pitch: pitch, lost: 20..<20 + count)
            let start = (22 + count) * mode.samplesPerFrame
            let end = start + 4 * mode.samplesPerFrame
            let ratio = SignalDistance.signalToNoise(intact[start..<end], damaged[start..<end])
            #expect(ratio > 12, "\(pitch) Hz: \(ratio) dB")
        }
    }

    @Test("Random losses reduce quality gradually and cause no clicks", arguments: selectedCases(ILBCMode.allCases, [UInt64(1), 2]))
    func randomLoss(mode: ILBCMode, seed: UInt64) throws {
        let samples = SpeechLikeSignal.mixed(80_000, seed: seed)
        let frames = try mode.encode(samples)
        let intact = try mode.decode(frames, isEnhanced: true)
        var last = Float.infinity
        for percent in [5, 10, 20] {
            var random = SeededRandom(seed: seed)
            let damaged = try mode.decode(frames.map { Int.random(in: 0..<100, using: &random) < percent ? nil : $0 }, isEnhanced: true)
            let ratio = SignalDistance.segmental(intact, damaged)
            #expect(ratio < last, "seed \(seed)")
            last = ratio
            #expect(maximumStep(damaged) < 1.5 * maximumStep(intact), "seed \(seed), \(percent) %")
            #expect(SignalDistance.level(damaged) < 1.05 * SignalDistance.level(intact), "seed \(seed), \(percent) %")
        }
        // With 20 % losses, four of five frames are received.
        #expect(last > 12, "seed \(seed): \(last) dB")
    }

    @Test("A loss before the first frame is silent", arguments: ILBCMode.allCases)
    func beforeFirstFrame(mode: ILBCMode) {
        var decoder = ILBCDecoder(mode: mode)
        for _ in 0..<20 { #expect(decoder.conceal().allSatisfy { $0 == 0 }) }
    }

    @Test("Finds period and voicing of an excitation", arguments: [25, 40, 63, 80, 119])
    func period(lag: Int) {
        var random = SeededRandom(seed: UInt64(lag))
        let cycle = random.samples(lag, amplitude: 100)
        let analysis = PeriodAnalysis(of: (0..<PeriodAnalysis.sampleCount).map { cycle[$0 % lag] })
        #expect(analysis.lag == lag && analysis.voicing > 0.99)
        #expect(PeriodAnalysis(of: random.samples(PeriodAnalysis.sampleCount, amplitude: 100)).voicing < 0.6)
    }
}
