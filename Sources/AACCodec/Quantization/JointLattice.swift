// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// The lowest costs of the states of ``JointSearch``, by band, codebook and scale factor.
struct JointLattice: ~Copyable {
    /// The states of a band in one codebook: the scale factors of a frame lie within so many steps of each other.
    static let stateCount = 96

    /// The lowest cost of all bands up to each band, by the band's codebook and by state.
    private(set) var costs = FixedArray<Float>(repeating: 0, count: 0)

    /// The lowest cost over the codebooks of each band, by state.
    private(set) var cheapest = FixedArray<Float>(repeating: 0, count: 0)

    /// Makes a lattice without storage.
    init() {}

    /// Allocates the storage, once: most coders never need it.
    mutating func allocate() {
        guard costs.count == 0 else { return }
        costs = FixedArray(repeating: CodebookCosts.impossible, count: BandLayout.maximumCount * CodebookCosts.count * Self.stateCount)
        cheapest = FixedArray(repeating: CodebookCosts.impossible, count: BandLayout.maximumCount * Self.stateCount)
    }

    /// Returns the index of state 0 of a band in a codebook in ``costs``.
    @inline(__always)
    static func row(_ band: Int, book: Int) -> Int { (band * CodebookCosts.count + book) * stateCount }

    /// Returns the index of state 0 of a band in ``cheapest``.
    @inline(__always)
    static func row(_ band: Int) -> Int { band * stateCount }

    /// Sets the cost of a state.
    @inline(__always)
    mutating func setCost(_ cost: Float, _ band: Int, book: Int, state: Int) { costs[Self.row(band, book: book) + state] = cost }

    /// Makes states of a band impossible in all codebooks.
    mutating func clear(_ band: Int, _ states: Range<Int>) {
        var costs = costs.mutableSpan
        for book in 0..<CodebookCosts.count {
            let row = Self.row(band, book: book)
            for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
                costs.store(SIMD4(repeating: CodebookCosts.impossible), at: row + state)
            }
        }
    }

    /// The arguments of ``leaveOut(_:_:)``.
    struct Omission {
        /// The states of the band before.
        var statesBefore: Range<Int>
        /// The bits of a section header.
        var headerBits: Float
        /// Whether the band is the first of its group, where a section has to begin.
        var isFirst: Bool
        /// The cost of leaving out the band, in bits.
        var zeroCost: Float
    }

    /// Leaves out a band, which keeps the states of the band before and takes codebook 0.
    mutating func leaveOut(_ band: Int, _ omission: Omission) {
        let row = Self.row(band, book: 0)
        let states = omission.statesBefore
        let cheapest = cheapest.span
        var costs = costs.mutableSpan
        for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            var arrival = cheapest.vector(at: Self.row(band - 1) + state) + SIMD4(repeating: omission.headerBits)
            if !omission.isFirst { arrival = arrival.minimum(costs.vector(at: Self.row(band - 1, book: 0) + state)) }
            costs.store(
                (arrival + SIMD4(repeating: omission.zeroCost)).minimum(SIMD4(repeating: CodebookCosts.impossible)), at: row + state)
        }
    }

    /// Sets ``cheapest`` for states of a band, and returns the lowest cost.
    mutating func findCheapest(_ band: Int, _ states: Range<Int>) -> Float {
        let row = Self.row(band, book: 0)
        let costs = costs.span
        var cheapest = cheapest.mutableSpan
        var lowest = SIMD4<Float>(repeating: CodebookCosts.impossible)
        for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            var best = costs.vector(at: row + state)
            for book in 1..<CodebookCosts.count { best = best.minimum(costs.vector(at: row + book * Self.stateCount + state)) }
            cheapest.store(best, at: Self.row(band) + state)
            lowest = lowest.minimum(best)
        }
        return lowest.least
    }

    /// Returns the first codebook with the lowest cost of a state.
    func cheapestBook(_ band: Int, state: Int) -> Int {
        let index = Self.row(band, book: 0) + state
        var best = 0
        for book in 1..<CodebookCosts.count where costs[index + book * Self.stateCount] < costs[index + best * Self.stateCount] {
            best = book
        }
        return best
    }
}
