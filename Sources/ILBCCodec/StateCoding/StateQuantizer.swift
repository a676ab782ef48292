// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The scalar quantiser of the start state (RFC 3951, 3.5.2, 3.5.3 and 4.2).
enum StateQuantizer {
    /// The peak magnitude after scaling (3.5.2).
    private static let normalizedPeak: Float = 4.5

    /// The peak magnitudes of the scale indices.
    private static let peaks = QuantizerTables.stateScale.map { powf(10, $0) }

    /// Returns the start state of a frame.
    ///
    /// - Parameter coefficients: The quantised prediction filter where the state starts.
    static func reconstruct(_ frame: FrameParameters, with coefficients: [Float]) -> [Float] {
        let scale = peaks[frame.stateScale] / normalizedPeak
        let reversed = (0..<frame.mode.stateLength).reversed().map { scale * QuantizerTables.stateSample[frame[stateSample: $0]] }
        return DispersionFilter.apply(to: reversed, with: coefficients).reversed()
    }

    /// Quantises the start state and stores its scale and samples in a frame.
    ///
    /// - Parameters:
    ///   - quantized: The quantised prediction filters of the sub-blocks.
    ///   - weighting: The denominators of the weighting filters of the sub-blocks.
    static func quantize(
        _ residual: [Float], at position: StatePosition, quantized: [[Float]], weighting: [[Float]], into frame: inout FrameParameters
    ) {
        let dispersed = DispersionFilter.apply(to: Array(residual[position.samples]), with: quantized[position.firstSubblock])
        let peak = dispersed.reduce(0) { max($0, abs($1)) }
        // Lower peaks also use the smallest scale.
        frame.stateScale = QuantizerTables.nearest(to: log10f(max(peak, 1)), in: QuantizerTables.stateScale)
        let scale = normalizedPeak / peaks[frame.stateScale]
        let order = ILBCMode.filterOrder
        // The weighted signal and its quantised version, after zeros for the empty memory.
        var weighted = [Float](repeating: 0, count: order + dispersed.count)
        var coded = weighted
        for index in dispersed.indices {
            let filter = weighting[(position.samples.lowerBound + index) / ILBCMode.subblockLength]
            var (sum, prediction) = (scale * dispersed[index], Float(0))
            for lag in 1...order {
                sum -= filter[lag] * weighted[order + index - lag]
                prediction -= filter[lag] * coded[order + index - lag]
            }
            weighted[order + index] = sum
            frame[stateSample: index] = QuantizerTables.nearest(to: sum - prediction, in: QuantizerTables.stateSample)
            coded[order + index] = prediction + QuantizerTables.stateSample[frame[stateSample: index]]
        }
    }
}
