// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

@testable import TransformCoding
@testable import USACCodec

@Suite struct LineDequantizerTests {
    /// Returns data of random windows, bands and lines up to a magnitude.
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

    @Test("Lines without noise are their powers by the gain of their band", arguments: 0..<60 as Range<UInt64>)
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
}
