// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Divides the bands of a frame into sections with one codebook each, at the least bits (`section_data`).
///
/// Exact dynamic programming over bands and codebooks; noise and intensity bands stand where they are and only cost their
/// headers. A band of zeros may join a section of a spectral codebook where that is cheaper than a section of its own.
struct Sectioning: ~Copyable {
    /// Codebooks a band can have here: none, and 1 to 11.
    private static let bookCount = 12

    /// A cost that is never chosen.
    private static let impossible: Float = 1e9

    /// What each band takes in each codebook.
    private var bookCosts = [1440 of Float](repeating: 0)

    /// The lowest cost up to and with each band, by codebook; a fixed band stands as codebook 0.
    private var costs = [1440 of Float](repeating: 0)

    /// Sets what a band takes in codebooks 0 to 11, in bits or in units of cost that count as bits.
    mutating func setCosts(_ band: Int, _ costs: [12 of Float]) {
        for book in 0..<Self.bookCount { bookCosts[band * Self.bookCount + book] = costs[book] }
    }

    /// Chooses the codebook of every band.
    ///
    /// `codebooks` holds what stands already: ``BandCodebook/noise`` and the intensity books are kept, all others replaced.
    mutating func choose(_ codebooks: inout MutableSpan<UInt8>, layout: borrowing BandLayout) {
        let headerBits: Float = layout.sequence == .eightShort ? 7 : 9
        for group in 0..<layout.groupCount {
            let bands = group * layout.bandsPerGroup..<(group + 1) * layout.bandsPerGroup
            for band in bands {
                let goesOn = band > bands.lowerBound && Self.goesOn(to: band, codebooks.span)
                extend(to: band, isFirst: band == bands.lowerBound, goesOn: goesOn, fixed: codebooks[band], headerBits: headerBits)
            }
            trace(&codebooks, bands, headerBits: headerBits)
        }
    }

    /// Whether a section can go on from the band before: fixed bands stand alone.
    private static func goesOn(to band: Int, _ codebooks: Span<UInt8>) -> Bool {
        codebooks[band] <= BandCodebook.escape && codebooks[band - 1] <= BandCodebook.escape
    }

    private mutating func extend(to band: Int, isFirst: Bool, goesOn: Bool, fixed: UInt8, headerBits: Float) {
        let row = band * Self.bookCount
        var costs = costs.mutableSpan
        let begun = SIMD4(repeating: (isFirst ? 0 : Self.lowest(costs.span, row: row - Self.bookCount)) + headerBits)
        if fixed > BandCodebook.escape {
            for book in 1..<Self.bookCount { costs[row + book] = Self.impossible }
            costs[row] = begun[0]
            return
        }
        for book in stride(from: 0, to: Self.bookCount, by: 4) {
            let arrival = goesOn ? begun.minimum(costs.vector(at: row - Self.bookCount + book)) : begun
            costs.store(arrival + bookCosts.span.vector(at: row + book), at: row + book)
        }
    }

    private static func lowest(_ costs: Span<Float>, row: Int) -> Float {
        costs.vector(at: row).minimum(costs.vector(at: row + 4)).minimum(costs.vector(at: row + 8)).least
    }

    private static func cheapestBook(_ costs: Span<Float>, row: Int) -> Int {
        var cheapest = 0
        for book in 1..<bookCount where costs[row + book] < costs[row + cheapest] { cheapest = book }
        return cheapest
    }

    // Mutating, since a span of an array in a method that isn't copies the array.
    private mutating func trace(_ codebooks: inout MutableSpan<UInt8>, _ bands: Range<Int>, headerBits: Float) {
        guard let last = bands.last else { return }
        let costs = costs.span
        var book = Self.cheapestBook(costs, row: last * Self.bookCount)
        for band in bands.reversed() {
            let before = (band - 1) * Self.bookCount
            let begins =
                band > bands.lowerBound
                && (!Self.goesOn(to: band, codebooks.span) || Self.lowest(costs, row: before) + headerBits <= costs[before + book])
            if codebooks[band] <= BandCodebook.escape { codebooks[band] = UInt8(book) }
            if begins { book = Self.cheapestBook(costs, row: before) }
        }
    }
}
