// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct HuffmanCodingTests {
    /// The bits of a tuple according to the standard's text, as a string of ones and zeros.
    private func naiveBits(_ values: [Int], codebook: SpectralCodebook) -> String {
        var entry = 0
        for value in values {
            let digit = codebook.isSigned ? value + codebook.offset : min(abs(value), codebook.modulus - 1)
            entry = entry * codebook.modulus + digit
        }
        func binary(_ value: Int, _ count: Int) -> String {
            count == 0 ? "" : String((0..<count).reversed().map { value >> $0 & 1 == 1 ? "1" : "0" })
        }
        var bits = binary(Int(codebook.codes[entry]), Int(codebook.lengths[entry]))
        guard !codebook.isSigned else { return bits }
        bits += values.filter { $0 != 0 }.map { $0 < 0 ? "1" : "0" }.joined()
        guard codebook.number == SpectralCodebook.escapeNumber else { return bits }
        for value in values where abs(value) >= 16 {
            let high = Int.bitWidth - 1 - abs(value).leadingZeroBitCount
            bits += String(repeating: "1", count: high - 4) + "0" + binary(abs(value) - 1 << high, high)
        }
        return bits
    }

    /// The values of a codeword, unsigned if separate sign bits follow.
    private func values(ofEntry entry: Int, in codebook: SpectralCodebook) -> [Int] {
        var digits: [Int] = []
        var rest = entry
        for _ in 0..<codebook.dimension {
            digits.append(rest % codebook.modulus - codebook.offset)
            rest /= codebook.modulus
        }
        return digits.reversed()
    }

    private func bitString(_ writer: BitWriter) -> String {
        let bytes = writer.bytes
        return String(
            (0..<writer.bitCount).map { index in
                let bit = bytes[index / 8] >> UInt8(7 - index % 8) & 1
                return bit == 1 ? "1" : "0"
            })
    }

    /// Returns sign(q) |q|^(4/3).
    private func power(_ value: Int16) -> Float {
        let power = value == 0 ? 0 : DequantizationTables.power(Int(value.magnitude))
        return value < 0 ? -power : power
    }

    /// Returns the powers of the four lines in `writer`.
    private func powers(_ writer: BitWriter, codebook: Int) throws -> [Float] {
        var reader = BitReader(writer.bytes)
        var read = [Float](repeating: 77, count: 4)
        var span = read.mutableSpan
        try SpectralDecoder.read(into: &span, in: 0..<4, codebook: codebook, tables: .shared, from: &reader)
        return read
    }

    @Test(arguments: 1...11) func everyTupleMatchesTheStandardAndRoundTrips(number: Int) throws {
        let codebook = SpectralCodebook(number: number)
        for entry in 0..<codebook.entryCount {
            let magnitudes = values(ofEntry: entry, in: codebook)
            for signs in 0..<(codebook.isSigned ? 1 : 1 << codebook.dimension) {
                let values = magnitudes.enumerated().map { signs >> $0.offset & 1 == 1 ? -$0.element : $0.element }
                // The range must have four lines, so a pair is written twice.
                let lines = (values + (values.count == 2 ? values : [])).map { Int16($0) }
                var writer = BitWriter()
                SpectralEncoder.write(lines.span, in: 0..<4, codebook: number, to: &writer)
                let once = naiveBits(values, codebook: codebook)
                #expect(bitString(writer) == (values.count == 2 ? once + once : once))
                var reader = BitReader(writer.bytes)
                var read = [Int16](repeating: 77, count: 4)
                var span = read.mutableSpan
                try SpectralDecoder.read(into: &span, in: 0..<4, codebook: number, tables: .shared, from: &reader)
                #expect(read == lines)
                #expect(reader.bitPosition == writer.bitCount)
                #expect(try powers(writer, codebook: number) == lines.map(power))
            }
        }
    }

    @Test func everyEscapedMagnitudeMatchesTheStandardAndRoundTrips() throws {
        let codebook = SpectralCodebook(number: 11)
        for magnitude in stride(from: 16, through: 8191, by: 3) {
            let values = [magnitude, -magnitude, 8191 - magnitude % 8000, magnitude % 40 - 20].map { Int16($0) }
            var writer = BitWriter()
            SpectralEncoder.write(values.span, in: 0..<4, codebook: 11, to: &writer)
            let expected =
                naiveBits(values[0..<2].map(Int.init), codebook: codebook) + naiveBits(values[2..<4].map(Int.init), codebook: codebook)
            if magnitude % 64 < 2 { #expect(bitString(writer) == expected) }
            #expect(writer.bitCount == expected.count)
            var reader = BitReader(writer.bytes)
            var read = [Int16](repeating: 0, count: 4)
            var span = read.mutableSpan
            try SpectralDecoder.read(into: &span, in: 0..<4, codebook: 11, tables: .shared, from: &reader)
            #expect(read == values)
            #expect(try powers(writer, codebook: 11) == values.map(power))
        }
    }

    @Test func escapeOfNineOnesThrows() {
        var writer = BitWriter()
        let entry = 16 * 17
        writer.write(UInt32(SpectralCodebook11.codes[entry]), count: Int(SpectralCodebook11.lengths[entry]))
        writer.write(0b0_1_1111_1111_0, count: 11)
        writer.write(0, count: 32)
        var reader = BitReader(writer.bytes)
        var read = [Int16](repeating: 0, count: 4)
        #expect(throws: CodecError.escapeTooLong(prefix: 9)) {
            var span = read.mutableSpan
            try SpectralDecoder.read(into: &span, in: 0..<4, codebook: 11, tables: .shared, from: &reader)
        }
    }

    @Test func everyScaleFactorDifferenceMatchesTheStandardAndRoundTrips() {
        let coder = ScaleFactorCoder.shared
        for difference in -60...60 {
            var writer = BitWriter()
            ScaleFactorCoder.write(difference, to: &writer, codewords: coder.codewords.span)
            #expect(writer.bitCount == Int(ScaleFactorCodebook.lengths[difference + 60]))
            var reader = BitReader(writer.bytes)
            #expect(reader.peek(writer.bitCount) == ScaleFactorCodebook.codes[difference + 60])
            #expect(ScaleFactorCoder.read(from: &reader, entries: coder.decodingEntries.span) == difference)
            #expect(reader.bitPosition == writer.bitCount)
        }
    }
}
