// SPDX-License-Identifier: Apache-2.0

/// Complex stereo prediction, following the standard's text in double precision (ISO/IEC 23003-3, 7.7.2).
///
/// Planted faults: the filter over the previous window has the opposite sign (sign). Filters are one line too low (index). The lower end is
/// mirrored at its first line instead of before it (boundary).
package struct ComplexPredictionModel {
    package struct Frame {
        /// The number of windows in each group; one group of one window for long windows.
        package var groupLengths = [1]
        package var isShort = false
        /// The first line of each band, and the end of the last band.
        package var offsets: [Int] = []
        /// The number of bands, the maximum of both channels.
        package var bandCount = 0
        /// Whether each group and band uses prediction.
        package var used: [[Bool]] = []
        /// `pred_dir`, `complex_coef`, `use_prev_frame` and `delta_code_time`.
        package var isReversed = false
        package var isComplex = false
        package var usesPreviousFrame = false
        package var isDeltaInTime = false
        /// The coded differences by group and band.
        ///
        /// Only even bands have one.
        package var realDifferences: [[Int]] = []
        package var imaginaryDifferences: [[Int]] = []
        /// The window sequence (0: only long or eight short, 1: start, 2: stop, 3: stop-start), and whether slopes are Kaiser-Bessel
        /// derived.
        package var sequence = 0
        package var isLeftDerived = false
        package var isRightDerived = false

        package init() {}
    }

    private let tables = UnifiedTables.shared
    private let fault: PlantedFault?
    /// The quantized coefficients of the last group.
    private var realMemory = [Int](repeating: 0, count: 64)
    private var imaginaryMemory = [Int](repeating: 0, count: 64)
    private var wasShort = false

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Resets the coefficients after a frame without prediction.
    package mutating func reset() {
        realMemory = [Int](repeating: 0, count: 64)
        imaginaryMemory = realMemory
    }

    /// Returns left and right.
    ///
    /// - Parameters:
    ///   - spectra: Downmix and residual, or left and right in bands without prediction, window by window.
    ///   - previous: The lines of left and right in the last window of the previous frame.
    package mutating func decode(_ frame: Frame, _ spectra: [[Double]], previous: [[Double]]?) -> [[Double]] {
        if frame.isShort != wasShort { reset() }
        wasShort = frame.isShort
        var result = spectra
        let length = spectra[0].count / (frame.isShort ? 8 : 1)
        let sign = frame.isReversed ? -1.0 : 1
        var before = previous.map { previous in (0..<length).map { 0.5 * (previous[0][$0] + sign * previous[1][$0]) } }
        if !frame.usesPreviousFrame { before = nil }
        var window = 0
        for (group, count) in frame.groupLengths.enumerated() {
            decodeCoefficients(frame, group)
            for _ in 0..<count {
                let start = window * length
                let predicted = (0..<frame.bandCount).filter { frame.used[group][$0] }
                var downmix = (0..<length).map { 0.5 * (spectra[0][start + $0] + sign * spectra[1][start + $0]) }
                for band in predicted {
                    for line in frame.offsets[band]..<frame.offsets[band + 1] { downmix[line] = spectra[0][start + line] }
                }
                let estimate = frame.isComplex ? self.estimate(frame, downmix, before, isFirst: window == 0) : downmix
                for band in predicted {
                    let alpha = (0.1 * Double(realMemory[band & ~1]), 0.1 * Double(imaginaryMemory[band & ~1]))
                    for line in frame.offsets[band]..<frame.offsets[band + 1] {
                        let d = spectra[0][start + line]
                        let side = spectra[1][start + line] - alpha.0 * d - alpha.1 * estimate[line]
                        result[0][start + line] = d + side
                        result[1][start + line] = sign * (d - side)
                    }
                }
                before = downmix
                window += 1
            }
        }
        return result
    }

    /// Decodes the coefficients of a group.
    private mutating func decodeCoefficients(_ frame: Frame, _ group: Int) {
        var last = (real: 0, imaginary: 0)
        for band in stride(from: 0, to: 64, by: 2) {
            guard band < frame.bandCount, frame.used[group][band] else {
                (realMemory[band], imaginaryMemory[band]) = (0, 0)
                last = (0, 0)
                continue
            }
            let predicted = frame.isDeltaInTime ? (realMemory[band], imaginaryMemory[band]) : last
            last.real = predicted.0 - frame.realDifferences[group][band]
            last.imaginary = frame.isComplex ? predicted.1 - frame.imaginaryDifferences[group][band] : 0
            (realMemory[band], imaginaryMemory[band]) = last
        }
    }

    /// Returns the estimated sine transform (MDST) of the downmix.
    private func estimate(_ frame: Frame, _ downmix: [Double], _ before: [Double]?, isFirst: Bool) -> [Double] {
        let isLeftDerived = isFirst ? frame.isLeftDerived : frame.isRightDerived
        let current = tables.currentFilters[frame.sequence][(isLeftDerived ? 2 : 0) + (frame.isRightDerived ? 1 : 0)]
        let previous = tables.previousFilters[frame.sequence / 2][isLeftDerived ? 1 : 0]
        func filtered(_ x: [Double], _ taps: [Double], _ i: Int) -> Double {
            (0..<7).reduce(0) { sum, k in
                var line = i - 3 + k - (fault == .index ? 1 : 0)
                if line < 0 { line = (fault == .boundary ? 0 : -1) - line }
                if line >= x.count { line = 2 * x.count - 1 - line }
                return sum + taps[k] * x[line]
            }
        }
        return downmix.indices.map { i in
            let sign = (i % 2 == 0) == (fault != .sign) ? -1.0 : 1
            return filtered(downmix, current, i) + (before.map { sign * filtered($0, previous, i) } ?? 0)
        }
    }
}
