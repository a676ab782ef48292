// SPDX-License-Identifier: Apache-2.0

/// The filters of ``HybridAnalysis``.
enum HybridFilters {
    /// The cosine and sine parts of the filters with 8, 12, 8 and 4 parts.
    static let taps = ContiguousArray((0..<96).map(filter))

    /// The taps of the real half-band filters at distances 1, 3 and 5 from the centre.
    static let halfTaps = SIMD3<Float>(0.305_966_305_451_68, -0.072_931_391_675_38, 0.018_994_875_260_49)

    /// The six taps on either side of the centre of each prototype filter, from the centre outwards.
    // swift-format-ignore
    private static let prototypes: [[Double]] = [
        [0.117_937_105_672_17, 0.098_851_085_752_64, 0.072_661_139_295_91, 0.045_468_659_304_73, 0.022_704_209_498_25, 0.007_460_829_498_12],
        [0.081_003_478_929_14, 0.074_283_138_011_06, 0.063_998_311_515_92, 0.051_449_081_356_99, 0.038_128_109_949_26, 0.040_811_799_246_92],
        [0.122_224_522_497_53, 0.103_073_441_580_36, 0.084_170_441_167_67, 0.054_178_913_787_82, 0.037_527_163_919_91, 0.015_656_756_001_22],
        [0.232_798_566_629_96, 0.164_863_035_674_03, 0.077_787_239_158_51, 0, -0.048_714_983_749_46, -0.059_082_111_556_39],
    ]
    private static let partCounts = [8, 12, 8, 4]

    /// The first entry of each filter in ``taps``.
    static let starts: [Int] = [0, 24, 60, 84]

    /// Returns an entry of ``taps``: cosine and sine for a tap of a pair of parts, times the prototype.
    private static func filter(_ index: Int) -> SIMD2<Float> {
        let filter = index < 24 ? 0 : index < 60 ? 1 : index < 84 ? 2 : 3
        let (pair, tap) = ((index - starts[filter]) / 6, (index - starts[filter]) % 6)
        let halfTurns = 2 / Double(partCounts[filter]) * (Double(pair) + 0.5) * Double(tap + 1)
        let gain = prototypes[filter][tap]
        return SIMD2(
            Float(gain * CircularFunctions.cosinePi(halfTurns)), Float(gain * CircularFunctions.sinePi(halfTurns)))
    }
}
