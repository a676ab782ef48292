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
        for line in 0..<length { energy += work[line] * work[line] }
        tcx.length = length
        tcx.gain =
            Float(PortableMath.power(10, Double(data.globalGains[quarter]) / 28)) * Float(length) / (2 * energy.squareRoot())
        let first = PredictionFilter(frequencies, from: quarter, to: quarter, share: 0)
        let second = PredictionFilter(frequencies, from: quarter + quarterCount, to: quarter + quarterCount, share: 0)
        shape(length, from: first.weighted, to: second.weighted)
        filterBank.transformTCX(work.span.extracting(0..<length))
    }

    /// Sets the lines from the quantised ones, with noise in groups of eight that are 0.
    private mutating func fillLines(_ data: borrowing LPDChannelData, quarter: Int, length: Int, seed: inout UInt32) {
        let source = data.lines.span.extracting(quarter * (frameLength / 4)..<quarter * (frameLength / 4) + length)
        var lines = work.mutableSpan
        for line in 0..<length { lines[line] = Float(source[line]) }
        let level = 0.0625 * Float(8 - Int(data.noiseFactors[quarter]))
        for first in stride(from: length / 6, to: length, by: 8) {
            let group = first..<min(first + 8, length)
            var isEmpty = true
            for line in group where source[line] != 0 { isEmpty = false }
            guard isEmpty else { continue }
            for line in group {
                seed = seed &* 69_069 &+ 5
                lines[line] = seed & 0x10000 != 0 ? -level : level
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
        for point in 0..<pointCount {
            let (cosine, sine) = (shapeAngles[point], shapeAngles[pointCount + point])
            let g1 = 1 / Self.magnitude(first, cosine, sine)
            let g2 = 1 / Self.magnitude(second, cosine, sine)
            let (a, b) = (2 * g1 * g2 / (g1 + g2), (g2 - g1) / (g1 + g2))
            for line in point * lineCount..<(point + 1) * lineCount {
                past = a * work[line] + b * past
                work[line] = past
            }
        }
    }

    /// Returns |A| of a filter at an angle.
    private static func magnitude(_ filter: PredictionFilter, _ cosine: Float, _ sine: Float) -> Float {
        // Horner's rule with z^-1 = cosine - i sine.
        var (real, imaginary): (Float, Float) = (0, 0)
        for tap in (0..<16).reversed() {
            let sum = real + filter[tap]
            (real, imaginary) = (sum * cosine + imaginary * sine, imaginary * cosine - sum * sine)
        }
        real += 1
        return max((real * real + imaginary * imaginary).squareRoot(), 1e-12)
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
        for index in 0..<half {
            let value = scale * folded[length - 1 - index]
            if !isAfterACELP { target[first - 1 - index] += value * window[half - 1 - index] }
            let kept = isAfterACELP ? 0 : target[first + index]
            target[first + index] = kept - value * window[half + index]
        }
        for index in half..<length { target[first + index] = -scale * folded[length - 1 - index] }
        for index in 0..<end { target[first + length + index] = -scale * folded[index] }
    }
}
