// SPDX-License-Identifier: Apache-2.0

/// The map from context states to models of the arithmetic coder, and the models in a form for fast decoding (ISO/IEC 23003-3, 7.4).
///
/// Most of the 2^20 states are in long runs with one model. The models of all states, in pages of 256 with duplicates removed, take 100 of
/// 128 KB. States without escapes also have their models in rows of 16, which take 8 KB.
struct ArithmeticModels: Sendable {
    /// The page of each 256 states.
    private let pages: ContiguousArray<UInt16>
    /// The model of each state, page by page.
    private let models: ContiguousArray<UInt8>
    /// The start in ``rowModels`` of each 16 states without escapes, indexed by old magnitudes: loud pairs in the lower half, quiet in the
    /// upper.
    private let rows: ContiguousArray<UInt32>
    /// The models of 16 states each, with most duplicates removed.
    private let rowModels: ContiguousArray<UInt8>
    /// The cumulative frequencies of each symbol, of 2^14, 32 per model: the lower end in the lower 16 bits, the upper end above.
    private let cumulativeFrequencies: ContiguousArray<UInt32>
    /// The first symbol to try, with its sum, by model and position.
    ///
    /// Each of 128 positions covers 128 of 2^14 values, plus two more. The symbol is at most the actual one.
    private let firstSymbols: ContiguousArray<UInt8>
    /// The cumulative frequencies of ``firstSymbols``, of 2^14: lower end, then upper end.
    private let firstEnds: ContiguousArray<UInt16>
    /// The cumulative frequencies of each value of two lower bits, 4 for each of three models.
    ///
    /// The first model is repeated at the end.
    private let lowerCumulativeFrequencies = Self.makeLowerCumulativeFrequencies()

    /// The sign masks of four lines, 16 bits each, all ones for minus.
    ///
    /// The index is the next four bits (1 for plus) plus 16 times a mask of the nonzero lines.
    private let signs = Self.makeSigns()

    /// The shared map, computed once.
    static let shared = ArithmeticModels()

    private static let pageLength = 256
    /// The length of ``models``, a power of two, so that a masked index needs no check.
    private static let capacity = 1 << 17
    /// The length of ``rowModels``, a power of two.
    private static let rowCapacity = 1 << 13

    private init() {
        let states = ArithmeticCoderTables.hashStates
        var models = ContiguousArray<UInt8>()
        var uniformPages = ContiguousArray<UInt16?>(repeating: nil, count: 64)
        var index = 0
        let pages = ContiguousArray(
            (0..<4096).map { page in
                let first = UInt32(page * Self.pageLength)
                let uniformModel = ArithmeticCoderTables.rangeModels[index]
                let isUniform = states[index] >= first + UInt32(Self.pageLength)
                if isUniform, let known = uniformPages[Int(uniformModel)] { return known }
                let number = UInt16(models.count / Self.pageLength)
                if isUniform { uniformPages[Int(uniformModel)] = number }
                let end = first + UInt32(Self.pageLength)
                var state = first
                while state < end {
                    // A state in the table has its own model. The states below it share one.
                    let run = min(states[index], end) - state
                    models.append(contentsOf: repeatElement(ArithmeticCoderTables.rangeModels[index], count: Int(run)))
                    state += run
                    if state < end {
                        models.append(ArithmeticCoderTables.hashModels[index])
                        index += 1
                        state += 1
                    }
                }
                return number
            })
        self.pages = pages
        (rows, rowModels) = Self.makeRows(pages, models)
        cumulativeFrequencies = Self.makeCumulativeFrequencies()
        firstSymbols = Self.makeFirstSymbols()
        firstEnds = Self.makeFirstEnds(cumulativeFrequencies, firstSymbols)
        self.models = models + ContiguousArray(repeating: 0, count: Self.capacity - models.count)
    }

    private static func makeRows(
        _ pages: ContiguousArray<UInt16>, _ models: ContiguousArray<UInt8>
    ) -> (ContiguousArray<UInt32>, ContiguousArray<UInt8>) {
        var rowModels = ContiguousArray<UInt8>()
        var uniformRows = ContiguousArray<UInt32?>(repeating: nil, count: 64)
        let rows = (0..<8192).map { row in
            let first = Int(pages[row / 16]) * pageLength + row % 16 * 16
            let states = models[first..<first + 16]
            let isUniform = states.allSatisfy { $0 == models[first] }
            if isUniform, let known = uniformRows[Int(models[first])] { return known }
            let start = UInt32(rowModels.count)
            if isUniform { uniformRows[Int(models[first])] = start }
            rowModels.append(contentsOf: states)
            return start
        }
        rowModels.append(contentsOf: repeatElement(0, count: rowCapacity - rowModels.count))
        return (ContiguousArray((0..<4096).map { rows[$0] | rows[$0 + 4096] << 16 }), rowModels)
    }

    /// Returns the ends of a symbol's interval from descending cumulative frequencies.
    private static func interval(_ frequencies: ArraySlice<UInt16>, _ symbol: Int) -> UInt32 {
        let upper = symbol > 0 ? frequencies[frequencies.startIndex + symbol - 1] : 16384
        return UInt32(upper) << 16 | UInt32(frequencies[frequencies.startIndex + symbol])
    }

    /// Returns the cumulative frequencies of a model.
    private static func frequencies(_ model: Int) -> ArraySlice<UInt16> {
        Array(ArithmeticCoderTables.magnitudes[17 * model..<17 * (model + 1)])[...]
    }

    /// Returns a symbol, 0 to 16, plus the sum of its two magnitudes and 1, shifted left by 5 bits.
    ///
    /// The sum of an escape is meaningless.
    static func symbolAndSum(_ symbol: UInt32) -> UInt32 { symbol | ((symbol & 3) &+ (symbol >> 2) &+ 1) << 5 }

    /// Computes ``cumulativeFrequencies``.
    private static func makeCumulativeFrequencies() -> ContiguousArray<UInt32> {
        var cumulativeFrequencies = ContiguousArray<UInt32>(repeating: 0, count: 64 * 32)
        for model in 0..<64 {
            let frequencies = frequencies(model)
            for symbol in 0..<17 { cumulativeFrequencies[32 * model + symbol] = interval(frequencies, symbol) }
        }
        return cumulativeFrequencies
    }

    /// Computes ``firstSymbols``.
    private static func makeFirstSymbols() -> ContiguousArray<UInt8> {
        var symbols = ContiguousArray<UInt8>(repeating: 0, count: 64 * 128)
        for model in 0..<64 {
            let frequencies = frequencies(model)
            for position in 0..<128 {
                let symbol = frequencies.reduce(0 as UInt32) { $0 + ($1 > 128 * position + 129 ? 1 : 0) }
                symbols[128 * model + position] = UInt8(symbolAndSum(symbol))
            }
        }
        return symbols
    }

    /// Computes ``firstEnds``.
    private static func makeFirstEnds(_ cumulativeFrequencies: ContiguousArray<UInt32>, _ symbols: ContiguousArray<UInt8>)
        -> ContiguousArray<UInt16>
    {
        var ends = ContiguousArray<UInt16>(repeating: 0, count: 2 * symbols.count)
        for index in symbols.indices {
            let interval = cumulativeFrequencies[32 * (index / 128) + Int(symbols[index] & 31)]
            ends[2 * index] = UInt16(truncatingIfNeeded: interval)
            ends[2 * index + 1] = UInt16(truncatingIfNeeded: interval >> 16)
        }
        return ends
    }

    /// Computes ``lowerCumulativeFrequencies``.
    private static func makeLowerCumulativeFrequencies() -> ContiguousArray<UInt32> {
        ContiguousArray(
            (0..<16).map { index in
                let first = index / 4 % 3 * 4
                return interval(Array(ArithmeticCoderTables.lowerBits[first..<first + 4])[...], index % 4)
            })
    }

    /// Computes ``signs``.
    private static func makeSigns() -> ContiguousArray<UInt64> {
        ContiguousArray(
            (0..<256).map { index in
                var (signs, bit): (UInt64, Int) = (0, 3)
                for line in 0..<4 where index >> (4 + line) & 1 != 0 {
                    if index >> bit & 1 == 0 { signs |= 0xFFFF << UInt64(16 * line) }
                    bit -= 1
                }
                return signs
            })
    }

    @_lifetime(borrow self)
    borrowing func signTable() -> Span<UInt64> { signs.span.extracting(0..<256) }

    /// The map as spans, for use in a loop.
    struct Spans: ~Escapable {
        /// The page of each 256 states.
        let pages: Span<UInt16>
        /// The start in ``rowModels`` of each 16 states without escapes.
        ///
        /// Quiet pairs are in the upper half.
        let rows: Span<UInt32>
        /// The models of the states in rows.
        let rowModels: Span<UInt8>
        /// The model of each state, page by page.
        let models: Span<UInt8>
        /// The cumulative frequencies of each symbol, 32 per model.
        let cumulativeFrequencies: Span<UInt32>
        /// The first symbol to try at each of 128 positions, per model.
        let firstSymbols: Span<UInt8>
        /// The cumulative frequencies of the first symbols, lower end first.
        let firstEnds: Span<UInt16>
        /// The cumulative frequencies of each value of two lower bits, 4 per model.
        let lowerCumulativeFrequencies: Span<UInt32>

        @inline(__always)
        @_lifetime(borrow models)
        init(_ models: borrowing ArithmeticModels) {
            // With literal counts, checks of masked indices fold.
            pages = models.pages.span.extracting(0..<4096)
            rows = models.rows.span.extracting(0..<4096)
            rowModels = models.rowModels.span.extracting(0..<1 << 13)
            self.models = models.models.span.extracting(0..<1 << 17)
            cumulativeFrequencies = models.cumulativeFrequencies.span.extracting(0..<64 * 32)
            firstSymbols = models.firstSymbols.span.extracting(0..<64 * 128)
            firstEnds = models.firstEnds.span.extracting(0..<2 * 64 * 128)
            lowerCumulativeFrequencies = models.lowerCumulativeFrequencies.span.extracting(0..<16)
        }

        /// Returns the model of a state, 0 to 63.
        ///
        /// The state has at most 20 bits.
        @inline(__always)
        func model(of state: UInt32) -> Int {
            let page = Int(pages[Int(truncatingIfNeeded: state >> 8) & 0xFFF])
            return Int(models[page << 8 & 0x1FF00 | Int(truncatingIfNeeded: state & 0xFF)])
        }

        /// Returns the model of a state without escapes, 0 to 63.
        ///
        /// - Parameters:
        ///   - row: The start of its row, in the lower half.
        ///   - magnitude: The new magnitude of the previous pair, 0 to 15.
        func model(row: UInt32, magnitude: UInt32) -> Int { Int(rowModels[Int(truncatingIfNeeded: (row | magnitude) & 0x1FFF)]) }

        /// Returns the first symbol of a model to try at a position, 0 to 127, and the ends of its interval.
        ///
        /// The actual symbol is rarely later.
        @inline(__always)
        func first(_ model: Int, at position: UInt32) -> (symbol: UInt32, lower: UInt32, upper: UInt32) {
            let index = (model << 7 | Int(truncatingIfNeeded: position)) & 0x1FFF
            return (UInt32(firstSymbols[index]), UInt32(firstEnds[2 &* index]), UInt32(firstEnds[2 &* index &+ 1]))
        }

        /// Returns the cumulative frequencies of a symbol, 0 to 16.
        func interval(_ model: Int, of symbol: Int) -> UInt32 { cumulativeFrequencies[(model << 5 &+ symbol) & 0x7FF] }
    }
}
