// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct StereoParameterEncoderTests {
    private static let coarseLevels: [Double] = [0, 2, 4, 7, 10, 14, 18, 25]
    private static let fineLevels: [Double] = [0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30, 35, 40, 45, 50]
    private static let coherences: [Double] = [1, 0.937, 0.84118, 0.60092, 0.36764, 0, -0.589, -1]

    /// Fills a frame with the given level and coherence per band.
    private static func fill(_ statistics: inout StereoStatistics, _ bands: [(decibels: Double, coherence: Double)]) {
        let right = 1e6
        for quantity in StereoStatistics.Quantity.allCases {
            let values = bands.map { band in
                let left = right * pow(10, band.decibels / 10)
                let value =
                    switch quantity {
                    case .left: left
                    case .right: right
                    case .product: band.coherence * (left * right).squareRoot()
                    case .mono, .decorrelated: (left + right) / 2
                    case .cross: 0.0
                    }
                return SIMD4(repeating: Float(value))
            }
            for qmfSlot in stride(from: 0, to: 32, by: 4) { statistics.store(quantity, values.span, qmfSlot: qmfSlot) }
        }
    }

    @Test(arguments: [10, 20], [1, 2, 4]) func `parameters round trip, close to the true values`(
        bandCount: Int, envelopeCount: Int
    ) throws {
        for isFine in [false, true] {
            let settings = StereoCodingSettings(
                bandCount: bandCount, envelopeCount: envelopeCount, hasFineLevels: isFine)
            var encoder = StereoParameterEncoder(settings, qmfSlotCount: 32)
            var statistics = StereoStatistics(mergesQMFSlots: false)
            var header: ParametricStereoHeader?
            var envelopes = StereoEnvelopes()
            var next = StereoEnvelopes()
            var data = ParametricStereoData()
            var read = ParametricStereoData()
            var random = SeededRandom(seed: UInt64(100 * bandCount + 10 * envelopeCount + (isFine ? 1 : 0)))
            let steps = isFine ? fineLevels : coarseLevels
            for round in 0..<12 {
                // Four equal frames, so that every window has the same content.
                let wanted = (0..<bandCount).map { _ in
                    (Int.random(in: -(steps.count - 1)..<steps.count, using: &random), Int.random(in: 0..<8, using: &random))
                }
                for frame in 0..<4 {
                    statistics.advance(32)
                    let bands = (0..<20).map { band in
                        let (level, coherence) = wanted[bandCount == 10 ? band / 2 : band]
                        return (decibels: Double(level.signum()) * steps[abs(level)], coherence: Self.coherences[coherence])
                    }
                    Self.fill(&statistics, bands)
                    encoder.encode(&statistics, from: 64, hasHeader: (4 * round + frame) % 5 == 0, into: &data)
                    var writer = BitWriter()
                    data.write(to: &writer)
                    var reader = BitReader(writer.bytes)
                    let isRead = read.read(from: &reader, after: header)
                    try #require(isRead)
                    #expect(reader.bitPosition == writer.bitCount)
                    header = read.header
                    if read.envelopeCount == 0 {
                        envelopes.repeatLast(qmfSlotCount: 32)
                        continue
                    }
                    let isInRange = next.decode(read, after: envelopes, qmfSlotCount: 32)
                    try #require(isInRange)
                    swap(&envelopes, &next)
                }
                for (band, (level, coherence)) in wanted.enumerated() {
                    let index = 34 * (envelopes.count - 1) + band
                    let (lastLevel, lastCoherence) = (envelopes.levels[index], envelopes.coherence[index])
                    let (encodedLevel, encodedCoherence) = (encoder.levels[band], encoder.coherence[band])
                    #expect(lastLevel == encodedLevel)
                    #expect(lastCoherence == encodedCoherence)
                    // Bits and the angle itself are weighted too.
                    #expect(abs(Int(lastLevel) - level) <= 1)
                    #expect(abs(Int(lastCoherence) - coherence) <= 2)
                }
            }
        }
    }

    private var fineLevels: [Double] { Self.fineLevels }
    private var coarseLevels: [Double] { Self.coarseLevels }

    @Test func `unchanged parameters are not sent, and headers are written on request`() {
        var encoder = StereoParameterEncoder(StereoCodingSettings(bandCount: 20, envelopeCount: 2), qmfSlotCount: 32)
        var statistics = StereoStatistics(mergesQMFSlots: false)
        var data = ParametricStereoData()
        for frame in 0..<24 {
            statistics.advance(32)
            Self.fill(&statistics, Array(repeating: (decibels: 7, coherence: 0.84), count: 20))
            encoder.encode(&statistics, from: 64, hasHeader: frame % 8 == 0, into: &data)
            let (hasHeader, envelopeCount, inTime) = (data.hasHeader, data.envelopeCount, data.levels.inTime | data.coherence.inTime)
            #expect(hasHeader == (frame % 8 == 0))
            if frame > 4 { #expect(envelopeCount == (hasHeader ? 2 : 0)) }
            // Parameters with a header do not depend on previous ones.
            if hasHeader { #expect(inTime & 1 == 0) }
        }
    }

    /// Processes frames of two channels that a closure mixes from independent noise.
    ///
    /// The first four frames are not measured.
    private static func run(
        _ loop: StereoLoop, frames: Int, seed: UInt64, _ mix: (Int, Float, Float) -> (Float, Float)
    ) {
        var random = SeededRandom(seed: seed)
        for frame in 0..<frames {
            var left = [Float]()
            var right = [Float]()
            for index in 0..<2048 {
                let (a, b) = mix(
                    2048 * frame + index, .random(in: -8000...8000, using: &random), .random(in: -8000...8000, using: &random))
                left.append(a)
                right.append(b)
            }
            if frame == 4 { loop.resetHistory() }
            loop.pass(left, right)
        }
    }

    private static let fine = StereoCodingSettings(bandCount: 20, envelopeCount: 2, hasFineLevels: true)

    @Test(arguments: [-16, -7, 0, 4, 13]) func `a panned source keeps its position`(decibels: Int) {
        let loop = StereoLoop(Self.fine)
        let gain = Float(pow(10, Double(decibels) / 20))
        Self.run(loop, frames: 8, seed: 5) { _, a, _ in (0.3 * a * gain, 0.3 * a) }
        for band in [0, 2, 4] + Array(8..<20) {
            let result = 10 * log10(Double(loop.leftEnergy[band] / loop.rightEnergy[band]))
            #expect(abs(result - Double(decibels)) < 1.1, "band \(band)")
            let coherence = loop.coherence(ofBand: band)
            #expect(coherence == 0, "band \(band)")
        }
    }

    @Test(arguments: ["opposite", "independent", "alike", "one", "mixed"])
    func `both channels keep their energy within 1 dB`(kind: String) {
        let loop = StereoLoop(Self.fine)
        Self.run(loop, frames: 24, seed: 6) { _, a, b in
            switch kind {
            case "opposite": (a, -0.794 * a)
            case "independent": (a, 0.501 * b)
            case "alike": (a, a)
            case "one": (0.01 * a, a)
            default: (a + 0.5 * b, a - 0.7 * b)
            }
        }
        for band in 8..<20 {
            let total =
                10 * log10(Double((loop.leftEnergy[band] + loop.rightEnergy[band]) / (loop.leftExpected[band] + loop.rightExpected[band])))
            #expect(abs(total) < 1, "\(kind), both, band \(band)")
            let left = 10 * log10(Double(loop.leftEnergy[band] / loop.leftExpected[band]))
            if kind != "one" { #expect(abs(left) < 1, "\(kind), left, band \(band)") }
            let right = 10 * log10(Double(loop.rightEnergy[band] / loop.rightExpected[band]))
            #expect(abs(right) < 1, "\(kind), right, band \(band)")
        }
    }

    @Test func `channels in opposite phase do not cancel in the core`() {
        let loop = StereoLoop(Self.fine)
        Self.run(loop, frames: 12, seed: 7) { index, _, _ in
            let a = Float(8000 * sin(0.05 * Double(index)))
            return (a, -a)
        }
        let energy = loop.core.reduce(0) { $0 + $1 * $1 } / 1024
        #expect(abs(10 * log10(energy / 32e6)) < 1)
    }

    @Test func `identical channels pass unchanged, at half the rate`() {
        let loop = StereoLoop(Self.fine)
        var cores = [Float]()
        for frame in 0..<6 {
            let samples = (0..<2048).map { Float(8000 * sin(0.05 * Double(2048 * frame + $0))) }
            loop.pass(samples, samples)
            cores += loop.core
        }
        // Finds the delay of filter bank and downmix by the best match.
        func error(_ delay: Double) -> Double {
            (3000..<6000).reduce(0) { sum, index in
                let expected = 8000 * sin(0.05 * (2 * Double(index) - delay))
                return sum + pow(Double(cores[index]) - expected, 2)
            } / 3000
        }
        let best = (1000...1200).min { error(Double($0)) < error(Double($1)) } ?? 0
        #expect(best == 64 * StereoDownmix.delay + 577)
        #expect(error(Double(best)) < 32e6 * 1e-4)
    }

    @Test func `a level step keeps its time`() {
        let loop = StereoLoop(StereoCodingSettings(bandCount: 20, envelopeCount: 4))
        var before = [Double]()
        for frame in 0..<8 {
            var random = SeededRandom(seed: UInt64(frame))
            let noise = (0..<2048).map { _ in Float.random(in: -8000...8000, using: &random) }
            // Starting at frame 4 the signal is on the right.
            let silent = noise.map { $0 * 0.06 }
            loop.resetHistory()
            if frame < 4 { loop.pass(noise, silent) } else { loop.pass(silent, noise) }
            before.append(10 * log10(Double(loop.leftEnergy[15] / loop.rightEnergy[15])))
        }
        // The output is delayed by one frame, 8 time slots and the filter banks' 9 time slots.
        #expect(before[4] > 15 && before[6] < -15)
    }
}
