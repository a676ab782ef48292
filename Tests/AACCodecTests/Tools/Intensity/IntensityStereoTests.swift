// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Compares intensity stereo analysis and synthesis with formulas in double precision.
@Suite struct IntensityStereoTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
    private static let firstBand = 20
    private static let noiseScale = 0.5

    /// The model's copy of a band, and whether single precision may decide differently.
    private struct Expectation {
        var position: Int?
        var isInPhase = true
        var isBorderline = false
    }

    private static func expectation(
        _ left: borrowing ChannelSpectrum, _ right: borrowing ChannelSpectrum, band: Int, lines: Range<Int>, wasCopy: Bool
    ) -> Expectation {
        var (product, leftEnergy, rightEnergy) = (0.0, 0.0, 0.0)
        for line in lines {
            let (l, r) = (Double(left.lines[line]), Double(right.lines[line]))
            product += l * r
            leftEnergy += l * l
            rightEnergy += r * r
        }
        let error = 1 - product * product / (leftEnergy * rightEnergy)
        let limit = (wasCopy ? 3 : 2) * noiseScale
        let ratios = [
            error * leftEnergy / (limit * Double(left.noiseTargets[band])),
            error * rightEnergy / (limit * Double(right.noiseTargets[band])),
        ]
        let steps = 2 * log2(leftEnergy / rightEnergy)
        let position = Int((steps + 0.5).rounded(.down))
        var result = Expectation(isInPhase: product > 0)
        result.isBorderline = ratios.contains { abs($0 - 1) < 0.01 } || abs(steps + 0.5 - (steps + 0.5).rounded()) < 1e-3
        if ratios.allSatisfy({ $0 < 1 }) && abs(position) <= 20 { result.position = position }
        return result
    }

    @Test(
        "Copies bands with level and phase if the copy error is below the noise", arguments: 1...5 as ClosedRange<UInt64>
    )
    func decisions(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        var intensity = IntensityStereo()
        var wasCopy = [Bool](repeating: false, count: layout.count)
        var counts = (copied: 0, kept: 0)
        for frame in 0..<6 {
            var left = ChannelSpectrum(frameLength: 1024)
            var right = ChannelSpectrum(frameLength: 1024)
            for band in 0..<layout.count {
                let gain = exp2(Float.random(in: -6...6, using: &random)) * (Bool.random(using: &random) ? 1 : -1)
                let difference = Float.random(in: 0...0.4, using: &random)
                left.noiseTargets[band] = 2000 * Float(layout.width(band))
                right.noiseTargets[band] = 2000 * Float(layout.width(band)) * gain * gain
                for line in layout.lines(band) {
                    left.lines[line] = Float.random(in: -300...300, using: &random)
                    right.lines[line] = gain * (left.lines[line] + difference * Float.random(in: -300...300, using: &random))
                }
            }
            let expected = (0..<layout.count).map {
                Self.expectation(left, right, band: $0, lines: layout.lines($0), wasCopy: wasCopy[$0])
            }
            intensity.decide(
                left: left, right: &right, noiseScale: Float(Self.noiseScale), firstBand: Self.firstBand, layout: layout)
            for band in 0..<layout.count {
                let isCopy = right.replacements.contains(band)
                wasCopy[band] = isCopy
                guard band >= Self.firstBand else {
                    #expect(!isCopy)
                    continue
                }
                if isCopy { counts.copied += 1 } else { counts.kept += 1 }
                guard !expected[band].isBorderline else { continue }
                #expect(isCopy == (expected[band].position != nil), "seed \(seed), frame \(frame), band \(band)")
                guard let position = expected[band].position, isCopy else { continue }
                #expect(right.replacements.values[band] == Int16(position), "seed \(seed), frame \(frame), band \(band)")
                let codebook = expected[band].isInPhase ? BandCodebook.intensityInPhase : BandCodebook.intensityOutOfPhase
                #expect(right.replacements.codebooks[band] == codebook, "seed \(seed), frame \(frame), band \(band)")
            }
        }
        #expect(counts.copied > 20 && counts.kept > 20, "seed \(seed): \(counts)")
    }

    @Test("Scales the left lines by the position, with the sign from codebook and mask", arguments: [false, true])
    func synthesis(hasFlags: Bool) {
        var random = SeededRandom(seed: 7)
        var info = ICSInfo()
        info.maxSFB = Self.bands.longCount
        var codebooks = [UInt8](repeating: 1, count: ICSInfo.bandCapacity)
        var positions = [Int16](repeating: 0, count: ICSInfo.bandCapacity)
        var mask = MidSideMask()
        mask.kind = hasFlags ? .perBand : .all
        for band in 0..<info.maxSFB {
            codebooks[band] = [1, BandCodebook.intensityOutOfPhase, BandCodebook.intensityInPhase][Int.random(in: 0...2, using: &random)]
            positions[band] = Int16.random(in: -60...60, using: &random)
            mask.flags[band] = Bool.random(using: &random)
        }
        let lines = random.samples(2048, amplitude: 1000)
        var spectrum = lines
        var target = spectrum.mutableSpan
        let tables = DequantizationTables()
        IntensitySynthesis.synthesize(
            (codebooks.span, positions.span), mask: mask, division: FrameDivision(info: info, bands: Self.bands), gains: tables.gains.span,
            offsets: (0, 1024), in: &target)
        for band in 0..<info.maxSFB {
            let isCopy = codebooks[band] >= BandCodebook.intensityOutOfPhase
            let sign = (codebooks[band] == BandCodebook.intensityInPhase ? 1.0 : -1.0) * (hasFlags && mask.flags[band] ? -1 : 1)
            for line in Int(Self.bands.longOffsets[band])..<Int(Self.bands.longOffsets[band + 1]) {
                let copy = sign * Double(lines[line]) * pow(2, -Double(positions[band]) / 4)
                let expected = isCopy ? copy : Double(lines[1024 + line])
                #expect(abs(Double(spectrum[1024 + line]) - expected) <= 1e-6 * abs(expected) && spectrum[line] == lines[line])
            }
        }
    }
}
