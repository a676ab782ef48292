// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Divides the bands of a frame into sections with one codebook each, with the lowest number of bits (`section_data`,
/// ISO/IEC 14496-3:2009, 4.6.3).
///
/// Dynamic programming over bands and codebooks. Noise and intensity bands keep their codebooks and only cost their headers. A band of zeros
/// joins a section with a spectral codebook where that is cheaper than a section of its own.
struct Sectioning: ~Copyable {
    /// Keeps the struct in place.
    private let addressOnly = AddressOnly()

    /// A cost that is never the lowest.
    private static let impossible: Float = 1e9

    /// The cost of each band in each codebook.
    private var codebookCosts = [120 of CodebookCosts](repeating: CodebookCosts(repeating: 0))

    /// The lowest cost up to each band, by its codebook; bands with a fixed codebook are stored as codebook 0.
    private var costs = [1440 of Float](repeating: 0)

    /// The lowest cost over the codebooks of each band.
    private var lowest = [120 of Float](repeating: 0)

    /// Returns the bits of a section header: four for the codebook, and three or five for the length.
    static func headerBits(of sequence: WindowSequence) -> Float { sequence == .eightShort ? 7 : 9 }

    /// Sets the cost of a band in each codebook.
    @inline(__always)
    mutating func setCosts(_ band: Int, _ costs: CodebookCosts) { codebookCosts[band] = costs }

    /// Chooses the codebook of each band.
    ///
    /// - Parameter codebooks: The codebook of each band: ``BandCodebook/noise`` and the intensity codebooks are kept, all others are
    ///   replaced.
    mutating func choose(_ codebooks: inout MutableSpan<UInt8>, layout: borrowing BandLayout) {
        let headerBits = Self.headerBits(of: layout.sequence)
        for group in 0..<layout.groupCount {
            let bands = group * layout.bandsPerGroup..<(group + 1) * layout.bandsPerGroup
            for band in bands {
                let canContinue = band > bands.lowerBound && Self.canContinue(to: band, codebooks.span)
                let start = (band == bands.lowerBound ? 0 : lowest[band - 1]) + headerBits
                extend(to: band, startCost: start, canContinue: canContinue, fixed: codebooks[band])
            }
            trace(&codebooks, bands, headerBits: headerBits)
        }
    }

    /// Returns whether a section of the band before can continue: bands with fixed codebooks have sections of their own.
    private static func canContinue(to band: Int, _ codebooks: Span<UInt8>) -> Bool {
        codebooks[band] <= BandCodebook.escape && codebooks[band - 1] <= BandCodebook.escape
    }

    /// Computes the lowest costs up to a band.
    ///
    /// - Parameters:
    ///   - startCost: The lowest cost up to the band before, plus the header of a section that starts here.
    ///   - canContinue: Whether a section of the band before can continue.
    ///   - fixed: The codebook that the band has already.
    private mutating func extend(to band: Int, startCost: Float, canContinue: Bool, fixed: UInt8) {
        let row = band * CodebookCosts.count
        var costs = costs.mutableSpan
        if fixed > BandCodebook.escape {
            for index in 0..<CodebookCosts.count { costs[row + index] = Self.impossible }
            costs[row + CodebookCosts.index(ofBook: 0)] = startCost
            lowest[band] = startCost
            return
        }
        let ofBand = codebookCosts[band].vectors
        let started = SIMD4(repeating: startCost)
        var (first, second, third) = (started, started, started)
        if canContinue {
            first = started.minimum(costs.vector(at: row - 12))
            second = started.minimum(costs.vector(at: row - 8))
            third = started.minimum(costs.vector(at: row - 4))
        }
        first += ofBand.0
        second += ofBand.1
        third += ofBand.2
        costs.store(first, at: row)
        costs.store(second, at: row + 4)
        costs.store(third, at: row + 8)
        lowest[band] = first.minimum(second).minimum(third).least
    }

    /// Returns the first codebook with the lowest cost up to a band.
    private mutating func cheapestBook(_ band: Int) -> Int {
        var book = 0
        while costs[band * CodebookCosts.count + CodebookCosts.index(ofBook: book)] > lowest[band] { book += 1 }
        return book
    }

    /// Sets the codebooks of a group, from its last band back to its first.
    private mutating func trace(_ codebooks: inout MutableSpan<UInt8>, _ bands: Range<Int>, headerBits: Float) {
        guard let last = bands.last else { return }
        var book = cheapestBook(last)
        for band in bands.reversed() {
            let before = (band - 1) * CodebookCosts.count
            let startsSection =
                band > bands.lowerBound
                && (!Self.canContinue(to: band, codebooks.span)
                    || lowest[band - 1] + headerBits <= costs[before + CodebookCosts.index(ofBook: book)])
            if codebooks[band] <= BandCodebook.escape { codebooks[band] = UInt8(book) }
            if startsSection { book = cheapestBook(band - 1) }
        }
    }
}
