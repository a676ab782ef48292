// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Transform coding in the linear prediction domain (ISO/IEC 23003-3, 7.15).
extension LPDState {
    /// Decodes the spectrum of a block into the filter bank's folded output, at half its scale.
    ///
    /// - Parameters:
    ///   - quarter: The first quarter of the block.
    ///   - seed: The noise generator's state, shared with the frequency domain.
    package mutating func decodeTCX(
        _ data: borrowing LPDChannelData, quarter: Int, seed: inout UInt32, filterBank: inout CoreFilterBank
    ) {
        let quarterCount = 1 << Int(data.modes[quarter] - 1)
        let length = frameLength / 4 * quarterCount
        fillLines(data, quarter: quarter, length: length, seed: &seed)
        emphasizeLow(length)
        var energies = SIMD4<Float>(repeating: 0)
        do {
            let lines = work.span
            for line in stride(from: 0, to: length, by: 4) {
                let values = lines.vector(at: line)
                energies += values * values
            }
        }
        let energy = 0.01 + energies.laneSum
        tcx.length = length
        tcx.gain =
            Float(PortableMath.power(10, Double(data.globalGains[quarter]) / 28)) * Float(length) / (2 * energy.squareRoot())
        prepareEnvelope(of: quarter)
        prepareEnvelope(of: quarter + quarterCount)
        shape(length, from: quarter, to: quarter + quarterCount)
        filterBank.transformTCX(work.span.extracting(0..<length))
    }

    /// Sets the lines from quantized values, with noise in groups of eight zeros.
    private mutating func fillLines(_ data: borrowing LPDChannelData, quarter: Int, length: Int, seed: inout UInt32) {
        let source = data.lines.span.extracting(quarter * (frameLength / 4)..<quarter * (frameLength / 4) + length)
        var lines = work.mutableSpan
        precondition(length <= lines.count)
        for line in stride(from: 0, to: length, by: 4) {
            let quad = source.quad(at: line)
            lines.store(
                SIMD4(
                    Float(Int16(truncatingIfNeeded: quad)), Float(Int16(truncatingIfNeeded: quad >> 16)),
                    Float(Int16(truncatingIfNeeded: quad >> 32)), Float(Int16(truncatingIfNeeded: quad >> 48))), at: line)
        }
        let level = 0.0625 * Float(8 - Int(data.noiseFactors[quarter]))
        let first = length / 6
        let rest = length - (length - first) & 7
        for first in stride(from: first, to: rest, by: 8) where source.quad(at: first) | source.quad(at: first &+ 4) == 0 {
            var group = lines._mutatingExtracting(first..<first &+ 8)
            NoiseGenerator.fill(&group, level: level, seed: &seed)
        }
        // The last group may be shorter.
        var bits: Int16 = 0
        for line in rest..<length { bits |= source[line] }
        guard bits == 0 else { return }
        for line in rest..<length {
            seed = NoiseGenerator.step(seed)
            lines[line] = NoiseGenerator.signed(level, seed)
        }
    }

    /// Attenuates groups of low lines that the encoder has boosted, and stores their gains.
    private mutating func emphasizeLow(_ length: Int) {
        let groupCount = length / 32
        var lines = work.mutableSpan
        var energies = SIMD32<Float>()
        var largest: Float = 0
        for group in 0..<groupCount {
            let (low, high) = (lines.vector(at: 8 &* group), lines.vector(at: 8 &* group &+ 4))
            let energy = 0.01 + (low * low + high * high).laneSum
            energies[group] = energy
            largest = max(largest, energy)
        }
        var factor: Float = 0.1
        for group in 0..<groupCount {
            factor = max(factor, (energies[group] / largest).squareRoot())
            tcx.low[group] = factor
            lines.store(lines.vector(at: 8 &* group) * factor, at: 8 &* group)
            lines.store(lines.vector(at: 8 &* group &+ 4) * factor, at: 8 &* group &+ 4)
        }
    }

    /// Starts a frame.
    ///
    /// Its first set is the previous frame's last, unless it is replaced.
    mutating func moveEnvelope(isReplaced: Bool) {
        let pointCount = frameLength / 16
        let isKnown = !isReplaced && knownEnvelopes & 0x10 != 0
        if isKnown { envelopes.copy(4 * pointCount..<5 * pointCount, to: 0) }
        knownEnvelopes = isKnown ? 1 : 0
    }

    /// Computes the spectral envelope of a frequency set, unless it is known.
    private mutating func prepareEnvelope(of set: Int) {
        guard knownEnvelopes >> UInt8(set) & 1 == 0 else { return }
        knownEnvelopes |= 1 << UInt8(set)
        let filter = frequencies.filter(from: set, to: set, share: 0).weighted
        let pointCount = frameLength / 16
        let half = pointCount / 2
        let angles = shapeAngles.span
        var all = envelopes.mutableSpan
        var target = all._mutatingExtracting(set * pointCount..<(set + 1) * pointCount)
        let one = SIMD4<Float>(repeating: 1)
        for position in stride(from: 0, to: half, by: 4) {
            let magnitudes = Self.magnitudes(
                filter, SIMD8(lowHalf: angles.vector(at: position), highHalf: angles.vector(at: half &+ position)),
                doubled: SIMD8(lowHalf: angles.vector(at: 2 &* half &+ position), highHalf: angles.vector(at: 3 &* half &+ position)))
            target.store(one / magnitudes.lowHalf, at: position)
            target.store((one / magnitudes.highHalf).reversed, at: pointCount &- 4 &- position)
        }
    }

    /// Returns |A| of a filter at four angles, and at π minus these angles.
    ///
    /// - Parameters:
    ///   - angles: The cosines, then the sines.
    ///   - doubled: The cosines, then the sines, of twice the angles.
    @inline(__always)
    private static func magnitudes(_ filter: PredictionFilter, _ angles: SIMD8<Float>, doubled: SIMD8<Float>) -> SIMD8<Float> {
        let (cosines, sines) = (doubled.lowHalf, doubled.highHalf)
        // Horner's rule in z^-2 = cosine - i sine, for even and odd powers of z^-1. At the mirrored angles the odd powers change sign.
        var (even, evenImaginary) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        var (odd, oddImaginary) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for pair in 0..<8 {
            let sum = even + SIMD4(repeating: filter[15 &- 2 &* pair])
            (even, evenImaginary) = (sum * cosines + evenImaginary * sines, evenImaginary * cosines - sum * sines)
            let oddSum = odd + SIMD4(repeating: filter[14 &- 2 &* pair])
            guard pair < 7 else {
                odd = oddSum
                break
            }
            (odd, oddImaginary) = (oddSum * cosines + oddImaginary * sines, oddImaginary * cosines - oddSum * sines)
        }
        even += SIMD4(repeating: 1)
        let (cosine, sine) = (angles.lowHalf, angles.highHalf)
        (odd, oddImaginary) = (odd * cosine + oddImaginary * sine, oddImaginary * cosine - odd * sine)
        let (near, nearImaginary) = (even + odd, evenImaginary + oddImaginary)
        let (far, farImaginary) = (even - odd, evenImaginary - oddImaginary)
        let least = SIMD4<Float>(repeating: 1e-12)
        return SIMD8(
            lowHalf: (near * near + nearImaginary * nearImaginary).squareRoots.maximum(least),
            highHalf: (far * far + farImaginary * farImaginary).squareRoots.maximum(least))
    }

    /// Shapes lines with the spectral envelopes of the sets at both ends of the block.
    private mutating func shape(_ length: Int, from first: Int, to second: Int) {
        let pointCount = frameLength / 16
        let lineCount = length / pointCount
        let start = envelopes.span.extracting(first * pointCount..<(first + 1) * pointCount)
        let end = envelopes.span.extracting(second * pointCount..<(second + 1) * pointCount)
        var lines = work.mutableSpan
        var previous: Float = 0
        var line = 0
        for position in stride(from: 0, to: pointCount, by: 4) {
            let (g1, g2) = (start.vector(at: position), end.vector(at: position))
            let (a, b) = (2 * g1 * g2 / (g1 + g2), (g2 - g1) / (g1 + g2))
            for lane in 0..<4 {
                let (a, b) = (a[lane], b[lane])
                let square = b * b
                let powers = SIMD4(b, square, square * b, square * square)
                for _ in 0..<lineCount / 4 {
                    // Each line is a times itself plus b times the previous line. Four are computed at once.
                    var values = lines.vector(at: line) * a
                    values += SIMD4(0, values.x, values.y, values.z) * b
                    values += SIMD4(0, 0, values.x, values.y) * square
                    values += powers * previous
                    lines.store(values, at: line)
                    previous = values.w
                    line &+= 4
                }
            }
        }
    }

    /// Adds a block to the signal, with a rising slope at the boundary to the previous block.
    ///
    /// Its end stays unwindowed.
    ///
    /// - Parameters:
    ///   - folded: The output of the transform, at half the scale.
    ///   - isAfterACELP: Whether the samples before the boundary are complete.
    package mutating func addTCX(at start: Int, _ folded: Span<Float>, _ window: Span<Float>, isAfterACELP: Bool) {
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
