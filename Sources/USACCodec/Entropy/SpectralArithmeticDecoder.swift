// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import TransformCoding

/// The arithmetic decoder of spectra (`arith_data`, ISO/IEC 23003-3, 7.4): pairs of lines, with models that follow from pairs around them.
struct SpectralArithmeticDecoder {
    /// The lower end of the interval, 16 bits.
    private var low: UInt32 = 0
    /// The upper end of the interval, 16 bits.
    private var high: UInt32 = 0xFFFF
    /// The code within the interval, 16 bits.
    private var value: UInt32

    /// The most bits that follow the two upper ones of a pair; more are damage.
    private static let maximumEscapes = 23
    /// The largest magnitude of a line.
    private static let maximumMagnitude: Int32 = 8191
    /// The bits that the code is ahead of what it has decided at its end.
    private static let lookAhead = 14

    /// Begins with the next 16 bits.
    private init(_ reader: inout BitReader) { value = reader.read(16) }

    /// Decodes the lines of one window.
    ///
    /// - Parameters:
    ///   - lineCount: The coded lines, an even number; those after them are 0.
    ///   - lines: Receives the values of the window.
    ///   - context: The context, of the length of the window.
    /// - Returns: Whether the code is intact.
    static func decode(
        lineCount: Int, into lines: inout MutableSpan<Int16>, context: inout SpectralContext, from reader: inout BitReader
    ) -> Bool {
        let pairCount = lineCount / 2
        let totalPairCount = context.pairCount
        precondition(lines.count == 2 * totalPairCount && pairCount <= totalPairCount)
        var magnitudes = context.magnitudes()
        var decodedCount = 0
        if pairCount > 0 {
            var decoder = SpectralArithmeticDecoder(&reader)
            decodedCount = decoder.decodePairs(pairCount, into: &lines, &magnitudes, from: &reader)
            guard decodedCount >= 0 else { return false }
            reader.skip(-lookAhead)
            guard readSigns(of: decodedCount, in: &lines, from: &reader) else { return false }
        }
        for pair in decodedCount..<totalPairCount {
            magnitudes[pair] = 1
            lines[2 &* pair] = 0
            lines[2 &* pair &+ 1] = 0
        }
        return true
    }

    /// Decodes the magnitudes of pairs; those too large become -1.
    ///
    /// - Returns: The number of pairs before the stop symbol; negative for a damaged code.
    private mutating func decodePairs(
        _ pairCount: Int, into lines: inout MutableSpan<Int16>, _ magnitudes: inout MutableSpan<UInt8>, from reader: inout BitReader
    ) -> Int {
        let (map, magnitudeTable, lowerTable) = (ArithmeticModels.shared, ArithmeticCoderTables.magnitudes, ArithmeticCoderTables.lowerBits)
        let models = ArithmeticModels.Spans(map)
        let frequencies = magnitudeTable.span
        let lowerFrequencies = lowerTable.span
        // Old magnitudes around the pair: the next one in bits 8 to 11, its own in 4 to 7, the one before in 0 to 3.
        var around = UInt32(magnitudes[0]) << 4
        var (c1, c2, c3): (UInt32, UInt32, UInt32) = (0, 0, 0)
        for pair in 0..<pairCount {
            around |= UInt32(magnitudes[pair &+ 1]) << 8
            var state = around << 4 | c1
            if pair > 3 && c1 &+ c2 &+ c3 < 5 { state |= 0x10000 }
            var escapes = 0
            var symbol: Int
            while true {
                let model = models.model(of: state | UInt32(truncatingIfNeeded: min(escapes, 7)) << 17)
                symbol = decode(frequencies.extracting(17 &* model..<17 &* model &+ 17), from: &reader)
                guard symbol == 16 else { break }
                escapes &+= 1
                guard escapes <= Self.maximumEscapes else { return -1 }
            }
            if symbol == 0 && escapes > 0 { return pair }
            var (a, b) = (Int32(truncatingIfNeeded: symbol & 3), Int32(truncatingIfNeeded: symbol >> 2))
            for _ in 0..<escapes {
                let row = a == 0 ? 1 : b == 0 ? 0 : 2
                let bits = Int32(truncatingIfNeeded: decodeLowerBits(lowerFrequencies, row: row, from: &reader))
                a = a &<< 1 | bits & 1
                b = b &<< 1 | bits >> 1
            }
            guard max(a, b) <= Self.maximumMagnitude else { return -1 }
            lines[2 &* pair] = Int16(truncatingIfNeeded: a)
            lines[2 &* pair &+ 1] = Int16(truncatingIfNeeded: b)
            (c3, c2, c1) = (c2, c1, UInt32(min(a &+ b &+ 1, 15)))
            magnitudes[pair] = UInt8(truncatingIfNeeded: c1)
            around >>= 4
        }
        return pairCount
    }

    /// Reads the signs of the lines of pairs that are not 0: 1 for plus.
    ///
    /// - Returns: Whether there are as many bits.
    private static func readSigns(of pairCount: Int, in lines: inout MutableSpan<Int16>, from reader: inout BitReader) -> Bool {
        for line in 0..<2 &* pairCount where lines[line] != 0 {
            if !reader.readFlag() { lines[line] = 0 &- lines[line] }
        }
        return !reader.hasOverrun
    }

    /// Decodes one of 17 symbols with falling cumulative frequencies.
    @inline(__always)
    private mutating func decode(_ frequencies: Span<UInt16>, from reader: inout BitReader) -> Int {
        let frequencies = frequencies.extracting(0..<17)
        let range = high &- low &+ 1
        let target = (value &- low &+ 1) << 14
        // The number of frequencies whose share of the range reaches the code.
        var symbol = 0
        if UInt32(frequencies[7]) &* range >= target { symbol = 8 }
        if UInt32(frequencies[symbol &+ 3]) &* range >= target { symbol &+= 4 }
        if UInt32(frequencies[symbol &+ 1]) &* range >= target { symbol &+= 2 }
        if UInt32(frequencies[symbol]) &* range >= target { symbol &+= 1 }
        if symbol == 15 && UInt32(frequencies[15]) &* range >= target { symbol = 16 }
        narrow(range, above: UInt32(frequencies[symbol]), below: symbol > 0 ? UInt32(frequencies[symbol &- 1]) : 16384, from: &reader)
        return symbol
    }

    /// Decodes one of 4 symbols with falling cumulative frequencies.
    @inline(__always)
    private mutating func decodeLowerBits(_ frequencies: Span<UInt16>, row: Int, from reader: inout BitReader) -> Int {
        let range = high &- low &+ 1
        let target = (value &- low &+ 1) << 14
        var symbol = 0
        while symbol < 3 && UInt32(frequencies[4 &* row &+ symbol]) &* range >= target { symbol &+= 1 }
        let upper = symbol > 0 ? UInt32(frequencies[4 &* row &+ symbol &- 1]) : 16384
        narrow(range, above: UInt32(frequencies[4 &* row &+ symbol]), below: upper, from: &reader)
        return symbol
    }

    /// Narrows the interval to a symbol's share, and takes in the bits that it decides.
    ///
    /// Leading bits in which both ends agree are dropped; then, while the ends are 01… and 10…, their second bits.
    @inline(__always)
    private mutating func narrow(_ range: UInt32, above lower: UInt32, below upper: UInt32, from reader: inout BitReader) {
        high = low &+ (range &* upper) >> 14 &- 1
        low = low &+ (range &* lower) >> 14
        let equalCount = UInt32(truncatingIfNeeded: UInt16(truncatingIfNeeded: low ^ high).leadingZeroBitCount)
        let one: UInt32 = 1
        low = (low << equalCount) & 0xFFFF
        high = ((high << equalCount) | ((one << equalCount) &- 1)) & 0xFFFF
        let crossing = ~(UInt16(truncatingIfNeeded: low & ~high) << 1)
        let crossCount = UInt32(truncatingIfNeeded: crossing.leadingZeroBitCount)
        guard equalCount &+ crossCount > 0 else { return }
        let bits = reader.read(Int(truncatingIfNeeded: equalCount &+ crossCount))
        value = ((value << equalCount) | (bits >> crossCount)) & 0xFFFF
        guard crossCount > 0 else { return }
        let mask = (one << crossCount) &- 1
        low = (low << crossCount) & 0x7FFF
        high = 0x8000 | ((high << crossCount) & 0x7FFF) | mask
        let rest = ((value << crossCount) & 0x7FFF) | (bits & mask)
        value = (value & 0x8000) | rest
    }
}
