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

    /// The lowest cost up to and with each band, by codebook, and whether a section begins there.
    private var costs = [1440 of Float](repeating: 0)
    private var begins = [1440 of Bool](repeating: false)

    /// The codebook of the cheapest predecessor of each band where a section begins.
    private var cheapestBooks = [120 of UInt8](repeating: 0)

    /// Sets what a band takes in codebooks 0 to 11, in bits or in units of cost that count as bits.
    mutating func setCosts(_ band: Int, _ costs: [12 of Float]) {
        for book in 0..<Self.bookCount { bookCosts[band * Self.bookCount + book] = costs[book] }
    }

    /// Chooses the codebook of every band.
    ///
    /// `codebooks` holds what stands already: ``BandCodebook/noise`` and the intensity books are kept, all others replaced.
    mutating func choose(_ codebooks: inout MutableSpan<UInt8>, layout: borrowing BandLayout) {
        let lengthBits: Float = layout.sequence == .eightShort ? 3 : 5
        for group in 0..<layout.groupCount {
            let first = group * layout.bandsPerGroup
            for band in first..<first + layout.bandsPerGroup {
                extend(to: band, isFirst: band == first, fixed: codebooks.span[band], headerBits: 4 + lengthBits)
            }
            trace(&codebooks, from: first, to: first + layout.bandsPerGroup)
        }
    }

    private mutating func extend(to band: Int, isFirst: Bool, fixed: UInt8, headerBits: Float) {
        let row = band * Self.bookCount
        var arrival: Float = 0
        if !isFirst {
            var cheapest = 0
            for book in 1..<Self.bookCount where costs.span[row - Self.bookCount + book] < costs.span[row - Self.bookCount + cheapest] {
                cheapest = book
            }
            cheapestBooks[band] = UInt8(cheapest)
            arrival = costs.span[row - Self.bookCount + cheapest]
        }
        let isFixed = fixed > BandCodebook.escape
        for book in 0..<Self.bookCount {
            let begun = arrival + headerBits
            // A fixed band is entered as book 0; the section before it can't go on through it.
            let own = isFixed ? (book == 0 ? 0 : Self.impossible) : bookCosts.span[row + book]
            let stayed = isFirst || isFixed ? Self.impossible : costs.span[row - Self.bookCount + book]
            begins[row + book] = begun <= stayed
            costs[row + book] = min(begun, stayed) + own
        }
        // Nor does a section go on from a fixed band: the next band begins one.
        if isFixed { for book in 1..<Self.bookCount { costs[row + book] = Self.impossible * 2 } }
    }

    // Mutating, since a span of an array in a method that isn't copies the array.
    private mutating func trace(_ codebooks: inout MutableSpan<UInt8>, from first: Int, to end: Int) {
        guard end > first else { return }
        var book = 0
        let lastRow = (end - 1) * Self.bookCount
        for other in 1..<Self.bookCount where costs.span[lastRow + other] < costs.span[lastRow + book] { book = other }
        for band in stride(from: end - 1, through: first, by: -1) {
            if codebooks[band] <= BandCodebook.escape { codebooks[band] = UInt8(book) }
            if band > first && begins.span[band * Self.bookCount + book] { book = Int(cheapestBooks.span[band]) }
        }
    }
}
