// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

extension LPDState {
    /// Decodes a quarter with ACELP (ISO/IEC 23003-3, 7.14).
    ///
    /// - Parameter quarter: The quarter, 0 to 3. Its frequency sets are at its start and end.
    package mutating func decodeACELP(_ data: borrowing LPDChannelData, quarter: Int) {
        let count = frameLength / 256
        let start = origin + quarter * (frameLength / 4)
        let stability = frequencies.stability(from: quarter, to: quarter + 1)
        // The pre-emphasized signal, starting with 16 previous samples.
        emphasizeHistory(of: start)
        let mean = Float(PortableMath.power(10, Double(18 + 12 * Int(data.meanEnergies[quarter])) / 20))
        var lagStart = lagRanges.minimum
        for index in 0..<count {
            let subframe = data.subframes[4 * quarter + index]
            var lag: LagRanges.Lag
            if subframe.hasWholeLag {
                lag = lagRanges.lag(subframe.lagIndex)
                lagStart = lagRanges.start(after: lag)
            } else {
                lag = LagRanges.Lag(whole: lagStart + subframe.lagIndex / 4, fraction: subframe.lagIndex % 4)
            }
            lag.whole = max(lag.whole, 1)
            let rounded = lag.whole + (lag.fraction > 2 ? 1 : 0)
            let filter = frequencies.filter(
                from: quarter, to: quarter + 1, share: (Double(index) + 0.5) / Double(count))
            let gain = synthesizeSubframe(
                subframe, at: start + 64 * index, lag: lag, rounded: rounded, coreMode: data.coreMode, mean: mean, stability: stability,
                filter: filter, target: 16 + 64 * index)
            let slot = (quarter * (frameLength / 4) + frameLength / 2) / 64 + index
            lags[slot] = min(rounded, lagRanges.maximum)
            gains[slot] = gain
        }
    }

    /// Fills the first 16 samples of ``work`` with the pre-emphasized samples before an index.
    mutating func emphasizeHistory(of start: Int) {
        let source = signal.span
        var target = work.mutableSpan
        for index in stride(from: 0, to: 16, by: 4) {
            let before = source.vector(at: start &- 17 &+ index)
            target.store(source.vector(at: start &- 16 &+ index) - before * Self.preEmphasis, at: index)
        }
    }

    /// Decodes a subframe into ``excitation``, ``work`` and, after de-emphasis, ``signal``.
    ///
    /// - Parameters:
    ///   - start: The index of its first sample.
    ///   - rounded: The lag in whole samples.
    ///   - mean: The mean level of the innovation.
    ///   - target: The index of its first sample in ``work``.
    /// - Returns: The gain of the adaptive codebook.
    private mutating func synthesizeSubframe(
        _ subframe: ACELPSubframe, at start: Int, lag: LagRanges.Lag, rounded: Int, coreMode: Int, mean: Float, stability: Float,
        filter: PredictionFilter, target: Int
    ) -> Float {
        interpolateHistory(lag, at: start)
        innovation.decode(subframe.innovation, coreMode: coreMode)
        let energies = prepareCodebooks(at: start, isUnfiltered: subframe.isUnfiltered, rounded: rounded)
        let energy = 0.01 + energies.y
        let pitchGain = ACELPTables.gains[subframe.gainIndex].x
        let codeGain = ACELPTables.gains[subframe.gainIndex].y * mean / (energy / 64).squareRoot()
        let (voiced, unvoiced) = (pitchGain * pitchGain * energies.x, codeGain * codeGain * energy)
        let ratio = voiced + unvoiced > 0 ? (voiced - unvoiced) / (voiced + unvoiced) : 0
        let smoothed = smoothedGain(codeGain, share: stability * (1 - ratio) / 2)
        let enhancement = (1 + ratio) / 8
        let adaptive = adaptiveCodebook.span(first: 64)
        let fixed = fixedCodebook.span(first: 72)
        var excited = excitation.mutableSpan
        var all = work.mutableSpan
        var output = all._mutatingExtracting(target - 16..<target + 64)
        for n in stride(from: 0, to: 64, by: 4) {
            let (v, c) = (adaptive.vector(at: n), fixed.vector(at: n &+ 4))
            let voice = v * pitchGain
            excited.store(voice + c * codeGain, at: start &+ n)
            let around = fixed.vector(at: n &+ 3) + fixed.vector(at: n &+ 5)
            output.store(voice + (c - around * enhancement) * smoothed, at: n &+ 16)
        }
        filter.synthesize(&output, count: 64)
        var last = signal[start - 1]
        var samples = signal.mutableSpan
        var result = samples._mutatingExtracting(start..<start + 64)
        for n in stride(from: 0, to: 64, by: 4) {
            let values = Self.withoutEmphasis(output.vector(at: n &+ 16), after: last)
            result.store(values, at: n)
            last = values.w
        }
        return pitchGain
    }

    /// Returns four samples after de-emphasis.
    ///
    /// - Parameter last: The preceding sample, after de-emphasis.
    @inline(__always)
    static func withoutEmphasis(_ samples: SIMD4<Float>, after last: Float) -> SIMD4<Float> {
        let square = preEmphasis * preEmphasis
        var values = samples + SIMD4(0, samples.x, samples.y, samples.z) * preEmphasis
        values += SIMD4(0, 0, values.x, values.y) * square
        return values + SIMD4(preEmphasis, square, square * preEmphasis, square * square) * last
    }

    /// Fills ``adaptiveCodebook`` and ``fixedCodebook`` for a subframe and returns their energies.
    private mutating func prepareCodebooks(at start: Int, isUnfiltered: Bool, rounded: Int) -> SIMD2<Float> {
        let history = excitation.span
        let pulses = innovation.pulses.span(first: 64)
        var adaptive = adaptiveCodebook.mutableSpan(first: 64)
        // Padded with zeros.
        var fixed = fixedCodebook.mutableSpan(first: 72)
        for n in stride(from: 0, to: 64, by: 4) {
            let middle = history.vector(at: start &+ n)
            let sides = (history.vector(at: start &+ n &- 1), history.vector(at: start &+ n &+ 1))
            adaptive.store(isUnfiltered ? middle : sides.0 * 0.18 + middle * 0.64 + sides.1 * 0.18, at: n)
            let earlier = n > 0 ? pulses.vector(at: n &- 1) : SIMD4(0, pulses[0], pulses[1], pulses[2])
            fixed.store(pulses.vector(at: n) - earlier * 0.3, at: n &+ 4)
        }
        if rounded < 64 { for n in rounded..<64 { fixed[n &+ 4] += 0.85 * fixed[n &+ 4 &- rounded] } }
        var (adaptiveSums, fixedSums) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for n in stride(from: 0, to: 64, by: 4) {
            let (v, c) = (adaptive.vector(at: n), fixed.vector(at: n &+ 4))
            adaptiveSums += v * v
            fixedSums += c * c
        }
        return SIMD2(adaptiveSums.laneSum, fixedSums.laneSum)
    }

    /// Fills a subframe's excitation, plus one sample, with the interpolated excitation one lag earlier.
    ///
    /// Short lags reuse new samples.
    private mutating func interpolateHistory(_ lag: LagRanges.Lag, at start: Int) {
        // A local constant: a span of a global constant from another file compiles only with whole-module optimization.
        let table = ACELPTables.interpolationTaps
        let taps = table.span.extracting(32 * lag.fraction..<32 * lag.fraction + 32)
        var values = excitation.mutableSpan
        var n = start
        // Eight samples at once, if they do not depend on each other.
        if lag.whole > 23 {
            while n < start &+ 64 {
                let first = n &- lag.whole &- 16
                let (low, high) = Self.interpolate(values.span.extracting(first..<first &+ 40), taps)
                values.store(low, at: n)
                values.store(high, at: n &+ 4)
                n &+= 8
            }
        }
        while n <= start &+ 64 {
            values[n] = Self.interpolateOne(values.span.extracting(n &- lag.whole &- 16..<n &- lag.whole &+ 16), taps)
            n &+= 1
        }
    }

    /// Returns eight interpolated samples, each computed in the same order as in ``interpolateOne(_:_:)``.
    ///
    /// - Parameters:
    ///   - history: The 39 samples that they depend on, plus one.
    ///   - taps: The 32 taps.
    @inline(__always)
    private static func interpolate(_ history: Span<Float>, _ taps: Span<SIMD4<Float>>) -> (SIMD4<Float>, SIMD4<Float>) {
        let (first, second) = (columns(0, history, taps), columns(1, history, taps))
        let (third, fourth) = (columns(2, history, taps), columns(3, history, taps))
        return ((first.0 + second.0) + (third.0 + fourth.0), (first.1 + second.1) + (third.1 + fourth.1))
    }

    private static func interpolateOne(_ history: Span<Float>, _ taps: Span<SIMD4<Float>>) -> Float {
        var sums = SIMD4<Float>(repeating: 0)
        for index in stride(from: 0, to: 32, by: 8) {
            let four = SIMD4(taps[index].x, taps[index &+ 1].x, taps[index &+ 2].x, taps[index &+ 3].x)
            let next = SIMD4(taps[index &+ 4].x, taps[index &+ 5].x, taps[index &+ 6].x, taps[index &+ 7].x)
            sums += history.vector(at: index) * four + history.vector(at: index &+ 4) * next
        }
        return sums.laneSum
    }

    /// Returns the sums of every fourth product of an interpolation, for eight samples.
    ///
    /// - Parameter history: The samples, starting with the first that the first output depends on.
    @inline(__always)
    private static func columns(_ first: Int, _ history: Span<Float>, _ taps: Span<SIMD4<Float>>) -> (SIMD4<Float>, SIMD4<Float>) {
        var (low, high) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        // Both sums use each vector of samples, with different taps.
        var one = history.vector(at: first)
        for index in stride(from: first, to: 32, by: 8) {
            let (two, three) = (history.vector(at: index &+ 4), history.vector(at: index &+ 8))
            low += one * taps[index] + two * taps[index &+ 4]
            high += two * taps[index] + three * taps[index &+ 4]
            one = three
        }
        return (low, high)
    }

    /// Returns the innovation gain, smoothed in steady unvoiced parts.
    ///
    /// - Parameter share: The weight of the smoothed gain, 0 to 1.
    private mutating func smoothedGain(_ gain: Float, share: Float) -> Float {
        var limited = gain
        if limited < gainThreshold {
            limited = min(1.19 * limited, gainThreshold)
        } else {
            limited = max(limited / 1.19, gainThreshold)
        }
        gainThreshold = limited
        return share * limited + (1 - share) * gain
    }
}
