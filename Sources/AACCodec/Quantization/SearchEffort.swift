// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How widely the encoder looks for the cheapest way to code a frame.
struct SearchEffort {
    /// Scale factors tried in each band, up to ``CostCurves/candidateCount``, and how many of them below the one expected.
    var candidateCount: Int
    var candidatesBelow: Int

    /// How far they are apart.
    var candidateStride = 1

    /// Scale factors from the first candidate to the end of the last.
    var candidateSpan: Int { (candidateCount - 1) * candidateStride + 1 }

    /// What is added before rounding down while scale factors are searched; below the nearest value's 0.4054 it stands in for the
    /// lowering of values that follows.
    var searchRounding: Float

    /// Whether each tuple is tried with its values lowered.
    var lowersValues: Bool

    /// Whether both window shapes are tried.
    var choosesWindowShape: Bool

    /// Whether middle and side are chosen by what coding them costs.
    var codesStereoBothWays = false

    /// Whether scale factors are searched again together with codebooks and rounding.
    var searchesCodebooks = false

    /// The search of an effort level.
    init(_ effort: AACEncoderConfiguration.Effort) {
        switch effort {
        case .fast:
            self.init(
                candidateCount: 4, candidatesBelow: 0, searchRounding: Self.nearestOnly, lowersValues: false, choosesWindowShape: false)
            candidateStride = 2
        case .balanced:
            self.init(candidateCount: 12, candidatesBelow: 4, searchRounding: 0.38, lowersValues: true, choosesWindowShape: true)
        case .best:
            self.init(candidateCount: 16, candidatesBelow: 5, searchRounding: 0.38, lowersValues: true, choosesWindowShape: true)
            codesStereoBothWays = true
            searchesCodebooks = true
        }
    }

    /// The search of `balanced` in place of a wider one: enough to compare two ways of coding a band.
    var forComparison: SearchEffort {
        var effort = self
        effort.candidateCount = min(candidateCount, 12)
        effort.candidatesBelow = min(candidatesBelow, 4)
        return effort
    }

    /// The rounding that stands in for the lowering of values where they are not lowered.
    static let nearestOnly: Float = 0.35

    private init(candidateCount: Int, candidatesBelow: Int, searchRounding: Float, lowersValues: Bool, choosesWindowShape: Bool) {
        self.candidateCount = candidateCount
        self.candidatesBelow = candidatesBelow
        self.searchRounding = searchRounding
        self.lowersValues = lowersValues
        self.choosesWindowShape = choosesWindowShape
    }

    /// The rounding at which the error of a line is the same for both neighbours, for values around one.
    static let nearest: Float = 0.4054
}
