// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Compares PNS analysis and synthesis with separate models.
@Suite struct NoiseSubstitutionTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)

    /// The state of one band: noise after three suitable frames, or after the first one of the stream, until the second unsuitable frame.
    private struct BandModel {
        var isNoise = false
        var suitableCount = 2
        var unsuitableCount = 0

        mutating func advance(isSuitable: Bool) {
            suitableCount = isSuitable ? suitableCount + 1 : 0
            unsuitableCount = isSuitable ? 0 : unsuitableCount + 1
            if suitableCount >= 3 { isNoise = true }
            if unsuitableCount >= 2 { isNoise = false }
        }
    }

    @Test(
        "A band becomes noise after three suitable frames until the second unsuitable one, 1.5 dB below its energy",
        arguments: 1...4 as ClosedRange<UInt64>)
    func decisions(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        let (firstBand, noiseScale) = (18, 0.5)
        var substitution = NoiseSubstitution()
        var models = [BandModel](repeating: BandModel(), count: layout.count)
        var noiseCount = 0
        for frame in 0..<40 {
            var analysis = BandAnalysis()
            for band in 0..<layout.count {
                analysis.energy[band] = exp2(Float.random(in: -1...50, using: &random))
                analysis.noise[band] = analysis.energy[band] * Float.random(in: 0.3...2, using: &random)
                analysis.tonality[band] = Float.random(in: 0...0.45, using: &random)
            }
            let spectralFlatness = Float.random(in: 0.55...1, using: &random)
            if frame == 20 {
                substitution.interrupt()
                models = [BandModel](repeating: BandModel(suitableCount: 0), count: layout.count)
            }
            var replacements = BandReplacements()
            substitution.decide(
                analysis, noiseScale: Float(noiseScale), spectralFlatness: spectralFlatness, firstBand: firstBand, layout: layout,
                into: &replacements)
            for band in 0..<layout.count {
                guard band >= firstBand else {
                    #expect(replacements.codebooks[band] == 0)
                    continue
                }
                let energy = Double(analysis.energy[band])
                let isBitStarved = Double(analysis.noise[band]) * noiseScale > 0.25 * energy && energy > 1
                models[band].advance(isSuitable: spectralFlatness > 0.6 && isBitStarved && analysis.tonality[band] < 0.3)
                #expect(replacements.contains(band) == models[band].isNoise, "seed \(seed), frame \(frame), band \(band)")
                guard replacements.contains(band) else { continue }
                noiseCount += 1
                #expect(replacements.codebooks[band] == BandCodebook.noise)
                let step = 2 * log2(0.7 * energy)
                #expect(abs(Double(replacements.values[band]) - max(0, step)) < 0.501, "seed \(seed), frame \(frame), band \(band)")
            }
        }
        #expect(noiseCount > 50, "seed \(seed)")
    }

    @Test("Bands with more than half of their power in common keep their lines", arguments: 1...4 as ClosedRange<UInt64>)
    func commonLines(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        var left = ChannelSpectrum(frameLength: 1024)
        var right = ChannelSpectrum(frameLength: 1024)
        var (isNoise, keepsLines) = ([(Bool, Bool)](), [Bool]())
        for band in 0..<layout.count {
            let share = Float.random(in: -1...1, using: &random)
            for line in layout.lines(band) {
                let (common, other) = (Float.random(in: -1...1, using: &random), Float.random(in: -1...1, using: &random))
                left.lines[line] = 1000 * common
                right.lines[line] = 20 * (share * common + (1 - abs(share)) * other)
            }
            isNoise.append((Bool.random(using: &random), Bool.random(using: &random)))
            if isNoise[band].0 { left.replacements.setNoise(band, energy: 1000) }
            if isNoise[band].1 { right.replacements.setNoise(band, energy: 1000) }
            var (l, r, product) = (0.0, 0.0, 0.0)
            for line in layout.lines(band) {
                l += Double(left.lines[line]) * Double(left.lines[line])
                r += Double(right.lines[line]) * Double(right.lines[line])
                product += Double(left.lines[line]) * Double(right.lines[line])
            }
            keepsLines.append(product * product > 0.5 * l * r)
        }
        NoiseSubstitution.keepCommonLines(&left, &right, layout: layout)
        for band in 0..<layout.count {
            #expect(left.replacements.contains(band) == (isNoise[band].0 && !keepsLines[band]), "seed \(seed), band \(band)")
            #expect(right.replacements.contains(band) == (isNoise[band].1 && !keepsLines[band]), "seed \(seed), band \(band)")
        }
        #expect(keepsLines.contains(true) && keepsLines.contains(false), "seed \(seed)")
    }

    @Test("Noise bands have the sent energy in each window, and equal noise only if shared", arguments: [false, true])
    func synthesis(isShort: Bool) {
        var random = SeededRandom(seed: 3)
        var info = ICSInfo()
        info.windowSequence = isShort ? .eightShort : .onlyLong
        if isShort { info.setGrouping(0b1011010) }
        info.maxSFB = Self.bands.count(for: info.windowSequence)
        let division = FrameDivision(info: info, bands: Self.bands)
        var shared = BandFlags()
        var energies = [Int16](repeating: 0, count: ICSInfo.bandCapacity)
        for band in 0..<ICSInfo.bandCapacity {
            energies[band] = Int16.random(in: 0...100, using: &random)
            shared[band] = Bool.random(using: &random)
        }
        let codebooks = [UInt8](repeating: BandCodebook.noise, count: ICSInfo.bandCapacity)
        let tables = DequantizationTables()
        var noise = NoiseSynthesis()
        var channels = [[Float]](repeating: [Float](repeating: 0, count: 1024), count: 2)
        for channel in 0..<2 {
            var target = channels[channel].mutableSpan
            noise.synthesize(
                codebooks: codebooks.span, energies: energies.span, division: division, shared: channel == 1 ? shared : BandFlags(),
                gains: tables.gains.span, into: &target)
        }
        BandLines.forEach(info, Self.bands) { band, lines in
            let expected = pow(2, Double(energies[band]) / 2)
            for channel in channels {
                let energy = channel[lines].reduce(0) { $0 + Double($1) * Double($1) }
                #expect(abs(energy / expected - 1) < 1e-4, "band \(band)")
            }
            #expect((channels[0][lines] == channels[1][lines]) == shared[band], "band \(band)")
        }
        // Noise that is not shared is uncorrelated between channels.
        var (product, energy) = (0.0, 0.0)
        BandLines.forEach(info, Self.bands) { band, lines in
            guard !shared[band] else { return }
            for line in lines {
                let scale = pow(2, Double(energies[band]) / 2) / Double(lines.count)
                product += Double(channels[0][line]) * Double(channels[1][line]) / scale
                energy += 1
            }
        }
        #expect(abs(product / energy) < 0.15, "\(product / energy)")
    }
}
