// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The scale factors that cost least when each band's codebook is chosen along with them.
///
/// A Viterbi search over the bands, with the costs of rounding tuple by tuple in each codebook. Its state is the scale factor of
/// the last band that was coded and the codebook of the band at hand, so that headers of sections count as they will be sent.
struct JointSearch: ~Copyable {
    /// Candidates of each band, around a scale factor that is good already.
    static let candidateCount = 8

    /// How many of them lie below it.
    static let candidatesBelow = 3

    /// Codebook 0, and 1 to 11.
    private static let bookCount = 12

    /// Scale factors in a frame lie within so many steps of each other.
    private static let span = 96

    /// The largest difference between neighbours.
    private static let reach = ScaleFactorSearch.largestDifference

    private static let impossible: Float = 1e8

    /// An origin before the first band that is coded.
    private static let nothingCoded: UInt8 = .max

    /// In bits, what each candidate of each band costs in each codebook.
    private var costs: [Float] = []

    /// The first candidate of each band.
    private var firsts = [120 of Int16](repeating: 0)

    /// What leaving each band out costs.
    private var zeroCosts = [120 of Float](repeating: 0)

    /// The lowest cost up to the band at hand and the one before, by codebook and state.
    private var reached: [Float] = []
    private var before: [Float] = []

    /// The lowest of all codebooks before, and which it is.
    private var cheapest = [96 of Float](repeating: impossible)
    private var cheapestBooks: [UInt8] = []

    /// Where each candidate in each codebook comes from: the state, and whether the section goes on.
    private var origins: [UInt8] = []
    private var goesOn: [Bool] = []

    /// Whether a section of zeros goes on through a band, by state.
    private var zerosGoOn: [Bool] = []

    /// Bits of scale factor differences from 60 down to -60, with infinity around.
    private var transitions = [320 of Float](repeating: impossible)
    private static let transitionCenter = 160

    init() {
        for difference in -60...60 {
            transitions[Self.transitionCenter - difference] = Float(
                ScaleFactorCodebook.lengths[difference + ScaleFactorCodebook.indexOffset])
        }
    }

    /// Makes room, once: coders that don't search this way do without.
    mutating func makeRoom() {
        guard costs.isEmpty else { return }
        let cells = BandLayout.maximumCount * Self.candidateCount * Self.bookCount
        costs = [Float](repeating: Self.impossible, count: cells)
        origins = [UInt8](repeating: 0, count: cells)
        goesOn = [Bool](repeating: false, count: cells)
        reached = [Float](repeating: Self.impossible, count: Self.bookCount * Self.span)
        before = reached
        cheapestBooks = [UInt8](repeating: 0, count: BandLayout.maximumCount * Self.span)
        zerosGoOn = [Bool](repeating: false, count: BandLayout.maximumCount * Self.span)
    }

    /// Sets what a band costs when it is left out, and its candidates, which can't be taken before they have costs.
    mutating func setBand(_ band: Int, first: Int, zeroCost: Float) {
        firsts[band] = Int16(first)
        zeroCosts[band] = zeroCost
        let start = band * Self.candidateCount * Self.bookCount
        for place in start..<start + Self.candidateCount * Self.bookCount { costs[place] = Self.impossible }
    }

    /// Sets what a candidate costs in codebooks 1 to 11, errors at their price included.
    mutating func setCosts(_ band: Int, candidate: Int, _ books: [12 of Float]) {
        let place = (band * Self.candidateCount + candidate) * Self.bookCount
        for book in 1..<Self.bookCount { costs[place + book] = books[book] }
    }

    /// Finds the scale factors; bands that are left out get ``ScaleFactorSearch/notCoded``.
    mutating func search(layout: borrowing BandLayout, into scaleFactors: inout MutableSpan<Int16>) {
        var lowest = Int16.max
        var highest: Int16 = 0
        for band in 0..<layout.count {
            lowest = min(lowest, firsts[band])
            highest = max(highest, firsts[band] + Int16(Self.candidateCount))
        }
        lowest = max(lowest, highest - Int16(Self.span))
        let headerBits: Float = layout.sequence == .eightShort ? 7 : 9
        var emptyCost: Float = 0
        for band in 0..<layout.count {
            let isFirst = band % layout.bandsPerGroup == 0
            startBand(band)
            extendZeros(band, isFirst: isFirst, headerBits: headerBits)
            for candidate in 0..<Self.candidateCount {
                let state = Int(firsts[band] - lowest) + candidate
                guard (0..<Self.span).contains(state) else { continue }
                extend(
                    band, candidate: candidate, state: state, emptyCost: emptyCost + headerBits, goesOn: !isFirst, headerBits: headerBits)
            }
            if isFirst { emptyCost += headerBits }
            emptyCost += zeroCosts[band]
        }
        startBand(layout.count)
        trace(lowest: lowest, emptyCost: emptyCost, bandCount: layout.count, into: &scaleFactors)
    }

    /// Makes what was reached the costs before the band, and finds the cheapest codebook of each state.
    private mutating func startBand(_ band: Int) {
        swap(&reached, &before)
        for place in 0..<Self.bookCount * Self.span { reached[place] = Self.impossible }
        for state in 0..<Self.span {
            var best = Self.impossible
            var bestBook: UInt8 = 0
            for book in 0..<Self.bookCount where band > 0 && before.span[book * Self.span + state] < best {
                best = before.span[book * Self.span + state]
                bestBook = UInt8(book)
            }
            cheapest[state] = best
            if band > 0 { cheapestBooks[(band - 1) * Self.span + state] = bestBook }
        }
    }

    /// Leaves a band out, which keeps the state.
    private mutating func extendZeros(_ band: Int, isFirst: Bool, headerBits: Float) {
        guard band > 0 else { return }
        for state in 0..<Self.span {
            let begun = cheapest.span[state] + headerBits
            let stayed = isFirst ? Self.impossible : before.span[state]
            zerosGoOn[band * Self.span + state] = stayed < begun
            reached[state] = min(min(begun, stayed) + zeroCosts[band], Self.impossible)
        }
    }

    /// Codes a band with a candidate in every codebook.
    private mutating func extend(_ band: Int, candidate: Int, state: Int, emptyCost: Float, goesOn: Bool, headerBits: Float) {
        var arrival = emptyCost
        var origin = Self.nothingCoded
        if band > 0 {
            let (other, cost) = Self.nearest(to: state, cheapest.span, at: 0, transitions.span)
            if cost + headerBits < arrival { (origin, arrival) = (UInt8(other), cost + headerBits) }
        }
        let place = (band * Self.candidateCount + candidate) * Self.bookCount
        for book in 1..<Self.bookCount {
            let own = costs[place + book]
            guard own < Self.impossible else { continue }
            origins[place + book] = origin
            self.goesOn[place + book] = false
            var best = arrival
            if goesOn {
                let (other, cost) = Self.nearest(to: state, before.span, at: book * Self.span, transitions.span)
                if cost < best {
                    best = cost
                    origins[place + book] = UInt8(other)
                    self.goesOn[place + book] = true
                }
            }
            reached[book * Self.span + state] = best + own
        }
    }

    /// The cheapest state to come from, with the bits of the difference.
    private static func nearest(to state: Int, _ costs: Span<Float>, at start: Int, _ transitions: Span<Float>) -> (state: Int, cost: Float)
    {
        let shift = transitionCenter - state
        let first = max(0, state - reach) & ~3
        let end = min(span, (state + reach + 3) & ~3)
        var best = SIMD4<Float>(repeating: impossible)
        for other in stride(from: first, to: end, by: 4) {
            best = best.minimum(costs.vector(at: start + other) + transitions.vector(at: shift + other))
        }
        let least = min(min(best[0], best[1]), min(best[2], best[3]))
        guard least < impossible else { return (0, impossible) }
        var other = first
        while other < end - 1 && costs[start + other] + transitions[shift + other] > least { other += 1 }
        return (other, least)
    }

    /// Goes back from the cheapest end along the choices made.
    private func trace(lowest: Int16, emptyCost: Float, bandCount: Int, into scaleFactors: inout MutableSpan<Int16>) {
        var state = Self.nothingCoded
        var best = emptyCost
        for other in 0..<Self.span where cheapest.span[other] < best {
            best = cheapest.span[other]
            state = UInt8(other)
        }
        var book = state == Self.nothingCoded ? 0 : cheapestBooks[(bandCount - 1) * Self.span + Int(state)]
        for band in stride(from: bandCount - 1, through: 0, by: -1) {
            scaleFactors[band] = ScaleFactorSearch.notCoded
            guard state != Self.nothingCoded else { continue }
            let goesOn: Bool
            if book == 0 {
                goesOn = zerosGoOn[band * Self.span + Int(state)]
            } else {
                let scaleFactor = Int16(state) + lowest
                scaleFactors[band] = scaleFactor
                let place = (band * Self.candidateCount + Int(scaleFactor - firsts[band])) * Self.bookCount + Int(book)
                state = origins[place]
                goesOn = self.goesOn[place]
            }
            if !goesOn && band > 0 && state != Self.nothingCoded { book = cheapestBooks[(band - 1) * Self.span + Int(state)] }
        }
    }
}
