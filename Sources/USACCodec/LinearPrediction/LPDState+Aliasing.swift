// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Forward aliasing cancellation (FAC) at the boundaries of ACELP (ISO/IEC 23003-3, 7.16).
extension LPDState {
    /// Computes the signal that cancels the aliasing at a boundary.
    ///
    /// The result is in ``correction`` after 16 zeros: as many samples as coefficients, then the same number of samples of the filter's
    /// decay.
    ///
    /// - Parameters:
    ///   - data: The coefficients, which must be present.
    ///   - gain: The gain of all coefficients.
    ///   - isShaped: Whether to apply the gains of the last TCX to the lowest coefficients.
    package mutating func computeCorrection(
        _ data: borrowing AliasingData, gain: Float, isShaped: Bool, filter: PredictionFilter, filterBank: inout CoreFilterBank
    ) {
        let count = data.count
        correction.fill(0)
        for code in 0..<count / 8 {
            let coefficients = data.codes[code].vector
            for position in 0..<8 {
                let index = 8 * code + position
                // The transform has a factor of 2.
                var factor = gain / 2
                if isShaped && index < frameLength / 32 { factor *= tcx.low[index * tcx.length / frameLength] }
                work[index] = factor * Float(coefficients[position])
            }
        }
        var all = correction.mutableSpan
        do {
            var target = all._mutatingExtracting(16..<16 + count)
            filterBank.transformCosine(work.span.extracting(0..<count), into: &target)
        }
        filter.weighted.synthesize(&all, count: 2 * count)
    }

    /// Returns the gain of coefficients at a boundary to TCX.
    package func correctionGain(count: Int) -> Float {
        tcx.gain / 2 * (Float(frameLength / 8) / Float(tcx.length)).squareRoot() * 2 / Float(count)
    }

    /// Adds ``correction`` to the signal, starting at `time`.
    package mutating func addCorrection(at time: Int, count: Int) {
        let source = correction.span.extracting(16..<16 + count)
        var all = signal.mutableSpan
        var target = all._mutatingExtracting(origin + time..<origin + time + count)
        for index in stride(from: 0, to: count, by: 4) { target.store(target.vector(at: index) + source.vector(at: index), at: index) }
    }

    /// Adds the parts that a transform lacks after ACELP: the decay of ACELP's filter, and the mirrored ACELP signal.
    ///
    /// - Parameter window: The rising slope of the transform, twice the overlap long.
    package mutating func addDecay(at time: Int, _ window: Span<Float>) {
        let count = window.count / 2
        let start = origin + time
        emphasizeHistory(of: start)
        var values = work.mutableSpan
        for index in stride(from: 16, to: 16 + count, by: 4) { values.store(SIMD4(repeating: 0), at: index) }
        lastFilter.synthesize(&values, count: count)
        var target = signal.mutableSpan
        var last = target[start - 1]
        let one = SIMD4<Float>(repeating: 1)
        for index in stride(from: 0, to: count, by: 4) {
            let decay = Self.withoutEmphasis(values.vector(at: 16 &+ index), after: last)
            last = decay.w
            let (rise, fall) = (window.vector(at: count &+ index), window.vector(at: count &- 4 &- index).reversed)
            let mirror = target.vector(at: start &- 4 &- index).reversed
            target.store(target.vector(at: start &+ index) + (decay * (one - rise * rise) + mirror * fall * rise), at: start &+ index)
        }
    }
}
