// SPDX-License-Identifier: Apache-2.0

/// The lags and gains of the bass post filter over frames, derived from ACELP as in the standard's text (ISO/IEC 23003-3, 7.17).
///
/// Planted faults: the post filter is on where it should be off (sign). Lags are repeated in a third subframe (index). In a frame without
/// post filter, only the first subframe continues from the previous frame (boundary).
package struct PostFilterLagsModel {
    /// The lag and gain of 64 samples.
    package struct Value: Equatable {
        package var lag = 64
        package var gain = 0.0

        package init(lag: Int = 64, gain: Double = 0) {
            self.lag = lag
            self.gain = gain
        }
    }

    /// The values from the start of the output, half a frame before the frame's own.
    package private(set) var values: [Value]
    private let frameLength: Int
    private let fault: PlantedFault?
    private var hadPostFilter = false
    private var wasACELP = false

    package init(frameLength: Int, fault: PlantedFault? = nil) {
        self.frameLength = frameLength
        self.fault = fault
        values = [Value](repeating: Value(), count: frameLength / 128 + frameLength / 64)
    }

    /// Appends a frame.
    ///
    /// - Parameters:
    ///   - modes: `mod` of each quarter.
    ///   - acelp: The values of each ACELP quarter.
    ///   - isAfterShortWindows: Whether the previous frame was in the frequency domain with eight short windows.
    package mutating func append(modes: [Int], acelp: [[Value]], hasPostFilter: Bool, isAfterShortWindows: Bool) {
        let (half, perQuarter) = (frameLength / 128, frameLength / 256)
        let hasPostFilter = hasPostFilter != (fault == .sign)
        values = values[(2 * half)...] + [Value](repeating: Value(), count: 2 * half)
        let reach = fault == .index ? 3 : 2
        for quarter in 0..<4 {
            let border = half + quarter * perQuarter
            if modes[quarter] == 0 {
                for (index, value) in acelp[quarter].enumerated() { values[border + index] = value }
                if !wasACELP && hasPostFilter {
                    for index in 1...(quarter == 0 && isAfterShortWindows ? reach - 1 : reach) { values[border - index] = values[border] }
                }
            } else if wasACELP && (quarter > 0 || hadPostFilter) {
                for index in 0..<reach { values[border + index] = values[border - 1] }
            }
            wasACELP = modes[quarter] == 0
        }
        if !hasPostFilter {
            let kept = modes[0] > 0 && hadPostFilter ? (fault == .boundary ? 1 : 2) : 0
            for index in half + kept..<values.count { values[index].gain = 0 }
        }
        hadPostFilter = hasPostFilter
    }
}
