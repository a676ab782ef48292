// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// The arithmetic decoder for spectra (`arith_data`, ISO/IEC 23003-3, 7.4).
///
/// It decodes pairs of lines with models selected by nearby pairs.
///
/// The ends of the interval have 16 bits. Leading equal bits are dropped, then bits in which the ends are 01… and 10…. The code's position
/// in the interval, one of 128, selects the first symbol to try; only near the end of its range a second symbol is needed.
///
/// Each symbol depends on the previous symbol through the position and the model. The position is computed before decided bits are
/// dropped and new ones loaded, so it waits for neither. The model's row of 16 is looked up before the last magnitude is
/// known. The code is stored relative to the lower end and is shifted together with the ends.
package struct SpectralArithmeticDecoder {
    /// Twice the lower end of the interval.
    private var doubledLow: UInt32 = 0
    /// The length of the interval, up to 2^16.
    private var range: UInt32 = 0x10000
    /// The code minus the lower end in the upper 16 bits, then at least 16 following bits, then zeros.
    private var code: UInt64
    /// The position of the following bits.
    private var position: Int
    /// The code's position in the interval, of 128.
    ///
    /// With the bits that follow, it may be one value of 2^14 further.
    private var codePosition: UInt32

    /// The maximum number of bits after the two upper bits of a pair.
    ///
    /// More mean damage.
    private static let maximumEscapes: UInt32 = 23
    private static let maximumMagnitude: Int32 = 8191
    /// The sum of three pair magnitudes below which the pairs are quiet.
    private static let quietLimit: Int32 = 5
    /// The number of bits read ahead of the decided ones at the end of the code.
    private static let lookAhead = 14

    /// Starts at the reader's position.
    private init(_ reader: borrowing BitReader) {
        code = reader.peekWindow()
        codePosition = UInt32(truncatingIfNeeded: code >> 57)
        position = reader.bitPosition &+ 16
    }

    /// Decodes the lines of one window.
    ///
    /// - Parameters:
    ///   - lineCount: The number of coded lines, even. The remaining lines are 0.
    ///   - context: The context, sized for the window.
    /// - Returns: The number of coded pairs, which a stop symbol follows if the window has more; `nil` for a damaged code.
    package static func decode(
        lineCount: Int, into lines: inout MutableSpan<Int16>, context: inout SpectralContext, from reader: inout BitReader
    ) -> Int? {
        let pairCount = lineCount / 2
        let totalPairCount = context.pairCount
        precondition(lines.count == 2 * totalPairCount && pairCount <= totalPairCount)
        var magnitudes = context.magnitudes()
        var decodedCount = 0
        if pairCount > 0 {
            decodedCount = decodePairs(pairCount, into: &lines, &magnitudes, from: &reader)
            guard decodedCount >= 0 else { return nil }
        }
        for pair in decodedCount..<totalPairCount {
            magnitudes[pair] = 1
            lines[2 &* pair] = 0
            lines[2 &* pair &+ 1] = 0
        }
        return readSigns(of: decodedCount, in: &lines, from: &reader) ? decodedCount : nil
    }

    /// Decodes the magnitudes of pairs.
    ///
    /// - Returns: The number of pairs before the stop symbol; negative for a damaged code.
    private static func decodePairs(
        _ pairCount: Int, into lines: inout MutableSpan<Int16>, _ magnitudes: inout MutableSpan<UInt8>, from reader: inout BitReader
    ) -> Int {
        // Local values, which the loop keeps in registers.
        let source = copy reader
        var decoder = SpectralArithmeticDecoder(source)
        defer { reader.skip(decoder.position &- lookAhead &- source.bitPosition) }
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        // Local spans, so that the loop does not reload their bounds.
        var lines = lines._mutatingExtracting(0..<2 &* pairCount)
        var magnitudes = magnitudes._mutatingExtracting(0..<pairCount &+ 1)
        // Old magnitudes of the previous, the current and the next pair, four bits each.
        var old = UInt32(magnitudes[0]) << 8
        // New magnitudes of previous pairs, and the bound below which the last magnitude makes three pairs quiet.
        var (c1, c2, quietBound): (Int32, Int32, Int32) = (0, 0, quietLimit)
        for pair in 0..<pairCount {
            old = old >> 4 | UInt32(magnitudes[pair &+ 1]) << 8
            // Selects one of two models without a branch. The first four pairs are never quiet.
            let rows = models.rows[Int(truncatingIfNeeded: old & 0xFFF)]
            let loudModel = models.model(row: rows, magnitude: UInt32(bitPattern: c1))
            let quietModel = models.model(row: pair < 4 ? rows : rows >> 16, magnitude: UInt32(bitPattern: c1))
            let isQuiet = c1 < quietBound
            let symbol = decoder.decode(models, model: isQuiet ? quietModel : loudModel, from: source, loads: pair & 1 == 0)
            var values = symbol & 3 | (symbol & 12) << 14
            var next = symbol >> 5
            if symbol & 16 != 0 {
                // A copy, so that the loop keeps the decoder in registers.
                var copy = decoder
                let quietness: UInt32 = isQuiet && pair >= 4 ? 1 << 16 : 0
                let escaped = copy.decodeEscaped(models, state: quietness | old << 4 | UInt32(bitPattern: c1), from: source)
                decoder = copy
                guard escaped > 0 else { return escaped == 0 ? pair : -1 }
                values = UInt32(bitPattern: escaped)
                next = min((values & 0xFFFF) &+ (values >> 16) &+ 1, 15)
            }
            lines.store(pair: values, at: 2 &* pair)
            magnitudes[pair] = UInt8(truncatingIfNeeded: next)
            quietBound = quietLimit &- c1 &- c2
            (c2, c1) = (c1, Int32(bitPattern: next))
        }
        return pairCount
    }

    /// Decodes a pair after an escape.
    ///
    /// - Returns: The magnitudes, the second in the upper 16 bits; 0 for the stop symbol, negative for a damaged code.
    @inline(never)
    private mutating func decodeEscaped(
        _ models: borrowing ArithmeticModels.Spans, state: UInt32, from source: borrowing BitReader
    ) -> Int32 {
        // In registers, as in the loop over pairs.
        var decoder = self
        defer { self = decoder }
        var (symbol, escapes): (UInt32, UInt32) = (0, 0)
        repeat {
            escapes &+= 1
            guard escapes <= Self.maximumEscapes else { return -1 }
            symbol = decoder.decode(models, model: models.model(of: state | min(escapes, 7) << 17), from: source, loads: true)
        } while symbol & 16 != 0
        var (a, b) = (Int32(bitPattern: symbol & 3), Int32(bitPattern: symbol >> 2 & 3))
        guard a | b != 0 else { return 0 }
        for step in 0..<escapes {
            let row = a == 0 ? 1 : b == 0 ? 0 : 2
            // Each consumes at most 4 bits.
            let bits = Int32(truncatingIfNeeded: decoder.decodeLowerBits(models, row: row, from: source, loads: step & 1 == 0))
            a = a &<< 1 | bits & 1
            b = b &<< 1 | bits >> 1
        }
        return max(a, b) <= Self.maximumMagnitude ? a | b << 16 : -1
    }

    /// Reads the signs of nonzero lines, where 1 means plus.
    ///
    /// - Parameter lines: The magnitudes; 0 after the pairs.
    /// - Returns: Whether the reader had enough bits.
    private static func readSigns(of pairCount: Int, in lines: inout MutableSpan<Int16>, from reader: inout BitReader) -> Bool {
        precondition(2 &* pairCount <= lines.count && lines.count & 3 == 0)
        let models = ArithmeticModels.shared
        let table = models.signTable()
        for first in stride(from: 0, to: 2 &* pairCount, by: signBlock) {
            var window = reader.peekWindow()
            var count: UInt64 = 0
            for line in stride(from: first, to: min(first &+ signBlock, 2 &* pairCount), by: 4) {
                let quad = lines.quad(at: line)
                let isCoded = quad.nonzeroQuarters
                let signs = table[Int(truncatingIfNeeded: isCoded << 4 | window >> 60) & 0xFF]
                lines.store(quad: (quad ^ signs) &+ signs & 0x0001_0001_0001_0001, at: line)
                // Population counts of 4-bit numbers, as a table of 16 nibbles.
                let length = 0x4332_3221_3221_2110 as UInt64 &>> (4 &* isCoded) & 7
                window &<<= length
                count &+= length
            }
            reader.skip(Int(truncatingIfNeeded: count))
        }
        return !reader.hasOverrun
    }

    /// The number of lines whose signs fit into a window of 57 bits; a multiple of four.
    private static let signBlock = 56

    /// Decodes one of 17 symbols.
    ///
    /// - Parameter loads: Whether to load bits. Required at least for every second symbol.
    /// - Returns: The symbol with its sum. See ``ArithmeticModels/symbolAndSum(_:)``.
    @inline(__always)
    private mutating func decode(
        _ models: borrowing ArithmeticModels.Spans, model: Int, from reader: borrowing BitReader, loads: Bool
    ) -> UInt32 {
        let first = models.first(model, at: codePosition)
        var symbol = first.symbol
        var (start, upper) = ((range &* first.lower) >> 14, first.upper)
        // Rare, with 128 positions and at most 17 symbols. The last symbol's interval ends at 0.
        while code < UInt64(start) << 48 {
            symbol = ArithmeticModels.symbolAndSum((symbol & 31) &+ 1)
            let interval = models.interval(model, of: Int(truncatingIfNeeded: symbol & 31))
            (start, upper) = ((range &* (interval & 0xFFFF)) >> 14, interval >> 16)
        }
        narrow(from: start, length: (range &* upper) >> 14 &- start, reader, loads: loads)
        return symbol
    }

    /// Decodes one of 4 symbols.
    @inline(__always)
    private mutating func decodeLowerBits(
        _ models: borrowing ArithmeticModels.Spans, row: Int, from reader: borrowing BitReader, loads: Bool
    ) -> Int {
        let target = UInt32(truncatingIfNeeded: code >> 34) | 0x3FFF
        let cumulativeFrequencies = models.lowerCumulativeFrequencies.extracting(4 &* row..<4 &* row &+ 4)
        var symbol = range &* (cumulativeFrequencies[0] & 0xFFFF) > target ? 1 : 0
        symbol &+= range &* (cumulativeFrequencies[1] & 0xFFFF) > target ? 1 : 0
        symbol &+= range &* (cumulativeFrequencies[2] & 0xFFFF) > target ? 1 : 0
        let start = (range &* (cumulativeFrequencies[symbol] & 0xFFFF)) >> 14
        narrow(from: start, length: (range &* (cumulativeFrequencies[symbol] >> 16)) >> 14 &- start, reader, loads: loads)
        return symbol
    }

    /// Narrows the interval to a symbol's and consumes the bits that it decides.
    ///
    /// - Parameters:
    ///   - start: The offset of the symbol's lower end from the interval's.
    ///   - length: The length of the symbol's interval, at least 1, because the range exceeds 2^14 and all frequencies are nonzero.
    ///   - loads: Whether to load bits.
    @inline(__always)
    private mutating func narrow(from start: UInt32, length: UInt32, _ reader: borrowing BitReader, loads: Bool) {
        codePosition = (UInt32(truncatingIfNeeded: code >> 41) &- (start << 7)) / length
        // The position was computed from bits that are still in the code.
        if loads { code |= reader.peekWindow(at: position) >> 16 }
        code &-= UInt64(start) << 48
        // Twice the end of the interval and of its last value.
        let low = doubledLow &+ start &* 2
        let high = low &+ length &* 2 &- 2
        // The ends are one or two cells of 2^width / 2 values apart, or in the same cell if the interval has one value. The bits above the
        // width are decided, plus one for each cell fewer than two.
        let width = UInt32(truncatingIfNeeded: 31 &- ((length &* 2 &- 1) | 2).leadingZeroBitCount)
        let count = 17 &- width &- (high &>> width &- low &>> width)
        doubledLow = (low &<< count) & 0xFFFE
        range = length &<< count
        code &<<= UInt64(truncatingIfNeeded: count)
        position &+= Int(truncatingIfNeeded: count)
    }
}
