// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// The minimum costs of the states of ``JointSearch``, by band, codebook and scale factor.
struct JointLattice: ~Copyable {
    /// The number of states per band and codebook.
    ///
    /// All scale factors of a frame lie within this range.
    static let stateCount = 96

    /// The minimum cumulative cost up to each band, by the band's codebook and by state.
    private(set) var costs = FixedArray<Float>(repeating: 0, count: 0)

    /// The minimum of ``costs`` over the codebooks, by band and state.
    private(set) var cheapest = FixedArray<Float>(repeating: 0, count: 0)

    /// Creates a lattice without storage.
    init() {}

    /// Allocates the storage once.
    ///
    /// Most coders never need it.
    mutating func allocate() {
        guard costs.count == 0 else { return }
        costs = FixedArray(repeating: CodebookCosts.impossible, count: BandLayout.maximumCount * CodebookCosts.count * Self.stateCount)
        cheapest = FixedArray(repeating: CodebookCosts.impossible, count: BandLayout.maximumCount * Self.stateCount)
    }

    /// Returns the index in ``costs`` of a band's state 0 in a codebook.
    @inline(__always)
    static func row(_ band: Int, codebook: Int) -> Int { (band * CodebookCosts.count + codebook) * stateCount }

    /// Returns the index in ``cheapest`` of a band's state 0.
    @inline(__always)
    static func row(_ band: Int) -> Int { band * stateCount }

    @inline(__always)
    mutating func setCost(_ cost: Float, _ band: Int, codebook: Int, state: Int) {
        costs[Self.row(band, codebook: codebook) + state] = cost
    }

    /// Makes states of a band impossible in all codebooks.
    mutating func clear(_ band: Int, _ states: Range<Int>) {
        var costs = costs.mutableSpan
        for codebook in 0..<CodebookCosts.count {
            let row = Self.row(band, codebook: codebook)
            for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
                costs.store(SIMD4(repeating: CodebookCosts.impossible), at: row + state)
            }
        }
    }

    /// The arguments of ``zeroBand(_:_:)``.
    struct ZeroBand {
        var previousStates: Range<Int>
        var headerBits: Float
        /// Whether the band is the first of its group, where a section must start.
        var isFirst: Bool
        /// The cost of omitting the band, in bits.
        var zeroCost: Float
    }

    /// Omits a band: it keeps the states of the previous band and uses codebook 0.
    mutating func zeroBand(_ band: Int, _ zeroBand: ZeroBand) {
        let row = Self.row(band, codebook: 0)
        let states = zeroBand.previousStates
        let cheapest = cheapest.span
        var costs = costs.mutableSpan
        for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            var arrival = cheapest.vector(at: Self.row(band - 1) + state) + SIMD4(repeating: zeroBand.headerBits)
            if !zeroBand.isFirst { arrival = arrival.minimum(costs.vector(at: Self.row(band - 1, codebook: 0) + state)) }
            costs.store(
                (arrival + SIMD4(repeating: zeroBand.zeroCost)).minimum(SIMD4(repeating: CodebookCosts.impossible)), at: row + state)
        }
    }

    /// Sets ``cheapest`` for states of a band, and returns the minimum cost.
    mutating func findCheapest(_ band: Int, _ states: Range<Int>) -> Float {
        let row = Self.row(band, codebook: 0)
        let costs = costs.span
        var cheapest = cheapest.mutableSpan
        var lowest = SIMD4<Float>(repeating: CodebookCosts.impossible)
        for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            var best = costs.vector(at: row + state)
            for codebook in 1..<CodebookCosts.count { best = best.minimum(costs.vector(at: row + codebook * Self.stateCount + state)) }
            cheapest.store(best, at: Self.row(band) + state)
            lowest = lowest.minimum(best)
        }
        return lowest.least
    }

    /// Returns the first codebook with the minimum cost of a state.
    func cheapestCodebook(_ band: Int, state: Int) -> Int {
        let index = Self.row(band, codebook: 0) + state
        var best = 0
        for codebook in 1..<CodebookCosts.count where costs[index + codebook * Self.stateCount] < costs[index + best * Self.stateCount] {
            best = codebook
        }
        return best
    }
}
