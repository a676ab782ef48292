// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Designs the encoder's filters for temporal noise shaping: linear prediction of each line from lower lines (ISO/IEC 14496-3:2009, 4.6.9).
///
/// The decoder's filter shapes quantization noise like the temporal envelope of the signal. The energy that prediction removes
/// returns as noise gain, so a filter is worthwhile only if the envelope is far from flat.
package struct TNSFilterDesign: ~Copyable {
    let bands: ScaleFactorBands

    /// The lag window of the autocorrelation, which limits how sharp an envelope can be.
    private var lagWindow = SIMD16<Float>(repeating: 0)

    /// The boundaries between 4-bit quantized reflection coefficients, for indices -8 to 7.
    private var boundaries = SIMD16<Float>(repeating: 0)

    /// The first filtered band.
    private let firstBand: Int

    /// The lowest filtered frequency, in hertz.
    private static let lowestFrequency = 1_300

    /// The minimum prediction gain of a filter.
    ///
    /// Measured in Tools.md#temporal-noise-shaping-of-pulses.
    private static let gainLimit: Float = 1.4

    /// The magnitude below which trailing reflection coefficients are dropped.
    private static let minimumReflection: Float = 0.1

    /// The decay of the lag window, which smooths over about 0.5 ms at 48 kHz.
    private static let lagDecay = 0.002

    /// Prepares the design for a sample rate in hertz.
    package init(sampleRate: Int, bands: ScaleFactorBands) {
        self.bands = bands
        firstBand = bands.firstLongBand(from: Self.lowestFrequency, sampleRate: sampleRate)
        for lag in 0..<16 { lagWindow[lag] = Float(PortableMath.exp(-Self.lagDecay * Double(lag * lag))) }
        for index in -8..<8 {
            let steps = index > 0 ? 7.5 : 8.5
            boundaries[index + 8] = Float(CircularFunctions.sinePi((Double(index) - 0.5) / (2 * steps)))
        }
    }

    package struct Result {
        /// The filter; order 0 if none is worthwhile.
        package var filter = TNSFilter()
        /// The energy ratio before and after the filter; 1 without a filter.
        package var gain: Float = 1
    }

    /// Returns the lines that a filter covers if the first `bandCount` bands are sent.
    package func range(bandCount: Int) -> Range<Int> {
        let end = min(bands.longTNSBands, bandCount)
        return Int(bands.longOffsets[min(firstBand, end)])..<Int(bands.longOffsets[end])
    }

    /// The number of zeros required before and after the lines in ``findFilter(_:count:)``, at least the number of lags.
    package static let margin = 16

    /// Designs the filter of a long window.
    ///
    /// - Parameter lines: The lines to filter, each divided by the square root of its noise target, padded with ``margin`` zeros.
    /// - Returns: The filter, of order 0 if its gain is too small.
    package func findFilter(_ lines: Span<Float>, count: Int) -> Result {
        let order = TNSLimits.longOrder
        guard count > 2 * order else { return Result() }
        var correlation = Self.correlation(lines, count: count)
        guard correlation[0] > 0 else { return Result() }
        correlation *= lagWindow
        correlation[0] *= 1 + 1e-5
        var result = quantized(Self.reflections(of: correlation, order: order), order: order)
        guard result.gain >= Self.gainLimit, result.filter.order > 0 else { return Result() }
        result.filter.length = UInt8(bands.longCount - firstBand)
        return result
    }

    /// Returns the autocorrelation of zero-padded lines at lags 0 to 13.
    private static func correlation(_ lines: Span<Float>, count: Int) -> SIMD16<Float> {
        let (low, high) = (sevenLags(lines, count: count, first: 0), sevenLags(lines, count: count, first: 7))
        return SIMD16(
            low.0.laneSum, low.1.laneSum, low.2.laneSum, low.3.laneSum, low.4.laneSum, low.5.laneSum, low.6.laneSum,
            high.0.laneSum, high.1.laneSum, high.2.laneSum, high.3.laneSum, high.4.laneSum, high.5.laneSum, high.6.laneSum, 0, 0)
    }

    /// The products of lines with seven consecutive lower lines, summed over every fourth line.
    private typealias LagSums = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// Correlates zero-padded lines at lags `first` to `first` + 6, together, so that each line is loaded once.
    private static func sevenLags(_ lines: Span<Float>, count: Int, first: Int) -> LagSums {
        let zero = SIMD4<Float>(repeating: 0)
        var sums = (zero, zero, zero, zero, zero, zero, zero)
        // All reads are within these bounds, including the zeros.
        precondition(count >= 0 && count <= lines.count - 2 * margin)
        var line = margin
        while line < margin &+ count {
            let (here, below) = unsafe (lines.vector(unchecked: line), line &- first)
            unsafe sums.0 += here * lines.vector(unchecked: below)
            unsafe sums.1 += here * lines.vector(unchecked: below &- 1)
            unsafe sums.2 += here * lines.vector(unchecked: below &- 2)
            unsafe sums.3 += here * lines.vector(unchecked: below &- 3)
            unsafe sums.4 += here * lines.vector(unchecked: below &- 4)
            unsafe sums.5 += here * lines.vector(unchecked: below &- 5)
            unsafe sums.6 += here * lines.vector(unchecked: below &- 6)
            line &+= 4
        }
        return sums
    }

    /// Returns the reflection coefficients for an autocorrelation by the Schur recursion, with the sign convention of the standard.
    private static func reflections(of correlation: SIMD16<Float>, order: Int) -> SIMD16<Float> {
        var result = SIMD16<Float>(repeating: 0)
        // Correlations of the signal with the backward errors, and with the forward errors at the next lag.
        var backward = Lags(correlation)
        var forward = backward.next
        let least = correlation[0] * 1e-6
        for m in 0..<order {
            let reflection = -forward.first / backward.first
            result[m] = reflection
            let before = backward
            backward.add(forward, times: reflection)
            guard backward.first > least else { break }
            forward.add(before, times: reflection)
            forward = forward.next
        }
        return result
    }

    /// Sixteen lags as vectors of four.
    ///
    /// A shift by one takes four instructions.
    private struct Lags {
        private var lags: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

        init(_ all: SIMD16<Float>) {
            lags = (all.lowHalf.lowHalf, all.lowHalf.highHalf, all.highHalf.lowHalf, all.highHalf.highHalf)
        }

        var first: Float { lags.0.x }

        /// The values shifted by one lag, then 0.
        var next: Lags {
            var next = self
            next.lags.0 = SIMD4(lags.0.y, lags.0.z, lags.0.w, lags.1.x)
            next.lags.1 = SIMD4(lags.1.y, lags.1.z, lags.1.w, lags.2.x)
            next.lags.2 = SIMD4(lags.2.y, lags.2.z, lags.2.w, lags.3.x)
            next.lags.3 = SIMD4(lags.3.y, lags.3.z, lags.3.w, 0)
            return next
        }

        mutating func add(_ others: Lags, times factor: Float) {
            lags.0 += others.lags.0 * factor
            lags.1 += others.lags.1 * factor
            lags.2 += others.lags.2 * factor
            lags.3 += others.lags.3 * factor
        }
    }

    /// Quantizes reflection coefficients to four bits and drops small trailing ones.
    ///
    /// - Returns: The filter and its gain, the product of 1 / (1 - k²) over the quantized coefficients k.
    private func quantized(_ reflections: SIMD16<Float>, order: Int) -> Result {
        var result = Result()
        for m in 0..<order {
            var index = -8
            while index < 7 && reflections[m] >= boundaries[index + 9] { index += 1 }
            result.filter.coefficients[m] = Int8(index)
            let value = TNSPredictor.reflection(index, resolution: 4)
            if abs(value) >= Self.minimumReflection { result.filter.order = UInt8(m + 1) }
        }
        for m in 0..<Int(result.filter.order) {
            let value = TNSPredictor.reflection(Int(result.filter.coefficients[m]), resolution: 4)
            result.gain /= 1 - value * value
        }
        return result
    }
}
