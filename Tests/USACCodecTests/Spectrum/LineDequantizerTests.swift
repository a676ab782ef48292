// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct LineDequantizerTests {
    /// Returns data with random windows, bands and lines up to a magnitude.
    private static func data(
        _ bands: ScaleFactorBands, magnitude: Int16, using random: inout SeededRandom
    ) -> CoreChannelData {
        var data = CoreChannelData(frameLength: bands.frameLength)
        if Bool.random(using: &random) {
            data.windows.sequence = .eightShort
            data.windows.groupCount = 3
            data.windows.groupLengths = SIMD8(1, 5, 2, 0, 0, 0, 0, 0)
        }
        data.windows.maxSFB = Int.random(in: 0...bands.count(isShort: data.windows.isShort), using: &random)
        for index in data.scaleFactors.indices { data.scaleFactors[index] = UInt8.random(in: 60...180, using: &random) }
        let length = bands.lineCount(isShort: data.windows.isShort)
        let coded = bands.offset(data.windows.maxSFB, isShort: data.windows.isShort)
        for index in data.lines.indices where index % length < coded {
            data.lines[index] = .random(in: -magnitude...magnitude, using: &random)
        }
        return data
    }

    @Test("Lines without noise are the power 4/3 times the band's gain", arguments: 0..<60 as Range<UInt64>)
    func powers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bands = ScaleFactorBands(coreRate: 24_000, frameLength: seed % 2 == 0 ? 1024 : 768)
        let data = Self.data(bands, magnitude: [2, 900, 8191][Int(seed % 3)], using: &random)
        var spectrum = [Float](repeating: .nan, count: bands.frameLength)
        spectrum.withMutableSpan { lines in
            var noise: UInt32 = 0
            LineDequantizer(bands).dequantize(data, hasNoise: false, seed: &noise, into: &lines)
        }
        let isShort = data.windows.isShort
        let length = bands.lineCount(isShort: isShort)
        let groups = isShort ? [0, 1, 1, 1, 1, 1, 2, 2] : [0]
        for index in spectrum.indices {
            var band = 0
            while band < data.windows.maxSFB && bands.offset(band + 1, isShort: isShort) <= index % length { band += 1 }
            let value = Double(data.lines[index])
            let exponent = value == 0 ? 0 : Double(data.scaleFactors[16 * groups[index / length] + band]) - 100
            let expected = (value < 0 ? -1 : 1) * pow(abs(value), 4 / 3) * pow(2, exponent / 4)
            #expect(abs(Double(spectrum[index]) - expected) <= 1e-6 * abs(expected), "seed \(seed), line \(index)")
        }
    }

    // Powers of 2 and lines are in single precision.
    @Test("Zeros become noise of the coded level, offset in bands without lines", arguments: [1024, 768])
    func noise(frameLength: Int) {
        let bands = ScaleFactorBands(coreRate: 24_000, frameLength: frameLength)
        let comparison = ModelComparison(seeds: 1100..<1124) { seed, fault in
            var random = SeededRandom(seed: seed)
            var data = Self.data(bands, magnitude: 2, using: &random)
            data.windows.maxSFB = bands.count(isShort: data.windows.isShort)
            data.noiseLevel = seed % 8 == 0 ? 0 : random.integer(in: 1..<8)
            data.noiseOffset = random.integer(in: 0..<32)
            for index in data.scaleFactors.indices { data.scaleFactors[index] = UInt8(random.integer(in: 90..<110)) }
            let length = bands.lineCount(isShort: data.windows.isShort)
            for band in 0..<data.windows.maxSFB where random.integer(in: 0..<2) == 0 {
                let range = bands.offset(band, isShort: data.windows.isShort)..<bands.offset(band + 1, isShort: data.windows.isShort)
                for index in data.lines.indices where range.contains(index % length) { data.lines[index] = 0 }
            }
            let groupLengths = (0..<data.windows.groupCount).map { Int(data.windows.groupLengths[$0]) }
            var scaleFactors: [[Int]] = []
            for group in groupLengths.indices {
                let first = group * WindowDivision.bandStride
                var factors: [Int] = []
                for band in 0..<data.windows.maxSFB { factors.append(Int(data.scaleFactors[first + band])) }
                scaleFactors.append(factors)
            }
            var model = NoiseFillingModel(seed: UInt32(seed), fault: fault)
            let expected = model.lines(
                data.lines.values.map(Int.init), groupLengths: groupLengths,
                offsets: (0...data.windows.maxSFB).map { bands.offset($0, isShort: data.windows.isShort) }, scaleFactors: scaleFactors,
                level: data.noiseLevel, offset: data.noiseOffset, firstLine: frameLength * 5 / 32 / (data.windows.isShort ? 8 : 1))
            var spectrum = [Float](repeating: .nan, count: frameLength)
            var noise = UInt32(seed)
            spectrum.withMutableSpan { LineDequantizer(bands).dequantize(data, hasNoise: true, seed: &noise, into: &$0) }
            #expect(fault == .boundary || noise == model.seed, "seed \(seed)")
            var error = ModelError()
            error.add(spectrum, expected: expected)
            return error
        }
        #expect(comparison.agrees(below: -120), "\(comparison)")
    }
}
