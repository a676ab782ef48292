// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct AuditoryLevelsTests {
    /// Returns the levels of lines at 48 kHz, in octaves of energy.
    private func levels(_ lines: [Float]) -> [Float] {
        var auditory = AuditoryLevels(sampleRate: 48_000, frameLength: 1024)
        auditory.measure(original: lines.span, decoded: [Float](repeating: 0, count: 1024).span)
        return (0..<auditory.count).map { auditory.original[$0] }
    }

    @Test("Cells cover the critical bands below half the sample rate", arguments: [(48_000, 149), (16_000, 126), (8_000, 103)])
    func cells(sampleRate: Int, count: Int) {
        #expect(abs(AuditoryLevels(sampleRate: sampleRate, frameLength: 1024).count - count) <= 1)
    }

    @Test("A tone's cell level follows its energy")
    func tone() throws {
        var lines = [Float](repeating: 0, count: 1024)
        lines[200] = 1e5
        let soft = levels(lines)
        lines[200] = 4e5
        let loud = levels(lines)
        let peak = try #require(loud.indices.max { loud[$0] < loud[$1] })
        #expect(abs(loud[peak] - soft[peak] - 4) < 0.01)
        // 4.7 kHz is 18.1 Bark.
        #expect(abs(peak - 108) <= 2)
    }

    @Test("A tone's spread decays by 20 dB per critical band, and more slowly far away")
    func spreading() throws {
        var lines = [Float](repeating: 0, count: 1024)
        lines[200] = 1e7
        let levels = levels(lines)
        let peak = try #require(levels.indices.max { levels[$0] < levels[$1] })
        let slope = (levels[peak - 3] - levels[peak - 6]) * 3.0103
        #expect(abs(slope - 10) < 1)
        let farSlope = (levels[peak - 24] - levels[peak - 30]) * 3.0103
        #expect(abs(farSlope - 2) < 0.5)
    }

    @Test("Silence has the floor's level, lowest where hearing is most sensitive")
    func silence() throws {
        let levels = levels([Float](repeating: 0, count: 1024))
        let lowest = try #require(levels.indices.min { levels[$0] < levels[$1] })
        // 3.3 kHz is 16 Bark.
        #expect((90...105).contains(lowest))
        #expect(levels.allSatisfy { $0.isFinite })
    }

    @Test("The level of a tone hardly depends on its phase")
    func phase() throws {
        // The coefficients of a tone between lines 200 and 201 at several phases, with the sine window.
        var peaks: [Float] = []
        for phase in stride(from: 0.0, to: 3, by: 0.4) {
            var filterBank = FilterBank(frameLength: 1024)
            let samples = (0..<2048).map { Float(10_000 * CircularFunctions.sinePi(Double($0) * 200.7 / 1024 + phase)) }
            var lines = [Float](repeating: 0, count: 1024)
            var span = lines.mutableSpan
            filterBank.analyze(samples.span, sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &span)
            peaks.append(try #require(levels(lines).max()))
        }
        let range = try #require(peaks.max()) - #require(peaks.min())
        #expect(range * 3.0103 < 4)
    }

    /// Returns the errors of decoded lines against the original's at 48 kHz.
    private func compare(_ original: [Float], _ decoded: [Float]) -> (level: Float, noise: Float)? {
        var auditory = AuditoryLevels(sampleRate: 48_000, frameLength: 1024)
        auditory.measure(original: original.span, decoded: decoded.span)
        return auditory.errors(original: original.span, decoded: decoded.span)
    }

    @Test("The level error of a gain is the square of its octaves, and the noise is the energy of the change", arguments: [0.25, 0.5, 2])
    func gain(amplitude: Float) throws {
        let lines = noise(seed: 1)
        let errors = try #require(compare(lines, lines.map { amplitude * $0 }))
        let octaves = 2 * PortableMath.log2(amplitude)
        #expect(abs(errors.level / (octaves * octaves) - 1) < 0.03)
        #expect(abs(errors.noise - (2 * PortableMath.log2(abs(amplitude - 1)) + Self.noiseOffset)) < 0.1)
    }

    /// The noise of lines relative to the level of other lines with the same energy, which includes the energy at other phases and spread
    /// energy, in octaves.
    private static let noiseOffset: Float = -3

    @Test("Inverted lines have no level error and other noise has a small one, but both have much noise")
    func phases() throws {
        let lines = noise(seed: 1)
        let inverted = try #require(compare(lines, lines.map { -$0 }))
        #expect(inverted.level < 1e-6 && abs(inverted.noise - (2 + Self.noiseOffset)) < 0.1)
        let other = try #require(compare(lines, noise(seed: 2)))
        #expect(other.level > 0.05 && other.level < 4 && abs(other.noise - (1 + Self.noiseOffset)) < 0.5)
    }

    @Test("Equal signals have the least errors, and silence is not measured")
    func limits() throws {
        let lines = noise(seed: 1)
        let equal = try #require(compare(lines, lines))
        #expect(equal.level == 0 && equal.noise < -29)
        #expect(compare([Float](repeating: 0, count: 1024), lines) == nil)
    }

    private func noise(seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<1024).map { _ in random.float(in: -1e5...1e5) }
    }
}
