// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The scale factors that cost least when each band's codebook is chosen along with them.
///
/// A Viterbi search over the bands, with the costs of rounding tuple by tuple in each codebook. Its state is the scale factor of
/// the last band that was coded and the codebook of the band at hand, so that headers of sections count as they will be sent.
struct JointSearch: ~Copyable {
    /// Candidates of each band, around a scale factor that is good already.
    static let candidateCount = 12

    /// How many of them lie below it.
    static let candidatesBelow = 5

    /// Codebook 0, and 1 to 11.
    private static let bookCount = 12

    /// Scale factors in a frame lie within so many steps of each other.
    private static let span = 96

    private static let impossible: Float = 1e8

    /// A state before the first band that is coded.
    private static let nothingCoded = -1

    /// In bits, what each candidate of each band costs in each codebook.
    private var costs: [Float] = []

    /// The first candidate of each band.
    private var firsts = [120 of Int16](repeating: 0)

    /// What leaving each band out costs.
    private var zeroCosts = [120 of Float](repeating: 0)

    /// The lowest cost of all bands up to and with each, by its codebook and by state: rows of ``span``, ``bookCount`` a band.
    private var reached: [Float] = []

    /// The lowest of all codebooks, a row a band.
    private var cheapest: [Float] = []

    /// The states that bands up to and with each can end in.
    private var runs = [120 of StateRun](repeating: StateRun())

    /// The cost of leaving out all bands up to and with each, headers included.
    private var emptyCosts = [120 of Float](repeating: 0)

    /// Bits of scale factor differences from 60 down to -60, out of reach around.
    private var transitions = [320 of Float](repeating: impossible)
    private static let transitionCenter = 160

    /// A state that costs so much more than another is never the better one to come from: a header counts too.
    private static let largestGain = ScaleFactorTransitions.largestGain + 9

    init() {
        for difference in -ScaleFactorTransitions.largestDifference...ScaleFactorTransitions.largestDifference {
            transitions[Self.transitionCenter - difference] = Float(
                ScaleFactorCodebook.lengths[difference + ScaleFactorCodebook.indexOffset])
        }
    }

    /// Makes room, once: coders that don't search this way do without.
    mutating func makeRoom() {
        guard costs.isEmpty else { return }
        costs = [Float](repeating: Self.impossible, count: BandLayout.maximumCount * Self.candidateCount * Self.bookCount + 1)
        reached = [Float](repeating: Self.impossible, count: BandLayout.maximumCount * Self.bookCount * Self.span)
        cheapest = [Float](repeating: Self.impossible, count: BandLayout.maximumCount * Self.span)
    }

    /// Sets what a band costs when it is left out, and its candidates, which can't be taken before they have costs.
    mutating func setBand(_ band: Int, first: Int, zeroCost: Float) {
        firsts[band] = Int16(first)
        zeroCosts[band] = zeroCost
        let start = band * Self.candidateCount * Self.bookCount
        for place in start..<start + Self.candidateCount * Self.bookCount { costs[place] = Self.impossible }
    }

    /// Sets what a candidate costs in codebooks 1 to 11, errors at their price included.
    mutating func setCosts(_ band: Int, candidate: Int, _ books: BookCosts) {
        let place = (band * Self.candidateCount + candidate) * Self.bookCount
        // Codebook 0 comes last there, and falls where the next candidate's would be, which isn't used.
        var costs = costs.mutableSpan
        costs.store(books.vectors.0, at: place + 1)
        costs.store(books.vectors.1, at: place + 5)
        costs.store(books.vectors.2, at: place + 9)
    }

    /// Finds the scale factors; bands that are left out get ``ScaleFactorSearch/notCoded``.
    mutating func search(layout: borrowing BandLayout, into scaleFactors: inout MutableSpan<Int16>) {
        var lowest = Int.max
        var highest = 0
        for band in 0..<layout.count {
            lowest = min(lowest, Int(firsts[band]))
            highest = max(highest, Int(firsts[band]) + Self.candidateCount)
        }
        let canTrim = highest - lowest <= ScaleFactorTransitions.largestDifference
        lowest = max(lowest, highest - Self.span)
        let headerBits: Float = layout.sequence == .eightShort ? 7 : 9
        for band in 0..<layout.count {
            extend(to: band, Step(lowest: lowest, headerBits: headerBits, isFirst: band % layout.bandsPerGroup == 0), canTrim: canTrim)
        }
        trace(layout, lowest: lowest, headerBits: headerBits, into: &scaleFactors)
    }

    /// What going on to a band has to know besides the band.
    private struct Step {
        /// The scale factor of state 0.
        var lowest: Int
        /// Bits of a section's header.
        var headerBits: Float
        /// Whether the band is the first of its group, where sections begin.
        var isFirst: Bool
    }

    /// Goes on to a band: leaves it out, or codes it with each candidate in every codebook.
    private mutating func extend(to band: Int, _ step: Step, canTrim: Bool) {
        let before = band == 0 ? 0..<0 : runs.span[band - 1].states
        let first = Int(firsts[band]) - step.lowest
        let tried = max(0, first)..<max(0, min(first + Self.candidateCount, Self.span))
        var now = StateRun(before, joinedWith: tried)
        let row = band * Self.bookCount * Self.span
        Self.clear(&reached, now.states, row: row)
        Self.leaveOut(band, before, step, zeroCost: zeroCosts[band], cheapest, into: &reached)
        let emptyBefore = band == 0 ? 0 : emptyCosts[band - 1]
        emptyCosts[band] = emptyBefore + zeroCosts[band] + (step.isFirst ? step.headerBits : 0)
        for state in tried {
            let place = (band * Self.candidateCount + state - first) * Self.bookCount
            let arrival = min(
                emptyBefore,
                Self.lowestCost(at: state, cheapest.span, row: (band - 1) * Self.span, from: before, transitions.span))
            for book in 1..<Self.bookCount where costs[place + book] < Self.impossible {
                var best = arrival + step.headerBits
                if !step.isFirst {
                    let bookRow = row + (book - Self.bookCount) * Self.span
                    let staying = Self.lowestCost(at: state, reached.span, row: bookRow, from: before, transitions.span)
                    best = min(best, staying)
                }
                reached[row + book * Self.span + state] = best + costs[place + book]
            }
        }
        let least = Self.findCheapest(band, now.states, reached, into: &cheapest)
        if canTrim { now.trim(cheapest.span, row: band * Self.span, limit: least + Self.largestGain) }
        runs[band] = now
    }

    private static func clear(_ reached: inout [Float], _ states: Range<Int>, row: Int) {
        var reached = reached.mutableSpan
        for book in 0..<bookCount {
            for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
                reached.store(SIMD4(repeating: impossible), at: row + book * span + state)
            }
        }
    }

    /// Leaves a band out, which keeps the state; its codebook is 0.
    private static func leaveOut(
        _ band: Int, _ before: Range<Int>, _ step: Step, zeroCost: Float, _ cheapest: [Float], into reached: inout [Float]
    ) {
        let row = band * bookCount * span
        let cheapest = cheapest.span
        var reached = reached.mutableSpan
        for state in stride(from: before.lowerBound, to: before.upperBound, by: 4) {
            var arrival = cheapest.vector(at: (band - 1) * span + state) + SIMD4(repeating: step.headerBits)
            if !step.isFirst { arrival = arrival.minimum(reached.vector(at: row - bookCount * span + state)) }
            reached.store((arrival + SIMD4(repeating: zeroCost)).minimum(SIMD4(repeating: impossible)), at: row + state)
        }
    }

    /// Finds what each state costs with its best codebook; returns the lowest.
    private static func findCheapest(_ band: Int, _ states: Range<Int>, _ reached: [Float], into cheapest: inout [Float]) -> Float {
        let row = band * bookCount * span
        let reached = reached.span
        var cheapest = cheapest.mutableSpan
        var least = SIMD4<Float>(repeating: impossible)
        for state in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            var best = reached.vector(at: row + state)
            for book in 1..<bookCount { best = best.minimum(reached.vector(at: row + book * span + state)) }
            cheapest.store(best, at: band * span + state)
            least = least.minimum(best)
        }
        return least.least
    }

    /// The lowest cost of a state before, with the transition to `state`.
    ///
    /// - Parameters:
    ///   - before: Costs of states, those at hand from `row` on.
    ///   - states: A run of fours.
    @inline(__always)
    private static func lowestCost(
        at state: Int, _ before: Span<Float>, row: Int, from states: Range<Int>, _ transitions: Span<Float>
    ) -> Float {
        let shift = transitionCenter - state
        var best = SIMD4<Float>(repeating: impossible)
        for other in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            best = best.minimum(before.vector(at: row + other) + transitions.vector(at: shift + other))
        }
        return best.least
    }

    // MARK: The way back

    /// Goes back from the cheapest end, finding again which choice made each cost.
    private mutating func trace(
        _ layout: borrowing BandLayout, lowest: Int, headerBits: Float, into scaleFactors: inout MutableSpan<Int16>
    ) {
        guard layout.count > 0 else { return }
        var state = Self.nothingCoded
        var best = emptyCosts[layout.count - 1]
        for other in runs.span[layout.count - 1].states where cheapest[(layout.count - 1) * Self.span + other] < best {
            best = cheapest[(layout.count - 1) * Self.span + other]
            state = other
        }
        var book = state == Self.nothingCoded ? 0 : cheapestBook(layout.count - 1, state)
        for band in stride(from: layout.count - 1, through: 0, by: -1) {
            scaleFactors[band] = ScaleFactorSearch.notCoded
            guard state != Self.nothingCoded else { continue }
            let goesOn: Bool
            if book == 0 {
                let row = (band - 1) * Self.bookCount * Self.span
                goesOn = band % layout.bandsPerGroup != 0 && reached[row + state] < cheapest[(band - 1) * Self.span + state] + headerBits
            } else {
                scaleFactors[band] = Int16(state + lowest)
                (state, goesOn) = origin(of: state, book, band, isFirst: band % layout.bandsPerGroup == 0, headerBits: headerBits)
            }
            if !goesOn && state != Self.nothingCoded { book = cheapestBook(band - 1, state) }
        }
    }

    /// Where a band in a codebook comes from, and whether its section goes on.
    private mutating func origin(of state: Int, _ book: Int, _ band: Int, isFirst: Bool, headerBits: Float) -> (state: Int, goesOn: Bool) {
        guard band > 0 else { return (Self.nothingCoded, false) }
        let states = runs.span[band - 1].states
        let row = (band - 1) * Self.span
        let bookRow = ((band - 1) * Self.bookCount + book) * Self.span
        let arrival = Self.lowestCost(at: state, cheapest.span, row: row, from: states, transitions.span)
        let staying =
            isFirst
            ? Self.impossible : Self.lowestCost(at: state, reached.span, row: bookRow, from: states, transitions.span)
        if staying < min(arrival, emptyCosts[band - 1]) + headerBits {
            return (Self.origin(of: staying, at: state, reached.span, row: bookRow, from: states, transitions.span), true)
        }
        guard arrival < emptyCosts[band - 1] else { return (Self.nothingCoded, false) }
        return (Self.origin(of: arrival, at: state, cheapest.span, row: row, from: states, transitions.span), false)
    }

    /// The state before that has the lowest cost, which is that of ``lowestCost(at:_:row:from:_:)``.
    private static func origin(
        of lowest: Float, at state: Int, _ before: Span<Float>, row: Int, from states: Range<Int>, _ transitions: Span<Float>
    ) -> Int {
        let shift = transitionCenter - state
        var origin = states.lowerBound
        while origin < states.upperBound - 1 && before[row + origin] + transitions[shift + origin] > lowest { origin += 1 }
        return origin
    }

    private func cheapestBook(_ band: Int, _ state: Int) -> Int {
        let place = band * Self.bookCount * Self.span + state
        var best = 0
        for book in 1..<Self.bookCount where reached[place + book * Self.span] < reached[place + best * Self.span] { best = book }
        return best
    }
}
