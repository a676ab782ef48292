// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct WindowCostTests {
    private static let longCount = 49
    private static let shortCount = 14
    private static let energyExponent: Float = 0.64
    private static let noiseScale: Float = 1 / 16

    /// Returns the coefficients of 2048 samples in a long window and in eight short windows.
    private static func transforms(_ samples: [Float]) -> (long: [Float], short: [Float]) {
        var filterBank = FilterBank(frameLength: 1024)
        var results = [[Float]](repeating: [Float](repeating: 0, count: 1024), count: 2)
        for (index, sequence) in [WindowSequence.onlyLong, .eightShort].enumerated() {
            var target = results[index].mutableSpan
            filterBank.analyze(samples.span, sequence: sequence, previousShape: .sine, shape: .sine, into: &target)
        }
        return (results[0], results[1])
    }

    /// The extra bits of short windows compared with a long one, at 48 kHz.
    private static func excess(_ samples: [Float]) -> Float {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: bands)
        let cost = WindowCost(
            energyExponent: energyExponent, noiseScale: noiseScale, longBandCount: longCount, shortBandCount: shortCount)
        let (long, short) = transforms(samples)
        var workspace = FixedArray<Float>(repeating: 0, count: PsychoacousticTables.bandCapacity)
        var inverseNoise = workspace.mutableSpan
        return cost.excessOfShort(
            long: long.span, short: short.span, bands: bands, tables: tables.long, inverseNoise: &inverseNoise)
    }

    /// The extra bits by definition, in double precision: a noise energy per line, and its harmonic mean over a short band.
    private static func model(_ samples: [Float]) -> Double {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: bands)
        let (long, short) = transforms(samples)
        func log2(_ x: Double) -> Double { PortableMath.ln(x) / PortableMath.ln(2) }
        let offsets = (0...longCount).map { Int(bands.longOffsets[$0]) }
        let energies = (0..<longCount).map { band in
            let lines = offsets[band]..<offsets[band + 1]
            let sum = lines.reduce(0.0) { $0 + Double(long[$1]) * Double(long[$1]) }
            return sum / Double(lines.count) + 1
        }
        let amplitude = (0..<longCount).reduce(0) {
            $0 + energies[$1].squareRoot() * Double(offsets[$1 + 1] - offsets[$1])
        }
        let loudness = 2 * log2(amplitude / Double(offsets[longCount]))
        var inverses: [Double] = []
        var result = 0.0
        for band in 0..<longCount {
            let logNoise = 0.64 * log2(energies[band]) + 0.36 * loudness + Double(tables.long.noiseOffset[band])
            let inverse = PortableMath.power(2, -logNoise) * 16 * 4
            for line in offsets[band]..<offsets[band + 1] {
                inverses.append(inverse)
                result -= 0.5 * log2(1 + Double(long[line]) * Double(long[line]) * inverse)
            }
        }
        for band in 0..<shortCount {
            let lines = Int(bands.shortOffsets[band])..<Int(bands.shortOffsets[band + 1])
            let covered = inverses[8 * lines.lowerBound..<min(8 * lines.upperBound, inverses.count)]
            let mean = covered.reduce(0, +) / Double(covered.count)
            for window in 0..<8 {
                for line in lines {
                    let x = Double(short[window * 128 + line])
                    result += 0.5 * log2(1 + 8 * x * x * mean)
                }
            }
        }
        return result
    }

    @Test("The excess matches its definition in double precision", arguments: 1...20 as ClosedRange<UInt64>)
    func definition(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let period = Int.random(in: 20...700, using: &random)
        let pulse = Float.random(in: 0...20_000, using: &random)
        let samples = (0..<2048).map { ($0 % period < 8 ? pulse : 0) + Float.random(in: -500...500, using: &random) }
        let (found, expected) = (Double(Self.excess(samples)), Self.model(samples))
        #expect(abs(found - expected) < 0.5 + 0.001 * abs(expected), "seed \(seed): \(found), not \(expected)")
    }

    @Test("Short windows save bits for a click, a long window for tones and low voices, neither for noise")
    func signals() {
        var random = SeededRandom(seed: 3)
        let noise = (0..<2048).map { _ in Float.random(in: -8000...8000, using: &random) }
        #expect(abs(Self.excess(noise)) < 60)
        #expect(Self.excess((0..<2048).map { $0 >= 1000 && $0 < 1200 ? noise[$0] : 0 }) < -500)
        #expect(Self.excess((0..<2048).map { 9000 * Float(CircularFunctions.sinePi(Double($0) / 50)) }) > 60)
        var voice = [Float](repeating: 0, count: 2048)
        for partial in 1...80 {
            for index in voice.indices {
                let phase = Double(partial * index % 490) / 245
                voice[index] += 1000 / Float(partial) * Float(CircularFunctions.sinePi(phase))
            }
        }
        #expect(Self.excess(voice) > 60)
    }
}
