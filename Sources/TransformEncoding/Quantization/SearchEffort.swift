// SPDX-License-Identifier: Apache-2.0

/// The extent of the search for scale factors, codebooks and quantized values.
///
/// Measured in Search.md#number-of-candidates.
@usableFromInline package struct SearchEffort: Sendable {
    /// The number of candidate scale factors per band: 4, or 12 adjacent ones.
    package var candidateCount: Int

    /// The number of candidates below the expected scale factor.
    var candidatesBelow: Int

    /// The difference of adjacent candidates.
    package var candidateStride = 1

    /// The span from the first candidate to the end of the last, in scale factor steps.
    var candidateSpan: Int { (candidateCount - 1) * candidateStride + 1 }

    /// The offset added to magnitudes before truncation in the scale factor search.
    ///
    /// It is less than ``nearest``, as a substitute for lowering values after the search.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    package var searchRounding: Float

    /// Whether to lower quantized values in a tuple if that reduces the cost.
    package var lowersValues: Bool

    /// Whether to choose the scale factors of long windows, and all values, by the contexts of the arithmetic coder of xHE-AAC.
    package var usesContexts = false

    /// Whether to count the bits of the finest four candidates of a band in context, too.
    package var countsFinestInContext = false

    /// The number of paths in the search for values by contexts.
    package var pathCount = 2

    /// Whether to try both window shapes.
    package var choosesWindowShape: Bool

    /// Whether to refine the noise targets of long windows with ``TargetRefinement``.
    package var refinesTargets = false

    /// Whether to choose M/S stereo by coding costs.
    package var codesStereoBothWays = false

    /// Whether to search scale factors again, jointly with codebooks and values.
    package var searchesCodebooks = false

    /// Whether to encode frames on trial, to correct the noise targets by the audible error (``TargetCorrection``).
    ///
    /// Measured in Search.md#coding-on-trial.
    package var usesAnalysisBySynthesis = false

    /// The interval of trials of long windows, in frames; `nil` if their errors are predicted without coding them.
    package var trialInterval: Int? = 1

    /// Whether the errors of long windows are predicted.
    ///
    /// Measured in Search.md#predicted-errors.
    package var predictsErrors: Bool { usesAnalysisBySynthesis && trialInterval == nil }

    /// Whether to estimate the tonality of wide bands from half their lines.
    package var samplesLines = false

    /// The interval of the search for amplitude-panned bands, in frames, as long as it finds no such bands.
    package var panningInterval = 1

    /// The interval of comparisons of the window shapes, in frames; the frames in between keep the shape.
    package var shapeInterval = 1

    /// The interval in which ``TargetRefinement`` measures the fluctuation within a window, in frames.
    package var fluctuationInterval = 1

    package static let fast: SearchEffort = {
        var effort = SearchEffort(
            candidateCount: 4, candidatesBelow: 0, searchRounding: nearestOnly, lowersValues: false, choosesWindowShape: false)
        effort.candidateStride = 2
        effort.samplesLines = true
        effort.panningInterval = 8
        return effort
    }()

    package static let balanced: SearchEffort = {
        var effort = SearchEffort(
            candidateCount: 12, candidatesBelow: 4, searchRounding: 0.365, lowersValues: true, choosesWindowShape: true)
        effort.refinesTargets = true
        effort.usesAnalysisBySynthesis = true
        effort.trialInterval = 6
        effort.fluctuationInterval = 2
        return effort
    }()

    /// The search for effort `best`.
    ///
    /// Measured in Search.md#the-gain-of-best.
    package static let best: SearchEffort = {
        var effort = balanced
        effort.codesStereoBothWays = true
        effort.searchesCodebooks = true
        effort.trialInterval = 1
        effort.fluctuationInterval = 1
        return effort
    }()

    /// The search for effort `balanced` in xHE-AAC.
    ///
    /// Measured in Search.md#bits-in-context.
    package static let balancedInContext: SearchEffort = {
        var effort = balanced
        effort.trialInterval = nil
        effort.usesContexts = true
        return effort
    }()

    /// The search for effort `best` in xHE-AAC.
    package static let bestInContext: SearchEffort = {
        var effort = balancedInContext
        effort.countsFinestInContext = true
        effort.pathCount = 4
        return effort
    }()

    /// The search in a trial encode, with the minimum of candidates that leads to the same decisions.
    package static let trial: SearchEffort = {
        var effort = SearchEffort(
            candidateCount: 4, candidatesBelow: 0, searchRounding: 0.38, lowersValues: true, choosesWindowShape: true)
        effort.candidateStride = 2
        return effort
    }()

    /// The search in a survey.
    ///
    /// With intervals of one frame, its mean error is as large (20 clips at 64, 96 and 128 kbit/s).
    package var inSurvey: SearchEffort {
        var effort = self
        effort.shapeInterval = 4
        effort.fluctuationInterval = 4
        return effort
    }

    /// The rounding offset instead of ``nearest`` if values are not lowered afterwards.
    @inlinable package static var nearestOnly: Float { 0.35 }

    /// The rounding offset to the nearest value.
    ///
    /// At x^(3/4) = n + 0.5946, which is n + 1 minus the offset, the errors in x for n and n + 1 are equal for values around 1.
    @inlinable package static var nearest: Float { 0.4054 }

    /// Creates a search with adjacent candidates.
    private init(candidateCount: Int, candidatesBelow: Int, searchRounding: Float, lowersValues: Bool, choosesWindowShape: Bool) {
        self.candidateCount = candidateCount
        self.candidatesBelow = candidatesBelow
        self.searchRounding = searchRounding
        self.lowersValues = lowersValues
        self.choosesWindowShape = choosesWindowShape
    }
}
