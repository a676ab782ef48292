// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import TransformCoding

/// The arithmetic decoder of spectra (`arith_data`, ISO/IEC 23003-3, 7.4): pairs of lines, with models that follow from pairs around them.
///
/// The ends of the interval have 16 bits, of which the leading ones that are equal are dropped, and then those in which the ends are 01… and 10….
/// The code less the lower end is shifted with them alike.
struct SpectralArithmeticDecoder {
    /// The lower end of the interval.
    private var low: UInt32 = 0
    /// The length of the interval, up to 2^16.
    private var range: UInt32 = 0x10000
    /// The code less the lower end in the upper 16 bits, then ``ahead`` bits of the code that follow, then zeros.
    private var code: UInt64
    /// The bits that follow in ``code``, 16 to 48.
    private var ahead = 32

    /// The most bits that follow the two upper ones of a pair; more are damage.
    private static let maximumEscapes = 23
    /// The largest magnitude of a line.
    private static let maximumMagnitude: Int32 = 8191
    /// The bits that the code is ahead of what it has decided at its end.
    private static let lookAhead = 14

    /// Begins with the next 16 bits, and loads 32 more.
    private init(_ reader: inout BitReader) {
        code = (reader.peekWindow() >> 16) << 16
        reader.skip(48)
    }

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
            reader.skip(-lookAhead &- decoder.ahead)
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
        var (window, count) = (reader.peekWindow(), 0)
        for line in 0..<2 &* pairCount where lines[line] != 0 {
            if Int64(bitPattern: window) >= 0 { lines[line] = 0 &- lines[line] }
            window &<<= 1
            count &+= 1
            // A window has 57 bits.
            if count > 56 {
                reader.skip(count)
                (window, count) = (reader.peekWindow(), 0)
            }
        }
        reader.skip(count)
        return !reader.hasOverrun
    }

    /// Decodes one of 17 symbols with falling cumulative frequencies.
    @inline(__always)
    private mutating func decode(_ frequencies: Span<UInt16>, from reader: inout BitReader) -> Int {
        let frequencies = frequencies.extracting(0..<17)
        let target = target
        // The number of frequencies whose share of the range reaches the code.
        var symbol = 0
        if UInt32(frequencies[7]) &* range >= target { symbol = 8 }
        if UInt32(frequencies[symbol &+ 3]) &* range >= target { symbol &+= 4 }
        if UInt32(frequencies[symbol &+ 1]) &* range >= target { symbol &+= 2 }
        if UInt32(frequencies[symbol]) &* range >= target { symbol &+= 1 }
        if symbol == 15 && UInt32(frequencies[15]) &* range >= target { symbol = 16 }
        narrow(above: UInt32(frequencies[symbol]), below: symbol > 0 ? UInt32(frequencies[symbol &- 1]) : 16384, from: &reader)
        return symbol
    }

    /// Decodes one of 4 symbols with falling cumulative frequencies.
    @inline(__always)
    private mutating func decodeLowerBits(_ frequencies: Span<UInt16>, row: Int, from reader: inout BitReader) -> Int {
        let target = target
        let frequencies = frequencies.extracting(4 &* row..<4 &* row &+ 4)
        var symbol = 0
        if UInt32(frequencies[0]) &* range >= target { symbol = 1 }
        if UInt32(frequencies[1]) &* range >= target { symbol = 2 }
        if UInt32(frequencies[2]) &* range >= target { symbol = 3 }
        let upper = symbol > 0 ? UInt32(frequencies[symbol &- 1]) : 16384
        narrow(above: UInt32(frequencies[symbol]), below: upper, from: &reader)
        return symbol
    }

    /// The limit that the product of the range and a frequency reaches if the code is in the share above it.
    @inline(__always)
    private var target: UInt32 { (UInt32(truncatingIfNeeded: code >> 48) &+ 1) << 14 }

    /// Narrows the interval to a symbol's share, and takes in the bits that it decides.
    @inline(__always)
    private mutating func narrow(above lower: UInt32, below upper: UInt32, from reader: inout BitReader) {
        let start = (range &* lower) >> 14
        let length = (range &* upper) >> 14 &- start
        code &-= UInt64(start) << 48
        low &+= start
        let high = low &+ length &- 1
        // With a bit below the 16, so that there is a leading one.
        let equalCount = UInt32(truncatingIfNeeded: ((low ^ high) << 16 | 0x8000).leadingZeroBitCount)
        // The bits after the first in which the ends differ, where it is not the last.
        let crossing = (low & ~high) &<< (equalCount &+ 17)
        let count = equalCount &+ UInt32(truncatingIfNeeded: (~crossing | 1).leadingZeroBitCount)
        low = (low &<< count) & 0x7FFF
        range = length &<< count
        code &<<= UInt64(count)
        ahead &-= Int(count)
        if ahead < 16 {
            let bits = 48 &- ahead
            code |= reader.peekWindow() >> UInt64(truncatingIfNeeded: 64 &- bits)
            reader.skip(bits)
            ahead = 48
        }
    }
}
