// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// The arithmetic encoder for spectra (`arith_data`, ISO/IEC 23003-3, 7.4), the inverse of ``SpectralArithmeticDecoder``.
package struct SpectralArithmeticEncoder {
    /// The lower end of the interval, below 2^15 between symbols.
    private var low: UInt32 = 0
    /// The length of the interval, above 2^14 between symbols and up to 2^16.
    private var range: UInt32 = 0x10000
    /// The number of pending bits, which follow the next bit with its inverse value.
    private var followingCount: UInt32 = 0
    /// The last ``bitCount`` bits, up to 31 between symbols, which are not written yet.
    private var bits: UInt64 = 0
    private var bitCount: UInt32 = 0

    /// The largest number of pending bits that ``bits`` has space for.
    private static let followingLimit: UInt32 = 16

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
            encoder.finish(to: &sink)
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

    /// Encodes the magnitudes of pairs, and the stop symbol.
    private mutating func encodePairs(
        _ lines: Span<Int16>, _ pairCount: Int, isStopped: Bool, _ magnitudes: inout MutableSpan<UInt8>, to sink: inout some BitSink
    ) {
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        // As in the decoder.
        var around = UInt32(magnitudes[0]) << 4
        var (c1, c2, c3): (UInt32, UInt32, UInt32) = (0, 0, 0)
        var quad: UInt64 = 0
        for pair in 0..<pairCount {
            around |= UInt32(magnitudes[pair &+ 1]) << 8
            let isQuiet = pair > 3 && c1 &+ c2 &+ c3 < 5
            let rows = models.rows[Int(around)]
            let model = models.model(row: isQuiet ? rows >> 16 : rows & 0xFFFF, magnitude: c1)
            quad = pair & 1 == 0 ? lines.quad(at: 2 &* pair) : quad &>> 32
            (c3, c2, c1) = (c2, c1, 1)
            if UInt32(truncatingIfNeeded: quad) == 0 {
                encode(models.interval(model, of: 0), to: &sink)
            } else {
                let a = UInt32(Int16(truncatingIfNeeded: quad).magnitude)
                let b = UInt32(Int16(truncatingIfNeeded: quad &>> 16).magnitude)
                if a | b > 3 {
                    encodeLarge(a, b, models, around << 4 | c2 | (isQuiet ? 0x10000 : 0), to: &sink)
                } else {
                    encode(models.interval(model, of: Int(a | b << 2)), to: &sink)
                }
                c1 = min(a &+ b &+ 1, 15)
            }
            magnitudes[pair] = UInt8(truncatingIfNeeded: c1)
            around >>= 4
        }
        guard isStopped else { return }
        around |= UInt32(magnitudes[pairCount + 1]) << 8
        let state = around << 4 | c1 | (pairCount > 3 && c1 + c2 + c3 < 5 ? 0x10000 : 0)
        encode(16, models, state, escapes: 0, to: &sink)
        encode(0, models, state, escapes: 1, to: &sink)
    }

    /// Encodes a pair with a magnitude above 3.
    @inline(never)
    private mutating func encodeLarge(
        _ a: UInt32, _ b: UInt32, _ models: borrowing ArithmeticModels.Spans, _ state: UInt32, to sink: inout some BitSink
    ) {
        var lowerCount: UInt32 = 0
        while (a | b) >> lowerCount > 3 {
            encode(16, models, state, escapes: lowerCount, to: &sink)
            lowerCount += 1
        }
        encode(Int(a >> lowerCount | (b >> lowerCount) << 2), models, state, escapes: lowerCount, to: &sink)
        while lowerCount > 0 {
            let row = a >> lowerCount == 0 ? 1 : b >> lowerCount == 0 ? 0 : 2
            lowerCount -= 1
            let bits = a >> lowerCount & 1 | (b >> lowerCount & 1) << 1
            encode(models.lowerCumulativeFrequencies[4 * row + Int(bits)], to: &sink)
        }
    }

    /// Encodes one of 17 symbols in a state after `escapes` escapes.
    private mutating func encode(
        _ symbol: Int, _ models: borrowing ArithmeticModels.Spans, _ state: UInt32, escapes: UInt32, to sink: inout some BitSink
    ) {
        let state = state | min(escapes, 7) << 17
        encode(models.interval(models.model(of: state), of: symbol), to: &sink)
    }

    /// Narrows the interval to a symbol's and adds the decided bits.
    @inline(__always)
    private mutating func encode(_ interval: UInt32, to sink: inout some BitSink) {
        let start = (range &* (interval & 0xFFFF)) &>> 14
        range = (range &* (interval &>> 16)) &>> 14 &- start
        low = low &+ start
        var high = low &+ range &- 1
        if (low ^ high) & 0x8000 == 0 {
            // Bits that both ends share are decided.
            let count = UInt32(truncatingIfNeeded: ((low ^ high) &<< 16 | 0x8000).leadingZeroBitCount)
            addBits(count, to: &sink)
            low = low &<< count & 0xFFFF
            range &<<= count
            high = low &+ range &- 1
        }
        let middle = low & ~high
        guard middle & 0x4000 != 0 else { return }
        // The interval is within the middle half, and again as often as the next bits are 1 at its lower end and 0 at its upper.
        let count = UInt32(truncatingIfNeeded: (~middle &<< 17 | 0x10000).leadingZeroBitCount)
        followingCount &+= count
        low = low &<< count & 0x7FFF
        range &<<= count
    }

    /// Adds the first `count` bits of the interval, 1 to 16, and the pending bits.
    @inline(__always)
    private mutating func addBits(_ count: UInt32, to sink: inout some BitSink) {
        if followingCount <= Self.followingLimit {
            bits = bits &<< UInt64(followingCount &+ 1) | ((1 &<< UInt64(followingCount)) &- 1 &+ UInt64(low &>> 15))
            bitCount &+= followingCount &+ 1
        } else {
            writeFirst(to: &sink)
        }
        followingCount = 0
        bits = bits &<< UInt64(count &- 1) | UInt64((low & 0x7FFF) &>> (16 &- count))
        bitCount &+= count &- 1
        guard bitCount >= 32 else { return }
        bitCount &-= 32
        sink.write(UInt32(truncatingIfNeeded: bits &>> UInt64(bitCount)), count: 32)
    }

    /// Writes the first bit of the interval and the pending bits.
    @inline(never)
    private mutating func writeFirst(to sink: inout some BitSink) {
        flush(to: &sink)
        let isOne = low & 0x8000 != 0
        sink.write(isOne)
        for _ in 0..<followingCount { sink.write(!isOne) }
    }

    /// Writes the added bits.
    private mutating func flush(to sink: inout some BitSink) {
        sink.write(UInt32(truncatingIfNeeded: bits & (1 << UInt64(bitCount) - 1)), count: Int(bitCount))
        bitCount = 0
    }

    /// Writes the bits that identify the interval.
    private mutating func finish(to sink: inout some BitSink) {
        followingCount += 1
        low &<<= 1
        addBits(1, to: &sink)
        flush(to: &sink)
    }
}
