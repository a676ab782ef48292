// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Divides the bands of a frame into sections with one codebook each, at the least bits (`section_data`).
///
/// Exact dynamic programming over bands and codebooks; noise and intensity bands stand where they are and only cost their
/// headers. A band of zeros may join a section of a spectral codebook where that is cheaper than a section of its own.
struct Sectioning: ~Copyable {
    /// A cost that is never chosen.
    private static let impossible: Float = 1e9

    /// What each band takes in each codebook.
    private var bookCosts = [120 of BookCosts](repeating: BookCosts(repeating: 0))

    /// The lowest cost up to and with each band, by codebook; a fixed band stands as codebook 0.
    private var costs = [1440 of Float](repeating: 0)

    /// The lowest of all codebooks.
    private var lowest = [120 of Float](repeating: 0)

    /// Sets what a band takes in each codebook.
    @inline(__always)
    mutating func setCosts(_ band: Int, _ costs: BookCosts) { bookCosts[band] = costs }

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
        let row = band * BookCosts.count
        var costs = costs.mutableSpan
        let begun = SIMD4(repeating: (isFirst ? 0 : lowest[band - 1]) + headerBits)
        if fixed > BandCodebook.escape {
            for place in 0..<BookCosts.count { costs[row + place] = Self.impossible }
            costs[row + BookCosts.place(ofBook: 0)] = begun[0]
            lowest[band] = begun[0]
            return
        }
        let taken = bookCosts[band].vectors
        var (first, second, third) = (begun, begun, begun)
        if goesOn {
            first = begun.minimum(costs.vector(at: row - 12))
            second = begun.minimum(costs.vector(at: row - 8))
            third = begun.minimum(costs.vector(at: row - 4))
        }
        first += taken.0
        second += taken.1
        third += taken.2
        costs.store(first, at: row)
        costs.store(second, at: row + 4)
        costs.store(third, at: row + 8)
        lowest[band] = first.minimum(second).minimum(third).least
    }

    /// The first codebook with the lowest cost of a band.
    private mutating func cheapestBook(_ band: Int) -> Int {
        var book = 0
        while costs[band * BookCosts.count + BookCosts.place(ofBook: book)] > lowest[band] { book += 1 }
        return book
    }

    private mutating func trace(_ codebooks: inout MutableSpan<UInt8>, _ bands: Range<Int>, headerBits: Float) {
        guard let last = bands.last else { return }
        var book = cheapestBook(last)
        for band in bands.reversed() {
            let before = (band - 1) * BookCosts.count
            let begins =
                band > bands.lowerBound
                && (!Self.goesOn(to: band, codebooks.span)
                    || lowest[band - 1] + headerBits <= costs[before + BookCosts.place(ofBook: book)])
            if codebooks[band] <= BandCodebook.escape { codebooks[band] = UInt8(book) }
            if begins { book = cheapestBook(band - 1) }
        }
    }
}
