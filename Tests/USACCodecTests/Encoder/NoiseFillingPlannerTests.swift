// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct NoiseFillingPlannerTests {
    /// A long window of random lines, quantized with a random scale factor in each band or dropped.
    private struct Window: ~Copyable {
        var channel = CoreChannelData(frameLength: 1024)
        var lines = [Float](repeating: 0, count: 1024)
        var energies = [Float](repeating: 0, count: 64)
        let bands = ScaleFactorBands(coreRate: 44_100, frameLength: 1024)
        let bandCount: Int

        init(seed: UInt64, maximumBandCount: Int = 49) {
            var random = SeededRandom(seed: seed)
            bandCount = random.integer(in: 0..<maximumBandCount + 1)
            channel.windows.maxSFB = bandCount
            var scaleFactor = random.integer(in: 90..<140)
            let share = random.integer(in: 0..<100)
            for sfb in 0..<bandCount {
                scaleFactor += random.integer(in: -3..<4)
                let step = PortableMath.exp2(Float(scaleFactor - 100) / 4)
                let isDropped = random.integer(in: 0..<100) < share
                let level = step * (isDropped ? random.float(in: 0.2...0.9) : random.float(in: 0.3...3))
                for line in bands.offset(sfb, isShort: false)..<bands.offset(sfb + 1, isShort: false) {
                    lines[line] = level * random.float(in: -1.7...1.7)
                    energies[sfb] += lines[line] * lines[line]
                    channel.lines[line] = isDropped ? 0 : Int16((lines[line] / step).rounded())
                }
                channel.scaleFactors[sfb] = UInt8(scaleFactor)
            }
        }

        mutating func plan(_ planner: inout NoiseFillingPlanner, tnsEnd: Int = 0, needsNoise: Bool = true) {
            let (lines, energies) = (lines, energies)
            let isNeeded = [Bool](repeating: needsNoise, count: 64)
            planner.plan(
                &channel, lines: lines.span, energies: energies.span, isNeeded: isNeeded.span, bandCount: bandCount, tnsEnd: tnsEnd,
                amplitudes: .init(besideValues: 0.2, emptyBands: 1), bands: bands)
        }
    }

    @Test(
        "Bands with values keep their scale factors, and all differences can be sent",
        arguments: 0..<20 as Range<UInt64>)
    func scaleFactors(seed: UInt64) {
        var planner = NoiseFillingPlanner()
        var window = Window(seed: seed)
        let tnsEnd = min(window.bandCount, 20)
        let before = (0..<window.bandCount).map { window.channel.scaleFactors[$0] }
        window.plan(&planner, tnsEnd: tnsEnd)
        let count = window.channel.windows.maxSFB
        #expect(count >= tnsEnd && count <= window.bandCount, "seed \(seed)")
        let after = (0..<count).map { window.channel.scaleFactors[$0] }
        for sfb in 0..<window.bandCount
        where !window.channel.isEmpty(sfb, ofGroup: 0, bands: window.bands) {
            #expect(sfb < count && after[sfb] == before[sfb], "seed \(seed), band \(sfb)")
        }
        #expect(
            zip(after, after.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 60 }, "seed \(seed)")
        #expect(
            0...7 ~= window.channel.noiseLevel && 0...31 ~= window.channel.noiseOffset, "seed \(seed)")
    }

    @Test(
        "A decoder's noise has about the energy of the lines of empty bands",
        arguments: 0..<20 as Range<UInt64>)
    func energy(seed: UInt64) {
        var planner = NoiseFillingPlanner()
        var window = Window(seed: seed)
        window.plan(&planner)
        let dequantizer = LineDequantizer(window.bands)
        var spectrum = [Float](repeating: 0, count: 1024)
        var noiseSeed: UInt32 = 1
        var target = spectrum.mutableSpan
        dequantizer.dequantize(window.channel, hasNoise: true, seed: &noiseSeed, into: &target)
        var (decibels, count): (Float, Float) = (0, 0)
        for sfb in 0..<window.bandCount
        where window.channel.isEmpty(sfb, ofGroup: 0, bands: window.bands) {
            let range =
                window.bands.offset(sfb, isShort: false)..<window.bands.offset(sfb + 1, isShort: false)
            guard range.lowerBound >= NoiseFillingPlanner.firstLine(1024),
                window.energies[sfb] > Float(range.count)
            else { continue }
            let energy = range.reduce(0) { $0 + spectrum[$1] * spectrum[$1] }
            let ratio = 3.01 * PortableMath.log2(energy / window.energies[sfb])
            #expect(abs(ratio) < 11, "seed \(seed), band \(sfb)")
            decibels += ratio
            count += 1
        }
        #expect(count == 0 || abs(decibels / count) < 3, "seed \(seed): \(decibels / max(count, 1)) dB")
    }

    @Test("Bands whose noise is not needed are not sent after the last values", arguments: 0..<20 as Range<UInt64>)
    func omittedNoise(seed: UInt64) {
        var planner = NoiseFillingPlanner()
        var window = Window(seed: seed)
        let usedCount = (0..<window.bandCount).last { !window.channel.isEmpty($0, ofGroup: 0, bands: window.bands) }.map { $0 + 1 } ?? 0
        window.plan(&planner, needsNoise: false)
        #expect(window.channel.windows.maxSFB == usedCount, "seed \(seed)")
        window = Window(seed: seed)
        window.plan(&planner)
        #expect(window.channel.windows.maxSFB >= usedCount, "seed \(seed)")
    }

    @Test("Windows without values and short windows have no noise beyond silence")
    func silence() {
        var planner = NoiseFillingPlanner()
        var window = Window(seed: 1)
        window.channel.lines.fill(0)
        window.lines = window.lines.map { _ in 0 }
        window.energies = window.energies.map { _ in 0 }
        window.plan(&planner)
        #expect(window.channel.noiseLevel == 0 && window.channel.windows.maxSFB == 0)
        var short = Window(seed: 2, maximumBandCount: 14)
        short.channel.windows.sequence = .eightShort
        short.channel.windows.groupLengths = SIMD8(8, 0, 0, 0, 0, 0, 0, 0)
        short.channel.lines.fill(0)
        short.plan(&planner)
        #expect(short.channel.noiseLevel == 0 && short.channel.windows.maxSFB == 0)
    }
}
