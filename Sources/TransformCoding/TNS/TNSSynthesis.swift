// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// Temporal noise shaping in the decoder: all-pole filters over the lines, and their inverse (ISO/IEC 14496-3:2009, 4.6.9.3).
package struct TNSSynthesis: ~Copyable {
    private var predictor = TNSPredictor()

    package init() {}

    /// Filters the lines of one channel in place, as the decoder does.
    package mutating func synthesize(
        _ data: TNSData, sequence: WindowSequence, bandCount: Int, bands: ScaleFactorBands, in spectrum: inout MutableSpan<Float>
    ) {
        forEachFilter(data, sequence: sequence, bandCount: bandCount, bands: bands) { (predictor, isDownward, range) in
            Self.run(predictor, isDownward: isDownward, over: &spectrum, range)
        }
    }

    /// Filters the lines of one channel in place, as an encoder does.
    ///
    /// The inverse of ``synthesize(_:sequence:bandCount:bands:in:)``.
    package mutating func analyze(
        _ data: TNSData, sequence: WindowSequence, bandCount: Int, bands: ScaleFactorBands, in spectrum: inout MutableSpan<Float>
    ) {
        forEachFilter(data, sequence: sequence, bandCount: bandCount, bands: bands) { (predictor, isDownward, range) in
            Self.runInverse(predictor, isDownward: isDownward, over: &spectrum, range)
        }
    }

    /// Calls `body` with the coefficients, direction and lines of each filter that covers lines.
    @inline(__always)
    private mutating func forEachFilter(
        _ data: TNSData, sequence: WindowSequence, bandCount: Int, bands: ScaleFactorBands,
        _ body: (_ predictor: Span<Float>, Bool, Range<Int>) -> Void
    ) {
        let isShort = sequence == .eightShort
        let limit = min(isShort ? bands.shortTNSBands : bands.longTNSBands, bandCount)
        let offsets = isShort ? bands.shortOffsets.span : bands.longOffsets.span
        for window in 0..<(isShort ? 8 : 1) {
            let start = window &* bands.shortLength
            var top = bands.count(for: sequence)
            for index in 0..<Int(data.filterCounts[window]) {
                let filter = data[window, index]
                let bottom = max(top &- Int(filter.length), 0)
                let (lower, upper) = (Int(offsets[min(bottom, limit)]), Int(offsets[min(top, limit)]))
                top = bottom
                guard filter.order > 0 && lower < upper else { continue }
                predictor.set(filter, resolution: Int(data.resolutions[window]))
                body(predictor.coefficients.span, filter.isDownward, start &+ lower..<start &+ upper)
            }
        }
    }

    /// Adds to each line the prediction from the twenty preceding input lines: an FIR filter.
    private static func runInverse(_ a: Span<Float>, isDownward: Bool, over spectrum: inout MutableSpan<Float>, _ range: Range<Int>) {
        // Against the direction of the filter, so that the preceding lines are still unchanged.
        for distance in (0..<range.count).reversed() {
            let line = isDownward ? range.upperBound - 1 - distance : range.lowerBound + distance
            var sum = spectrum[line]
            for tap in 0..<min(TNSPredictor.capacity, distance) {
                sum += a[tap] * spectrum[isDownward ? line + 1 + tap : line - 1 - tap]
            }
            spectrum[line] = sum
        }
    }

    /// Subtracts from each line the prediction from the twenty preceding output lines: an all-pole filter in transposed form.
    ///
    /// The state contains the contributions of earlier outputs to the next twenty lines.
    private static func run(_ a: Span<Float>, isDownward: Bool, over spectrum: inout MutableSpan<Float>, _ range: Range<Int>) {
        let (a0, a1, a2) = (SIMD4(a[0], a[1], a[2], a[3]), SIMD4(a[4], a[5], a[6], a[7]), SIMD4(a[8], a[9], a[10], a[11]))
        let (a3, a4) = (SIMD4(a[12], a[13], a[14], a[15]), SIMD4(a[16], a[17], a[18], a[19]))
        let isLong = a[12] != 0 || a[13] != 0 || a[14] != 0 || a[15] != 0 || a4 != SIMD4(repeating: 0)
        let zero = SIMD4<Float>(repeating: 0)
        var (s0, s1, s2, s3, s4) = (zero, zero, zero, zero, zero)
        var line = isDownward ? range.upperBound &- 1 : range.lowerBound
        let step = isDownward ? -1 : 1
        for _ in range {
            // A tiny offset avoids slow subnormal numbers in a decaying filter.
            let y = spectrum[line] + s0.x + 1e-20
            spectrum[line] = y
            line &+= step
            s0 = SIMD4(s0.y, s0.z, s0.w, s1.x) - a0 * y
            s1 = SIMD4(s1.y, s1.z, s1.w, s2.x) - a1 * y
            s2 = SIMD4(s2.y, s2.z, s2.w, s3.x) - a2 * y
            guard isLong else { continue }
            s3 = SIMD4(s3.y, s3.z, s3.w, s4.x) - a3 * y
            s4 = SIMD4(s4.y, s4.z, s4.w, 0) - a4 * y
        }
    }
}
