// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct NormativeTableTests {
    private static let codebooks: [(name: String, codebook: DeltaCodebook)] = [
        ("t_env_1_5dB", .envelopeTimeFine), ("f_env_1_5dB", .envelopeFrequencyFine), ("t_env_bal_1_5dB", .balanceTimeFine),
        ("f_env_bal_1_5dB", .balanceFrequencyFine), ("t_env_3_0dB", .envelopeTimeCoarse), ("f_env_3_0dB", .envelopeFrequencyCoarse),
        ("t_env_bal_3_0dB", .balanceTimeCoarse), ("f_env_bal_3_0dB", .balanceFrequencyCoarse), ("t_noise_3_0dB", .noiseTime),
        ("t_noise_bal_3_0dB", .noiseBalanceTime), ("iid_df0", .iidFrequencyCoarse), ("iid_dt0", .iidTimeCoarse),
        ("iid_df1", .iidFrequencyFine), ("iid_dt1", .iidTimeFine), ("icc_df", .iccFrequency), ("icc_dt", .iccTime),
        ("ipd_df", .ipdFrequency), ("ipd_dt", .ipdTime), ("opd_df", .opdFrequency), ("opd_dt", .opdTime),
    ]

    @Test func `every Huffman codeword matches the reference tables`() throws {
        let reference = try HighEfficiencyTables.load()
        #expect(reference.codebooks.map(\.name) == Self.codebooks.map(\.name))
        for ((name, codebook), expected) in zip(Self.codebooks, reference.codebooks) {
            #expect(codebook.range == -expected.offset...expected.codes.count - 1 - expected.offset, "\(name)")
            for difference in codebook.range {
                var writer = BitWriter()
                codebook.write(difference, to: &writer)
                var reader = BitReader(writer.bytes)
                let index = difference + expected.offset
                #expect(writer.bitCount == expected.lengths[index], "\(name) \(difference)")
                #expect(reader.read(writer.bitCount) == expected.codes[index], "\(name) \(difference)")
            }
        }
    }

    @Test func `level, noise floor and balance differences use the codebooks of the syntax`() {
        for (coding, time, frequency, bitCount, step) in [
            (
                DeltaCoding.envelope(isCoarse: false, isBalance: false), DeltaCodebook.envelopeTimeFine,
                DeltaCodebook.envelopeFrequencyFine, 7, 1
            ),
            (.envelope(isCoarse: true, isBalance: false), .envelopeTimeCoarse, .envelopeFrequencyCoarse, 6, 1),
            (.envelope(isCoarse: false, isBalance: true), .balanceTimeFine, .balanceFrequencyFine, 6, 2),
            (.envelope(isCoarse: true, isBalance: true), .balanceTimeCoarse, .balanceFrequencyCoarse, 5, 2),
            (.noise(isBalance: false), .noiseTime, .envelopeFrequencyCoarse, 5, 1),
            (.noise(isBalance: true), .noiseBalanceTime, .balanceFrequencyCoarse, 5, 2),
        ] {
            #expect(coding.time === time && coding.frequency === frequency)
            #expect(coding.startBitCount == bitCount && coding.step == step)
        }
    }

    @Test func `prototype filter and noise table match the reference tables`() throws {
        let reference = try HighEfficiencyTables.load()
        #expect(reference.prototype.count == 640 && QMFPrototype.coefficients == reference.prototype.map { Float($0) })
        #expect(reference.noise.count == 512)
        #expect(SBRNoiseTable.real == reference.noise.map { Float($0[0]) })
        #expect(SBRNoiseTable.imaginary == reference.noise.map { Float($0[1]) })
    }
}
