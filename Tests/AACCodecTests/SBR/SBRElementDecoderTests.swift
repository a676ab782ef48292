// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct SBRElementDecoderTests {
    /// Decodes frames of core samples without payloads.
    static func upsampled(_ core: [Float], frameLength: Int = 1024, isDownsampled: Bool = false) -> [Float] {
        let decoder = SBRElementDecoder(
            coreRate: 22_050, coreFrameLength: frameLength, channelCount: 1, isDownsampled: isDownsampled)
        var result: [Float] = []
        var output = [Float](repeating: 0, count: 2048)
        for first in stride(from: 0, to: core.count - frameLength + 1, by: frameLength) {
            decoder.startFrame()
            var span = output.mutableSpan
            decoder.synthesize(0, core: core.span.extracting(first..<first + frameLength), into: &span, at: 0)
            result += output.prefix(decoder.frameLength)
        }
        return result
    }

    @Test(arguments: [1024, 960]) func `without a header the core is upsampled with a delay of 962 samples`(
        frameLength: Int
    ) {
        let core = (0..<3 * frameLength).map { Float(10_000 * sin(0.3 * Double($0))) }
        let output = Self.upsampled(core, frameLength: frameLength)
        #expect(output.count == 2 * core.count)
        let errors = (2000..<output.count).map { index in
            let expected: Double = 10_000 * sin(0.15 * Double(index - 962))
            return abs(output[index] - Float(expected))
        }
        let worst = errors.max() ?? .infinity
        // The banks reconstruct to about -60 dB.
        #expect(worst < 15)
    }

    @Test func `the downsampled bank reproduces the core with a delay of 481 samples`() {
        let core = (0..<3072).map { Float(10_000 * sin(0.3 * Double($0))) }
        let output = Self.upsampled(core, isDownsampled: true)
        #expect(output.count == core.count)
        let worst = zip(output[1000...], core[519...]).map { abs($0 - $1) }.max() ?? .infinity
        #expect(worst < 15)
    }

    @Test func `a constant keeps its level`() {
        let output = Self.upsampled([Float](repeating: 1000, count: 4096))
        #expect(output[3000...].allSatisfy { abs($0 - 1000) < 1 })
    }

    @Test func `a missing sine is a pure tone without jumps`() throws {
        var generator = RandomSBR(seed: 31, channelCount: 1, rate: 44_100)
        let decoder = SBRElementDecoder(coreRate: 22_050, coreFrameLength: 1024, channelCount: 1, isDownsampled: false)
        let silence = [Float](repeating: 0, count: 1024)
        var output = [Float](repeating: 0, count: 2048)
        var samples: [Float] = []
        let band = generator.tables.high.count / 2
        for _ in 0..<12 {
            // Boundaries vary. Levels are constant, and noise is at its minimum.
            var payload = generator.payload()
            for index in 0..<240 { payload.channels[0].envelopeDifferences[index] = index % 48 == 0 ? 20 : 0 }
            payload.channels[0].envelopesInTime = 0
            payload.channels[0].noiseFloorsInTime = 0
            for index in 0..<10 { payload.channels[0].noiseDifferences[index] = index % 5 == 0 ? 30 : 0 }
            payload.channels[0].harmonics = 1 << UInt64(band)
            var writer = BitWriter()
            generator.writeFill(payload, hasHeader: true, to: &writer)
            var reader = BitReader(writer.bytes)
            let fill = try {
                reader.skip(3); return try FillElement(reading: &reader)
            }()
            reader.skip(fill.payload.lowerBound + 4 - reader.bitPosition)
            #expect(decoder.read(from: &reader, end: fill.payload.upperBound, isChecked: false))
            decoder.startFrame()
            var span = output.mutableSpan
            decoder.synthesize(0, core: silence.span, into: &span, at: 0)
            samples += output
        }
        let high = generator.tables.high
        let subband = (high[band] + high[band + 1]) / 2
        let frequency = (Double(subband) + 0.5) * Double.pi / 64
        // A tone satisfies x(n + 1) + x(n - 1) = 2 cos(w) x(n). Amplitude steps deviate by far less than 1 %.
        var error = 0.0
        var energy = 0.0
        for index in 6000..<samples.count - 1 {
            let next = Double(samples[index + 1]) + Double(samples[index - 1])
            let difference = next - 2 * cos(frequency) * Double(samples[index])
            error += difference * difference
            energy += Double(samples[index]) * Double(samples[index])
        }
        #expect(energy > 1 && error < 1e-2 * energy)
    }

    @Test func `payloads with a checksum are read, and rejected after a bit error`() throws {
        var generator = RandomSBR(seed: 32, channelCount: 1, rate: 44_100)
        var writer = BitWriter()
        generator.writeFill(generator.payload(), hasHeader: true, isChecked: true, to: &writer)
        let bytes = writer.bytes
        let decoder = SBRElementDecoder(coreRate: 22_050, coreFrameLength: 1024, channelCount: 1, isDownsampled: false)
        func isIntact(_ bytes: [UInt8]) throws -> Bool {
            var reader = BitReader(bytes)
            reader.skip(3)
            let fill = try FillElement(reading: &reader)
            reader.skip(fill.payload.lowerBound + 4 - reader.bitPosition)
            return decoder.read(from: &reader, end: fill.payload.upperBound, isChecked: true)
        }
        #expect(try isIntact(bytes))
        for bit in stride(from: 40, to: bytes.count * 8 - 8, by: 5) {
            var damaged = bytes
            damaged[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            #expect(try !isIntact(damaged), "bit \(bit)")
        }
    }
}
