// SPDX-License-Identifier: Apache-2.0

/// The lags and gains of the bass post filter over frames as the standard derives them from ACELP (ISO/IEC 23003-3, 7.17).
///
/// Its faults: the post filter is on where it is off (sign), lags are spread over a third subframe (index), only the first subframe of a
/// frame goes on from the frame before where the frame itself has no post filter (boundary).
package struct PostFilterLagsModel {
    /// The lag and the gain of 64 samples.
    package struct Value: Equatable {
        package var lag = 64
        package var gain = 0.0

        package init(lag: Int = 64, gain: Double = 0) {
            self.lag = lag
            self.gain = gain
        }
    }

    /// The values from the start of the output on, half a frame before the frame's own.
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
    ///   - acelp: The values of each quarter of ACELP.
    ///   - isAfterShortWindows: Whether the frame before was one of the frequency domain with eight short windows.
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
