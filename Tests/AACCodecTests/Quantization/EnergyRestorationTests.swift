// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct EnergyRestorationTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 8, frameLength: 1024)

    /// Returns the bands of a long window, or of eight short windows in three groups.
    private static func layout(isShort: Bool) -> BandLayout {
        var layout = BandLayout()
        if isShort {
            layout.setShort(lengths: [3, 4, 1, 0, 0, 0, 0, 0], groupCount: 3, bands: bands, bandCount: bands.shortCount)
        } else {
            layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        }
        return layout
    }

    /// Fills a coder with noise that decreases towards high frequencies, and leaves few bits for it.
    private static func fill(_ coder: inout ChannelCoder, layout: borrowing BandLayout, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for line in 0..<1024 { coder.spectrum.lines[line] = Float.random(in: -1...1, using: &random) * 40_000 / Float(line % 997 + 10) }
        for band in 0..<layout.count { coder.spectrum.noiseTargets[band] = 3000 * Float(layout.width(band)) }
    }

    /// Returns the decoded energy of a band.
    private static func decodedEnergy(_ coder: borrowing ChannelCoder, _ band: Int, layout: borrowing BandLayout) -> Double {
        let index = band / layout.bandsPerGroup * ICSInfo.bandStride + band % layout.bandsPerGroup
        let value = Double(coder.stream.scaleFactors[index])
        if coder.stream.codebooks[index] == BandCodebook.noise {
            return PortableMath.power(2, value / 2) * Double(layout.groupLengths[band / layout.bandsPerGroup])
        }
        guard coder.stream.codebooks[index] != 0 else { return 0 }
        return layout.lines(band).reduce(0) { sum, line in
            let magnitude = abs(Double(coder.stream.quantized[line]))
            return magnitude == 0 ? sum : sum + PortableMath.power(2, (value - 100) / 2) * PortableMath.power(magnitude, 8.0 / 3)
        }
    }

    @Test("Restores the energy that coarse quantization removes", arguments: [false, true])
    func energy(isShort: Bool) {
        let layout = Self.layout(isShort: isShort)
        for seed in 1...4 as ClosedRange<UInt64> {
            var plain = ChannelCoder(lineCount: 1024)
            var restored = ChannelCoder(lineCount: 1024)
            Self.fill(&plain, layout: layout, seed: seed)
            Self.fill(&restored, layout: layout, seed: seed)
            restored.restoration = EnergyRestoration(noise: .init(long: 10, short: 4), raised: .init(long: 10, short: 4))
            var energies = [Double](repeating: 0, count: layout.count)
            for band in 0..<layout.count {
                energies[band] = layout.lines(band).reduce(0) { $0 + Double(plain.spectrum.lines[$1] * plain.spectrum.lines[$1]) }
            }
            _ = plain.prepare(noiseScale: 1, layout: layout)
            _ = restored.prepare(noiseScale: 1, layout: layout)
            plain.code(noiseScale: 1, layout: layout, effort: .balanced)
            restored.code(noiseScale: 1, layout: layout, effort: .balanced)
            var (lost, kept) = (0.0, 0.0)
            var noiseBands = 0
            for band in 0..<layout.count {
                let before = Self.decodedEnergy(plain, band, layout: layout)
                let after = Self.decodedEnergy(restored, band, layout: layout)
                let isBelow = band % layout.bandsPerGroup < (isShort ? 4 : 10)
                if isBelow { #expect(after == before, "seed \(seed), band \(band)") }
                // Noise at least 1.5 dB below the original, or a raise by the lost energy in whole steps.
                #expect(after <= max(before, energies[band] * 1.01), "seed \(seed), band \(band)")
                #expect(after >= before, "seed \(seed), band \(band)")
                guard !isBelow else { continue }
                lost += max(0, energies[band] - before) / energies[band]
                kept += max(0, energies[band] - after) / energies[band]
                let index = band / layout.bandsPerGroup * ICSInfo.bandStride + band % layout.bandsPerGroup
                if restored.stream.codebooks[index] == BandCodebook.noise { noiseBands += 1 }
            }
            #expect(noiseBands > 0, "seed \(seed)")
            #expect(kept < 0.8 * lost, "seed \(seed)")
        }
    }

    @Test("Tonal bands, bands below one quantization step and bands with TNS do not become noise")
    func exceptions() {
        let layout = Self.layout(isShort: false)
        let restoration = EnergyRestoration(noise: .init(long: 5, short: 5))
        let width = Float(layout.width(20))
        var even = SpectralLines.Band()
        (even.energy, even.rootSum) = (width * 100, width * Float(100).squareRoot().squareRoot())
        var tone = even
        tone.rootSum = (width * 100).squareRoot().squareRoot()
        var quiet = even
        (quiet.energy, quiet.rootSum) = (width * 0.5, width * Float(0.5).squareRoot().squareRoot())
        let ofNoise = restoration.sendsNoise(20, sums: even, hasTNS: false, layout: layout)
        let besideTNS = restoration.sendsNoise(20, sums: even, hasTNS: true, layout: layout)
        let ofTone = restoration.sendsNoise(20, sums: tone, hasTNS: false, layout: layout)
        let ofQuiet = restoration.sendsNoise(20, sums: quiet, hasTNS: false, layout: layout)
        let below = restoration.sendsNoise(4, sums: even, hasTNS: false, layout: layout)
        let withoutBands = EnergyRestoration().sendsNoise(20, sums: even, hasTNS: false, layout: layout)
        #expect([ofNoise, besideTNS, ofTone, ofQuiet, below, withoutBands] == [true, false, false, false, false, false])
    }

    @Test("A scale factor rises by the lost energy in whole steps of 1.5 dB, at most two", arguments: 0...9)
    func steps(quarterOctaves: Int) {
        let layout = Self.layout(isShort: false)
        let restoration = EnergyRestoration(raised: .init(long: 0, short: 0))
        var quantized = FixedArray<Int16>(repeating: 0, count: 1024)
        let first = layout.lines(20).lowerBound
        quantized[first] = -1
        quantized[first + 1] = 3
        let energy = (1 + PortableMath.power(3, 8.0 / 3)) * PortableMath.power(2, (120 - 100) / 2 + (Double(quarterOctaves) + 0.1) / 4)
        let raise = restoration.raise(20, energy: Float(energy), quantized: quantized.span, scaleFactor: 120, layout: layout)
        #expect(raise == min(quarterOctaves / 2, 2))
    }

    @Test(
        "Restoration and noise filling start at the frequencies for profile, channel count and bit rate"
    )
    func rates() {
        for (rate, channels, profile, restored, fast, filled) in [
            (32_000, 1, AACProfile.lowComplexity, 2_000 as Int?, 2_000 as Int?, true), (48_000, 1, .lowComplexity, 2_000, 2_000, false),
            (56_000, 1, .lowComplexity, 4_000, nil, false), (32_000, 2, .lowComplexity, 4_000, nil, false),
            (192_000, 2, .lowComplexity, 4_000, nil, false), (96_000, 6, .lowComplexity, 4_000, nil, false),
            (32_000, 1, .highEfficiency, nil, nil, false), (32_000, 2, .highEfficiency, nil, nil, false),
            (24_000, 1, .highEfficiencyV2, nil, nil, false),
        ] {
            let tuning = RateTuning(
                bitRate: rate, sampleRate: 24_000, channelCount: channels, profile: profile,
                hasSBR: profile != .lowComplexity)
            #expect(tuning.lowestRestoredFrequency(.fast) == fast, "\(rate) \(channels) \(profile)")
            #expect(tuning.lowestRestoredFrequency(.balanced) == restored, "\(rate) \(channels) \(profile)")
            #expect(tuning.lowestRestoredFrequency(.best) == restored, "\(rate) \(channels) \(profile)")
            #expect((tuning.lowestFilledFrequency != nil) == filled, "\(rate) \(channels) \(profile)")
        }
    }
}
