// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// The arithmetic encoder for spectra (`arith_data`, ISO/IEC 23003-3, 7.4), the inverse of ``SpectralArithmeticDecoder``.
package struct SpectralArithmeticEncoder {
    /// The lower end of the interval.
    private var low: UInt32 = 0
    /// The length of the interval, up to 2^16.
    private var range: UInt32 = 0x10000
    /// The number of pending bits, which follow the next bit with its inverse value.
    private var followingCount = 0

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
            for line in 0..<2 * pairCount where lines[line] != 0 { sink.write(lines[line] > 0) }
        }
        for pair in pairCount..<totalPairCount { magnitudes[pair] = 1 }
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
        // Consecutive zero pairs often have the same state.
        var (silentState, silentInterval) = (UInt32.max, UInt32(0))
        for pair in 0..<(isStopped ? pairCount + 1 : pairCount) {
            around |= UInt32(magnitudes[pair + 1]) << 8
            let state = around << 4 | c1 | (pair > 3 && c1 + c2 + c3 < 5 ? 0x10000 : 0)
            guard pair < pairCount else {
                encode(16, models, state, escapes: 0, to: &sink)
                encode(0, models, state, escapes: 1, to: &sink)
                return
            }
            let (a, b) = (UInt32(lines[2 * pair].magnitude), UInt32(lines[2 * pair + 1].magnitude))
            if a | b == 0 {
                if state != silentState { (silentState, silentInterval) = (state, models.interval(models.model(of: state), of: 0)) }
                encode(silentInterval, to: &sink)
                (c3, c2, c1) = (c2, c1, 1)
                magnitudes[pair] = 1
                around >>= 4
                continue
            }
            var lowerCount: UInt32 = 0
            while max(a, b) >> lowerCount > 3 {
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
            (c3, c2, c1) = (c2, c1, min(a + b + 1, 15))
            magnitudes[pair] = UInt8(c1)
            around >>= 4
        }
    }

    /// Encodes one of 17 symbols in a state after `escapes` escapes.
    private mutating func encode(
        _ symbol: Int, _ models: borrowing ArithmeticModels.Spans, _ state: UInt32, escapes: UInt32, to sink: inout some BitSink
    ) {
        let state = state | min(escapes, 7) << 17
        encode(models.interval(models.model(of: state), of: symbol), to: &sink)
    }

    /// Narrows the interval to a symbol's and writes the decided bits.
    private mutating func encode(_ interval: UInt32, to sink: inout some BitSink) {
        let start = (range * (interval & 0xFFFF)) >> 14
        range = (range * (interval >> 16)) >> 14 - start
        low += start
        while true {
            let high = low + range - 1
            if high < 0x8000 {
                put(false, to: &sink)
            } else if low >= 0x8000 {
                put(true, to: &sink)
                low -= 0x8000
            } else if low >= 0x4000 && high < 0xC000 {
                followingCount += 1
                low -= 0x4000
            } else {
                return
            }
            low <<= 1
            range <<= 1
        }
    }

    /// Writes a bit and the pending bits.
    private mutating func put(_ bit: Bool, to sink: inout some BitSink) {
        sink.write(bit)
        for _ in 0..<followingCount { sink.write(!bit) }
        followingCount = 0
    }

    /// Writes the bits that identify the interval.
    private mutating func finish(to sink: inout some BitSink) {
        followingCount += 1
        put(low >= 0x4000, to: &sink)
    }
}
