// SPDX-License-Identifier: Apache-2.0

import Foundation

/// ACELP of a quarter of a frame, following the standard's text in double precision (ISO/IEC 23003-3, 7.14).
///
/// Planted faults: pitch enhancement adds the neighbors (sign). The filter of fractional lags is a quarter of a sample off (index).
/// Filtering the adaptive codebook treats the sample after the subframe as 0 (boundary).
package struct ACELPModel {
    /// The data of 64 samples.
    package struct Subframe {
        /// `acb_index`, and whether it has nine bits.
        package var lagIndex: Int
        package var hasWholeLag: Bool
        /// `ltp_filtering_flag`.
        package var isUnfiltered: Bool
        /// The pulses of the innovation.
        package var pulses: [Int]
        package var gainIndex: Int

        package init(lagIndex: Int, hasWholeLag: Bool, isUnfiltered: Bool, pulses: [Int], gainIndex: Int) {
            self.lagIndex = lagIndex
            self.hasWholeLag = hasWholeLag
            self.isUnfiltered = isUnfiltered
            self.pulses = pulses
            self.gainIndex = gainIndex
        }
    }

    /// The excitation and the signal, including the history before the quarter.
    package var excitation: [Double]
    package var signal: [Double]
    /// The threshold of gain smoothing.
    package var threshold: Double
    /// The lag and gain of each subframe, for the post filter.
    package private(set) var lags: [Int] = []
    package private(set) var gains: [Double] = []
    private let tables = UnifiedTables.shared
    private let ranges: LagRangesModel
    private var start = 0
    private let fault: PlantedFault?

    /// Creates a model with history.
    ///
    /// - Parameters:
    ///   - excitation: The excitation before the quarter.
    ///   - signal: The signal before the quarter.
    package init(coreRate: Int, excitation: [Double], signal: [Double], threshold: Double, fault: PlantedFault? = nil) {
        self.excitation = excitation
        self.signal = signal
        self.threshold = threshold
        self.fault = fault
        ranges = LagRangesModel(coreRate: coreRate)
    }

    /// Appends a quarter to ``excitation`` and ``signal``.
    ///
    /// - Parameters:
    ///   - meanEnergy: `mean_energy`.
    ///   - old: The line spectral frequencies at the start.
    ///   - new: The line spectral frequencies at the end.
    package mutating func decode(_ subframes: [Subframe], meanEnergy: Int, old: [Double], new: [Double]) {
        let mean = pow(10, (18 + 12 * Double(meanEnergy)) / 20)
        let stability = LineSpectralModel.stability(from: old, to: new)
        let spectral = LineSpectralModel()
        var emphasized = (signal.count - 16..<signal.count).map { signal[$0] - 0.68 * signal[$0 - 1] }
        for (index, subframe) in subframes.enumerated() {
            let lag =
                subframe.hasWholeLag ? ranges.lag(subframe.lagIndex, start: &start) : ranges.shortLag(subframe.lagIndex, start: start)
            let rounded = lag.whole + (lag.fraction > 2 ? 1 : 0)
            let adaptive = adaptiveCodebook(lag.whole, lag.fraction, isUnfiltered: subframe.isUnfiltered)
            let fixed = fixedCodebook(subframe.pulses, lag: rounded)
            let energy = fixed.reduce(0.01) { $0 + $1 * $1 }
            let pitchGain = tables.gains[subframe.gainIndex][0]
            let gain = tables.gains[subframe.gainIndex][1] * mean / sqrt(energy / 64)
            let adaptiveEnergy = pitchGain * pitchGain * adaptive.reduce(0) { $0 + $1 * $1 }
            let fixedEnergy = gain * gain * energy
            let voicing = (adaptiveEnergy - fixedEnergy) / (adaptiveEnergy + fixedEnergy)
            threshold = gain < threshold ? min(1.19 * gain, threshold) : max(gain / 1.19, threshold)
            let share = stability * 0.5 * (1 - voicing)
            let smoothed = share * threshold + (1 - share) * gain
            let tilt = (1 + voicing) / 8 * (fault == .sign ? -1 : 1)
            let padded = [0] + fixed + [0]
            excitation += (0..<64).map { pitchGain * adaptive[$0] + gain * fixed[$0] }
            let enhanced = (0..<64).map {
                pitchGain * adaptive[$0] + smoothed * (padded[$0 + 1] - tilt * (padded[$0] + padded[$0 + 2]))
            }
            let filter = spectral.filter(from: old, to: new, share: (Double(index) + 0.5) / Double(subframes.count))
            emphasized += LineSpectralModel.synthesize(enhanced, filter, past: Array(emphasized.suffix(16)))
            lags.append(min(rounded, ranges.maximum))
            gains.append(pitchGain)
        }
        for value in emphasized[16...] { signal.append(value + 0.68 * signal[signal.count - 1]) }
    }

    /// Returns the adaptive codebook vector at a lag.
    private func adaptiveCodebook(_ lag: Int, _ fraction: Int, isUnfiltered: Bool) -> [Double] {
        var past = excitation
        let origin = past.count
        past += [Double](repeating: 0, count: 65)
        for n in 0...64 {
            for m in -16...16 {
                let distance = abs(4 * m - fraction - (fault == .index ? 1 : 0))
                if distance < 64 { past[origin + n] += past[origin + n - lag - m] * tables.interpolation[distance] }
            }
        }
        if fault == .boundary { past[origin + 64] = 0 }
        guard !isUnfiltered else { return Array(past[origin..<origin + 64]) }
        return (0..<64).map { (n: Int) -> Double in
            let neighbours: Double = past[origin + n - 1] + past[origin + n + 1]
            return 0.18 * neighbours + 0.64 * past[origin + n]
        }
    }

    /// Returns the filtered innovation.
    private func fixedCodebook(_ pulses: [Int], lag: Int) -> [Double] {
        var code = pulses.map { Double($0) }
        for n in (1..<64).reversed() { code[n] -= 0.3 * code[n - 1] }
        for n in 0..<64 where n >= lag { code[n] += 0.85 * code[n - lag] }
        return code
    }
}

/// The ACELP lags by index, following the standard's text (ISO/IEC 23003-3, 7.14).
package struct LagRangesModel {
    package let minimum: Int
    package let maximum: Int
    private let halfStart: Int

    package init(coreRate: Int) {
        let difference = (34 * coreRate + 6400) / 12_800 - 34
        minimum = 34 + difference
        halfStart = 128 - difference
        maximum = 231 + 6 * difference
    }

    /// Returns the lag of a nine-bit index, and the start of the following six-bit lags.
    package func lag(_ index: Int, start: inout Int) -> (whole: Int, fraction: Int) {
        let quarters = 4 * (halfStart - minimum)
        let halves = 2 * (160 - halfStart)
        let result =
            index < quarters
            ? (minimum + index / 4, index % 4)
            : index < quarters + halves
                ? (halfStart + (index - quarters) / 2, (index - quarters) % 2 * 2) : (160 + index - quarters - halves, 0)
        start = max(result.0 - 8, minimum)
        if start + 15 > maximum { start = maximum - 15 }
        return result
    }

    /// Returns the lag of a six-bit index.
    package func shortLag(_ index: Int, start: Int) -> (whole: Int, fraction: Int) { (start + index / 4, index % 4) }
}
