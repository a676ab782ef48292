// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The tables of parametric stereo (ISO/IEC 14496-3:2009, 8.6.4).
package struct StereoTables: Sendable {
    package static let shared = StereoTables()

    /// h11, h12, h21 and h22 of mixing procedure `Ra` by quantization, level and coherence; see ``matrix(_:level:coherence:)``.
    private static let matricesA = matrices { ratio, coherence in matrixA(ratio: ratio, coherence: coherence) }
    /// The matrices of mixing procedure `Rb`, which few streams use.
    private static let matricesB = matrices { ratio, coherence in matrixB(ratio: ratio, coherence: max(coherence, 0.05)) }
    /// `φ` for 20 stereo bands: 8 rows of low bands, 6 of QMF subbands.
    let phases20: ContiguousArray<ComplexVector>
    /// `φ` for 34 stereo bands.
    let phases34: ContiguousArray<ComplexVector>
    /// `Q` of the three all-pass links in sequence, for 20 stereo bands.
    let links20: ContiguousArray<ComplexVector>
    /// `Q` for 34 stereo bands.
    let links34: ContiguousArray<ComplexVector>
    /// `a` · `γ` of the three all-pass links in sequence, for 20 stereo bands.
    let gains20: ContiguousArray<SIMD4<Float>>
    /// `a` · `γ` for 34 stereo bands.
    let gains34: ContiguousArray<SIMD4<Float>>

    /// The intensity differences of default quantization, in decibels (Table 8.25).
    private static let coarseLevels: [Double] = [-25, -18, -14, -10, -7, -4, -2, 0, 2, 4, 7, 10, 14, 18, 25]
    /// The intensity differences of fine quantization, in decibels (Table 8.26).
    private static let fineLevels: [Double] = [
        -50, -45, -40, -35, -30, -25, -22, -19, -16, -13, -10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30,
        35, 40, 45, 50,
    ]
    /// `ρ` by coherence index (Table 8.28).
    private static let coherences: [Double] = [1, 0.937, 0.84118, 0.60092, 0.36764, 0, -0.589, -1]
    /// The index of the first matrix of default quantization.
    private static let coarseStart = 0
    /// The index of the first matrix of fine quantization.
    private static let fineStart = 15 * 8

    private init() {
        phases20 = Self.table(14) { Self.rotations($0, .bands20, slope: 0.39) }
        phases34 = Self.table(14) { Self.rotations($0, .bands34, slope: 0.39) }
        links20 = Self.table(42) { Self.rotations($0 % 14, .bands20, slope: Self.linkSlopes[$0 / 14]) }
        links34 = Self.table(42) { Self.rotations($0 % 14, .bands34, slope: Self.linkSlopes[$0 / 14]) }
        gains20 = Self.table(42) { Self.gains($0 % 14, .bands20) * Self.linkGains[$0 / 14] }
        gains34 = Self.table(42) { Self.gains($0 % 14, .bands34) * Self.linkGains[$0 / 14] }
    }

    private static func matrices(_ matrix: (_ ratio: Double, _ coherence: Double) -> SIMD4<Float>) -> ContiguousArray<SIMD4<Float>> {
        var matrices: ContiguousArray<SIMD4<Float>> = []
        for level in coarseLevels + fineLevels {
            let ratio = PortableMath.exp(level / 20 * 2.302_585_092_994_045_7)
            for coherence in coherences { matrices.append(matrix(ratio, coherence)) }
        }
        return matrices
    }

    private static func table<Row>(_ count: Int, _ row: (Int) -> Row) -> ContiguousArray<Row> {
        ContiguousArray((0..<count).map(row))
    }

    /// Returns h11, h12, h21 and h22 (8.6.4.6.2).
    ///
    /// - Parameters:
    ///   - header: Determines the quantization and the mixing procedure.
    ///   - level: The intensity difference index, -7 to 7, or -15 to 15 with fine quantization.
    ///   - coherence: The coherence index, 0 to 7.
    package func matrix(_ header: ParametricStereoHeader, level: Int, coherence: Int) -> SIMD4<Float> {
        let entry = header.hasFineLevels ? Self.fineStart + 8 * (level + 15) : Self.coarseStart + 8 * (level + 7)
        return header.usesMixingProcedureB ? Self.matricesB[entry + coherence] : Self.matricesA[entry + coherence]
    }

    private static func cosine(_ angle: Double) -> Double { CircularFunctions.cosinePi(angle / Double.pi) }
    private static func sine(_ angle: Double) -> Double { CircularFunctions.sinePi(angle / Double.pi) }

    /// Returns the matrix of mixing procedure `Ra`.
    ///
    ///     c1 = sqrt(2 / (1 + c²)), c2 = c · c1, α = arccos(ρ) / 2, β = α (c1 - c2) / sqrt(2)
    ///     h11 = c2 cos(β + α), h12 = c1 cos(β - α), h21 = c2 sin(β + α), h22 = c1 sin(β - α)
    private static func matrixA(ratio: Double, coherence: Double) -> SIMD4<Float> {
        let right = (2 / (1 + ratio * ratio)).squareRoot()
        let left = ratio * right
        let alpha = PortableMath.arccosine(coherence) / 2
        let beta = alpha * (right - left) / 2.0.squareRoot()
        return SIMD4(
            Float(left * cosine(beta + alpha)), Float(right * cosine(beta - alpha)), Float(left * sine(beta + alpha)),
            Float(right * sine(beta - alpha)))
    }

    /// Returns the matrix of mixing procedure `Rb`, based on the principal axis of the two channels.
    ///
    ///     α = arctan(2 c ρ / (c² - 1)) / 2, μ = 1 + (4 ρ² - 4) / (c + 1 / c)², γ = arctan(sqrt((1 - sqrt(μ)) / (1 + sqrt(μ))))
    ///     h11 = sqrt(2) cos(α) cos(γ), h12 = sqrt(2) sin(α) cos(γ), h21 = -sqrt(2) sin(α) sin(γ), h22 = sqrt(2) cos(α) sin(γ)
    private static func matrixB(ratio: Double, coherence: Double) -> SIMD4<Float> {
        let alpha = axis(2 * ratio * coherence, ratio * ratio - 1) / 2
        let sum = ratio + 1 / ratio
        let mu = (1 + (4 * coherence * coherence - 4) / (sum * sum)).squareRoot()
        let gamma = PortableMath.arctangent(max(0, (1 - mu) / (1 + mu)).squareRoot())
        let scale = 2.0.squareRoot()
        return SIMD4(
            Float(scale * cosine(alpha) * cosine(gamma)), Float(scale * sine(alpha) * cosine(gamma)),
            Float(-scale * sine(alpha) * sine(gamma)), Float(scale * cosine(alpha) * sine(gamma)))
    }

    /// Returns the angle of a point, from 0 to π.
    ///
    /// `y` must not be negative.
    private static func axis(_ y: Double, _ x: Double) -> Double {
        if x == 0 { return Double.pi / 2 }
        let angle = PortableMath.arctangent(y / abs(x))
        return x > 0 ? angle : Double.pi - angle
    }

    /// `q`: the fractional delays of the three links.
    private static let linkSlopes: [Double] = [0.43, 0.75, 0.347]
    /// `a`: the coefficients of the three links.
    private static let linkGains: [Float] = [0.651_439_057_531_06, 0.564_718_122_007_76, 0.489_541_659_556_95]

    /// Returns exp(-iπ · `slope` · `f_center`) of four bands.
    private static func rotations(_ row: Int, _ bands: StereoBands, slope: Double) -> ComplexVector {
        var result = ComplexVector.zero
        for lane in 0..<4 {
            let frequency = row < 8 ? lowFrequency(4 * row + lane, bands) : Double(4 * (row - 8) + lane) + 0.5
            result.real[lane] = Float(CircularFunctions.cosinePi(slope * frequency))
            result.imaginary[lane] = Float(-CircularFunctions.sinePi(slope * frequency))
        }
        return result
    }

    /// Returns the slope `γ` of four bands.
    ///
    /// It decreases by 0.05 per QMF subband after the first one that is not split.
    private static func gains(_ row: Int, _ bands: StereoBands) -> SIMD4<Float> {
        guard row >= 8 else { return SIMD4(repeating: 1) }
        var result = SIMD4<Float>(repeating: 0)
        for lane in 0..<4 {
            let excess = 4 * (row - 8) + lane - bands.splitSubbandCount
            result[lane] = excess <= 0 ? 1 : max(0, 1 - 0.05 * Float(excess))
        }
        return result
    }

    /// Returns `f_center` of a low band, in QMF subbands.
    private static func lowFrequency(_ band: Int, _ bands: StereoBands) -> Double {
        guard band < bands.lowBandCount else { return 0 }
        return bands == .bands20 ? Double(eighths[band]) / 8 : Double(twentyFourths[band]) / 24
    }

    /// `f_center` of the low bands of 20 stereo bands, in eighths of a QMF subband.
    private static let eighths = [-3, -1, 1, 3, 5, 7, 10, 14, 18, 22]
    /// `f_center` of the low bands of 34 stereo bands, in 24ths of a QMF subband.
    // swift-format-ignore
    private static let twentyFourths = [
        2, 6, 10, 14, 18, 22, 26, 30, 34, -10, -6, -2, 51, 57, 15, 21, 27, 33, 39, 45, 54, 66, 78, 42, 102, 66, 78, 90, 102, 114,
        126, 90,
    ]
}
