// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The map from states of the context to models of the arithmetic coder, and the models in the form that decodes fast (ISO/IEC 23003-3, 7.4).
///
/// Most of the 2^20 states are in long runs with one model. The models of all states, in pages of 256 without the equal ones, take 100 of 128 KB.
struct ArithmeticModels: Sendable {
    /// The page of each 256 states.
    private let pages: ContiguousArray<UInt16>
    /// The model of each state, page after page.
    private let models: ContiguousArray<UInt8>
    /// The share of each symbol in the interval, 32 for each model: its lower end in the lower 16 bits, its upper end above, both of 2^14.
    private let shares = Self.makeShares()
    /// A symbol that is at most the one at a place of the interval, by model and place: a place is 128 of 2^14 positions, and two more.
    private let firstSymbols = Self.makeFirstSymbols()
    /// The share of each value of two lower bits, 4 for each of three models, then the same of the first again.
    private let lowerShares = Self.makeLowerShares()

    /// The map, computed once.
    static let shared = ArithmeticModels()

    /// The states of a page.
    private static let pageLength = 256
    /// The length of ``models``, a power of two, so that a masked index needs no check.
    private static let capacity = 1 << 17

    /// Computes the map.
    private init() {
        let states = ArithmeticCoderTables.hashStates
        var models = ContiguousArray<UInt8>()
        var uniformPages = ContiguousArray<UInt16?>(repeating: nil, count: 64)
        var index = 0
        pages = ContiguousArray(
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
                    // A state in the table has a model of its own; those below it share one.
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
        self.models = models + ContiguousArray(repeating: 0, count: Self.capacity - models.count)
    }

    /// Returns the share between falling cumulative frequencies.
    private static func share(_ frequencies: ArraySlice<UInt16>, _ symbol: Int) -> UInt32 {
        let upper = symbol > 0 ? frequencies[frequencies.startIndex + symbol - 1] : 16384
        return UInt32(upper) << 16 | UInt32(frequencies[frequencies.startIndex + symbol])
    }

    /// Returns the cumulative frequencies of a model.
    private static func frequencies(_ model: Int) -> ArraySlice<UInt16> {
        Array(ArithmeticCoderTables.magnitudes[17 * model..<17 * (model + 1)])[...]
    }

    /// Computes ``shares``.
    private static func makeShares() -> ContiguousArray<UInt32> {
        var shares = ContiguousArray<UInt32>(repeating: 0, count: 64 * 32)
        for model in 0..<64 {
            let frequencies = frequencies(model)
            for symbol in 0..<17 { shares[32 * model + symbol] = share(frequencies, symbol) }
        }
        return shares
    }

    /// Computes ``firstSymbols``.
    private static func makeFirstSymbols() -> ContiguousArray<UInt8> {
        var symbols = ContiguousArray<UInt8>(repeating: 0, count: 64 * 128)
        for model in 0..<64 {
            let frequencies = frequencies(model)
            for place in 0..<128 {
                symbols[128 * model + place] = UInt8(frequencies.reduce(0) { $0 + ($1 > 128 * place + 129 ? 1 : 0) })
            }
        }
        return symbols
    }

    /// Computes ``lowerShares``.
    private static func makeLowerShares() -> ContiguousArray<UInt32> {
        ContiguousArray(
            (0..<16).map { index in
                let first = index / 4 % 3 * 4
                return share(Array(ArithmeticCoderTables.lowerBits[first..<first + 4])[...], index % 4)
            })
    }

    /// The map as spans, for a loop.
    struct Spans: ~Escapable {
        /// The page of each 256 states.
        let pages: Span<UInt16>
        /// The model of each state, page after page.
        let models: Span<UInt8>
        /// The share of each symbol, 32 for each model.
        let shares: Span<UInt32>
        /// The first symbol at each of 128 places of the interval, for each model.
        let firstSymbols: Span<UInt8>
        /// The share of each value of two lower bits, 4 for each model.
        let lowerShares: Span<UInt32>

        /// Borrows a map.
        @inline(__always)
        @_lifetime(borrow models)
        init(_ models: borrowing ArithmeticModels) {
            // With literal counts, checks of masked indices fold.
            pages = models.pages.span.extracting(0..<4096)
            self.models = models.models.span.extracting(0..<1 << 17)
            shares = models.shares.span.extracting(0..<64 * 32)
            firstSymbols = models.firstSymbols.span.extracting(0..<64 * 128)
            lowerShares = models.lowerShares.span.extracting(0..<16)
        }

        /// Returns the page of a state of at most 20 bits; its lowest 8 bits don't matter.
        @inline(__always)
        func page(of state: UInt32) -> UInt16 { pages[Int(truncatingIfNeeded: state >> 8) & 0xFFF] }

        /// Returns the model of a state in its page, 0 to 63.
        @inline(__always)
        func model(of state: UInt32, page: UInt16) -> Int {
            Int(models[(Int(page) << 8 | Int(truncatingIfNeeded: state & 0xFF)) & 0x1FFFF])
        }

        /// Returns the first symbol of a model to try at a place, 0 to 127; the right one is rarely further.
        @inline(__always)
        func firstSymbol(_ model: Int, at place: UInt32) -> Int {
            Int(firstSymbols[(model << 7 | Int(truncatingIfNeeded: place)) & 0x1FFF])
        }

        /// Returns the share of a symbol, 0 to 16.
        @inline(__always)
        func share(_ model: Int, of symbol: Int) -> UInt32 { shares[(model << 5 &+ symbol) & 0x7FF] }
    }
}
