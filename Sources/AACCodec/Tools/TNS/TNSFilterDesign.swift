// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// Designs the filters of temporal noise shaping in the encoder: linear prediction of each line from the ones below it
/// (ISO/IEC 14496-3:2009, 4.6.9).
///
/// The decoder's filter gives the quantisation noise the temporal envelope of the signal. The energy that prediction removes returns as
/// gain of the noise, so a filter pays only where the envelope is far from flat.
struct TNSFilterDesign: ~Copyable {
    /// The scale factor bands of the sample rate.
    let bands: ScaleFactorBands

    /// The window of the autocorrelation, which limits how sharp an envelope can become.
    private var lagWindow = SIMD16<Float>(repeating: 0)

    /// Boundaries between quantised reflection coefficients of four bits, from index -8 to 7.
    private var boundaries = SIMD16<Float>(repeating: 0)

    /// The first band filtered.
    private let firstBand: Int

    /// The lowest frequency filtered, in hertz.
    private static let lowestFrequency = 1_300

    /// The least prediction gain of a filter.
    ///
    /// Measured in Tools.md#temporal-noise-shaping-of-pulses.
    private static let gainLimit: Float = 1.4

    /// The magnitude below which reflection coefficients at the end of a filter are dropped.
    private static let smallestReflection: Float = 0.1

    /// The decay of the lag window: a smoothing of about half a millisecond at 48 kHz.
    private static let lagDecay = 0.002

    /// Prepares for a sample rate in hertz.
    init(sampleRate: Int, bands: ScaleFactorBands) {
        self.bands = bands
        firstBand = bands.firstLongBand(from: Self.lowestFrequency, sampleRate: sampleRate)
        for lag in 0..<16 { lagWindow[lag] = Float(PortableMath.exp(-Self.lagDecay * Double(lag * lag))) }
        for index in -8..<8 {
            let steps = index > 0 ? 7.5 : 8.5
            boundaries[index + 8] = Float(CircularFunctions.sinePi((Double(index) - 0.5) / (2 * steps)))
        }
    }

    /// A filter and its prediction gain.
    struct Result {
        /// The filter, of order 0 if none pays.
        var filter = TNSFilter()
        /// The energy before over the energy after, 1 without a filter.
        var gain: Float = 1
    }

    /// Returns the lines that a filter covers if the first `bandCount` bands are sent.
    func range(bandCount: Int) -> Range<Int> {
        let end = min(bands.longTNSBands, bandCount)
        return Int(bands.longOffsets[min(firstBand, end)])..<Int(bands.longOffsets[end])
    }

    /// Designs the filter of a long window.
    ///
    /// - Parameters:
    ///   - lines: The lines, each divided by the root of its noise target.
    ///   - range: The lines to filter.
    /// - Returns: The filter, of order 0 if its gain is too small to pay.
    func findFilter(_ lines: Span<Float>, range: Range<Int>) -> Result {
        var correlation = SIMD16<Float>(repeating: 0)
        let order = TNSLimits.longOrder
        guard range.count > 2 * order else { return Result() }
        Self.addCorrelation(lines, range, order: order, to: &correlation)
        guard correlation[0] > 0 else { return Result() }
        for lag in 1...order { correlation[lag] *= lagWindow[lag] }
        correlation[0] *= 1 + 1e-5
        var result = quantized(Self.reflections(of: correlation, order: order), order: order)
        guard result.gain >= Self.gainLimit, result.filter.order > 0 else { return Result() }
        result.filter.length = UInt8(bands.longCount - firstBand)
        return result
    }

    /// Adds the autocorrelation of lines at lags 0 to `order` to `sums`.
    private static func addCorrelation(_ lines: Span<Float>, _ range: Range<Int>, order: Int, to sums: inout SIMD16<Float>) {
        for first in stride(from: 0, through: order, by: 4) {
            let (correlation, rest) = fourLags(lines, range, first: first)
            sums[first] += correlation.0.laneSum + rest[0]
            sums[first + 1] += correlation.1.laneSum + rest[1]
            sums[first + 2] += correlation.2.laneSum + rest[2]
            sums[first + 3] += correlation.3.laneSum + rest[3]
        }
    }

    /// Correlates lines with those `first` to `first` + 3 below them, all four together so that each line is loaded once.
    ///
    /// - Returns: Sums over every fourth line, and the sums of the lines at the ends of the range that fill no vector.
    @inline(__always)
    private static func fourLags(
        _ lines: Span<Float>, _ range: Range<Int>, first: Int
    ) -> ((SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>), SIMD4<Float>) {
        var sums = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
        let (start, end) = (range.lowerBound, range.upperBound)
        precondition(start >= 0 && first >= 0 && end <= lines.count)
        var line = start &+ first &+ 3
        while line &+ 4 <= end {
            unsafe addProducts(lines, unchecked: line, first, to: &sums)
            line &+= 4
        }
        var rest = SIMD4<Float>()
        for lag in 0..<4 {
            var sum: Float = 0
            for early in start &+ first &+ lag..<start &+ first &+ 3 { sum += lines[early] * lines[early &- first &- lag] }
            for late in line..<end { sum += lines[late] * lines[late &- first &- lag] }
            rest[lag] = sum
        }
        return (sums, rest)
    }

    /// Adds the products of four lines with those `first` to `first` + 3 below them; all of them must lie in `lines`.
    @unsafe
    @inline(__always)
    private static func addProducts(
        _ lines: Span<Float>, unchecked line: Int, _ first: Int,
        to sums: inout (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    ) {
        let (here, below) = unsafe (lines.vector(unchecked: line), line &- first)
        unsafe sums.0 += here * lines.vector(unchecked: below)
        unsafe sums.1 += here * lines.vector(unchecked: below &- 1)
        unsafe sums.2 += here * lines.vector(unchecked: below &- 2)
        unsafe sums.3 += here * lines.vector(unchecked: below &- 3)
    }

    /// Returns the reflection coefficients of an autocorrelation by the Levinson-Durbin recursion, with the sign of the standard.
    private static func reflections(of correlation: SIMD16<Float>, order: Int) -> SIMD16<Float> {
        var result = SIMD16<Float>(repeating: 0)
        var a = SIMD16<Float>(repeating: 0)
        var b = SIMD16<Float>(repeating: 0)
        var error = correlation[0]
        for m in 1...order {
            var sum = correlation[m]
            for i in 1..<m { sum += a[i] * correlation[m - i] }
            let reflection = -sum / error
            for i in 1..<m { b[i] = a[i] + reflection * a[m - i] }
            for i in 1..<m { a[i] = b[i] }
            a[m] = reflection
            result[m - 1] = reflection
            error *= 1 - reflection * reflection
            guard error > correlation[0] * 1e-6 else { break }
        }
        return result
    }

    /// Quantises reflection coefficients to four bits and drops small ones at the end.
    ///
    /// - Returns: The filter and its gain, the product of 1 / (1 - k²) over the quantised coefficients k.
    private func quantized(_ reflections: SIMD16<Float>, order: Int) -> Result {
        var result = Result()
        for m in 0..<order {
            var index = -8
            while index < 7 && reflections[m] >= boundaries[index + 9] { index += 1 }
            result.filter.coefficients[m] = Int8(index)
            let value = TNSPredictor.reflection(index, resolution: 4)
            if abs(value) >= Self.smallestReflection { result.filter.order = UInt8(m + 1) }
        }
        for m in 0..<Int(result.filter.order) {
            let value = TNSPredictor.reflection(Int(result.filter.coefficients[m]), resolution: 4)
            result.gain /= 1 - value * value
        }
        return result
    }
}
