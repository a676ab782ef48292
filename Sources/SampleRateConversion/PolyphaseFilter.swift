// SPDX-License-Identifier: Apache-2.0

/// The taps of a filter for every place of an output frame between two input frames.
///
/// If the places are few, each has its row of taps. Else taps are interpolated between rows.
struct PolyphaseFilter<Vector: RateVector> {
    /// The type of a sample.
    typealias Sample = Vector.Scalar

    /// The number of taps of a row.
    let tapCount: Int
    /// The taps after that of the input frame at or before the output frame.
    let lookahead: Int
    /// The delay in input frames at low frequencies that stays in the output.
    let delay: Double
    /// Whether taps are interpolated between rows.
    let isInterpolated: Bool
    /// The rows, one after the other.
    let rows: ContiguousArray<Sample>

    /// The parts into which the rows divide the distance between two input frames.
    private let phaseCount: Int

    /// The most rows, and the most taps of all rows, for a row at each place.
    private static var mostRows: Int { 1024 }
    private static var mostTaps: Int { 1 << 19 }

    /// Computes the taps.
    ///
    /// - Parameters:
    ///   - design: The filter.
    ///   - cutoff: The lower Nyquist frequency as a part of that of the input, at most 1.
    ///   - placeCount: The places between two input frames; nil if the ratio changes.
    init(_ design: RateFilterDesign, cutoff: Double, placeCount: Int?) {
        tapCount = design.tapCount(cutoff: cutoff)
        if design.phase == .linear, let placeCount, placeCount <= Self.mostRows, placeCount * tapCount <= Self.mostTaps {
            (phaseCount, isInterpolated) = (placeCount, false)
        } else {
            (phaseCount, isInterpolated) = (design.interpolatedPhaseCount(cutoff: cutoff), true)
        }
        let values = design.taps(
            cutoff: cutoff, tapCount: tapCount, phaseCount: phaseCount, phases: isInterpolated ? -1..<phaseCount + 2 : 0..<phaseCount)
        rows = ContiguousArray(values.lazy.map { Sample($0) })
        switch design.phase {
        case .linear: (lookahead, delay) = (tapCount / 2, 0)
        #if !hasFeature(Embedded)
        case .minimum:
            // The centre of the response
            let (last, first) = (tapCount - 1, tapCount)
            (lookahead, delay) = (0, (0...last).reduce(0) { $0 + Double(last - $1) * values[first + $1] })
        #endif
        }
    }

    /// Interpolates the taps of a place between two input frames, of which `denominator` are the distance.
    func interpolate(_ fraction: Int64, denominator: Int64, into taps: inout MutableSpan<Sample>) {
        let (row, rest) = (fraction * Int64(phaseCount)).quotientAndRemainder(dividingBy: denominator)
        Vector.interpolate(rows.span, at: Int(row) * tapCount, weights: RateWeights(at: Double(rest) / Double(denominator)), into: &taps)
    }
}
