// SPDX-License-Identifier: Apache-2.0

/// Filters that estimate the MDST of the downmix from its MDCT (ISO/IEC 23003-3, 7.7.2).
enum SineTransformFilters {
    /// Taps 1, 2 and 3 of the filters for the current window. Taps on the other side have the opposite sign, and tap 0 is 0.
    ///
    /// The index is 4 times the sequence index (long or short, start, stop, stop-start), plus 2 if the left half is Kaiser-Bessel derived,
    /// plus 1 if the right half is.
    // swift-format-ignore
    static let current: ContiguousArray<SIMD4<Float>> = [
        SIMD4(0.5, 0.0, 0.0, 0), SIMD4(0.540714, 0.057238, 0.045748, 0), SIMD4(0.540714, -0.057238, 0.045748, 0),
        SIMD4(0.581427, 0.0, 0.091497, 0), SIMD4(0.567149, 0.103791, 0.102658, 0), SIMD4(0.567861, 0.105207, 0.104763, 0),
        SIMD4(0.607863, 0.046553, 0.148406, 0), SIMD4(0.608574, 0.047969, 0.150512, 0), SIMD4(0.567149, -0.103791, 0.102658, 0),
        SIMD4(0.607863, -0.046553, 0.148406, 0), SIMD4(0.567861, -0.105207, 0.104763, 0), SIMD4(0.608574, -0.047969, 0.150512, 0),
        SIMD4(0.634298, 0.0, 0.205316, 0), SIMD4(0.63501, 0.001416, 0.207421, 0), SIMD4(0.63501, -0.001416, 0.207421, 0),
        SIMD4(0.635722, 0.0, 0.209526, 0),
    ]

    /// Taps 0 to 3 of the filters for the previous window. Taps on the other side are equal.
    ///
    /// The index is 2 if the window is stop or stop-start, plus 1 if the left half is Kaiser-Bessel derived.
    // swift-format-ignore
    static let previous: ContiguousArray<SIMD4<Float>> = [
        SIMD4(0.31831, 0.25, 0.106103, 0.0), SIMD4(0.213077, 0.186579, 0.123714, 0.059509),
        SIMD4(0.03979, 0.039645, 0.039212, 0.038498), SIMD4(0.026631, 0.026577, 0.026413, 0.026142),
    ]
}
