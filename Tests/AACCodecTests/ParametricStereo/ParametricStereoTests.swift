// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct ParametricStereoTests {
    @Test(arguments: 0..<6) func `data round trip`(mode: Int) throws {
        var generator = RandomStereo(seed: UInt64(101 + mode))
        var header: ParametricStereoHeader?
        var read = ParametricStereoData()
        for frame in 0..<40 {
            let data = generator.data(mode: mode, hasHeader: frame % 5 == 0, hasPhases: true)
            var writer = BitWriter()
            data.write(to: &writer)
            var reader = BitReader(writer.bytes)
            let isRead = read.read(from: &reader, after: header)
            try #require(isRead)
            #expect(reader.bitPosition == writer.bitCount)
            var again = BitWriter()
            read.write(to: &again)
            #expect(again.bytes == writer.bytes)
            header = read.header
            let (expected, hasPhases, readPhases) = (data.header, data.hasPhases, read.hasPhases)
            #expect(header == expected && hasPhases == readPhases)
        }
    }

    @Test func `data before the first header and reserved modes are rejected`() {
        var writer = BitWriter()
        writer.write(0, count: 20)
        var reader = BitReader(writer.bytes)
        var data = ParametricStereoData()
        var isRead = data.read(from: &reader, after: nil)
        #expect(!isRead)
        writer.reset()
        writer.write(0b1_1_110, count: 5)
        writer.write(0, count: 20)
        reader = BitReader(writer.bytes)
        isRead = data.read(from: &reader, after: nil)
        #expect(!isRead)
    }

    @Test func `matrices preserve energy, level difference and coherence`() {
        let coherences: [Double] = [1, 0.937, 0.84118, 0.60092, 0.36764, 0, -0.589, -1]
        let levels: [Double] = [0, 2, 4, 7, 10, 14, 18, 25]
        for mode in [0, 3] {
            var header = ParametricStereoHeader()
            header.coherenceMode = mode
            for level in -7...7 {
                for coherence in 0..<8 {
                    let h = StereoTables.shared.matrix(header, level: level, coherence: coherence)
                    let (h11, h12, h21, h22) = (Double(h.x), Double(h.y), Double(h.z), Double(h.w))
                    let left = h11 * h11 + h21 * h21
                    let right = h12 * h12 + h22 * h22
                    let decibels = Double(level.signum()) * levels[abs(level)]
                    #expect(abs(left + right - 2) < 1e-5)
                    #expect(abs(10 * log10(left / right) - decibels) < 1e-3)
                    let expected = mode == 0 ? coherences[coherence] : max(0.05, coherences[coherence])
                    #expect(abs((h11 * h12 + h21 * h22) / (left * right).squareRoot() - expected) < 2e-4)
                }
            }
        }
        let mono = StereoTables.shared.matrix(ParametricStereoHeader(), level: 0, coherence: 0)
        #expect(abs(mono.x - 1) < 1e-6 && abs(mono.y - 1) < 1e-6 && abs(mono.z) < 1e-6 && abs(mono.w) < 1e-6)
    }

    @Test(arguments: [StereoBands.bands20, .bands34]) func `hybrid bands sum to the split subband`(bands: StereoBands) {
        var random = SeededRandom(seed: 111)
        var low = LowBandSlots(SlotLayout(coreFrameLength: 1024))
        var analysis = HybridAnalysis(qmfSlotCount: 32)
        for qmfSlot in stride(from: -8, to: 32, by: 4) {
            low.store(bandCount: 8, qmfSlot: qmfSlot) { _ in
                let values = (0..<8).map { _ in
                    SIMD4<Float>(
                        .random(in: -1...1, using: &random), .random(in: -1...1, using: &random),
                        .random(in: -1...1, using: &random), .random(in: -1...1, using: &random))
                }
                return ((values[0], values[1], values[2], values[3]), (values[4], values[5], values[6], values[7]))
            }
        }
        analysis.load(low)
        var parts = [ComplexVector](repeating: .zero, count: 32)
        let counts = bands == .bands20 ? [6, 2, 2] : [12, 8, 4, 4, 4]
        for qmfSlot in stride(from: 8, to: 32, by: 4) {
            var span = parts.mutableSpan
            analysis.split(qmfSlot, isFine: bands == .bands34, into: &span)
            var first = 0
            for (subband, count) in counts.enumerated() {
                let sum = parts[first..<first + count].reduce(ComplexVector.zero, +)
                first += count
                for lane in 0..<4 {
                    let row = LowBandSlots.row(ofQMFSlot: qmfSlot + lane + 2) + subband / 4
                    let (real, imaginary) = (low.real[row][subband % 4], low.imaginary[row][subband % 4])
                    #expect(abs(sum.real[lane] - real) < 1e-5)
                    #expect(abs(sum.imaginary[lane] - imaginary) < 1e-5)
                }
            }
        }
    }

    @Test(arguments: [StereoBands.bands20, .bands34]) func `the decorrelator only changes phases`(bands: StereoBands) {
        var decorrelator = Decorrelator(qmfSlotCount: 32)
        var impulse = [ComplexVector](repeating: .zero, count: 64)
        var decorrelated = impulse
        var lowDecorrelated = [ComplexVector](repeating: .zero, count: 32)
        var energies = [Float](repeating: 0, count: 64)
        var lowEnergies = [Float](repeating: 0, count: 32)
        for frame in 0..<12 {
            for qmfSlot in stride(from: 0, to: 32, by: 4) {
                let isFirst = frame == 0 && qmfSlot == 0
                for band in 0..<64 { impulse[band] = ComplexVector(SIMD4(isFirst ? 1 : 0, 0, 0, 0), .zero) }
                var span = decorrelated.mutableSpan
                var lowSpan = lowDecorrelated.mutableSpan
                decorrelator.decorrelate(
                    low: impulse.span, subbands: impulse.span, bands: bands, qmfSlots: qmfSlot..<qmfSlot + 4,
                    intoLow: &lowSpan, into: &span)
                for band in 0..<64 { energies[band] += Self.energy(decorrelated[band]) }
                for band in 0..<32 { lowEnergies[band] += Self.energy(lowDecorrelated[band]) }
            }
            decorrelator.advance(qmfSlotCount: 32)
        }
        // An impulse keeps its energy, however much it is spread.
        for band in bands.splitSubbandCount..<64 { #expect(abs(energies[band] - 1) < 1e-3, "subband \(band)") }
        for band in 0..<bands.lowBandCount { #expect(abs(lowEnergies[band] - 1) < 1e-3, "low band \(band)") }
    }

    private static func energy(_ value: ComplexVector) -> Float {
        (value.real * value.real + value.imaginary * value.imaginary).sum()
    }

    @Test func `parameters of identical channels produce identical channels`() throws {
        var writer = BitWriter()
        var data = ParametricStereoData()
        data.header.hasLevelDifferences = true
        data.header.hasCoherence = true
        data.envelopeCount = 1
        data.write(to: &writer)
        let output = try Self.decode(data, frameCount: 4)
        #expect(output.left.contains { abs($0) > 100 })
        for (left, right) in zip(output.left, output.right) { #expect(abs(left - right) < 1e-2) }
    }

    @Test func `the maximum level difference silences one channel`() throws {
        var data = ParametricStereoData()
        data.header.hasLevelDifferences = true
        data.header.levelMode = 3
        data.envelopeCount = 1
        for band in 0..<10 { data.levels.values[band] = band == 0 ? 15 : 0 }
        let output = try Self.decode(data, frameCount: 6)
        let left = output.left.suffix(2048).reduce(0) { $0 + $1 * $1 }
        let right = output.right.suffix(2048).reduce(0) { $0 + $1 * $1 }
        #expect(abs(10 * log10(Double(left / right)) - 50) < 0.5)
    }

    @Test func `phases rotate the channels and keep their levels`() throws {
        var data = ParametricStereoData()
        data.header.hasLevelDifferences = true
        data.header.levelMode = 1
        data.header.hasExtension = true
        data.envelopeCount = 1
        for band in 0..<20 { data.levels.values[band] = band == 0 ? 2 : 0 }
        let plain = try Self.decode(data, frameCount: 6)
        data.hasPhases = true
        // Opposite phase between the channels, in all bands with phases.
        data.channelPhases.values[0] = 4
        let turned = try Self.decode(data, frameCount: 6)
        for (before, after) in [(plain.left, turned.left), (plain.right, turned.right)] {
            let ratio = after.suffix(4096).reduce(0) { $0 + $1 * $1 } / before.suffix(4096).reduce(0) { $0 + $1 * $1 }
            #expect(abs(ratio - 1) < 0.02)
        }
        // The left channel is unchanged, the right one inverted.
        let error = zip(turned.right, plain.right).suffix(4096).reduce(Float(0)) { $0 + ($1.0 + $1.1) * ($1.0 + $1.1) }
        #expect(error < 1e-3 * plain.right.suffix(4096).reduce(0) { $0 + $1 * $1 })
    }

    /// Decodes a low tone with the same parameters in every frame.
    static func decode(_ data: borrowing ParametricStereoData, frameCount: Int) throws -> (left: [Float], right: [Float]) {
        let generator = RandomSBR(seed: 121, channelCount: 1, rate: 44_100)
        let decoder = SBRElementDecoder(coreRate: 22_050, coreFrameLength: 1024, channelCount: 1, isDownsampled: false)
        var output = [Float](repeating: 0, count: 4096)
        var result: (left: [Float], right: [Float]) = ([], [])
        for frame in 0..<frameCount {
            var payload = SBRPayload(channelCount: 1, slotCount: 16)
            payload.channels[0].noiseDifferences[0] = 30
            var writer = BitWriter()
            writer.write(true)
            generator.header.write(to: &writer)
            payload.write(to: &writer, header: generator.header, tables: generator.tables, stereo: data.bits)
            let bytes = writer.bytes
            var reader = BitReader(bytes)
            #expect(decoder.read(from: &reader, end: 8 * bytes.count, isChecked: false))
            decoder.startFrame()
            let core = (0..<1024).map { Float(10_000 * sin(0.1 * Double(1024 * frame + $0))) }
            var span = output.mutableSpan
            decoder.synthesizeStereo(core: core.span, into: &span, left: 0, right: 2048)
            #expect(decoder.hasParametricStereo)
            result.left += output[..<2048]
            result.right += output[2048...]
        }
        return result
    }
}
