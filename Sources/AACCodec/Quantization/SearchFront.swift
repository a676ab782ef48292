// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The states of a search over bands from which the cheapest way on can come.
struct SearchFront {
    /// Neighbouring candidates of a band.
    struct Run {
        var band = 0
        /// The scale factor of candidate 0.
        var first = 0
        var candidates = 0..<0
        /// The lowest cost among them, in bits.
        var lowest = Float.infinity

        /// Where the cost of candidate 0 stands.
        var place: Int { band &* CostCurves.candidateCount }
    }

    /// Of more runs the dearest are given up; there are seldom more than three.
    private static let capacity = 8

    private(set) var runs = [8 of Run](repeating: Run())
    private(set) var count = 0

    /// Whether every state can follow every other, so that much dearer ones can be given up.
    private let canTrim: Bool

    private var lowest: Float = 0

    /// The bits of the first scale factor, which repeats the global gain.
    static let startCost: Float = 1

    init(canTrim: Bool) { self.canTrim = canTrim }

    /// Finds the cheapest way to each candidate of a band.
    ///
    /// Mutating, as everything that takes a span of a member, so that the member is not copied.
    mutating func arrive(
        at run: Run, _ costs: Span<Float>, _ transitions: Span<Float>, stride: Int, into arrivals: inout MutableSpan<Float>
    ) {
        let runs = runs.span
        for candidate in Swift.stride(from: 0, to: run.candidates.upperBound, by: 4) {
            var best = SIMD4<Float>(repeating: Self.startCost)
            for index in 0..<count {
                let before = runs[index]
                let row = ScaleFactorTransitions.place(from: before.first, to: run.first, stride: stride) &+ candidate
                for other in before.candidates {
                    best = best.minimum(SIMD4(repeating: costs[before.place &+ other]) + transitions.vector(at: row &- other))
                }
            }
            arrivals.store(best, at: run.place &+ candidate)
        }
    }

    /// Adds the states of a band, and leaves out those that can't be the better ones to come from.
    ///
    /// - Parameter costs: The costs of all states, in bits, against coding nothing so far.
    mutating func add(_ run: Run, _ costs: Span<Float>) {
        guard run.lowest < 0 else { return }
        lowest = min(lowest, run.lowest)
        let limit = canTrim ? min(0, lowest + ScaleFactorTransitions.largestGain) : 0
        keepRuns(below: limit)
        guard run.lowest < limit else { return }
        var (start, end) = (run.candidates.lowerBound, run.candidates.upperBound)
        while costs[run.place + start] >= limit { start += 1 }
        while costs[run.place + end - 1] >= limit { end -= 1 }
        if count == Self.capacity { giveUpDearest() }
        runs[count] = run
        runs[count].candidates = start..<end
        count += 1
    }

    private mutating func keepRuns(below limit: Float) {
        var kept = 0
        for index in 0..<count where runs[index].lowest < limit {
            runs[kept] = runs[index]
            kept += 1
        }
        count = kept
    }

    private mutating func giveUpDearest() {
        var dearest = 0
        for index in 1..<count where runs[index].lowest > runs[dearest].lowest { dearest = index }
        count -= 1
        runs[dearest] = runs[count]
    }
}
