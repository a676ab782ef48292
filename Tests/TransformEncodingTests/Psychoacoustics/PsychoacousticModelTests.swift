// SPDX-License-Identifier: Apache-2.0

import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct PsychoacousticModelTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)

    @Test("Tones are tonal, noise is not, and energies match the common sum")
    func tonality() {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        var random = SeededRandom(seed: 3)
        var estimator = TonalityEstimator(frameLength: 1024)
        var tonality = [Float](repeating: 0, count: 120)
        var energies = tonality
        var expected = tonality
        for frame in 0..<3 {
            var filterBank = FilterBank(frameLength: 1024)
            let samples = (0..<2048).map { index in
                let n = index + frame * 1024
                let tone = 8000 * Float(CircularFunctions.sinePi(2 * 1000 * Double(n % 48_000) / 48_000))
                return tone + Float.random(in: -50...50, using: &random)
            }
            var coefficients = [Float](repeating: 0, count: 1024)
            var target = coefficients.mutableSpan
            filterBank.analyze(samples.span, sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &target)
            var result = tonality.mutableSpan
            var sums = energies.mutableSpan
            estimator.estimate(coefficients.span, layout: layout, into: &result, energies: &sums)
            var others = expected.mutableSpan
            PsychoacousticModel.measureEnergies(coefficients.span, layout: layout, into: &others)
        }
        #expect(energies == expected)
        // 1 kHz is line 43, in the band of lines 40 to 47.
        #expect(tonality[10] > 0.6)
        for band in 30..<45 { #expect(tonality[band] < 0.45, "band \(band)") }
    }

    @Test("Thresholds are between quiet and energy, and lower for tones than for noise")
    func thresholds() {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: Self.bands)
        var noise = BandAnalysis()
        for band in 0..<layout.count { noise.energy[band] = 1e12 * Float(layout.width(band)) }
        var tone = BandAnalysis()
        tone.energy.copy(noise.energy)
        for band in 0..<layout.count { tone.tonality[band] = 1 }
        var model = PsychoacousticModel()
        model.setThresholds(of: &noise, layout: layout, tables: tables.long)
        model.setThresholds(of: &tone, layout: layout, tables: tables.long)
        for band in 0..<layout.count {
            #expect(tone.threshold[band] <= noise.threshold[band])
            #expect(tone.threshold[band] >= tables.long.quietEnergy[band])
        }
        #expect(noise.threshold[10] < noise.energy[10] && tone.threshold[10] < noise.threshold[10] / 2)
    }

    @Test("Noise is proportional to energy")
    func levelInvariance() {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        let allocation = NoiseAllocation(
            energyExponent: 0.6, thresholdExponent: 0.1, shortExponentOffset: -0.15, shortNoiseTilt: 0.5, longNoiseTilt: 0.4, raiseLimit: 4,
            onsetExponent: 0)
        var random = SeededRandom(seed: 4)
        var soft = BandAnalysis()
        var loud = BandAnalysis()
        for band in 0..<layout.count {
            soft.energy[band] = PortableMath.exp2(Float.random(in: 20...40, using: &random))
            soft.threshold[band] = soft.energy[band] * 0.05
            loud.energy[band] = soft.energy[band] * 10
            loud.threshold[band] = soft.threshold[band] * 10
        }
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: Self.bands)
        var model = PsychoacousticModel()
        func allocate(_ analysis: inout BandAnalysis) {
            var smoother = LoudnessSmoother(frameLength: 1024)
            model.allocateNoise(
                &analysis, layout: layout, allocation: allocation, tables: tables.long, smoother: &smoother,
                preEchoExcesses: SIMD8(repeating: 0))
        }
        allocate(&soft)
        allocate(&loud)
        for band in 0..<layout.count { #expect(abs(loud.noise[band] / soft.noise[band] - 10) < 0.01) }
    }

    /// Returns the noise reduction in a long window for a weight of the prominence, in octaves.
    private static func reductions(_ energyPerLine: [Float], share: Float) -> [Float] {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: bands)
        var model = PsychoacousticModel()
        let noises = [0, share].map { share in
            var analysis = BandAnalysis()
            for band in 0..<layout.count {
                analysis.energy[band] = energyPerLine[band] * Float(layout.width(band))
                analysis.threshold[band] = analysis.energy[band] * 0.05
            }
            let allocation = NoiseAllocation(
                energyExponent: 0.6, thresholdExponent: 0.1, shortExponentOffset: -0.15, shortNoiseTilt: 0.5, longNoiseTilt: 0.4,
                raiseLimit: 4,
                prominenceWeight: share, onsetExponent: 0)
            var smoother = LoudnessSmoother(frameLength: 1024)
            model.allocateNoise(
                &analysis, layout: layout, allocation: allocation, tables: tables.long, smoother: &smoother,
                preEchoExcesses: SIMD8(repeating: 0))
            return (0..<layout.count).map { analysis.noise[$0] }
        }
        return zip(noises[0], noises[1]).map { PortableMath.log2($0 / $1) }
    }

    // Tones mask noise in their band by about 20 dB less than noise masks tones (Hellman 1972), and noise spreads to adjacent bands.
    @Test("Prominent bands have less noise, up to a limit, and their neighbours more", arguments: [5, 20, 40])
    func prominence(band: Int) {
        func reductions(_ octaves: Int, level: Float = 1e6) -> [Float] {
            var energies = [Float](repeating: level, count: Self.bands.longCount)
            energies[band] *= Float(1 << octaves)
            return Self.reductions(energies, share: 0.25)
        }
        let found = [0, 1, 2, 4].map { reductions($0) }
        for (less, more) in zip(found, found.dropFirst()) {
            #expect(more[band] > less[band] + 0.1)
            #expect(more[band - 1] < less[band - 1] && more[band + 1] < less[band + 1])
        }
        #expect(abs(reductions(12)[band] - reductions(16)[band]) < 0.001)
        // Tones are at most about 20 dB further above just audible noise than noise is.
        #expect((0.5...6.7).contains(reductions(16)[band]))
        for other in found[3].indices where abs(other - band) > 1 { #expect(abs(found[3][other]) < 0.001) }
        #expect(zip(found[3], reductions(4, level: 1e9)).allSatisfy { abs($0 - $1) < 0.001 })
        // On a slope no band is above both neighbours.
        let slope = (0..<Self.bands.longCount).map { 1e12 * PortableMath.exp2(-Float($0) / 4) }
        #expect(Self.reductions(slope, share: 0.25).dropFirst().dropLast().allSatisfy { abs($0) < 0.001 })
    }

    /// Returns energies and noise targets of bands with equal energy per line, in a long window or in eight short ones.
    ///
    /// - Parameter masking: Masking thresholds relative to the energy, repeated over the bands.
    private static func flatSpectrum(
        isShort: Bool, tilt: Float = 0, raiseLimit: Float = 0, masking: [Float] = [0.05], maskingWeight: Float = 0,
        signalToMaskWeight: Float = 0
    ) -> BandAnalysis {
        var layout = BandLayout()
        if isShort {
            layout.setShort(lengths: [8, 0, 0, 0, 0, 0, 0, 0], groupCount: 1, bands: bands, bandCount: bands.shortCount)
        } else {
            layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        }
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: bands)
        let allocation = NoiseAllocation(
            energyExponent: 0.6, thresholdExponent: 0.1, shortExponentOffset: -0.15, shortNoiseTilt: isShort ? tilt : 0,
            longNoiseTilt: isShort ? 0 : tilt,
            raiseLimit: raiseLimit, onsetExponent: 0, maskingWeight: maskingWeight, signalToMaskWeight: signalToMaskWeight)
        var analysis = BandAnalysis()
        for band in 0..<layout.count {
            analysis.energy[band] = 1e10 * Float(layout.width(band))
            analysis.threshold[band] = analysis.energy[band] * masking[band % masking.count]
        }
        var smoother = LoudnessSmoother(frameLength: 1024)
        let preEchoExcesses = SIMD8<Float>(repeating: 0)
        var model = PsychoacousticModel()
        if isShort {
            model.allocateNoise(
                &analysis, layout: layout, allocation: allocation, tables: tables.short, smoother: &smoother,
                preEchoExcesses: preEchoExcesses)
        } else {
            model.allocateNoise(
                &analysis, layout: layout, allocation: allocation, tables: tables.long, smoother: &smoother,
                preEchoExcesses: preEchoExcesses)
        }
        return analysis
    }

    /// Returns the centre of a band, in hertz.
    private static func middle(ofBand band: Int, isShort: Bool) -> Double {
        let offsets = isShort ? bands.shortOffsets : bands.longOffsets
        return Double(offsets[band] + offsets[band + 1]) / 2 * 48_000 / (isShort ? 256 : 2048)
    }

    // Auditory filters measured with notched noise (Glasberg and Moore 1990): about 35 Hz wide at 100 Hz, 130 Hz at 1 kHz, 240 Hz at 2 kHz,
    // 460 Hz at 4 kHz and 1.1 kHz at 10 kHz, where the width is proportional to frequency.
    @Test("In flat spectra noise rises with the auditory filter width", arguments: [false, true])
    func tilt(isShort: Bool) {
        // No limit. Long windows are raised by at most half the distance to it.
        let level = Self.flatSpectrum(isShort: isShort, tilt: 0, raiseLimit: 40)
        let tilted = Self.flatSpectrum(isShort: isShort, tilt: 0.5, raiseLimit: 40)
        let raises = (0..<(isShort ? Self.bands.shortCount : Self.bands.longCount)).map { band in
            (Self.middle(ofBand: band, isShort: isShort), log2(Double(tilted.noise[band] / level.noise[band])))
        }
        for (lower, upper) in zip(raises, raises.dropFirst()) { #expect(upper.1 > lower.1) }
        for (hertz, width) in [(100.0, 35.0), (1000, 130), (2000, 240), (4000, 460), (10_000, 1100)] {
            guard let next = raises.firstIndex(where: { $0.0 > hertz }), next > 0 else { continue }
            let (low, high) = (raises[next - 1], raises[next])
            let raise = low.1 + (high.1 - low.1) * (hertz - low.0) / (high.0 - low.0)
            // Half an octave of noise per octave of width, relative to the filter at 2 kHz.
            #expect(abs(raise - 0.5 * log2(width / 240)) < 0.06, "\(hertz) Hz: \(raise)")
        }
    }

    @Test("Long windows raise noise towards the limit, but not above it", arguments: [Float(4), 0.5, -2, -10])
    func raiseLimit(_ limit: Float) {
        let level = Self.flatSpectrum(isShort: false, tilt: 0, raiseLimit: limit)
        let tilted = Self.flatSpectrum(isShort: false, tilt: 0.5, raiseLimit: limit)
        for band in 0..<Self.bands.longCount {
            let (before, after) = (level.noise[band] / level.energy[band], tilted.noise[band] / level.energy[band])
            #expect(after <= max(before, PortableMath.exp2(limit)) * 1.001, "band \(band)")
            let hertz = Self.middle(ofBand: band, isShort: false)
            if hertz < 1500 { #expect(after < before, "band \(band)") }
            if hertz > 3000 && before < PortableMath.exp2(limit) { #expect(after > before, "band \(band)") }
        }
    }

    // Noise is inaudible 4 to 6 dB below noise that masks it, and 14 to 24 dB below a tone.
    @Test("Less masking in all bands reduces noise in long windows, by less than masking falls and up to a limit")
    func masking() {
        for isShort in [false, true] {
            func levels(_ masking: Float) -> [Float] {
                let plain = Self.flatSpectrum(isShort: isShort, masking: [masking])
                let found = Self.flatSpectrum(isShort: isShort, masking: [masking], maskingWeight: 0.25)
                return (0..<(isShort ? Self.bands.shortCount : Self.bands.longCount)).map {
                    PortableMath.log2(found.noise[$0] / plain.noise[$0])
                }
            }
            let (all, noise, tone) = (levels(1), levels(0.28), levels(0.02))
            for band in all.indices {
                #expect(abs(all[band]) < 0.001, "unchanged if all noise is masked, band \(band)")
                guard !isShort else {
                    #expect(abs(tone[band]) < 0.001, "band \(band)")
                    continue
                }
                // From 5.5 dB to 17 dB: 3.8 octaves of energy.
                #expect(noise[band] < 0 && tone[band] < noise[band] - 0.4 && tone[band] > noise[band] - 3.8, "band \(band)")
                #expect(abs(noise[band] - noise[0]) < 0.001, "unchanged relative to other bands, band \(band)")
            }
            #expect(zip(levels(1e-7), levels(1e-9)).allSatisfy { abs($0 - $1) < 0.001 })
        }
    }

    @Test("In long windows a band that masks little has less noise than others; fully masked bands are unchanged")
    func signalToMask() {
        // Masked, noise, tone, and twice a tone in silence.
        let masking: [Float] = [8, 0.28, 0.02, 1e-6, 1e-8]
        for isShort in [false, true] {
            let plain = Self.flatSpectrum(isShort: isShort, masking: masking)
            let found = Self.flatSpectrum(isShort: isShort, masking: masking, signalToMaskWeight: 0.25)
            let count = isShort ? Self.bands.shortCount : Self.bands.longCount
            let levels = (0..<count).map { PortableMath.log2(found.noise[$0] / plain.noise[$0]) }
            for first in stride(from: 0, through: count - 5, by: 5) {
                let (masked, noise, tone) = (levels[first], levels[first + 1], levels[first + 2])
                #expect(abs(masked) < 0.001, "band \(first)")
                guard !isShort else {
                    #expect(abs(tone) < 0.001, "band \(first)")
                    continue
                }
                #expect(noise < 0 && tone < noise - 0.4 && tone > noise - 3.8, "band \(first)")
                #expect(levels[first + 3] <= tone && abs(levels[first + 3] - levels[first + 4]) < 0.001, "band \(first)")
            }
        }
    }

    @Test("Mono has less noise between 7 and 13 Bark in long windows")
    func formants() {
        let plain = PsychoacousticTables(sampleRate: 48_000, bands: Self.bands)
        let found = PsychoacousticTables(sampleRate: 48_000, bands: Self.bands, formantReduction: 0.5)
        var largest: Float = 0
        for band in 0..<Self.bands.longCount {
            let reduction = plain.long.noiseOffset[band] - found.long.noiseOffset[band]
            #expect((7.01...12.99).contains(found.long.bark[band]) == (reduction > 0), "band \(band)")
            largest = max(largest, reduction)
        }
        #expect((0.45...0.5).contains(largest))
        for band in 0..<Self.bands.shortCount { #expect(plain.short.noiseOffset[band] == found.short.noiseOffset[band]) }
    }

    /// Returns the noise-to-energy ratio in each group and band of eight short windows in three groups.
    ///
    /// - Parameter energies: The energy per line in each group.
    private static func noiseOfGroups(
        _ energies: [Float], preEchoExcesses: SIMD8<Float> = SIMD8(repeating: 0), onsetExponent: Float = 0, fallWeight: Float = 0
    ) -> [[Float]] {
        var layout = BandLayout()
        layout.setShort(lengths: [2, 3, 3, 0, 0, 0, 0, 0], groupCount: 3, bands: bands, bandCount: bands.shortCount)
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: bands)
        let allocation = NoiseAllocation(
            energyExponent: 0.6, thresholdExponent: 0.1, shortExponentOffset: -0.15, shortNoiseTilt: 0.5, longNoiseTilt: 0.4, raiseLimit: 4,
            onsetExponent: onsetExponent, fallWeight: fallWeight)
        var analysis = BandAnalysis()
        for band in 0..<layout.count {
            analysis.energy[band] = energies[band / layout.bandsPerGroup] * Float(layout.width(band))
            analysis.threshold[band] = analysis.energy[band] * 0.05
        }
        var smoother = LoudnessSmoother(frameLength: 1024)
        var model = PsychoacousticModel()
        model.allocateNoise(
            &analysis, layout: layout, allocation: allocation, tables: tables.short, smoother: &smoother, preEchoExcesses: preEchoExcesses)
        return (0..<3).map { group in
            (group * layout.bandsPerGroup..<(group + 1) * layout.bandsPerGroup).map { analysis.noise[$0] / analysis.energy[$0] }
        }
    }

    @Test("The largest pre-echo excess in a group of short windows reduces its noise")
    func preEchoExcesses() {
        var preEchoExcesses = SIMD8<Float>(repeating: 0)
        preEchoExcesses[4] = 4
        let noise = Self.noiseOfGroups([1e12, 1e12, 1e12], preEchoExcesses: preEchoExcesses, onsetExponent: 0.5)
        for band in 0..<Self.bands.shortCount {
            #expect(abs(noise[1][band] / noise[2][band] - 0.25) < 0.01, "band \(band): four octaves of excess at exponent 0.5")
            #expect(abs(noise[0][band] / noise[2][band] - 1) < 0.01, "band \(band)")
        }
    }

    @Test("A band that falls to the next group of short windows has less noise, but not a band that rises")
    func falls() {
        let energies: [Float] = [1e10, 1.6e11, 1e7]
        let plain = Self.noiseOfGroups(energies)
        let found = Self.noiseOfGroups(energies, fallWeight: 0.25)
        for band in 0..<Self.bands.shortCount {
            // Fourteen octaves of energy, limited to eight.
            #expect(abs(found[1][band] / plain[1][band] - 0.25) < 0.001, "band \(band)")
            #expect(found[0][band] == plain[0][band] && found[2][band] == plain[2][band], "band \(band)")
        }
    }
}
