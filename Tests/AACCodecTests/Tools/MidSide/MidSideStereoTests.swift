// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct MidSideStereoTests {
    /// The result of a decision for two channels.
    private struct Outcome {
        var usesMidSide: [Bool] = []
        var first: [Float] = []
        var second: [Float] = []
        var noise: [(first: Float, second: Float)] = []
        var lines: [Range<Int>] = []
    }

    /// The input noise targets per line.
    ///
    /// The first channel has the higher ones.
    private static let noise: (first: Float, second: Float) = (3000, 1000)

    /// Decides by costs for lines from `sample`, in a frame of long or short windows.
    private func decide(isShort: Bool = false, replaced: Int? = nil, _ sample: (Int) -> (Float, Float)) -> Outcome {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        if isShort {
            layout.setShort(lengths: [3, 5, 0, 0, 0, 0, 0, 0], groupCount: 2, bands: bands, bandCount: bands.shortCount)
        } else {
            layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        }
        var first = ChannelCoder(lineCount: 1024)
        var second = ChannelCoder(lineCount: 1024)
        for line in 0..<1024 {
            let (left, right) = sample(line)
            first.spectrum.lines[line] = left
            second.spectrum.lines[line] = right
        }
        for band in 0..<layout.count {
            first.spectrum.noiseTargets[band] = Self.noise.first * Float(layout.width(band))
            second.spectrum.noiseTargets[band] = Self.noise.second * Float(layout.width(band))
        }
        if let replaced { second.spectrum.replacements.setNoise(replaced, energy: 1000) }
        var stereo = MidSideStereo()
        let leftRightCosts = Self.costs(&first, &second, layout: layout)
        stereo.convertAll(&first.spectrum, &second.spectrum, layout: layout)
        let midSideCosts = Self.costs(&first, &second, layout: layout)
        stereo.revert(
            &first.spectrum, &second.spectrum, leftRightCosts: leftRightCosts.span, midSideCosts: midSideCosts.span, layout: layout)
        var outcome = Outcome()
        for line in 0..<1024 {
            outcome.first.append(first.spectrum.lines[line])
            outcome.second.append(second.spectrum.lines[line])
        }
        for band in 0..<layout.count {
            outcome.usesMidSide.append(stereo.usesMidSide[band])
            outcome.noise.append((first.spectrum.noiseTargets[band], second.spectrum.noiseTargets[band]))
            outcome.lines.append(layout.lines(band))
        }
        return outcome
    }

    /// Returns each band's cost, summed over both channels.
    private static func costs(
        _ first: inout ChannelCoder, _ second: inout ChannelCoder, layout: borrowing BandLayout
    ) -> [Float] {
        var result = [Float](repeating: 0, count: BandLayout.maximumCount)
        var costs = result.mutableSpan
        first.addCosts(noiseScale: 0.5, layout: layout, effort: .best, to: &costs)
        second.addCosts(noiseScale: 0.5, layout: layout, effort: .best, to: &costs)
        return result
    }

    private func music(_ line: Int, _ random: inout SeededRandom) -> Float {
        Float.random(in: -1...1, using: &random) * 400_000 / Float(line + 20)
    }

    @Test("Equal channels use M/S, in long and short windows", arguments: [false, true])
    func equal(isShort: Bool) {
        var random = SeededRandom(seed: 1)
        let outcome = decide(isShort: isShort) { line in
            let sample = music(line, &random)
            return (sample, sample)
        }
        #expect(outcome.usesMidSide[..<8].allSatisfy { $0 })
        for line in outcome.lines[0] { #expect(outcome.second[line] == 0) }
    }

    @Test("A signal in one channel stays there", arguments: [false, true])
    func oneSided(isShort: Bool) {
        var random = SeededRandom(seed: 2)
        var sent: [Float] = []
        let outcome = decide(isShort: isShort) { line in
            sent.append(music(line, &random))
            return (sent[line], 0)
        }
        #expect(!outcome.usesMidSide[..<8].contains(true))
        for band in 0..<8 {
            for line in outcome.lines[band] {
                #expect(abs(outcome.first[line] - sent[line]) <= 1e-6 * abs(sent[line]) && outcome.second[line] == 0)
            }
        }
    }

    @Test("Lines become half the sum and difference, and noise targets respect both channels", arguments: 3...6 as ClosedRange<UInt64>)
    func linesAndTargets(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var sent: [(left: Float, right: Float)] = []
        let outcome = decide { line in
            let (common, own) = (music(line, &random), music(line, &random))
            sent.append(line % 200 < 100 ? (common + own * 0.3, common) : (0, own))
            return sent[line]
        }
        #expect(outcome.usesMidSide.contains(true) && outcome.usesMidSide.contains(false), "seed \(seed)")
        for (band, lines) in outcome.lines.enumerated() {
            let isMixed = outcome.usesMidSide[band]
            for line in lines {
                let (left, right) = sent[line]
                let wanted = isMixed ? ((left + right) / 2, (left - right) / 2) : (left, right)
                let tolerance = 1e-6 * (abs(left) + abs(right))
                #expect(abs(outcome.first[line] - wanted.0) <= tolerance && abs(outcome.second[line] - wanted.1) <= tolerance)
            }
            let (first, second) = outcome.noise[band]
            let width = Float(lines.count)
            if isMixed {
                #expect(first == second && first < Self.noise.second * width * 1.2 && first > Self.noise.second * width * 0.6)
            } else {
                #expect(first == Self.noise.first * width && second == Self.noise.second * width)
            }
        }
    }

    @Test("Noise bands are unchanged")
    func replaced() {
        var random = SeededRandom(seed: 7)
        let outcome = decide(replaced: 4) { line in
            let sample = music(line, &random)
            return (sample, sample)
        }
        #expect(!outcome.usesMidSide[4] && outcome.usesMidSide[3] && outcome.usesMidSide[5])
        #expect(outcome.noise[4].first == Self.noise.first * Float(outcome.lines[4].count))
    }

    /// Decides with the same costs in all bands of a frame, except that one band costs `extra` bits more as M/S.
    private static func choose(
        _ stereo: inout MidSideStereo, bandCount: Int, separateCost: Float, jointCost: Float, extra: (band: Int, bits: Float) = (0, 0),
        noiseBand: Int? = nil
    ) -> [Bool] {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024), bandCount: bandCount)
        var first = ChannelSpectrum(frameLength: 1024)
        var second = ChannelSpectrum(frameLength: 1024)
        if let noiseBand {
            first.replacements.setNoise(noiseBand, energy: 1000)
            second.replacements.setNoise(noiseBand, energy: 1000)
        }
        stereo.convertAll(&first, &second, layout: layout)
        let separate = [Float](repeating: separateCost, count: BandLayout.maximumCount)
        var joint = [Float](repeating: jointCost, count: BandLayout.maximumCount)
        joint[extra.band] += extra.bits
        stereo.revert(&first, &second, leftRightCosts: separate.span, midSideCosts: joint.span, layout: layout)
        return (0..<bandCount).map { stereo.usesMidSide[$0] }
    }

    @Test("A band chooses alone only if that saves more than the flags of all bands cost")
    func flags() {
        func choices(_ extraBits: Float, noiseBand: Int? = nil) -> [Bool] {
            var stereo = MidSideStereo()
            return Self.choose(
                &stereo, bandCount: 49, separateCost: 10, jointCost: 0, extra: (5, 10 + extraBits), noiseBand: noiseBand)
        }
        var all = [Bool](repeating: true, count: 49)
        #expect(choices(40) == all)
        // Noise needs left and right, and therefore flags.
        all[8] = false
        #expect(choices(-10, noiseBand: 8) == all)
        all[5] = false
        #expect(choices(40, noiseBand: 8) == all)
        all[8] = true
        #expect(choices(60) == all)
    }

    @Test("Left and right need no flags")
    func leftRight() {
        var stereo = MidSideStereo()
        let choices = Self.choose(&stereo, bandCount: 49, separateCost: 0, jointCost: 10, extra: (5, -50))
        #expect(choices == Array(repeating: false, count: 49))
        #expect(Self.choose(&stereo, bandCount: 49, separateCost: 0, jointCost: 10, extra: (5, -70))[5])
    }

    @Test("An interruption clears all choices, including bands that the frames in between lack")
    func interruption() {
        var stereo = MidSideStereo()
        #expect(Self.choose(&stereo, bandCount: 49, separateCost: 10, jointCost: 0) == Array(repeating: true, count: 49))
        // For equal costs, the previous choice is kept.
        #expect(Self.choose(&stereo, bandCount: 49, separateCost: 0, jointCost: 0) == Array(repeating: true, count: 49))
        stereo.interrupt()
        #expect(Self.choose(&stereo, bandCount: 40, separateCost: 0, jointCost: 10) == Array(repeating: false, count: 40))
        #expect(Self.choose(&stereo, bandCount: 49, separateCost: 0, jointCost: 0) == Array(repeating: false, count: 49))
    }
}
