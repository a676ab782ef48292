// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// The arithmetic encoder for spectra (`arith_data`, ISO/IEC 23003-3, 7.4), the inverse of ``SpectralArithmeticDecoder``.
package struct SpectralArithmeticEncoder {
    /// The number of bits after the first one of ``Interval/code`` that are left out.
    ///
    /// They have its inverse value.
    private var followingCount: UInt32 = 0

    /// The interval of the code so far.
    ///
    /// Functions pass it by value, so that loops keep it in registers.
    private struct Interval {
        /// The lower end, below 2^15 between symbols.
        var low: UInt32 = 0
        /// The length, above 2^14 between symbols and up to 2^16.
        var range: UInt32 = 0x10000
        /// The code at the lower end: the last ``bitCount`` bits, which are not written yet, and 16 bits below them.
        ///
        /// A carry into these bits stops at the last bit that is 0.
        var code: UInt64 = 0
        /// Up to 31 between symbols.
        var bitCount: UInt32 = 0
    }

    private init() {}

    /// Writes the lines of one window.
    ///
    /// - Parameters:
    ///   - lines: The values of the window, with magnitudes up to 8191.
    ///   - lineCount: The number of lines that may be coded, even.
    ///   - pairCount: The number of pairs to code. All lines after them must be 0; a stop symbol follows if `lineCount` permits more.
    ///   - context: The context, sized for the window.
    package static func encode(
        _ lines: Span<Int16>, lineCount: Int, pairCount: Int, context: inout SpectralContext, to sink: inout some BitSink
    ) {
        let totalPairCount = context.pairCount
        precondition(lines.count == 2 * totalPairCount && pairCount <= lineCount / 2 && lineCount <= lines.count)
        var magnitudes = context.magnitudes()
        if lineCount > 0 {
            var encoder = SpectralArithmeticEncoder()
            encoder.encodePairs(lines, pairCount, isStopped: pairCount < lineCount / 2, &magnitudes, to: &sink)
            writeSigns(lines, pairCount: pairCount, to: &sink)
        }
        for pair in pairCount..<totalPairCount { magnitudes[pair] = 1 }
    }

    /// Writes a bit for each value except 0, 1 for plus.
    private static func writeSigns(_ lines: Span<Int16>, pairCount: Int, to sink: inout some BitSink) {
        var (signs, count): (UInt32, Int) = (0, 0)
        for line in stride(from: 0, to: 2 &* pairCount, by: 4) {
            var quad = lines.quad(at: line)
            while quad != 0 {
                let value = Int16(truncatingIfNeeded: quad)
                signs = signs &<< (value != 0 ? 1 : 0) | (value > 0 ? 1 : 0)
                count &+= value != 0 ? 1 : 0
                quad &>>= 16
            }
            guard count > 28 else { continue }
            sink.write(signs, count: count)
            (signs, count) = (0, 0)
        }
        sink.write(signs, count: count)
    }

    /// Writes the code of the magnitudes of pairs, and of the stop symbol.
    private mutating func encodePairs(
        _ lines: Span<Int16>, _ pairCount: Int, isStopped: Bool, _ magnitudes: inout MutableSpan<UInt8>, to sink: inout some BitSink
    ) {
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        var interval = Interval()
        // As in the decoder.
        var around = UInt32(magnitudes[0]) << 4
        var (c1, c2, c3): (UInt32, UInt32, UInt32) = (0, 0, 0)
        var quad: UInt64 = 0
        for pair in 0..<pairCount {
            around |= UInt32(magnitudes[pair &+ 1]) << 8
            let isQuiet = pair > 3 && c1 &+ c2 &+ c3 < 5
            let rows = models.rows[Int(around & 0xFFF)]
            let model = models.model(row: isQuiet ? rows >> 16 : rows & 0xFFFF, magnitude: c1)
            quad = pair & 1 == 0 ? lines.quad(at: 2 &* pair) : quad &>> 32
            (c3, c2, c1) = (c2, c1, 1)
            if UInt32(truncatingIfNeeded: quad) == 0 {
                // The first symbol is at the upper end.
                let start = (interval.range &* (models.interval(model, of: 0) & 0xFFFF)) &>> 14
                narrow(&interval, start, interval.range, to: &sink)
            } else {
                let a = UInt32(Int16(truncatingIfNeeded: quad).magnitude)
                let b = UInt32(Int16(truncatingIfNeeded: quad &>> 16).magnitude)
                if a | b > 3 {
                    interval = encodeLarge(a, b, models, around << 4 | c2 | (isQuiet ? 0x10000 : 0), interval, to: &sink)
                } else {
                    encode(models.interval(model, of: Int(a | b << 2)), &interval, to: &sink)
                }
                c1 = min(a &+ b &+ 1, 15)
            }
            magnitudes[pair] = UInt8(truncatingIfNeeded: c1)
            around >>= 4
        }
        guard isStopped else { return finish(interval, to: &sink) }
        around |= UInt32(magnitudes[pairCount + 1]) << 8
        let state = around << 4 | c1 | (pairCount > 3 && c1 + c2 + c3 < 5 ? 0x10000 : 0)
        encode(16, models, state, escapes: 0, &interval, to: &sink)
        encode(0, models, state, escapes: 1, &interval, to: &sink)
        finish(interval, to: &sink)
    }

    /// Encodes a pair with a magnitude above 3.
    @inline(never)
    private mutating func encodeLarge(
        _ a: UInt32, _ b: UInt32, _ models: borrowing ArithmeticModels.Spans, _ state: UInt32, _ interval: Interval,
        to sink: inout some BitSink
    ) -> Interval {
        var interval = interval
        var lowerCount: UInt32 = 0
        while (a | b) >> lowerCount > 3 {
            encode(16, models, state, escapes: lowerCount, &interval, to: &sink)
            lowerCount += 1
        }
        encode(Int(a >> lowerCount | (b >> lowerCount) << 2), models, state, escapes: lowerCount, &interval, to: &sink)
        while lowerCount > 0 {
            let row = a >> lowerCount == 0 ? 1 : b >> lowerCount == 0 ? 0 : 2
            lowerCount -= 1
            let bits = a >> lowerCount & 1 | (b >> lowerCount & 1) << 1
            encode(models.lowerCumulativeFrequencies[4 * row + Int(bits)], &interval, to: &sink)
        }
        return interval
    }

    /// Encodes one of 17 symbols in a state after `escapes` escapes.
    @inline(__always)
    private mutating func encode(
        _ symbol: Int, _ models: borrowing ArithmeticModels.Spans, _ state: UInt32, escapes: UInt32, _ interval: inout Interval,
        to sink: inout some BitSink
    ) {
        let state = state | min(escapes, 7) << 17
        encode(models.interval(models.model(of: state), of: symbol), &interval, to: &sink)
    }

    /// Narrows the interval to a symbol's cumulative frequencies, of 2^14.
    @inline(__always)
    private mutating func encode(_ frequencies: UInt32, _ interval: inout Interval, to sink: inout some BitSink) {
        let start = (interval.range &* (frequencies & 0xFFFF)) &>> 14
        narrow(&interval, start, (interval.range &* (frequencies &>> 16)) &>> 14, to: &sink)
    }

    /// Narrows the interval to a part, and adds bits to the code.
    @inline(__always)
    private mutating func narrow(_ interval: inout Interval, _ start: UInt32, _ end: UInt32, to sink: inout some BitSink) {
        interval.range = end &- start
        interval.low = interval.low &+ start
        interval.code = interval.code &+ UInt64(start)
        guard interval.range <= 0x8000 else { return }
        let (low, high) = (interval.low, interval.low &+ interval.range &- 1)
        // Bits that both ends share are decided. Then the interval is within the middle half as often as the next bits are 1 at its lower
        // end and 0 at its upper.
        let shared = UInt32(truncatingIfNeeded: ((low ^ high) &<< 16 | 0x8000).leadingZeroBitCount)
        let middle = (low & ~high) &<< shared
        let count = shared &+ UInt32(truncatingIfNeeded: (~middle &<< 17 | 0x10000).leadingZeroBitCount)
        interval.low = low &<< count & 0x7FFF
        interval.range &<<= count
        interval.code &<<= UInt64(count)
        interval.bitCount &+= count
        if interval.bitCount >= 32 { interval = writeDecided(interval, to: &sink) }
    }

    /// Writes the bits that no carry can change.
    @inline(never)
    private mutating func writeDecided(_ interval: Interval, to sink: inout some BitSink) -> Interval {
        var interval = interval
        let ones = UInt32(truncatingIfNeeded: (~(interval.code &>> 16)).trailingZeroBitCount)
        write(ones < interval.bitCount ? min(interval.bitCount &- ones &- 1, 32) : 32, of: &interval, to: &sink)
        guard interval.bitCount >= 32 else { return interval }
        // The code is a 0 and a long run of 1.
        followingCount &+= interval.bitCount &- 2
        interval.bitCount = 2
        interval.code &= 0x1FFFF
        return interval
    }

    /// Writes the first `count` bits of the code, up to 32.
    private mutating func write(_ count: UInt32, of interval: inout Interval, to sink: inout some BitSink) {
        guard count > 0 else { return }
        interval.bitCount &-= count
        let position = UInt64(interval.bitCount &+ 16)
        let bits = UInt32(truncatingIfNeeded: interval.code &>> position)
        interval.code &= 1 &<< position &- 1
        guard followingCount > 0 else { return sink.write(bits, count: Int(count)) }
        let isOne = bits &>> (count &- 1) != 0
        sink.write(isOne)
        for _ in 0..<followingCount { sink.write(!isOne) }
        followingCount = 0
        sink.write(bits & (1 &<< (count &- 1) &- 1), count: Int(count) &- 1)
    }

    /// Writes the bits that identify the interval.
    private mutating func finish(_ interval: Interval, to sink: inout some BitSink) {
        var interval = interval
        interval.code = (interval.code &+ UInt64((interval.low < 0x4000 ? 0x4000 : 0x8000) &- interval.low)) &<< 2
        interval.bitCount &+= 2
        let half = interval.bitCount / 2
        write(half, of: &interval, to: &sink)
        write(interval.bitCount, of: &interval, to: &sink)
    }
}
