// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What parametric stereo computes with, made once (ISO/IEC 14496-3:2009, 8.6.4).
struct StereoTables: Sendable {
    /// The tables of all decoders.
    static let shared = StereoTables()

    /// The four factors h11, h12, h21, h22 by manner of mixing, fineness, level and coherence; see ``matrix(_:level:coherence:)``.
    private let matrices: ContiguousArray<SIMD4<Float>>
    /// Cosine and sine parts of the filters that split a subband: 8 parts, then 12, 8 and 4; see ``HybridAnalysis``.
    let filters: ContiguousArray<SIMD2<Float>>
    /// What turns the phase of each band before the all-pass links, `φ`: 8 rows of low bands, 6 of QMF subbands.
    let phases20: ContiguousArray<ComplexVector>
    let phases34: ContiguousArray<ComplexVector>
    /// The phases of the three links, `Q`, one after the other.
    let links20: ContiguousArray<ComplexVector>
    let links34: ContiguousArray<ComplexVector>
    /// The gains of the three links, `a` times the slope `γ`.
    let gains20: ContiguousArray<SIMD4<Float>>
    let gains34: ContiguousArray<SIMD4<Float>>

    private static let coarseLevels: [Double] = [-25, -18, -14, -10, -7, -4, -2, 0, 2, 4, 7, 10, 14, 18, 25]
    private static let fineLevels: [Double] = [
        -50, -45, -40, -35, -30, -25, -22, -19, -16, -13, -10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30,
        35, 40, 45, 50,
    ]
    private static let coherences: [Double] = [1, 0.937, 0.84118, 0.60092, 0.36764, 0, -0.589, -1]
    private static let coarseStart = 0
    private static let fineStart = 15 * 8
    private static let matrixCount = 46 * 8

    private init() {
        matrices = Self.table(736) { index in
            let entry = index % Self.matrixCount
            let level =
                entry < Self.fineStart ? Self.coarseLevels[entry / 8] : Self.fineLevels[(entry - Self.fineStart) / 8]
            let ratio = PortableMath.exp(level / 20 * 2.302_585_092_994_045_7)
            return index < Self.matrixCount
                ? Self.matrixA(ratio: ratio, coherence: Self.coherences[entry % 8])
                : Self.matrixB(ratio: ratio, coherence: max(Self.coherences[entry % 8], 0.05))
        }
        filters = Self.table(96) { Self.filter($0) }
        phases20 = Self.table(14) { Self.rotations($0, .bands20, slope: 0.39) }
        phases34 = Self.table(14) { Self.rotations($0, .bands34, slope: 0.39) }
        links20 = Self.table(42) { Self.rotations($0 % 14, .bands20, slope: Self.linkSlopes[$0 / 14]) }
        links34 = Self.table(42) { Self.rotations($0 % 14, .bands34, slope: Self.linkSlopes[$0 / 14]) }
        gains20 = Self.table(42) { Self.gains($0 % 14, .bands20) * Self.linkGains[$0 / 14] }
        gains34 = Self.table(42) { Self.gains($0 % 14, .bands34) * Self.linkGains[$0 / 14] }
    }

    private static func table<Row>(_ count: Int, _ row: (Int) -> Row) -> ContiguousArray<Row> {
        ContiguousArray((0..<count).map(row))
    }

    /// The factors h11, h12, h21, h22 that make left and right of the mono signal and its decorrelated twin.
    ///
    /// - Parameters:
    ///   - level: -7 to 7, or -15 to 15 in fine steps.
    ///   - coherence: 0 to 7.
    func matrix(_ header: ParametricStereoHeader, level: Int, coherence: Int) -> SIMD4<Float> {
        let manner = header.usesMixingProcedureB ? Self.matrixCount : 0
        let entry = header.hasFineLevels ? Self.fineStart + 8 * (level + 15) : Self.coarseStart + 8 * (level + 7)
        return matrices[manner + entry + coherence]
    }

    private static func cosine(_ angle: Double) -> Double { CircularFunctions.cosinePi(angle / Double.pi) }
    private static func sine(_ angle: Double) -> Double { CircularFunctions.sinePi(angle / Double.pi) }

    /// `Ra`: the angle between the channels follows coherence alone.
    private static func matrixA(ratio: Double, coherence: Double) -> SIMD4<Float> {
        let right = (2 / (1 + ratio * ratio)).squareRoot()
        let left = ratio * right
        let alpha = PortableMath.arccosine(coherence) / 2
        let beta = alpha * (right - left) / 2.0.squareRoot()
        return SIMD4(
            Float(left * cosine(beta + alpha)), Float(right * cosine(beta - alpha)), Float(left * sine(beta + alpha)),
            Float(right * sine(beta - alpha)))
    }

    /// `Rb`: the principal axis of the two channels.
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

    /// The angle from 0 to pi of a point with y above 0.
    private static func axis(_ y: Double, _ x: Double) -> Double {
        if x == 0 { return Double.pi / 2 }
        let angle = PortableMath.arctangent(y / abs(x))
        return x > 0 ? angle : Double.pi - angle
    }

    private static let linkSlopes: [3 of Double] = [0.43, 0.75, 0.347]
    private static let linkGains: [3 of Float] = [0.651_439_057_531_06, 0.564_718_122_007_76, 0.489_541_659_556_95]

    /// exp(-iπ · slope · centre frequency) of four bands.
    private static func rotations(_ row: Int, _ bands: StereoBands, slope: Double) -> ComplexVector {
        var result = ComplexVector.zero
        for lane in 0..<4 {
            let frequency = row < 8 ? lowFrequency(4 * row + lane, bands) : Double(4 * (row - 8) + lane) + 0.5
            result.real[lane] = Float(CircularFunctions.cosinePi(slope * frequency))
            result.imaginary[lane] = Float(-CircularFunctions.sinePi(slope * frequency))
        }
        return result
    }

    /// The slope `γ` of four bands: from the fourth QMF subband on (the sixth with 34 bands) the links fade.
    private static func gains(_ row: Int, _ bands: StereoBands) -> SIMD4<Float> {
        guard row >= 8 else { return SIMD4(repeating: 1) }
        var result = SIMD4<Float>(repeating: 0)
        for lane in 0..<4 {
            let excess = 4 * (row - 8) + lane - bands.splitSubbandCount
            result[lane] = excess <= 0 ? 1 : max(0, 1 - 0.05 * Float(excess))
        }
        return result
    }

    /// The centre of a low band in QMF subbands.
    private static func lowFrequency(_ band: Int, _ bands: StereoBands) -> Double {
        guard band < bands.lowBandCount else { return 0 }
        return bands == .bands20 ? Double(eighths[band]) / 8 : Double(twentyFourths[band]) / 24
    }

    private static let eighths = [-3, -1, 1, 3, 5, 7, 10, 14, 18, 22]
    // swift-format-ignore
    private static let twentyFourths = [
        2, 6, 10, 14, 18, 22, 26, 30, 34, -10, -6, -2, 51, 57, 15, 21, 27, 33, 39, 45, 54, 66, 78, 42, 102, 66, 78, 90, 102, 114,
        126, 90,
    ]
}

extension StereoTables {
    /// The middle and the six taps on either side of the filters, outwards.
    // swift-format-ignore
    private static let prototypes: [[Double]] = [
        [0.117_937_105_672_17, 0.098_851_085_752_64, 0.072_661_139_295_91, 0.045_468_659_304_73, 0.022_704_209_498_25, 0.007_460_829_498_12],
        [0.081_003_478_929_14, 0.074_283_138_011_06, 0.063_998_311_515_92, 0.051_449_081_356_99, 0.038_128_109_949_26, 0.040_811_799_246_92],
        [0.122_224_522_497_53, 0.103_073_441_580_36, 0.084_170_441_167_67, 0.054_178_913_787_82, 0.037_527_163_919_91, 0.015_656_756_001_22],
        [0.232_798_566_629_96, 0.164_863_035_674_03, 0.077_787_239_158_51, 0, -0.048_714_983_749_46, -0.059_082_111_556_39],
    ]
    private static let partCounts = [8, 12, 8, 4]

    /// Where the pairs of a filter start in ``filters``, in entries.
    static let filterStarts: [4 of Int] = [0, 24, 60, 84]

    /// Entry: filter, pair of parts, tap; cosine and sine times the prototype.
    private static func filter(_ index: Int) -> SIMD2<Float> {
        let filter = index < 24 ? 0 : index < 60 ? 1 : index < 84 ? 2 : 3
        let (pair, tap) = ((index - filterStarts[filter]) / 6, (index - filterStarts[filter]) % 6)
        let halfTurns = 2 / Double(partCounts[filter]) * (Double(pair) + 0.5) * Double(tap + 1)
        let gain = prototypes[filter][tap]
        return SIMD2(
            Float(gain * CircularFunctions.cosinePi(halfTurns)), Float(gain * CircularFunctions.sinePi(halfTurns)))
    }
}
