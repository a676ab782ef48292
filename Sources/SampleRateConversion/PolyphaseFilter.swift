// SPDX-License-Identifier: Apache-2.0

/// The filter taps for every position of an output frame between two input frames.
///
/// If there are few positions, each has its own row of taps. Otherwise taps are interpolated between rows.
struct PolyphaseFilter<Vector: RateVector> {
    typealias Sample = Vector.Scalar

    let tapCount: Int
    /// The number of taps after the input frame at or before the output frame.
    let lookahead: Int
    /// The remaining output delay at low frequencies, in input frames.
    let delay: Double
    /// Whether taps are interpolated between rows.
    let isInterpolated: Bool
    /// All rows, concatenated.
    let rows: ContiguousArray<Sample>

    /// The number of rows per input frame.
    private let phaseCount: Int

    /// The limits of rows, and of taps in all rows, for one row per position.
    private static var mostRows: Int { 1024 }
    private static var mostTaps: Int { 1 << 19 }

    /// Computes the taps.
    ///
    /// - Parameters:
    ///   - cutoff: The ratio of the lower Nyquist frequency to the input's, at most 1.
    ///   - placeCount: The number of positions between two input frames, or `nil` if the ratio varies.
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
            // The center of the response.
            let (last, first) = (tapCount - 1, tapCount)
            (lookahead, delay) = (0, (0...last).reduce(0) { $0 + Double(last - $1) * values[first + $1] })
        #endif
        }
    }

    /// Interpolates the taps at the position `fraction / denominator` between two input frames.
    func interpolate(_ fraction: Int64, denominator: Int64, into taps: inout MutableSpan<Sample>) {
        let (row, rest) = (fraction * Int64(phaseCount)).quotientAndRemainder(dividingBy: denominator)
        Vector.interpolate(rows.span, at: Int(row) * tapCount, weights: RateWeights(at: Double(rest) / Double(denominator)), into: &taps)
    }
}
