// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// Transform coding in the linear prediction domain (ISO/IEC 23003-3, 7.15).
extension LPDState {
    /// Decodes the spectrum of a block into the folded output of the filter bank, at half its scale.
    ///
    /// - Parameters:
    ///   - quarter: The first quarter of the block.
    ///   - seed: The generator of noise, shared with the frequency domain.
    mutating func decodeTCX(
        _ data: borrowing LPDChannelData, quarter: Int, seed: inout UInt32, filterBank: inout CoreFilterBank
    ) {
        let quarterCount = 1 << Int(data.modes[quarter] - 1)
        let length = frameLength / 4 * quarterCount
        fillLines(data, quarter: quarter, length: length, seed: &seed)
        emphasizeLow(length)
        var energy: Float = 0.01
        do {
            let lines = work.span
            for line in 0..<length { energy += lines[line] * lines[line] }
        }
        tcx.length = length
        tcx.gain =
            Float(PortableMath.power(10, Double(data.globalGains[quarter]) / 28)) * Float(length) / (2 * energy.squareRoot())
        let first = frequencies.filter(from: quarter, to: quarter, share: 0)
        let second = frequencies.filter(from: quarter + quarterCount, to: quarter + quarterCount, share: 0)
        shape(length, from: first.weighted, to: second.weighted)
        filterBank.transformTCX(work.span.extracting(0..<length))
    }

    /// Sets the lines from the quantised ones, with noise in groups of eight that are 0.
    private mutating func fillLines(_ data: borrowing LPDChannelData, quarter: Int, length: Int, seed: inout UInt32) {
        let source = data.lines.span.extracting(quarter * (frameLength / 4)..<quarter * (frameLength / 4) + length)
        var lines = work.mutableSpan
        precondition(length <= lines.count)
        for line in 0..<length { lines[line] = Float(source[line]) }
        let level = 0.0625 * Float(8 - Int(data.noiseFactors[quarter]))
        for first in stride(from: length / 6, to: length, by: 8) {
            let end = min(first + 8, length)
            var bits: Int16 = 0
            for line in first..<end { bits |= source[line] }
            guard bits == 0 else { continue }
            for line in first..<end {
                seed = NoiseGenerator.step(seed)
                lines[line] = NoiseGenerator.signed(level, seed)
            }
        }
    }

    /// Lowers groups of low lines that the encoder has raised, and keeps their gains.
    private mutating func emphasizeLow(_ length: Int) {
        let groupCount = length / 32
        var energies = SIMD32<Float>()
        var largest: Float = 0
        for group in 0..<groupCount {
            var energy: Float = 0.01
            for line in 8 * group..<8 * group + 8 { energy += work[line] * work[line] }
            energies[group] = energy
            largest = max(largest, energy)
        }
        var factor: Float = 0.1
        for group in 0..<groupCount {
            factor = max(factor, (energies[group] / largest).squareRoot())
            tcx.low[group] = factor
            for line in 8 * group..<8 * group + 8 { work[line] *= factor }
        }
    }

    /// Shapes lines by the spectral envelopes of the filters at both ends of the block.
    private mutating func shape(_ length: Int, from first: PredictionFilter, to second: PredictionFilter) {
        let pointCount = frameLength / 16
        let lineCount = length / pointCount
        var past: Float = 0
        let angles = shapeAngles.span
        var lines = work.mutableSpan
        for place in stride(from: 0, to: pointCount, by: 4) {
            let (cosines, sines) = (angles.vector(at: place), angles.vector(at: pointCount + place))
            let one = SIMD4<Float>(repeating: 1)
            let g1 = one / Self.magnitudes(first, cosines, sines)
            let g2 = one / Self.magnitudes(second, cosines, sines)
            let (a, b) = (2 * g1 * g2 / (g1 + g2), (g2 - g1) / (g1 + g2))
            for lane in 0..<4 {
                let (a, b) = (a[lane], b[lane])
                for line in (place + lane) * lineCount..<(place + lane + 1) * lineCount {
                    past = a * lines[line] + b * past
                    lines[line] = past
                }
            }
        }
    }

    /// Returns |A| of a filter at four angles.
    private static func magnitudes(_ filter: PredictionFilter, _ cosines: SIMD4<Float>, _ sines: SIMD4<Float>) -> SIMD4<Float> {
        // Horner's rule with z^-1 = cosine - i sine.
        var (real, imaginary) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for tap in 0..<16 {
            let sum = real + SIMD4(repeating: filter[15 &- tap])
            (real, imaginary) = (sum * cosines + imaginary * sines, imaginary * cosines - sum * sines)
        }
        real += SIMD4(repeating: 1)
        return (real * real + imaginary * imaginary).squareRoots.maximum(SIMD4(repeating: 1e-12))
    }

    /// Adds a block to the signal, by its rising slope at the border to the block before; its end stays without a window.
    ///
    /// - Parameters:
    ///   - start: The time at which the block begins.
    ///   - folded: The output of the transform, at half the scale.
    ///   - window: The rising slope.
    ///   - isAfterACELP: Whether the samples before the border are complete.
    mutating func addTCX(at start: Int, _ folded: Span<Float>, _ window: Span<Float>, isAfterACELP: Bool) {
        let length = tcx.length
        let scale = 2 * tcx.gain
        let half = window.count / 2
        let end = frameLength / 8
        let first = origin + start
        var target = signal.mutableSpan
        // Odd about its start, even about its end.
        for index in stride(from: 0, to: half, by: 4) {
            let value = folded.vector(at: length &- 4 &- index).reversed * scale
            let before = first &- 4 &- index
            if !isAfterACELP {
                let risen = value.reversed * window.vector(at: half &- 4 &- index)
                target.store(target.vector(at: before) + risen, at: before)
            }
            let kept = isAfterACELP ? SIMD4(repeating: 0) : target.vector(at: first &+ index)
            target.store(kept - value * window.vector(at: half &+ index), at: first &+ index)
        }
        for index in stride(from: half, to: length, by: 4) {
            target.store(folded.vector(at: length &- 4 &- index).reversed * -scale, at: first &+ index)
        }
        for index in stride(from: 0, to: end, by: 4) {
            target.store(folded.vector(at: index) * -scale, at: first &+ length &+ index)
        }
    }
}
