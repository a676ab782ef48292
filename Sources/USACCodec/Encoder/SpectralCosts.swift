// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The lengths of the codes of ``SpectralArithmeticEncoder``, in units of 1/256 bit.
package struct SpectralCosts: Sendable {
    /// The length of each of 17 symbols, 32 per model.
    private let symbols: ContiguousArray<UInt16>
    /// The length of each pair with magnitudes up to 3 and its signs, 16 per model.
    private let smallPairs: ContiguousArray<UInt16>
    /// The length of each value of two lower bits, 4 per model.
    private let lowerBits: ContiguousArray<UInt16>

    package static let unitsPerBit = 256

    /// The shared costs, computed once.
    package static let shared = SpectralCosts()

    private init() {
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        var symbols = ContiguousArray<UInt16>()
        for index in 0..<64 * 32 { symbols.append(index % 32 < 17 ? Self.cost(models.interval(index / 32, of: index % 32)) : 0) }
        self.symbols = symbols
        smallPairs = ContiguousArray(
            (0..<64 * 16).map { index in
                let signCount = (index & 3 > 0 ? 1 : 0) + (index >> 2 & 3 > 0 ? 1 : 0)
                return symbols[(index >> 4) * 32 + index & 15] + UInt16(signCount * Self.unitsPerBit)
            })
        var lowerBits = ContiguousArray<UInt16>()
        for index in 0..<12 { lowerBits.append(Self.cost(models.lowerCumulativeFrequencies[index])) }
        self.lowerBits = lowerBits
    }

    /// Returns the cost of a symbol with an interval of 2^14.
    private static func cost(_ interval: UInt32) -> UInt16 {
        let bits = 14 - PortableMath.log2(Float(interval >> 16 - interval & 0xFFFF))
        return UInt16((bits * Float(unitsPerBit)).rounded())
    }

    /// The end of a window's code.
    package struct End {
        /// The number of coded pairs.
        ///
        /// A stop symbol follows if the window has more.
        package var pairCount: Int
        /// The length of the code with its signs, in which the end of the interval counts as one bit.
        ///
        /// Without the pairs up to the last value if only the end was searched.
        package var cost: Int
    }

    /// Returns the end of a window with the shortest code, and advances the context.
    ///
    /// After the last value, each zero pair and a stop symbol are alternatives that leave the same context.
    ///
    /// - Parameters:
    ///   - lines: The values of the window, with magnitudes up to 8191.
    ///   - lineCount: The number of lines that may be coded, even. All lines after them must be 0.
    ///   - countsValues: Whether the cost includes the pairs up to the last value, which have no alternatives.
    ///   - context: The context, sized for the window.
    package func end(
        of lines: Span<Int16>, lineCount: Int, countsValues: Bool = true, advances: Bool = true, context: inout SpectralContext
    ) -> End {
        var lastLine = lineCount
        while lastLine & 3 == 0 && lastLine > 0 && lines.quad(at: lastLine &- 4) == 0 { lastLine &-= 4 }
        while lastLine > 0 && lines[lastLine - 2] == 0 && lines[lastLine - 1] == 0 { lastLine -= 2 }
        let end =
            lineCount == 0
            ? End(pairCount: 0, cost: 0)
            : self.end(after: lines, lastLine / 2, limit: lineCount / 2, countsValues: countsValues, context.values.span)
        if advances { context.advance(lines, pairCount: lastLine / 2) }
        return end
    }

    /// Returns the end with the shortest code, after the pairs up to the last value.
    private func end(
        after lines: Span<Int16>, _ lastPair: Int, limit: Int, countsValues: Bool, _ magnitudes: Span<UInt8>
    ) -> End {
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        var end = End(pairCount: limit, cost: .max)
        var cost = Self.unitsPerBit
        if countsValues { cost += self.cost(of: lines.extracting(0..<2 * lastPair), after: magnitudes) }
        // As in the encoder.
        var around = UInt32(magnitudes[lastPair]) << 4 | (lastPair > 0 ? UInt32(magnitudes[lastPair - 1]) : 0)
        var (c1, c2, c3) = (
            SpectralContext.magnitude(lines, lastPair - 1), SpectralContext.magnitude(lines, lastPair - 2),
            SpectralContext.magnitude(lines, lastPair - 3)
        )
        var (silentState, silentCost) = (UInt32.max, 0)
        for pair in lastPair..<limit {
            around |= UInt32(magnitudes[pair &+ 1]) << 8
            let state = around << 4 | c1 | (pair > 3 && c1 &+ c2 &+ c3 < 5 ? 0x10000 : 0)
            (c3, c2, c1) = (c2, c1, 1)
            around >>= 4
            // The stop symbol has the same cost as one pair before if the state is the same, so it is not cheaper.
            if state != silentState {
                let stop = cost &+ self.stop(models, state)
                if stop < end.cost { end = End(pairCount: pair, cost: stop) }
                (silentState, silentCost) = (state, symbol(0, models, state, escapes: 0))
            }
            cost &+= silentCost
            // All later ends cost more.
            if cost > end.cost { return end }
        }
        return cost <= end.cost ? End(pairCount: limit, cost: cost) : end
    }

    /// Returns the length of the first pairs of a window.
    private func cost(of lines: Span<Int16>, after magnitudes: Span<UInt8>) -> Int {
        let map = ArithmeticModels.shared
        let models = ArithmeticModels.Spans(map)
        var around = UInt32(magnitudes[0]) << 4
        var (c1, c2, c3): (UInt32, UInt32, UInt32) = (0, 0, 0)
        var cost = 0
        for pair in 0..<lines.count / 2 {
            around |= UInt32(magnitudes[pair + 1]) << 8
            let isQuiet = pair > 3 && c1 &+ c2 &+ c3 < 5
            let state: UInt32 = around << 4 | c1 | (isQuiet ? 0x10000 : 0)
            around >>= 4
            cost += pairCost(UInt32(lines[2 * pair].magnitude), UInt32(lines[2 * pair + 1].magnitude), models, state)
            (c3, c2) = (c2, c1)
            c1 = SpectralContext.magnitude(lines, pair)
        }
        return cost
    }

    /// Returns the costs of pairs with magnitudes up to 3 and their signs, 16 per model.
    @_lifetime(borrow self)
    borrowing func smallPairCosts() -> Span<UInt16> { smallPairs.span.extracting(0..<64 * 16) }

    func stop(_ models: borrowing ArithmeticModels.Spans, _ state: UInt32) -> Int {
        symbol(16, models, state, escapes: 0) &+ symbol(0, models, state, escapes: 1)
    }

    /// Returns the cost of a pair of magnitudes with its signs.
    func pairCost(_ a: UInt32, _ b: UInt32, _ models: borrowing ArithmeticModels.Spans, _ state: UInt32) -> Int {
        guard a | b > 3 else { return Int(smallPairs[models.model(of: state) << 4 + Int(a | b << 2)]) }
        var cost = ((a > 0 ? 1 : 0) + (b > 0 ? 1 : 0)) * Self.unitsPerBit
        var lowerCount: UInt32 = 0
        while (a | b) >> lowerCount > 3 {
            cost += symbol(16, models, state, escapes: lowerCount)
            lowerCount += 1
        }
        cost += symbol(Int(a >> lowerCount | (b >> lowerCount) << 2), models, state, escapes: lowerCount)
        while lowerCount > 0 {
            let row = a >> lowerCount == 0 ? 1 : b >> lowerCount == 0 ? 0 : 2
            lowerCount -= 1
            cost += Int(lowerBits[4 * row + Int(a >> lowerCount & 1 | (b >> lowerCount & 1) << 1)])
        }
        return cost
    }

    @inline(__always)
    func symbol(_ symbol: Int, _ models: borrowing ArithmeticModels.Spans, _ state: UInt32, escapes: UInt32) -> Int {
        Int(symbols[models.model(of: state | min(escapes, 7) << 17) << 5 + symbol])
    }
}
