// SPDX-License-Identifier: Apache-2.0

/// The extent of the search for scale factors, codebooks and quantised values.
///
/// Measured in Search.md#number-of-candidates.
@usableFromInline package struct SearchEffort: Sendable {
    /// The number of scale factors tried in each band, up to ``CostCurves/candidateCount``.
    package var candidateCount: Int

    /// The number of them below the expected scale factor.
    var candidatesBelow: Int

    /// The difference of neighbouring candidates.
    package var candidateStride = 1

    /// The number of scale factors from the first candidate to the last.
    var candidateSpan: Int { (candidateCount - 1) * candidateStride + 1 }

    /// The amount added to magnitudes before they are rounded down during the search for scale factors.
    ///
    /// It is less than ``nearest``, in place of the lowering of values that follows the search.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    package var searchRounding: Float

    /// Whether the values of each tuple are lowered where that costs less.
    package var lowersValues: Bool

    /// Whether both window shapes are tried.
    package var choosesWindowShape: Bool

    /// Whether the noise targets of long windows follow how their bands change over time (``TargetRefinement``).
    package var refinesTargets = false

    /// Whether middle and side are chosen by the costs of coding them.
    package var codesStereoBothWays = false

    /// Whether scale factors are searched a second time together with codebooks and values.
    package var searchesCodebooks = false

    /// Whether each frame of AAC-LC is coded on trial first, to correct its noise targets by the audible error (``TargetCorrection``).
    ///
    /// Measured in Search.md#coding-on-trial.
    package var codesOnTrial = false

    /// Whether the tonality of wide bands is estimated from every second four of their lines.
    package var samplesLines = false

    /// The number of frames without bands that are panned by amplitude of which one is searched for them.
    package var panningInterval = 1

    /// The search of the effort `fast`.
    package static let fast: SearchEffort = {
        var effort = SearchEffort(
            candidateCount: 4, candidatesBelow: 0, searchRounding: nearestOnly, lowersValues: false, choosesWindowShape: false)
        effort.candidateStride = 2
        effort.samplesLines = true
        effort.panningInterval = 8
        return effort
    }()

    /// The search of the effort `balanced`.
    package static let balanced = SearchEffort(
        candidateCount: 12, candidatesBelow: 4, searchRounding: 0.38, lowersValues: true, choosesWindowShape: true)

    /// The search of the effort `best`.
    ///
    /// Measured in Search.md#the-gain-of-best.
    package static let best: SearchEffort = {
        var effort = SearchEffort(
            candidateCount: 12, candidatesBelow: 4, searchRounding: 0.38, lowersValues: true, choosesWindowShape: true)
        effort.refinesTargets = true
        effort.codesStereoBothWays = true
        effort.searchesCodebooks = true
        effort.codesOnTrial = true
        return effort
    }()

    /// The search of a frame that is coded on trial: as few candidates as decide alike.
    package static let trial: SearchEffort = {
        var effort = SearchEffort(
            candidateCount: 4, candidatesBelow: 0, searchRounding: 0.38, lowersValues: true, choosesWindowShape: true)
        effort.candidateStride = 2
        return effort
    }()

    /// The rounding in place of ``nearest`` where values are not lowered afterwards.
    @inlinable package static var nearestOnly: Float { 0.35 }

    /// The rounding to the nearest value: at x^(3/4) = n + 0.5946, 1 less this, the errors in x for n and n + 1 are equal, for values
    /// around 1.
    @inlinable package static var nearest: Float { 0.4054 }

    /// Makes a search with neighbouring candidates.
    private init(candidateCount: Int, candidatesBelow: Int, searchRounding: Float, lowersValues: Bool, choosesWindowShape: Bool) {
        self.candidateCount = candidateCount
        self.candidatesBelow = candidatesBelow
        self.searchRounding = searchRounding
        self.lowersValues = lowersValues
        self.choosesWindowShape = choosesWindowShape
    }
}
