// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Testing
import TransformCoding

@Suite struct SBRTablesTests {
    /// Each codebook with the sums of its codewords and of their lengths, each weighted by index, from the standard's tables.
    static let codebooks: [(codebook: DeltaCodebook, codes: UInt32, lengths: Int)] = [
        (.envelopeTimeFine, 2_679_611_201, 120_609),
        (.envelopeFrequencyFine, 3_865_319_044, 119_744),
        (.balanceTimeFine, 87_419_183, 17_078),
        (.balanceFrequencyFine, 238_017_599, 18_274),
        (.envelopeTimeCoarse, 648_101_119, 31_831),
        (.envelopeFrequencyCoarse, 793_114_601, 31_211),
        (.balanceTimeCoarse, 2_085_535, 3_332),
        (.balanceFrequencyCoarse, 2_806_415, 3_407),
        (.noiseTime, 15_039_648, 24_054),
        (.noiseBalanceTime, 66_031, 2_304),
        (.iidFrequencyCoarse, 22_284_903, 4_607),
        (.iidTimeCoarse, 177_845_183, 5_894),
        (.iidFrequencyFine, 99_826_656, 25_186),
        (.iidTimeFine, 17_336_752, 23_854),
        (.iccFrequency, 228_381, 898),
        (.iccTime, 362_027, 931),
        (.ipdFrequency, 154, 139),
        (.ipdTime, 78, 140),
        (.opdFrequency, 231, 142),
        (.opdTime, 104, 140),
    ]

    @Test func `codebooks match the standard`() {
        for (number, (codebook, codes, lengths)) in Self.codebooks.enumerated() {
            var codeSum: UInt32 = 0
            var lengthSum = 0
            for (index, difference) in codebook.range.enumerated() {
                var writer = BitWriter()
                codebook.write(difference, to: &writer)
                let length = writer.bitCount
                var reader = BitReader(writer.bytes)
                codeSum &+= reader.peek(length) &* UInt32(index + 1)
                lengthSum += length * (index + 1)
                #expect(length == codebook.bitCount(of: difference))
                #expect(codebook.read(from: &reader) == difference)
                #expect(reader.bitPosition == length)
            }
            #expect(codeSum == codes && lengthSum == lengths, "book \(number)")
        }
    }

    @Test func `every bit pattern is a codeword`() {
        for (codebook, _, _) in Self.codebooks {
            let total = codebook.range.reduce(0.0) { $0 + Double(sign: .plus, exponent: -codebook.bitCount(of: $1), significand: 1) }
            #expect(total == 1)
        }
    }

    @Test func `the prototype has the expected symmetry and sums`() {
        let c = QMFPrototype.coefficients
        #expect(c.count == 640)
        for n in 1...319 { #expect(c[320 + n] == (n == 64 || n == 192 ? -c[320 - n] : c[320 - n])) }
        #expect(abs(c.reduce(0.0) { $0 + Double($1) } - 81.463009) < 1e-5)
        #expect(abs(c.reduce(0.0) { $0 + Double($1) * Double($1) } - 64.000000) < 1e-5)
    }

    @Test func `the noise table has the expected sums`() {
        let real = SBRNoiseTable.real.enumerated().reduce(0.0) { $0 + Double($1.element) * Double($1.offset + 1) }
        let imaginary = SBRNoiseTable.imaginary.enumerated().reduce(0.0) { $0 + Double($1.element) * Double($1.offset + 1) }
        #expect(SBRNoiseTable.real.count == 512 && SBRNoiseTable.imaginary.count == 512)
        #expect(abs(real - (2872.1112)) < 1e-2 && abs(imaginary - (3028.8377)) < 1e-2)
        let table = NoiseVectors.shared
        for index in 0..<576 {
            let (vector, lane) = (index / 4, index % 4)
            let isSame = table.real[vector][lane] == SBRNoiseTable.real[index & 511]
            let isSameImaginary = table.imaginary[vector][lane] == SBRNoiseTable.imaginary[index & 511]
            #expect(isSame && isSameImaginary, "\(index)")
        }
    }

    @Test func `energies match the formulas`() {
        for level in UInt8(0)...80 {
            #expect(abs(EnvelopeDequantizer.energy(level: level, isCoarse: false) / (64 * power(Double(level) / 2)) - 1) < 1e-6)
        }
        for level in UInt8(0)...30 {
            #expect(EnvelopeDequantizer.noise(level: level) == power(6 - Double(level)))
            for balance in stride(from: UInt8(0), through: 24, by: 2) {
                let pair = EnvelopeDequantizer.noises(level: level, balance: balance)
                let left = power(7 - Double(level)) / (1 + power(12 - Double(balance)))
                #expect(abs(pair.left / left - 1) < 1e-6)
                #expect(abs((pair.left + pair.right) / (2 * EnvelopeDequantizer.noise(level: level)) - 1) < 1e-6)
            }
        }
        // The centre balance gives each channel the level itself.
        let even = EnvelopeDequantizer.energies(level: 20, balance: 24, isCoarse: false)
        #expect(even.left == even.right && even.left == EnvelopeDequantizer.energy(level: 20, isCoarse: false))
        let loud = EnvelopeDequantizer.energy(level: 127, isCoarse: true)
        #expect(loud.isFinite && (loud * loud).isFinite)
    }

    private func power(_ exponent: Double) -> Float { Float(PortableMath.powerOfTwo(exponent)) }
}
