// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The five sets of line spectral frequencies at the quarter boundaries of a frame, and values derived from them (ISO/IEC 23003-3, 7.13).
package struct LineSpectralFrequencies: ~Copyable {
    /// The frequencies of each set, 16 per set, on a scale that ends at 6400 Hz.
    package private(set) var frequencies = FixedArray<Double>(repeating: 0, count: 5 * order)
    private(set) var cosines = FixedArray<Double>(repeating: 0, count: 5 * order)

    /// Workspace: the lower half of the polynomials of the even and odd frequencies.
    private var polynomials = FixedArray<SIMD2<Double>>(repeating: SIMD2(0, 0), count: order / 2 + 1)

    /// The linear prediction order.
    package static let order = 16
    /// The upper end of the frequency scale.
    private static let end = 6400.0
    /// The minimum distance of frequencies.
    private static let gap = 50.0

    /// Creates sets with the initial frequencies, which apply before the first transmitted ones.
    package init() { reset() }

    /// Resets sets to the initial frequencies.
    ///
    /// The next frame may continue from the last set, 4.
    mutating func reset(_ sets: Range<Int> = 0..<5) {
        for set in sets {
            for index in 0..<Self.order { frequencies[set * Self.order + index] = Double(LineSpectralCodebook.initial[index]) }
            setCosines(of: set)
        }
    }

    /// Decodes the sets of a frame.
    ///
    /// Set 0 is the previous frame's last, unless it was sent.
    package mutating func decode(_ sets: borrowing FixedArray<LineSpectralData>) {
        frequencies.copy(4 * Self.order..<5 * Self.order, to: 0)
        cosines.copy(4 * Self.order..<5 * Self.order, to: 0)
        for set in [4, 0, 2, 1, 3] where sets[set].isPresent {
            predict(set, sets[set])
            if sets[set].hasResidual { addResidual(set, sets[set]) }
            setCosines(of: set)
        }
    }

    private mutating func predict(_ set: Int, _ data: LineSpectralData) {
        let first = set * Self.order
        for index in 0..<Self.order {
            switch data.prediction {
            case .absolute: frequencies[first + index] = Double(LineSpectralCodebook.entries[data.index * Self.order + index])
            case .relative(let other): frequencies[first + index] = frequencies[other * Self.order + index]
            case .mean(let one, let other):
                frequencies[first + index] = (frequencies[one * Self.order + index] + frequencies[other * Self.order + index]) / 2
            }
        }
    }

    /// Adds the residual, weighted by the distances of the predicted frequencies, and restores minimum distances.
    private mutating func addResidual(_ set: Int, _ data: LineSpectralData) {
        let first = set * Self.order
        let factor = [60.0, 65, 64, 63][data.form] / 400
        var all = frequencies.mutableSpan
        var f = all._mutatingExtracting(first..<first + Self.order)
        let (lower, upper) = (data.lower.vector, data.upper.vector)
        var below = f[0]
        for index in 0..<Self.order {
            let above = (index < Self.order - 1 ? f[index + 1] : Self.end) - f[index]
            let weight = factor * max(0, below * above).squareRoot()
            below = above
            f[index] += weight * Double(index < 8 ? lower[index] : upper[index - 8])
        }
        var limit = Self.gap
        for index in 0..<Self.order {
            f[index] = max(f[index], limit)
            limit = f[index] + Self.gap
        }
        limit = Self.end - Self.gap
        for index in (0..<Self.order).reversed() {
            f[index] = min(f[index], limit)
            limit = f[index] - Self.gap
        }
    }

    private mutating func setCosines(of set: Int) {
        for index in stride(from: set * Self.order, to: (set + 1) * Self.order, by: 2) {
            let both = Self.cosines(SIMD2(frequencies[index], frequencies[index + 1]) / Self.end)
            (cosines[index], cosines[index + 1]) = (both.x, both.y)
        }
    }

    /// Returns cos(π x) of two numbers from 0 to 1, with an error of about 3e-16.
    ///
    /// It computes the series of -sin(π (x - 1/2)), whose first omitted term is below 1e-20.
    private static func cosines(_ x: SIMD2<Double>) -> SIMD2<Double> {
        let angle = (0.5 - x) * Double.pi
        let square = angle * angle
        var sum = SIMD2<Double>(repeating: sineFactors[sineFactors.count - 1])
        for index in stride(from: sineFactors.count - 2, through: 0, by: -1) { sum = sum * square + sineFactors[index] }
        return sum * angle
    }

    /// The coefficients of the sine series, 1 / (2k + 1)! with alternating signs.
    private static let sineFactors: ContiguousArray<Double> = {
        var (factors, factor) = (ContiguousArray<Double>(), 1.0)
        for k in 0..<12 {
            factors.append(factor)
            factor /= -Double((2 * k + 2) * (2 * k + 3))
        }
        return factors
    }()

    /// Expands an interpolation of two sets to a filter.
    ///
    /// Double precision is required, because the coefficients are differences of large numbers.
    ///
    /// - Parameter share: The weight of the second set, 0 to 1.
    package mutating func filter(from first: Int, to second: Int, share: Double) -> PredictionFilter {
        let cosines = cosines.span
        let (old, new) = (cosines.extracting(first * Self.order..<(first + 1) * Self.order), second * Self.order)
        var f = polynomials.mutableSpan(first: Self.order / 2 + 1)
        f[0] = SIMD2(1, 1)
        for degree in 1...Self.order / 2 {
            let index = 2 &* degree &- 2
            let one = SIMD2(old[index], old[index &+ 1])
            let other = SIMD2(cosines[new &+ index], cosines[new &+ index &+ 1])
            let factor = (one * (1 - share) + other * share) * -2
            // Times 1 - 2 q z^-1 + z^-2. The polynomials are symmetric, so half of each is sufficient.
            f[degree] = f[degree &- 1] * factor + (degree > 1 ? f[degree &- 2] * 2 : SIMD2(0, 0))
            for power in stride(from: degree &- 1, through: 1, by: -1) {
                f[power] += f[power &- 1] * factor + (power > 1 ? f[power &- 2] : SIMD2(0, 0))
            }
        }
        var filter = PredictionFilter()
        for power in 1...Self.order / 2 {
            let sum = f[power].x + f[power &- 1].x
            let difference = f[power].y - f[power &- 1].y
            filter.lower[power &- 1] = Float((sum + difference) / 2)
            filter.upper[Self.order / 2 &- power] = Float((sum - difference) / 2)
        }
        return filter
    }

    /// Returns the similarity of two sets, 0 to 1: the stability factor of ACELP.
    package func stability(from old: Int, to new: Int) -> Float {
        var sum = 0.0
        for index in 0..<Self.order {
            let difference = frequencies[new * Self.order + index] - frequencies[old * Self.order + index]
            sum += difference * difference
        }
        return Float(min(max(1.25 - sum / 400_000, 0), 1))
    }
}

/// The coefficients of a prediction filter, a[1] to a[16] (ISO/IEC 23003-3, 7.13).
package struct PredictionFilter {
    /// The coefficients of the 8 most recent samples.
    var lower = SIMD8<Float>()
    /// The coefficients of the 8 samples before those.
    var upper = SIMD8<Float>()

    /// The factor that moves the filter's poles inwards for weighting.
    private static let weighting: Float = 0.92

    /// The powers of ``weighting`` for all coefficients.
    private static let weights = {
        var powers = PredictionFilter()
        var factor = weighting
        for index in 0..<LineSpectralFrequencies.order {
            powers[index] = factor
            factor *= weighting
        }
        return powers
    }()

    init() {}

    /// The coefficient for the sample `index` + 1 samples earlier, `index` from 0 to 15.
    @inline(__always)
    package subscript(index: Int) -> Float {
        get { index < 8 ? lower[index] : upper[index &- 8] }
        set { if index < 8 { lower[index] = newValue } else { upper[index &- 8] = newValue } }
    }

    /// The filter with its poles moved inwards: A(z / 0.92).
    package var weighted: PredictionFilter {
        var result = PredictionFilter()
        result.lower = lower * Self.weights.lower
        result.upper = upper * Self.weights.upper
        return result
    }

    /// Filters values with 1 / A(z), in place.
    ///
    /// - Parameters:
    ///   - values: The last 16 filtered values, then the values to filter.
    ///   - count: The number of values to filter, a multiple of four.
    @inline(__always)
    package func synthesize(_ values: inout MutableSpan<Float>, count: Int) {
        // Four values at a time. Each of the 16 previous values contributes to all four, with the coefficients starting at its distance.
        // The contributions among the four are the start of the impulse response. For the last four previous values, for which each step
        // must wait, both are combined in one factor.
        let (a, b, c, d) = (lower.lowHalf, lower.highHalf, upper.lowHalf, upper.highHalf)
        let h1 = -a.x
        let h2 = -(a.y + a.x * h1)
        let h3 = -(a.z + a.y * h1 + a.x * h2)
        let response = SIMD4(1, h1, h2, h3)
        let (d1, d2) = (Self.convolved(-a, response), Self.convolved(SIMD4(-a.y, -a.z, -a.w, -b.x), response))
        let (d3, d4) = (
            Self.convolved(SIMD4(-a.z, -a.w, -b.x, -b.y), response), Self.convolved(SIMD4(-a.w, -b.x, -b.y, -b.z), response)
        )
        let (c6, c7, c8) = (SIMD4(b.y, b.z, b.w, c.x), SIMD4(b.z, b.w, c.x, c.y), SIMD4(b.w, c.x, c.y, c.z))
        let (c10, c11, c12) = (SIMD4(c.y, c.z, c.w, d.x), SIMD4(c.z, c.w, d.x, d.y), SIMD4(c.w, d.x, d.y, d.z))
        let (c14, c15, c16) = (SIMD4(d.y, d.z, d.w, 0), SIMD4(d.z, d.w, 0, 0), SIMD4(d.w, 0, 0, 0))
        var (v0, v1, v2, v3) = (values.vector(at: 0), values.vector(at: 4), values.vector(at: 8), values.vector(at: 12))
        for n in stride(from: 16, to: 16 &+ count, by: 4) {
            let oldest = (v0.x * c16 + v0.y * c15) + (v0.z * c14 + v0.w * d)
            let older = (v1.x * c12 + v1.y * c11) + (v1.z * c10 + v1.w * c)
            let old = (v2.x * c8 + v2.y * c7) + (v2.z * c6 + v2.w * b)
            let known = Self.convolved(values.vector(at: n) - (oldest + older + old), response)
            let next = known + ((v3.x * d4 + v3.y * d3) + (v3.z * d2 + v3.w * d1))
            values.store(next, at: n)
            (v0, v1, v2, v3) = (v1, v2, v3, next)
        }
    }

    /// Returns the first four values of a convolution.
    ///
    /// `response` starts with 1.
    @inline(__always)
    private static func convolved(_ values: SIMD4<Float>, _ response: SIMD4<Float>) -> SIMD4<Float> {
        let (one, two) = (SIMD4(0, values.x, values.y, values.z) * response.y, SIMD4(0, 0, values.x, values.y) * response.z)
        return values + one + (two + SIMD4(0, 0, 0, values.x) * response.w)
    }
}
