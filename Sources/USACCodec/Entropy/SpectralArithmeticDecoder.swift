// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import TransformCoding

/// The arithmetic decoder of spectra (`arith_data`, ISO/IEC 23003-3, 7.4): pairs of lines, with models that follow from pairs around them.
///
/// The ends of the interval have 16 bits, of which the leading ones that are equal are dropped, and then those in which the ends are 01… and 10….
/// The symbol is looked up by the code's place in the interval, one of 128. Each symbol depends on the one before by the place and by the model: the
/// place is computed before the bits are dropped, so that it does not wait for them, and only near the end of a share a second symbol is tried.
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
    /// The place of the code in the interval, of 128; that of the code's next bits may be one position further.
    private var place: UInt32

    /// The most bits that follow the two upper ones of a pair; more are damage.
    private static let maximumEscapes: UInt32 = 23
    /// The largest magnitude of a line.
    private static let maximumMagnitude: Int32 = 8191
    /// The bits that the code is ahead of what it has decided at its end.
    private static let lookAhead = 14

    /// Begins with the next 16 bits, and loads 32 more.
    private init(_ reader: inout BitReader) {
        code = (reader.peekWindow() >> 16) << 16
        place = UInt32(truncatingIfNeeded: code >> 57)
        reader.skip(48)
    }

    /// Decodes the lines of one window.
    ///
    /// - Parameters:
    ///   - lineCount: The coded lines, an even number; those after them are 0.
    ///   - lines: Receives the values of the window.
    ///   - context: The context, of the length of the window.
    /// - Returns: The number of coded pairs, which a stop symbol follows if the window has more; nil for a damaged code.
    static func decode(
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
            guard readSigns(of: decodedCount, in: &lines, from: &reader) else { return nil }
        }
        for pair in decodedCount..<totalPairCount {
            magnitudes[pair] = 1
            lines[2 &* pair] = 0
            lines[2 &* pair &+ 1] = 0
        }
        return decodedCount
    }

    /// Decodes the magnitudes of pairs.
    ///
    /// - Returns: The number of pairs before the stop symbol; negative for a damaged code.
    private static func decodePairs(
        _ pairCount: Int, into lines: inout MutableSpan<Int16>, _ magnitudes: inout MutableSpan<UInt8>, from reader: inout BitReader
    ) -> Int {
        // A local value, which the loop keeps in registers.
        var decoder = SpectralArithmeticDecoder(&reader)
        defer { reader.skip(-lookAhead &- decoder.ahead) }
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        // Old magnitudes around the pair: the next one in bits 8 to 11, its own in 4 to 7, the one before in 0 to 3.
        var around = UInt32(magnitudes[0]) << 4
        var (c1, c2, c3): (UInt32, UInt32, UInt32) = (0, 0, 0)
        for pair in 0..<pairCount {
            around |= UInt32(magnitudes[pair &+ 1]) << 8
            // Both pages are looked up before the last magnitude is known, and chosen without a branch; the first four pairs never are quiet.
            let pages = (models.page(of: around << 4), models.page(of: around << 4 | 0x10000))
            let loudness = Int32(truncatingIfNeeded: c1 &+ c2 &+ c3 &+ (pair > 3 ? 0 : 5))
            // All ones below 5.
            let quiet = UInt32(bitPattern: (loudness &- 5) >> 31)
            let state = around << 4 | c1 | quiet & 0x10000
            let model = models.model(of: state, page: pages.0 ^ (pages.0 ^ pages.1) & UInt16(truncatingIfNeeded: quiet))
            var symbol = decoder.decode(models, model: model, from: &reader)
            var (a, b) = (Int32(truncatingIfNeeded: symbol & 3), Int32(truncatingIfNeeded: symbol >> 2))
            if symbol == 16 {
                var escapes: UInt32 = 0
                repeat {
                    escapes &+= 1
                    guard escapes <= maximumEscapes else { return -1 }
                    let escaped = state | min(escapes, 7) << 17
                    let model = models.model(of: escaped, page: models.page(of: escaped))
                    symbol = decoder.decode(models, model: model, from: &reader)
                } while symbol == 16
                guard symbol > 0 else { return pair }
                (a, b) = (Int32(truncatingIfNeeded: symbol & 3), Int32(truncatingIfNeeded: symbol >> 2))
                for _ in 0..<escapes {
                    let row = a == 0 ? 1 : b == 0 ? 0 : 2
                    let bits = Int32(truncatingIfNeeded: decoder.decodeLowerBits(models, row: row, from: &reader))
                    a = a &<< 1 | bits & 1
                    b = b &<< 1 | bits >> 1
                }
                guard max(a, b) <= maximumMagnitude else { return -1 }
            }
            lines[2 &* pair] = Int16(truncatingIfNeeded: a)
            lines[2 &* pair &+ 1] = Int16(truncatingIfNeeded: b)
            (c3, c2, c1) = (c2, c1, UInt32(truncatingIfNeeded: min(a &+ b &+ 1, 15)))
            magnitudes[pair] = UInt8(truncatingIfNeeded: c1)
            around >>= 4
        }
        return pairCount
    }

    /// Reads the signs of the lines of pairs that are not 0: 1 for plus.
    ///
    /// - Returns: Whether there are as many bits.
    private static func readSigns(of pairCount: Int, in lines: inout MutableSpan<Int16>, from reader: inout BitReader) -> Bool {
        precondition(pairCount >= 0 && 2 &* pairCount <= lines.count)
        for first in stride(from: 0, to: 2 &* pairCount, by: signBlock) {
            var window = reader.peekWindow()
            var count: UInt64 = 0
            for line in first..<min(first &+ signBlock, 2 &* pairCount) {
                let value = lines[line]
                // All ones for minus.
                let sign = ~Int16(truncatingIfNeeded: Int64(bitPattern: window) >> 63)
                lines[line] = (value ^ sign) &- sign
                let length: UInt64 = value != 0 ? 1 : 0
                window &<<= length
                count &+= length
            }
            reader.skip(Int(truncatingIfNeeded: count))
        }
        return !reader.hasOverrun
    }

    /// The lines whose signs a window of 57 bits holds, and a multiple of two.
    private static let signBlock = 56

    /// Decodes one of 17 symbols.
    @inline(__always)
    private mutating func decode(_ models: borrowing ArithmeticModels.Spans, model: Int, from reader: inout BitReader) -> Int {
        let target = target
        var symbol = models.firstSymbol(model, at: place)
        var share = models.share(model, of: symbol)
        // Rarely: there are 128 places, and no more than 17 symbols. The share of the last symbol ends at 0.
        while range &* (share & 0xFFFF) > target {
            symbol &+= 1
            share = models.share(model, of: symbol)
        }
        narrow(to: share, from: &reader)
        return symbol
    }

    /// Decodes one of 4 symbols.
    @inline(__always)
    private mutating func decodeLowerBits(_ models: borrowing ArithmeticModels.Spans, row: Int, from reader: inout BitReader) -> Int {
        let target = target
        let shares = models.lowerShares.extracting(4 &* row..<4 &* row &+ 4)
        var symbol = range &* (shares[0] & 0xFFFF) > target ? 1 : 0
        symbol &+= range &* (shares[1] & 0xFFFF) > target ? 1 : 0
        symbol &+= range &* (shares[2] & 0xFFFF) > target ? 1 : 0
        narrow(to: shares[symbol], from: &reader)
        return symbol
    }

    /// The limit that the product of the range and a lower end does not exceed, if the code is in that share or above it.
    @inline(__always)
    private var target: UInt32 { UInt32(truncatingIfNeeded: code >> 34) | 0x3FFF }

    /// Narrows the interval to a symbol's share, and takes in the bits that it decides.
    @inline(__always)
    private mutating func narrow(to share: UInt32, from reader: inout BitReader) {
        let start = (range &* (share & 0xFFFF)) >> 14
        let length = (range &* (share >> 16)) >> 14 &- start
        code &-= UInt64(start) << 48
        // At least 1, since the range is above 2^14 and no share is empty.
        place = (UInt32(truncatingIfNeeded: code >> 34) / length) >> 7
        low &+= start
        let high = low &+ length &- 1
        // The interval lies within two neighbours of the cells of 2^width values, perhaps even of half as many; the two become the whole.
        let width = UInt32(truncatingIfNeeded: 31 &- (length &* 2 &- 1).leadingZeroBitCount)
        let isWithinHalves = (high &* 2) &>> width &- (low &* 2) &>> width <= 1
        let count = 15 &- width &+ (isWithinHalves ? 1 : 0)
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
