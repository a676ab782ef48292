// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

extension LPDState {
    /// Decodes a quarter of ACELP (ISO/IEC 23003-3, 7.14).
    ///
    /// - Parameter quarter: The quarter, 0 to 3; its sets of frequencies are at its start and its end.
    mutating func decodeACELP(_ data: borrowing LPDChannelData, quarter: Int) {
        let count = frameLength / 256
        let start = origin + quarter * (frameLength / 4)
        let stability = frequencies.stability(from: quarter, to: quarter + 1)
        // The signal with pre-emphasis, 16 samples of the past first.
        for index in 0..<16 { work[index] = signal[start - 16 + index] - Self.preEmphasis * signal[start - 17 + index] }
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
        let source = work.span.extracting(16..<16 + 64 * count)
        var all = signal.mutableSpan
        var last = all[start - 1]
        var target = all._mutatingExtracting(start..<start + 64 * count)
        for index in 0..<source.count {
            last = source[index] + Self.preEmphasis * last
            target[index] = last
        }
    }

    /// Decodes a subframe into ``excitation`` and ``work``.
    ///
    /// - Parameters:
    ///   - start: The index of its first sample.
    ///   - rounded: The lag in whole samples.
    ///   - mean: The mean level of the innovation.
    ///   - target: The index in ``work`` of its first sample.
    /// - Returns: The gain of the adaptive codebook.
    private mutating func synthesizeSubframe(
        _ subframe: ACELPSubframe, at start: Int, lag: LagRanges.Lag, rounded: Int, coreMode: Int, mean: Float, stability: Float,
        filter: PredictionFilter, target: Int
    ) -> Float {
        interpolatePast(lag, at: start)
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
        // Taps 4 to 15 of the past in vectors, the others as they come.
        let oldest = SIMD4(filter[15], filter[14], filter[13], filter[12])
        let older = SIMD4(filter[11], filter[10], filter[9], filter[8])
        let old = SIMD4(filter[7], filter[6], filter[5], filter[4])
        let (tap0, tap1, tap2, tap3) = (filter[0], filter[1], filter[2], filter[3])
        var (y1, y2, y3, y4) = (output[15], output[14], output[13], output[12])
        for n in 0..<64 {
            let past = output.vector(at: n) * oldest + output.vector(at: n &+ 4) * older + output.vector(at: n &+ 8) * old
            let sum = output[n &+ 16] - past.laneSum - y4 * tap3 - y3 * tap2 - y2 * tap1 - y1 * tap0
            output[n &+ 16] = sum
            (y1, y2, y3, y4) = (sum, y1, y2, y3)
        }
        return pitchGain
    }

    /// Fills ``adaptiveCodebook`` and ``fixedCodebook`` of a subframe; returns the energies of both.
    private mutating func prepareCodebooks(at start: Int, isUnfiltered: Bool, rounded: Int) -> SIMD2<Float> {
        let past = excitation.span
        let pulses = innovation.pulses.span(first: 64)
        var adaptive = adaptiveCodebook.mutableSpan(first: 64)
        // With zeros around it.
        var fixed = fixedCodebook.mutableSpan(first: 72)
        for n in stride(from: 0, to: 64, by: 4) {
            let middle = past.vector(at: start &+ n)
            let sides = (past.vector(at: start &+ n &- 1), past.vector(at: start &+ n &+ 1))
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

    /// Fills the excitation of a subframe, and one sample more, with the past at a lag, by interpolation; short lags run into what was just filled.
    private mutating func interpolatePast(_ lag: LagRanges.Lag, at start: Int) {
        // A constant of its own: a span of a global constant of another file compiles only in the build of the whole module.
        let table = ACELPTables.interpolationTaps
        let taps = table.span.extracting(32 * lag.fraction..<32 * lag.fraction + 32)
        var values = excitation.mutableSpan
        let t = (
            taps.vector(at: 0), taps.vector(at: 4), taps.vector(at: 8), taps.vector(at: 12), taps.vector(at: 16), taps.vector(at: 20),
            taps.vector(at: 24), taps.vector(at: 28)
        )
        for n in start...start + 64 {
            let first = n &- lag.whole &- 16
            var sums = values.vector(at: first) * t.0 + values.vector(at: first &+ 4) * t.1
            sums += values.vector(at: first &+ 8) * t.2 + values.vector(at: first &+ 12) * t.3
            sums += values.vector(at: first &+ 16) * t.4 + values.vector(at: first &+ 20) * t.5
            sums += values.vector(at: first &+ 24) * t.6 + values.vector(at: first &+ 28) * t.7
            values[n] = sums.laneSum
        }
    }

    /// Returns the gain of the innovation, smoothed in steady unvoiced parts.
    ///
    /// - Parameters:
    ///   - gain: The decoded gain.
    ///   - share: The share of the smoothed gain, 0 to 1.
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
