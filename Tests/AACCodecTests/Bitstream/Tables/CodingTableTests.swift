// SPDX-License-Identifier: Apache-2.0

import AACCodec
import TestSupport
import Testing
import TransformCoding

@Suite struct CodingTableTests {
    @Test func spectralCodebooksEqualTheSecondSource() throws {
        let reference = try ReferenceTables.load()
        #expect(reference.spectral.count == 11)
        for expected in reference.spectral {
            let codebook = SpectralCodebook(number: expected.number)
            #expect(codebook.codes.map(Int.init) == expected.codes)
            #expect(codebook.lengths.map(Int.init) == expected.lengths)
            #expect(codebook.dimension == expected.dimension)
            #expect(codebook.isSigned == expected.signed)
            #expect(codebook.modulus == expected.modulus)
            #expect(codebook.offset == expected.offset)
            #expect(codebook.entryCount == expected.codes.count)
            if !expected.escape { #expect(codebook.maximumMagnitude == expected.lav) }
        }
    }

    @Test func scaleFactorCodebookEqualsTheSecondSource() throws {
        let expected = try ReferenceTables.load().scaleFactor
        #expect(ScaleFactorCodebook.codes.map(Int.init) == expected.codes)
        #expect(ScaleFactorCodebook.lengths.map(Int.init) == expected.lengths)
    }

    @Test func everyCodebookIsACompletePrefixCode() {
        var codebooks = (1...11).map { number in
            let codebook = SpectralCodebook(number: number)
            return zip(codebook.codes, codebook.lengths).map { (UInt32($0), Int($1)) }
        }
        codebooks.append(zip(ScaleFactorCodebook.codes, ScaleFactorCodebook.lengths).map { ($0, Int($1)) })
        for codewords in codebooks {
            // Left-aligned to 19 bits, the codewords must fill the whole range without overlap.
            let intervals = codewords.map { (code, length) in Int(code) << (19 - length)..<(Int(code) + 1) << (19 - length) }
            let sorted = intervals.sorted { $0.lowerBound < $1.lowerBound }
            #expect(sorted.first?.lowerBound == 0)
            #expect(sorted.last?.upperBound == 1 << 19)
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        }
    }

    @Test(arguments: [1024, 960]) func bandOffsetsEqualTheSecondSource(frameLength: Int) throws {
        let reference = try ReferenceTables.load()
        for index in 0...12 {
            let bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: frameLength)
            let long = frameLength == 1024 ? reference.long1024[index] : reference.long960[index]
            let short = frameLength == 1024 ? reference.short128[index] : reference.short120[index]
            #expect((0...bands.longCount).map { Int(bands.longOffsets[$0]) } == long)
            #expect((0...bands.shortCount).map { Int(bands.shortOffsets[$0]) } == short)
            #expect(zip(long, long.dropFirst()).allSatisfy { $1 > $0 && ($1 - $0) % 4 == 0 })
            #expect(zip(short, short.dropFirst()).allSatisfy { $1 > $0 && ($1 - $0) % 4 == 0 })
            #expect(bands.longTNSBands == reference.tnsLong[index] && bands.shortTNSBands == reference.tnsShort[index])
        }
    }
}
