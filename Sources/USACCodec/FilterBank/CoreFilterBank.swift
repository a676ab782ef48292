// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio
package import TransformCoding

/// The transforms and windows of the core coder, for any number of channels (ISO/IEC 23003-3, 7.9).
///
/// It contains tables and workspace, but no history. Windows overlap with slopes of three lengths: a whole frame, an eighth, or a quarter
/// next to the linear prediction domain. The falling slope of a frame depends on the next frame, so its second half is stored without a
/// window.
package struct CoreFilterBank: ~Copyable {
    /// The number of samples per frame, 1024 or 768.
    let frameLength: Int
    /// The transform for long windows, and for TCX of four quarters.
    private var long: MDCT
    /// The transform for TCX of two quarters.
    private var half: MDCT
    /// The transform for TCX of one quarter.
    private var quarter: MDCT
    /// The transform for short windows.
    private var short: MDCT
    /// The rising slopes: long sine, long Kaiser-Bessel derived, short sine, short Kaiser-Bessel derived, quarter-frame sine.
    private var slopes: FixedArray<Float>
    /// The DCT-IV of a sixteenth of a frame, times 2, as a symmetric matrix.
    private let sixteenth: FixedArray<Float>
    /// The output of a transform, before unfolding.
    package private(set) var folded: FixedArray<Float>

    package struct WindowSlope {
        package enum Length {
            /// A whole frame.
            case long
            /// An eighth of a frame.
            case short
            /// A quarter of a frame, next to the linear prediction domain.
            case quarter
        }

        var length = Length.long
        var shape = WindowShape.sine

        package init(length: Length = Length.long, shape: WindowShape = WindowShape.sine) {
            self.length = length
            self.shape = shape
        }
    }

    package init(frameLength: Int) {
        self.frameLength = frameLength
        long = MDCT(frameLength)
        half = MDCT(frameLength / 2)
        quarter = MDCT(frameLength / 4)
        short = MDCT(frameLength / 8)
        slopes = FixedArray(repeating: 0, count: 2 * (frameLength + frameLength / 8) + frameLength / 4)
        folded = FixedArray(repeating: 0, count: frameLength)
        let count = frameLength / 16
        let period = (0..<8 * count).map { Float(2 * CircularFunctions.cosinePi(Double($0) / Double(4 * count))) }
        // The angles are odd multiples of π / (4 count).
        sixteenth = FixedArray(count: count * count) { period[(2 * ($0 / count) + 1) * (2 * ($0 % count) + 1) % (8 * count)] }
        var table = slopes.mutableSpan
        for length in [WindowSlope.Length.long, .short, .quarter] {
            Windows.fillSine(&table, Self.range(WindowSlope(length: length), frameLength))
        }
        Windows.fillKaiserBesselDerived(&table, Self.range(WindowSlope(length: .long, shape: .kaiserBesselDerived), frameLength), alpha: 4)
        Windows.fillKaiserBesselDerived(&table, Self.range(WindowSlope(length: .short, shape: .kaiserBesselDerived), frameLength), alpha: 6)
    }

    /// Returns the range of a rising slope in ``slopes``.
    private static func range(_ slope: WindowSlope, _ frameLength: Int) -> Range<Int> {
        let isSine = slope.shape == .sine
        switch slope.length {
        case .long: return isSine ? 0..<frameLength : frameLength..<2 * frameLength
        case .short:
            let length = frameLength / 8
            return isSine ? 2 * frameLength..<2 * frameLength + length : 2 * frameLength + length..<2 * frameLength + 2 * length
        case .quarter:
            let first = 2 * (frameLength + frameLength / 8)
            return first..<first + frameLength / 4
        }
    }

    @_lifetime(borrow self)
    package func values(_ slope: WindowSlope) -> Span<Float> { slopes.span.extracting(Self.range(slope, frameLength)) }

    /// Windows the second half of a frame with a falling slope at its centre: 1 before, 0 after.
    ///
    /// - Parameters:
    ///   - overlap: The second half, without a window.
    ///   - output: Receives the windowed samples.
    func fall(_ slope: WindowSlope, _ overlap: Span<Float>, into output: inout MutableSpan<Float>) {
        let window = values(slope)
        let flat = (frameLength &- window.count) / 2
        precondition(overlap.count >= frameLength && output.count >= frameLength)
        for index in 0..<flat { output[index] = overlap[index] }
        for index in stride(from: 0, to: window.count, by: 4) {
            let factor = window.vector(at: window.count &- 4 &- index).reversed
            output.store(overlap.vector(at: flat &+ index) * factor, at: flat &+ index)
        }
        for index in flat &+ window.count..<frameLength { output[index] = 0 }
    }

    /// Transforms a frequency-domain spectrum to a frame.
    ///
    /// Adds the windowed first half to the output and stores the second half.
    ///
    /// - Parameters:
    ///   - spectrum: The lines, in window order.
    ///   - isShort: Whether there are eight short windows.
    ///   - shape: The shape of the slopes between short windows.
    ///   - output: The windowed second half of the previous frame. The call adds the first half of this frame.
    ///   - overlap: Receives the second half, without a window.
    mutating func synthesize(
        _ spectrum: Span<Float>, isShort: Bool, rise: WindowSlope, shape: WindowShape, into output: inout MutableSpan<Float>,
        overlap: inout MutableSpan<Float>
    ) {
        precondition(spectrum.count >= frameLength && output.count >= frameLength && overlap.count >= frameLength)
        guard !isShort else {
            return synthesizeShort(spectrum, rise: rise, shape: shape, into: &output, overlap: &overlap)
        }
        do {
            var target = folded.mutableSpan
            long.inverse(spectrum, into: &target)
        }
        let length = frameLength
        let half = length / 2
        let values = folded.span
        let window = self.values(rise)
        let flat = (length &- window.count) / 2
        // The first half is odd about its centre, the second half even. All parts are multiples of four long.
        for n in stride(from: 0, to: half, by: 4) {
            let value = values.vector(at: half &+ n)
            let mirror = length &- 4 &- n
            if n < flat {
                output.store(output.vector(at: mirror) - value.reversed, at: mirror)
            } else {
                output.store(output.vector(at: n) + value * window.vector(at: n &- flat), at: n)
                output.store(output.vector(at: mirror) - value.reversed * window.vector(at: mirror &- flat), at: mirror)
            }
        }
        for n in stride(from: 0, to: half, by: 4) {
            let value = SIMD4<Float>(repeating: 0) - values.vector(at: n)
            overlap.store(value.reversed, at: half &- 4 &- n)
            overlap.store(value, at: half &+ n)
        }
    }

    /// Transforms eight short spectra, which overlap from the centre of the frame's first half to the centre of the second.
    private mutating func synthesizeShort(
        _ spectrum: Span<Float>, rise: WindowSlope, shape: WindowShape, into output: inout MutableSpan<Float>,
        overlap: inout MutableSpan<Float>
    ) {
        let length = frameLength / 8
        let half = length / 2
        let zero = SIMD4<Float>(repeating: 0)
        for index in 0..<frameLength { overlap[index] = 0 }
        for window in 0..<8 {
            do {
                var target = folded.mutableSpan
                short.inverse(spectrum.extracting(window &* length..<(window &+ 1) &* length), into: &target)
            }
            let values = folded.span
            let rising = self.values(window == 0 ? rise : WindowSlope(length: .short, shape: shape))
            let falling = self.values(WindowSlope(length: .short, shape: shape))
            let start = 7 &* half &+ window &* length
            for n in stride(from: 0, to: length, by: 4) {
                // The first half is odd about its centre, the second half even.
                let isFirst = n < half
                let early = isFirst ? values.vector(at: half &+ n) : zero - values.vector(at: half &+ length &- 4 &- n).reversed
                Self.add(early * rising.vector(at: n), at: start &+ n, to: &output, &overlap, frameLength)
                let late = zero - (isFirst ? values.vector(at: half &- 4 &- n).reversed : values.vector(at: n &- half))
                let fall = window == 7 ? SIMD4(repeating: 1) : falling.vector(at: length &- 4 &- n).reversed
                Self.add(late * fall, at: start &+ length &+ n, to: &output, &overlap, frameLength)
            }
        }
    }

    /// Adds values to the first or the second half of a frame.
    @inline(__always)
    private static func add(
        _ values: SIMD4<Float>, at index: Int, to output: inout MutableSpan<Float>, _ overlap: inout MutableSpan<Float>, _ frameLength: Int
    ) {
        if index < frameLength {
            output.store(output.vector(at: index) + values, at: index)
        } else {
            overlap.store(overlap.vector(at: index &- frameLength) + values, at: index &- frameLength)
        }
    }

    /// Transforms a TCX spectrum of one, two or four quarters into ``folded``, at half the TCX scale.
    mutating func transformTCX(_ spectrum: Span<Float>) {
        var target = folded.mutableSpan
        switch spectrum.count {
        case frameLength: long.inverse(spectrum, into: &target)
        case frameLength / 2: half.inverse(spectrum, into: &target)
        default: quarter.inverse(spectrum, into: &target)
        }
    }

    /// Computes a DCT-IV, times 2, of an eighth or a sixteenth of a frame.
    ///
    /// - Parameters:
    ///   - values: The values. Their count selects the transform.
    ///   - output: Receives the same number of values.
    mutating func transformCosine(_ values: Span<Float>, into output: inout MutableSpan<Float>) {
        guard values.count != frameLength / 8 else { return short.forward(values, into: &output, at: 0) }
        let count = frameLength / 16
        precondition(values.count == count)
        let matrix = sixteenth.span
        for n in stride(from: 0, to: count, by: 16) {
            var (sum0, sum1, sum2, sum3) = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
            // The matrix is symmetric: row `index` contains the factors of input `index` for all outputs.
            for index in 0..<count {
                let row = count &* index &+ n
                sum0 += matrix.vector(at: row) * values[index]
                sum1 += matrix.vector(at: row &+ 4) * values[index]
                sum2 += matrix.vector(at: row &+ 8) * values[index]
                sum3 += matrix.vector(at: row &+ 12) * values[index]
            }
            output.store(sum0, at: n)
            output.store(sum1, at: n &+ 4)
            output.store(sum2, at: n &+ 8)
            output.store(sum3, at: n &+ 12)
        }
    }
}
